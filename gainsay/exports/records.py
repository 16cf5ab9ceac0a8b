"""What an export reads: the rows of a format's model, and their pictures."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import pyarrow as pa

from gainsay.errors import GainsayError
from python_udfs.pixels.image_bytes import ImageUnreadableError, read_image

Record = dict[str, Any]

_LARGEST_IMAGE = 64 * 2**20
_ROWS_PER_READ = 1000
# the benchmark of a record and where its picture lies: no exported file has these
_UNSPELLED = ("benchmark", "image", "image_path", "image_archive")


@dataclass(frozen=True)
class Records:
    """The rows of a format's model in the order of their ids, read anew by every loop.

    `model` is that of the format, `source` that of all records, those without a picture included.
    Only the rows of a `benchmark` where the model has those of several, and only those of a
    `split` where one is named.
    """

    connection: duckdb.DuckDBPyConnection
    model: str
    source: str
    benchmark: str | None = None
    split: str | None = None

    def __iter__(self) -> Iterator[Record]:
        return self.rows(f"from {self.model} where {self.condition} order by example_id")

    @property
    def condition(self) -> str:
        """Which rows of the model, and of the source, are these."""
        of_benchmark = "true" if self.benchmark is None else "benchmark = $benchmark"
        return of_benchmark if self.split is None else f"{of_benchmark} and split = $split"

    def of_split(self, split: str) -> "Records":
        """Those of one split."""
        return replace(self, split=split)

    def splits(self) -> list[str]:
        """The splits that there are."""
        query = f"select distinct split from {self.model} where {self.condition} order by split"
        return [row["split"] for row in self.rows(query)]

    def known(self, column: str) -> list[str]:
        """What `benchmark` or `split` can name: all that there is, whether or not exported."""
        of_benchmark = "true" if column == "benchmark" else replace(self, split=None).condition
        query = f"select distinct {column} from {self.source} where {of_benchmark} order by all"
        return [row[column] for row in self.rows(query)]

    def pictures(self) -> Iterator[Record]:
        """Each picture once: `image`, `image_path` and `image_archive`, in the order of names."""
        return self.rows(f"""
            select image, min(image_path) as image_path, min(image_archive) as image_archive
            from {self.model} where {self.condition} group by image order by image
        """)

    def n_rows(self) -> int:
        """How many there are."""
        query = f"select count(*) as n from {self.model} where {self.condition}"
        return int(next(self.rows(query))["n"])

    def left_out(self) -> dict[str, int]:
        """How many records have no picture that may leave, by reason."""
        rows = self.rows(f"""
            select picture_state, count(*) as n from {self.source}
            where {self.condition} and picture_state <> 'available'
            group by picture_state order by picture_state
        """)
        return {row["picture_state"]: row["n"] for row in rows}

    def counts(self, *columns: str) -> list[Record]:
        """How many of the exported records there are by columns of their source: rows with `n`."""
        names = ", ".join(columns)
        return list(
            self.rows(f"""
            select {names}, count(*) as n from {self.source}
            where {self.condition}
                and example_id in (select example_id from {self.model} where {self.condition})
            group by {names} order by {names}
        """)
        )

    def schema(self) -> pa.Schema:
        """The columns and their types, those of pictures left out."""
        with self.connection.cursor() as cursor:
            empty: pa.Table = cursor.sql(f"from {self.model} limit 0").to_arrow_table()
        return pa.schema([column for column in empty.schema if column.name not in _UNSPELLED])

    def rows(self, query: str) -> Iterator[Record]:
        """The rows of a query, which may name `$benchmark` and `$split` where these are of one.

        Raises `GainsayError` where what it reads is not built, or its files are gone.
        """
        # loops run within each other
        cursor = self.connection.cursor()
        ours = {"benchmark": self.benchmark, "split": self.split}
        parameters = {name: value for name, value in ours.items() if f"${name}" in query}
        try:
            cursor.execute(query, parameters)
        except duckdb.CatalogException as error:
            raise GainsayError("the schema exports: run `dbt build` first") from error
        except duckdb.IOException as error:
            raise GainsayError(f"{self.model}: run `dbt build` again: {error}") from error
        names = [column[0] for column in cursor.description or ()]
        while rows := cursor.fetchmany(_ROWS_PER_READ):
            for row in rows:
                yield dict(zip(names, row, strict=True))


def read_picture(record: Record) -> bytes:
    """The bytes of a record's picture; raises `GainsayError` where it cannot be read."""
    try:
        return read_image(record["image_path"], record["image_archive"], _LARGEST_IMAGE)
    except ImageUnreadableError as error:
        raise GainsayError(f"{record['image_path']}: cannot be read: {error}") from error


def fields(record: Record, besides: Iterable[str] = ()) -> Record:
    """A record without its picture and the fields that are spelled otherwise."""
    return {
        name: value
        for name, value in record.items()
        if name not in _UNSPELLED and name not in besides
    }
