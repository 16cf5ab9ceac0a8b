"""What a release says of itself, as rows of the warehouse."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import Row, query, read, set_variables, sql_beside
from gainsay.ingest.withdrawals import require_none_withdrawn
from gainsay.inspect import manifest as manifests
from gainsay.inspect.manifest import Manifest
from gainsay.project.folder import own_project
from gainsay.release.guessing import (
    GroupCoverage,
    Margin,
    TelltaleWords,
    Variety,
    read_group_coverage,
    read_margins,
    read_telltale_words,
    read_varieties,
)
from gainsay.release.judging import GatePrecision, read_gate_precision
from gainsay.release.readings import Reading, read_readings

# the reason of the gate that hears `gainsay withdraw`
WITHDRAWN: Final = "picture_withdrawn"


class Text(msgspec.Struct, frozen=True):
    """A row of `exports__release_texts`."""

    field: str
    text: str


class Paper(msgspec.Struct, frozen=True):
    """A cited paper; authors are given and family names, a semicolon between."""

    paper_key: str
    authors: str
    title: str
    venue: str
    year: int
    url: str

    @property
    def author_names(self) -> list[str]:
        """The authors one by one."""
        return [name.strip() for name in self.authors.split(";")]


class Credit(msgspec.Struct, frozen=True):
    """A picture that is given along, or stays out, and whom to credit for it."""

    source_image_id: str
    recipe_id: str | None
    image: str | None
    author: str | None
    page_url: str | None
    license_name: str | None
    license_url: str | None
    picture_state: str
    n_examples: int


class Input(msgspec.Struct, frozen=True):
    """A landed file that the benchmark was made of, and the licence of its texts."""

    source_file: str
    holds: str | None
    sha256: str
    license_name: str | None
    license_url: str | None
    stated_at: str | None
    n_records: int | None
    n_rejected: int | None
    is_synthetic: bool


class Ending(msgspec.Struct, frozen=True):
    """How many candidates of a screening ended at one stage, and what that stage means."""

    screening: str
    stage: str
    reason: str
    description: str
    n: int
    share: float


class Overlap(msgspec.Struct, frozen=True):
    """How many images of a test split are in a training split, or have what is like them there."""

    training_benchmark: str
    training_split: str
    test_benchmark: str
    test_split: str
    n_test_images: int
    n_shared_images: int
    n_copies: int
    n_near_duplicates: int


class _Judged(msgspec.Struct, frozen=True):
    name: str
    judged: str


class _Described(msgspec.Struct, frozen=True):
    benchmark: str


class _WithdrawnPicture(msgspec.Struct, frozen=True):
    source_image_id: str


class _Records(msgspec.Struct, frozen=True):
    split: str
    picture_state: str
    n: int


@dataclass(frozen=True)
class Contents:
    """A benchmark as its release describes it."""

    benchmark: str
    texts: list[Text]
    papers: list[Paper]
    readings: list[Reading]
    manifests: dict[str, Manifest]
    judged: dict[str, str]
    inputs: list[Input]
    funnel: list[Ending]
    pictures: list[Credit]
    overlaps: list[Overlap]
    compared: list[str]
    # pictures taken down, whichever benchmark showed them, and those for which candidates of this
    # one dropped
    n_withdrawn_pictures: int = 0
    n_own_withdrawn_pictures: int = 0
    n_records: dict[str, int] = field(default_factory=dict)
    incomplete: dict[str, int] = field(default_factory=dict)
    margins: list[Margin] = field(default_factory=list)
    varieties: list[Variety] = field(default_factory=list)
    telltale_words: list[TelltaleWords] = field(default_factory=list)
    group_coverage: list[GroupCoverage] = field(default_factory=list)
    gate_precision: list[GatePrecision] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        """Every text of a field, in its order."""
        return [text.text for text in self.texts if text.field == name]

    def one(self, name: str) -> str:
        """The one text of a field; raises `GainsayError` where there is none."""
        texts = self.all(name)
        if not texts:
            raise GainsayError(
                f"release_texts.csv: {self.benchmark} has no row with the field {name!r}; add one"
                " and run `dbt build --select +exports__release_texts+`"
            )
        return texts[0]

    def judged_right(self, ending: Ending) -> str:
        """How often people find that a stage was right."""
        found = (
            one.said
            for one in self.gate_precision
            if (one.screening, one.stage) == (ending.screening, ending.stage)
        )
        return next(found, "not judged")

    @property
    def judged_gates(self) -> list[GatePrecision]:
        """The stages of which people judged something."""
        return [one for one in self.gate_precision if one.n]

    @property
    def synthetic_inputs(self) -> list[str]:
        """The names of the files that `gainsay synth` made, as they say themselves."""
        return [one.source_file for one in self.inputs if one.is_synthetic]

    @property
    def title(self) -> str:
        """What the release is called, and whether it is of made-up data."""
        return self.one("title") + (
            "" if not self.synthetic_inputs
            else " (synthetic)" if len(self.synthetic_inputs) == len(self.inputs)
            else " (synthetic in part)"
        )  # fmt: skip

    @property
    def description(self) -> str:
        """What the release is in a few sentences, the first of which says what is made up."""
        return " ".join(filter(None, (self.synthetic_note, self.one("description"))))

    @property
    def synthetic_note(self) -> str:
        """Which of the files that the release was made of are made up; empty where none is."""
        names = self.synthetic_inputs
        if not names:
            return ""
        if len(names) == len(self.inputs):
            return (
                "Synthetic: every file that this release was made of was made by `gainsay synth`;"
                " its pictures were drawn, its texts written by rules, and it measures nothing of"
                " the world."
            )
        return (
            f"Synthetic in part: of the {len(self.inputs)} files that this release was made of,"
            f" {', '.join(names)} {'was' if len(names) == 1 else 'were'} made by `gainsay synth`:"
            " drawn pictures, and texts written by rules."
        )

    @property
    def record_licenses(self) -> list[str]:
        """The addresses of the licences of records: their own, and those of what they repeat."""
        known = {one.license_url for one in self.inputs if one.license_url}
        return [self.one("license"), *sorted(known - {self.one("license")})]

    @property
    def unlicensed(self) -> list[str]:
        """What the benchmark was made of whose texts have no licence that is known."""
        return sorted({one.holds or one.source_file for one in self.inputs if not one.license_url})

    @property
    def given(self) -> list[Credit]:
        """The pictures that are given along, each file once."""
        files = {credit.image: credit for credit in reversed(self.pictures) if credit.image}
        return [files[name] for name in sorted(files)]

    @property
    def n_withdrawn(self) -> int:
        """Candidates that dropped because their picture was taken down."""
        return sum(total.n for total in self.funnel if total.reason == WITHDRAWN)

    @property
    def withheld(self) -> list[Credit]:
        """The pictures that stay out."""
        return [credit for credit in self.pictures if credit.image is None]


def read_contents(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Contents:
    """Read what the release of a benchmark says.

    Raises `GainsayError` where the benchmark is not built, has no records, or has some that show a
    picture that was taken down since.
    """
    set_variables(connection, {"benchmark": benchmark})
    records = query(connection, sql_beside(__file__, "records"), _Records)
    if not records:
        raise GainsayError(f"{benchmark}: no example to release; land files and `gainsay build`")
    n_withdrawn = _n_withdrawn_pictures(connection)
    if n_withdrawn:
        shown = query(connection, sql_beside(__file__, "withdrawn"), _WithdrawnPicture)
        require_none_withdrawn(connection, benchmark, (one.source_image_id for one in shown))
    texts = _own(connection, Text, "exports.exports__release_texts", benchmark, "field, place")
    named = [text.text for text in texts if text.field == "reading"]
    described = read(connection, _Described, "exports.exports__release_texts")
    return Contents(
        benchmark,
        texts=texts,
        papers=query(connection, sql_beside(__file__, "citations"), Paper),
        readings=read_readings(own_project(), named),
        manifests=_sealed(connection, benchmark),
        judged={row.name: row.judged for row in read(connection, _Judged, "vocabulary.readings")},
        inputs=_own(connection, Input, "exports.exports__release_inputs", benchmark, "source_file"),
        funnel=query(connection, sql_beside(__file__, "funnel"), Ending),
        pictures=_own(
            connection,
            Credit,
            "exports.exports__release_pictures",
            benchmark,
            "image, source_image_id, recipe_id",
        ),
        overlaps=query(connection, sql_beside(__file__, "overlaps"), Overlap),
        compared=sorted({row.benchmark for row in described}),
        n_withdrawn_pictures=n_withdrawn,
        n_own_withdrawn_pictures=_n_own_withdrawn_pictures(connection, benchmark),
        n_records=_sums((row.split, row.n) for row in records),
        incomplete=_sums(
            (row.picture_state, row.n) for row in records if row.picture_state != "available"
        ),
        margins=read_margins(connection, benchmark),
        varieties=read_varieties(connection, benchmark),
        telltale_words=read_telltale_words(connection, benchmark),
        group_coverage=read_group_coverage(connection, benchmark),
        gate_precision=read_gate_precision(connection, benchmark),
    )


def _own(
    connection: duckdb.DuckDBPyConnection,
    row_type: type[Row],
    relation: str,
    benchmark: str,
    order: str,
) -> list[Row]:
    """The rows of a benchmark in a mart that all share."""
    return read(
        connection,
        row_type,
        relation,
        where="benchmark = $benchmark",
        order=order,
        parameters={"benchmark": benchmark},
    )


def _sums(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The sum of the counts of each name, in the order of names."""
    sums: Counter[str] = Counter()
    for name, n in counts:
        sums[name] += n
    return dict(sorted(sums.items()))


def _sealed(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, Manifest]:
    """The sealed manifest of each of the benchmark's protocols."""
    rows = connection.execute(
        f'select distinct protocol from "{benchmark}"."{benchmark}__manifest" order by protocol'
    ).fetchall()
    return {
        protocol: manifests.read_warehouse(connection, benchmark, sealed=True, protocol=protocol)
        for (protocol,) in rows
    }


def _n_withdrawn_pictures(connection: duckdb.DuckDBPyConnection) -> int:
    """How many pictures were taken down, whichever benchmark showed them."""
    try:
        [(n,)] = connection.execute("select count(*) from raw.withdrawn_images").fetchall()
    except duckdb.CatalogException:
        # a warehouse from before there were any
        return 0
    return int(n)


def _n_own_withdrawn_pictures(connection: duckdb.DuckDBPyConnection, benchmark: str) -> int:
    """For how many of these pictures candidates of this benchmark dropped, in any screening."""
    dropped = read(
        connection,
        _WithdrawnPicture,
        f'"{benchmark}"."{benchmark}__screened"',
        where="drop_reason = $reason and source_image_id is not null",
        parameters={"reason": WITHDRAWN},
    )
    return len({row.source_image_id for row in dropped})
