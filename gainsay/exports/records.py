"""The rows of a format's model and their pictures, as an export reads them."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import IO, Any

import duckdb
import msgspec
import pyarrow as pa

from gainsay.exports.folder import Parts
from gainsay.foundation.errors import GainsayError
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_image, read_landed

Record = dict[str, Any]
# writes records as files among the parts, each of which it yields once it is whole
ShardWriter = Callable[[Iterable[Record], Parts], Iterator[IO[bytes]]]

_LARGEST_IMAGE = 64 * 2**20
# records of this split stay in the warehouse unless it is named
HELD_BACK = "held_back"
# records of which the words alone tell the right answer
ONE_SIDED = "one_sided"
# what every format must hold, by the benchmarks' own examples
_DELIVERABLE = "exports.exports__deliverable"
_RENDERED = re.compile(r"/([0-9a-f]{2})/(\1[0-9a-f]{62})\.[a-z]+$")
_ROWS_PER_READ = 1000
# the letters by which a question knows its pictures, where it is about several
LETTERS = ("a", "b", "c")
_LETTERED = tuple(f"image_{letter}" for letter in LETTERS)
_PARTS = ("", "_path", "_archive", "_sha256")
# which content each photograph had when it was measured; what is rendered is named by its own
_MEASURED = "images.images__files"
# whether a record's picture may leave, and whether COCO's name of it may stand in its place
PICTURE_STATE = "picture_state"
NAME_STATE = "name_state"
_PHOTOGRAPH = "photograph_name"
# the benchmark of a record, where its pictures lie, and whether it stays behind: no file has these
_UNSPELLED = {
    "benchmark",
    "is_two_sided",
    *(f"{name}{part}" for name in ("image", *_LETTERED) for part in _PARTS),
}


@dataclass(frozen=True)
class Records:
    """The rows of a format's model in the order of their ids, read anew by every loop.

    `model` is that of the format, `source` that of all records, those without a picture included.
    Only the rows of a `benchmark` where the model has those of several, and only those of a
    `split` or a `language` where one is named.
    """

    # of DuckDB; the session of Spark in `SparkRecords`
    connection: Any
    model: str
    source: str
    benchmark: str | None = None
    split: str | None = None
    language: str | None = None
    # the benchmark's own examples, whose columns a record has, too, and their key in the model
    examples: str | None = None
    key: str = "example_id"
    # those alone of which the words do not tell the right answer
    is_two_sided: bool = False
    # those alone of these examples
    ids: tuple[str, ...] | None = None
    # the column that is `available` of these, where the model has records of two kinds: with their
    # pictures (`PICTURE_STATE`), and with COCO's names in their place (`NAME_STATE`)
    state: str | None = None
    # by query: planning the views of all benchmarks takes longer than reading a small one
    schemas: dict[str, pa.Schema] = field(default_factory=dict, repr=False, compare=False)

    def __iter__(self) -> Iterator[Record]:
        return self.rows(f"{self.selected} order by example_id")

    def shards(self, write: ShardWriter, parts: Parts, records_per_task: int) -> list[Path]:
        """What `write` makes of the rows: files among the parts, in the order of the rows.

        `records_per_task` is for engines that share the work out.
        """
        return [Path(part.name) for part in write(self, parts)]

    @property
    def selected(self) -> str:
        """The query of the rows, with the sha256 that each photograph of theirs landed with."""
        rows = self._whole_records
        if not self.has_table(*_MEASURED.split(".")):
            return f"select * from ({rows}) as records"
        columns = [column for column in self.picture_columns if column in self._columns().names]
        contents = "".join(f", of_{column}.sha256 as {column}_sha256" for column in columns)
        joins = " ".join(
            f"left join {_MEASURED} as of_{column} on records.{column}_path = of_{column}.path"
            for column in columns
        )
        return f"select records.*{contents} from ({rows}) as records {joins}"

    @property
    def condition(self) -> str:
        """Which rows of the model, and of the source, are these."""
        named = {name: value for name, value in self._named.items() if name != "ids"}
        conditions = [f"{name} = ${name}" for name, value in named.items() if value]
        if self.ids is not None:
            conditions.append(f"{self.key} in (select unnest($ids))")
        if self.split is None:
            conditions.append(f"split <> '{HELD_BACK}'")
        if self.is_two_sided:
            conditions.append("is_two_sided")
        return " and ".join(conditions)

    @property
    def _held(self) -> str:
        """Which rows of the model are these; its source has others, too."""
        return f"{self.condition}{self._available}"

    @property
    def _available(self) -> str:
        return "" if self.state is None else f" and {self.state} = 'available'"

    @property
    def _named(self) -> dict[str, str | list[str] | None]:
        return {
            "benchmark": self.benchmark,
            "split": self.split,
            "language": self.language,
            "ids": None if self.ids is None else [*self.ids],
        }

    def of_split(self, split: str) -> "Records":
        """Those of one split."""
        return replace(self, split=split)

    def of_language(self, language: str) -> "Records":
        """Those that are asked in one language."""
        return replace(self, language=language)

    def languages(self) -> list[str]:
        """The languages that there are."""
        return [row["language"] for row in self._select("distinct language", "order by language")]

    def splits(self) -> list[str]:
        """The splits that there are."""
        return [row["split"] for row in self._select("distinct split", "order by split")]

    def known(self, column: str) -> list[str]:
        """All values of a column of the source, exported or not."""
        benchmark = None if column == "benchmark" else self.benchmark
        others = replace(self, benchmark=benchmark, split=None, language=None)
        where = "benchmark = $benchmark" if benchmark else "true"
        query = f"select distinct {column} from {self.source} where {where} order by all"
        return [row[column] for row in others.rows(query)]

    def pictures(self) -> Iterator[Record]:
        """Each picture once, in the order of names: `image`, and what `read_picture` needs.

        None where photographs are named in the place of pictures.
        """
        if self.state == NAME_STATE:
            return iter(())
        shown = " union all ".join(
            f"""
            select
                {column} as image, {column}_path as image_path, {column}_archive as image_archive
            from {self.model} where {self._held} and {column} is not null
            """
            for column in self.picture_columns
        )
        content, joined = "cast(null as varchar(64))", ""
        if self.has_table(*_MEASURED.split(".")):
            content = "files.sha256"
            joined = f"left join {_MEASURED} as files on pictures.image_path = files.path"
        return self.rows(f"""
            select pictures.*, {content} as image_sha256
            from (
                select image, min(image_path) as image_path, min(image_archive) as image_archive
                from ({shown}) group by image
            ) as pictures {joined}
            order by image
        """)

    @property
    def picture_columns(self) -> tuple[str, ...]:
        """The columns that name a record's pictures, in the order in which they are shown."""
        return _LETTERED if "image_a" in self._columns().names else ("image",)

    def n_rows(self) -> int:
        """How many there are."""
        return int(next(self._select("count(*) as n"))["n"])

    def left_out(self) -> dict[str, int]:
        """How many records have no picture that may leave, or none that is named, by reason."""
        state = self.state or PICTURE_STATE
        rows = self._select(
            f"{state}, count(*) as n",
            f"and {state} <> 'available' group by {state} order by {state}",
            self.source,
        )
        return {row[state]: row["n"] for row in rows}

    def counts(self, *columns: str) -> list[Record]:
        """How many of the exported records there are by columns of their source: rows with `n`."""
        names = ", ".join(columns)
        order = ", ".join(f"{name} nulls last" for name in columns)
        rows = self._select(
            f"{names}, count(*) as n",
            f"and example_id in ({self._ids}) group by {names} order by {order}",
            self.source,
        )
        return list(rows)

    def people(self) -> list[Record]:
        """What people answered of the exported records that say so, by side: rows with `n`.

        `doubt_share` and `answer_share`, that of the answer which most gave, are means.
        """
        if "answer_shares" not in self._names(self.source):
            return []
        sides: dict[str, list[tuple[float, float]]] = {}
        for row in self._select(
            "operator, doubt_share, answer_shares",
            f"and answer_shares is not null and example_id in ({self._ids})",
            self.source,
        ):
            first, *_ = msgspec.json.decode(row["answer_shares"])
            sides.setdefault(row["operator"], []).append((row["doubt_share"], first["share"]))
        return [
            {
                "side": side,
                "n": len(shares),
                "doubt_share": fmean(doubt for doubt, _ in shares),
                "answer_share": fmean(answer for _, answer in shares),
            }
            for side, shares in sorted(sides.items())
        ]

    def blind_scores(self, benchmark: str, condition: str) -> list[Record]:
        """How well the blind reader tells the right move; empty where it has not read."""
        if not self.has_table("audit", "audit__blind_scores"):
            return []
        of = replace(self, benchmark=benchmark)
        return list(
            of.rows(
                "select view, reader, n, most_frequent_accuracy, blind_accuracy"
                " from audit.audit__blind_scores where benchmark = $benchmark"
                f" and condition = '{condition}' and slice_name = 'all' order by view, reader"
            )
        )

    def blind_readings(self, benchmark: str) -> list[Record] | None:
        """How well the blind reader tells these very records; null where it has not read."""
        if not self.has_table("audit", "audit__blind_guesses"):
            return None
        of = replace(self, benchmark=benchmark)
        return list(
            of.rows(f"""
            select
                view, guessed, sum(n) as n,
                max(n) / sum(n) as most_frequent_accuracy, sum(n_right) / sum(n) as blind_accuracy
            from (
                select
                    task, view, guessed, label,
                    count(*) as n, count(*) filter (where is_right) as n_right
                from audit.audit__blind_guesses
                where benchmark = $benchmark and reader = 'cross_fitted'
                    and example_id in ({of._ids})
                group by all
            )
            group by task, view, guessed order by guessed, view
        """)
        )

    def manifest(self, benchmark: str) -> list[Record]:
        """The content entries of the benchmark's manifest; empty where it is not built."""
        if not self.has_table(benchmark, f"{benchmark}__manifest"):
            return []
        return list(
            self.rows(
                "select protocol, section, item, measure, value"
                f" from {benchmark}.{benchmark}__manifest"
                " where section in ('content', 'split', 'code') order by all"
            )
        )

    def has_table(self, schema: str, name: str) -> bool:
        """Whether a table is built."""
        found = self.rows(f"""
            select table_name from information_schema.tables
            where table_schema = '{schema}' and table_name = '{name}'
        """)
        return any(found)

    def stays(self, benchmark: str, deliverable: str) -> dict[str, int]:
        """How many records stay behind: what is held back, and what the words tell."""
        of = replace(self, benchmark=benchmark)
        reasons = {HELD_BACK: f"split = '{HELD_BACK}'"} if self.split != HELD_BACK else {}
        if self.is_two_sided:
            told = replace(of, is_two_sided=False)
            reasons[ONE_SIDED] = f"{told.condition} and not is_two_sided"
        held = f"{of._deliverable(deliverable)}{of._available}"
        counts = {
            reason: next(of.rows(f"select count(*) as n {held} and {where}"))["n"]
            for reason, where in reasons.items()
        }
        return {reason: n for reason, n in counts.items() if n}

    def deliverable_records(self, benchmark: str, deliverable: str) -> Iterator[Record]:
        """The records that the files must hold, by the benchmark's own examples."""
        of = replace(self, benchmark=benchmark)
        of_ids = "" if self.ids is None else f" and example_id in ({of._ids})"
        return of.rows(
            "select example_id, split, condition, group_id, language"
            f" {of._deliverable(deliverable)} and {replace(of, ids=None)._held}{of_ids}"
        )

    def _deliverable(self, deliverable: str) -> str:
        return f"from {_DELIVERABLE} where benchmark = $benchmark and {deliverable}"

    def _select(
        self, columns: str, rest: str = "", relation: str | None = None
    ) -> Iterator[Record]:
        """Columns of these rows, of the model or of another relation that has them."""
        where = self.condition if relation else self._held
        return self.rows(f"select {columns} from {relation or self.model} where {where} {rest}")

    @property
    def _ids(self) -> str:
        """The query of the ids of these rows."""
        return f"select example_id from {self.model} where {self._held}"

    @property
    def _shown_columns(self) -> str:
        """The model's columns as records have them: of two kinds of records none says its kind."""
        if self.state is None:
            return "*"
        named = f" replace ({_PHOTOGRAPH} as image)" if self.state == NAME_STATE else ""
        return f"* exclude ({_PHOTOGRAPH}, {PICTURE_STATE}, {NAME_STATE}){named}"

    @property
    def _whole_records(self) -> str:
        """The query of the rows, each with all that its benchmark's examples say of it."""
        rows = f"select {self._shown_columns} from {self.model} where {self._held}"
        if self.examples is None:
            return rows
        columns = {name: f"examples.{name}" for name in self._names(self.examples)}
        own = self._kept_schema_of(f"{rows} limit 0").names
        columns |= {name: f"records.{name}" for name in own}
        return (
            f"select {', '.join(columns.values())} from ({rows}) as records"
            f" left join {self.examples} as examples on records.{self.key} = examples.example_id"
        )

    def schema(self) -> pa.Schema:
        """The columns and their types, those of pictures left out."""
        return pa.schema([column for column in self._columns() if column.name not in _UNSPELLED])

    def _columns(self) -> pa.Schema:
        return self._kept_schema_of(f"{self._whole_records} limit 0")

    def _names(self, relation: str) -> list[str]:
        return list(map(str, self._kept_schema_of(f"select * from {relation} limit 0").names))

    def _kept_schema_of(self, query: str) -> pa.Schema:
        if query not in self.schemas:
            self.schemas[query] = self._schema_of(query)
        return self.schemas[query]

    def _schema_of(self, query: str) -> pa.Schema:
        named = {name: value for name, value in self._named.items() if f"${name}" in query}
        with self.connection.cursor() as cursor:
            empty: pa.Table = cursor.sql(query, params=named).to_arrow_table()
        return empty.schema

    def rows(self, query: str) -> Iterator[Record]:
        """The rows of a query, which may name `$benchmark`, `$split` and `$language`.

        Raises `GainsayError` where what it reads is not built, or its files are gone.
        """
        # loops run within each other
        cursor = self.connection.cursor()
        parameters = {name: value for name, value in self._named.items() if f"${name}" in query}
        try:
            cursor.execute(query, parameters)
        except duckdb.CatalogException as error:
            model = self.model.partition(".")[2]
            raise GainsayError(
                f"{self.model}: is not built in this warehouse; run `gainsay build --select"
                f" {model}` on it first, which builds what else it lacks"
            ) from error
        except duckdb.IOException as error:
            raise GainsayError(f"{self.model}: run `dbt build` again: {error}") from error
        names = [column[0] for column in cursor.description or ()]
        while rows := cursor.fetchmany(_ROWS_PER_READ):
            for row in rows:
                yield dict(zip(names, row, strict=True))


def shown_pictures(record: Record) -> dict[str, Record]:
    """The pictures of a record by the names of their columns, in the order that they are shown."""
    if "image" in record:
        return {"image": record}
    return {
        column: {f"image{part}": record.get(f"{column}{part}") for part in _PARTS}
        for column in _LETTERED
        if record[column] is not None
    }


def read_picture(record: Record) -> bytes:
    """The bytes of a record's picture, those that were measured.

    Raises `GainsayError` where it cannot be read, or is another by now.
    """
    path, archive = record["image_path"], record["image_archive"]
    rendered = _RENDERED.search(path)
    sha256 = record.get("image_sha256") or (rendered and rendered[2])
    try:
        if sha256 is None:
            return read_image(path, archive, _LARGEST_IMAGE)
        return read_landed(path, archive, _LARGEST_IMAGE, sha256)
    except ImageUnreadableError as error:
        inside = f" of {archive}" if archive else ""
        raise GainsayError(f"{path}{inside}: cannot be read: {error}") from error


def fields(record: Record, besides: Iterable[str] = ()) -> Record:
    """A record without its picture and the fields that are spelled otherwise."""
    return {
        name: value
        for name, value in record.items()
        if name not in _UNSPELLED and name not in besides
    }
