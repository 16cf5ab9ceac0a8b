"""What a release says of itself, as rows of the warehouse."""

from dataclasses import dataclass, field
from typing import Final

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query
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
    """A row of `exports__citations`; authors are given and family names, a semicolon between."""

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


class _Count(msgspec.Struct, frozen=True):
    name: str | None
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
                f"{self.benchmark}__release_texts.csv: no row with the field {name!r}; add one and"
                " run `dbt build --select exports__release_texts+`"
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


_OF_BENCHMARK = {
    "texts": """
        select field, text from exports.exports__release_texts
        where benchmark = $benchmark order by field, place
    """,
    "papers": """
        select paper_key, authors, title, venue, year, url from exports.exports__citations
        where benchmark = $benchmark order by place
    """,
    "inputs": """
        select
            source_file, holds, sha256, license_name, license_url, stated_at, n_records, n_rejected,
            is_synthetic
        from exports.exports__release_inputs
        where benchmark = $benchmark order by source_file
    """,
    "funnel": """
        select
            screening, stage, reason, any_value(description) as description,
            cast(sum(n) as bigint) as n, sum(share) as share
        from audit.audit__funnel
        inner join audit.audit__gates using (benchmark, screening, stage_order, stage, reason)
        where benchmark = $benchmark
        group by screening, stage_order, stage, reason
        order by screening, stage_order
    """,
    "credits": """
        select
            source_image_id, recipe_id, image, author, page_url, license_name, license_url,
            picture_state, n_examples
        from exports.exports__release_pictures
        where benchmark = $benchmark order by image, source_image_id, recipe_id
    """,
    "overlaps": """
        select
            benchmark as training_benchmark, split as training_split,
            other_benchmark as test_benchmark, other_split as test_split,
            n_other_images as n_test_images, n_shared_images,
            n_other_copies as n_copies, n_other_near_duplicates as n_near_duplicates
        from audit.audit__image_overlap
        where is_leak and split_role = 'training' and $benchmark in (benchmark, other_benchmark)
        union all
        select
            other_benchmark, other_split, benchmark, split, n_images, n_shared_images,
            n_copies, n_near_duplicates
        from audit.audit__image_overlap
        where is_leak and split_role = 'test' and $benchmark in (benchmark, other_benchmark)
        order by all
    """,
    "compared": """
        select benchmark as name, count(*) as n from exports.exports__release_texts
        where $benchmark <> '' group by benchmark order by benchmark
    """,
    "splits": """
        select split as name, count(*) as n from exports.exports__release_records
        where benchmark = $benchmark group by split order by split
    """,
    "withdrawn": """
        select source_image_id as name, count(*) as n from exports.exports__release_shown_pictures
        where
            benchmark = $benchmark
            and source_image_id in (select source_image_id from raw.withdrawn_images)
        group by source_image_id order by source_image_id
    """,
    "states": """
        select picture_state as name, count(*) as n from exports.exports__release_records
        where benchmark = $benchmark and picture_state <> 'available'
        group by picture_state order by picture_state
    """,
}
_JUDGED = "select name, judged from vocabulary.readings"


def read_contents(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Contents:
    """Read what the release of a benchmark says.

    Raises `GainsayError` where the benchmark is not built, has no records, or has some that show a
    picture that was taken down since.
    """
    of = {"benchmark": benchmark}
    n_records = _counts(connection, "splits", of)
    if not n_records:
        raise GainsayError(f"{benchmark}: no example to release; land files and `gainsay build`")
    n_withdrawn = _n_withdrawn_pictures(connection)
    if n_withdrawn and (shown := _counts(connection, "withdrawn", of)):
        raise GainsayError(
            f"{benchmark}: examples still show {', '.join(shown)}, taken down since it was built;"
            " run `gainsay build` first"
        )
    texts = query(connection, _OF_BENCHMARK["texts"], Text, of)
    named = [text.text for text in texts if text.field == "reading"]
    return Contents(
        benchmark,
        texts=texts,
        papers=query(connection, _OF_BENCHMARK["papers"], Paper, of),
        readings=read_readings(own_project(), named),
        manifests=_sealed(connection, benchmark),
        judged={row.name: row.judged for row in query(connection, _JUDGED, _Judged)},
        inputs=query(connection, _OF_BENCHMARK["inputs"], Input, of),
        funnel=query(connection, _OF_BENCHMARK["funnel"], Ending, of),
        pictures=query(connection, _OF_BENCHMARK["credits"], Credit, of),
        overlaps=query(connection, _OF_BENCHMARK["overlaps"], Overlap, of),
        compared=list(_counts(connection, "compared", of)),
        n_withdrawn_pictures=n_withdrawn,
        n_own_withdrawn_pictures=_n_own_withdrawn_pictures(connection, benchmark),
        n_records=n_records,
        incomplete=_counts(connection, "states", of),
        margins=read_margins(connection, benchmark),
        varieties=read_varieties(connection, benchmark),
        telltale_words=read_telltale_words(connection, benchmark),
        group_coverage=read_group_coverage(connection, benchmark),
        gate_precision=read_gate_precision(connection, benchmark),
    )


def _counts(connection: duckdb.DuckDBPyConnection, name: str, of: dict[str, str]) -> dict[str, int]:
    rows = query(connection, _OF_BENCHMARK[name], _Count, of)
    return {str(row.name): row.n for row in rows}


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
    [(n,)] = connection.execute(
        f'select count(distinct source_image_id) from "{benchmark}"."{benchmark}__screened"'
        " where drop_reason = $reason",
        {"reason": WITHDRAWN},
    ).fetchall()
    return int(n)
