"""What a release says of itself, as rows of the warehouse."""

from dataclasses import dataclass, field
from typing import Final

import duckdb
import msgspec

from gainsay.errors import GainsayError
from gainsay.inspect import manifest as manifests
from gainsay.inspect.funnel import TOTALS, FunnelTotal
from gainsay.inspect.manifest import Manifest
from gainsay.project.folder import own_project
from gainsay.release.readings import Reading, read_readings
from gainsay.warehouse.queries import query

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


class Overlap(msgspec.Struct, frozen=True):
    """How many images two splits share, of which one is to train on and the other to test on."""

    benchmark: str
    split: str
    other_benchmark: str
    other_split: str
    n_shared_images: int


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
    funnel: list[FunnelTotal]
    pictures: list[Credit]
    overlaps: list[Overlap]
    n_withdrawn_pictures: int = 0
    n_records: dict[str, int] = field(default_factory=dict)
    incomplete: dict[str, int] = field(default_factory=dict)

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
    "credits": """
        select
            source_image_id, recipe_id, image, author, page_url, license_name, license_url,
            picture_state, n_examples
        from exports.exports__release_pictures
        where benchmark = $benchmark order by image, source_image_id, recipe_id
    """,
    "overlaps": """
        select benchmark, split, other_benchmark, other_split, n_shared_images
        from audit.audit__image_overlap
        where is_leak and $benchmark in (benchmark, other_benchmark)
        order by all
    """,
    "splits": """
        select split as name, count(*) as n from exports.exports__release_records
        where benchmark = $benchmark group by split order by split
    """,
    "states": """
        select picture_state as name, count(*) as n from exports.exports__release_records
        where benchmark = $benchmark and picture_state <> 'available'
        group by picture_state order by picture_state
    """,
}


def read_contents(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Contents:
    """Read what the release of a benchmark says.

    Raises `GainsayError` where the benchmark is not built, or has no records.
    """
    of = {"benchmark": benchmark}
    n_records = _counts(connection, "splits", of)
    if not n_records:
        raise GainsayError(f"{benchmark}: no example to release; land files and `gainsay build`")
    totals = query(connection, TOTALS, FunnelTotal)
    texts = query(connection, _OF_BENCHMARK["texts"], Text, of)
    named = [text.text for text in texts if text.field == "reading"]
    return Contents(
        benchmark,
        texts=texts,
        papers=query(connection, _OF_BENCHMARK["papers"], Paper, of),
        readings=read_readings(own_project(), named),
        manifests=_sealed(connection, benchmark),
        funnel=[total for total in totals if total.benchmark == benchmark],
        pictures=query(connection, _OF_BENCHMARK["credits"], Credit, of),
        overlaps=query(connection, _OF_BENCHMARK["overlaps"], Overlap, of),
        n_withdrawn_pictures=_n_withdrawn_pictures(connection),
        n_records=n_records,
        incomplete=_counts(connection, "states", of),
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
