"""Parquet files of a bounded size, the same bytes from the same rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.exports.records import read_picture
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import set_variables
from gainsay.release.contents import Credit

_ROWS_PER_BATCH = 10_000
_PICTURES_PER_BATCH = 100
_PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_CREDIT = ("source_image_id", "recipe_id", "author", "page_url", "license_name", "license_url")
PICTURE_SCHEMA = pa.schema(
    [("image", pa.string()), ("picture", _PICTURE), *((name, pa.string()) for name in _CREDIT)],
    # what `datasets` is to make of them
    metadata={
        "huggingface": '{"info": {"features": {"image": {"dtype": "string", "_type": "Value"},'
        ' "picture": {"_type": "Image"}, '
        + ", ".join(f'"{name}": {{"dtype": "string", "_type": "Value"}}' for name in _CREDIT)
        + "}}}"
    },
)


@dataclass(frozen=True)
class Shards:
    """The files of one table of a release, below its folder, and the rows of all of them."""

    names: list[str]
    schema: pa.Schema
    n_rows: int


class Place(NamedTuple):
    """Where the bytes of a picture lie, and which they are; rendered ones say it by their name."""

    image_path: str
    image_archive: str | None
    image_sha256: str | None


def write_rows(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    variables: dict[str, str],
    folder: Path,
    stem: str,
    shard_bytes: int,
) -> Shards:
    """Write a query's rows in their order as `<stem>-<shard>-of-<shards>.parquet`.

    `variables` are what the query reads by `getvariable`.
    """
    with connection.cursor() as cursor:
        set_variables(cursor, variables)
        try:
            reader = cursor.sql(query).to_arrow_reader(_ROWS_PER_BATCH)
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            raise GainsayError(f"the schema exports: run `gainsay build` first: {error}") from error
        return _write(iter(reader), reader.schema, folder, stem, shard_bytes)


def write_pictures(
    pictures: list[Credit],
    places: dict[str, Place],
    folder: Path,
    stem: str,
    shard_bytes: int,
) -> Shards:
    """Write pictures with their bytes and credits; `places` says where each file's bytes lie."""
    return _write(_picture_batches(pictures, places), PICTURE_SCHEMA, folder, stem, shard_bytes)


def _picture_batches(pictures: list[Credit], places: dict[str, Place]) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(pictures), _PICTURES_PER_BATCH):
        rows = []
        for credit in pictures[start : start + _PICTURES_PER_BATCH]:
            assert credit.image is not None
            data = read_picture(places[credit.image]._asdict())
            row = {name: getattr(credit, name) for name in _CREDIT}
            rows.append(
                row | {"image": credit.image, "picture": {"bytes": data, "path": credit.image}}
            )
        yield pa.RecordBatch.from_pylist(rows, PICTURE_SCHEMA)


def _write(
    batches: Iterator[pa.RecordBatch],
    schema: pa.Schema,
    folder: Path,
    stem: str,
    shard_bytes: int,
) -> Shards:
    """Write a file after the other, each closed by the batch that fills it."""
    parts: list[Path] = []
    n_rows = 0
    batch = next(batches, None)
    target = folder / stem
    target.parent.mkdir(parents=True, exist_ok=True)
    while batch is not None or not parts:
        part = target.with_name(f".{target.name}-{len(parts)}")
        parts.append(part)
        with part.open("wb") as stream, pq.ParquetWriter(stream, schema) as writer:
            while batch is not None and stream.tell() < shard_bytes:
                writer.write_batch(batch)
                n_rows += batch.num_rows
                batch = next(batches, None)
    names = [f"{stem}-{number:05}-of-{len(parts):05}.parquet" for number in range(len(parts))]
    for part, name in zip(parts, names, strict=True):
        part.rename(folder / name)
    return Shards(names, schema, n_rows)
