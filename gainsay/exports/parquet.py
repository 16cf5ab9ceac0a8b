"""Parquet with pictures inside, in shards as the Hugging Face hub names them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.exports.folder import ExportFolder
from gainsay.exports.records import Record, Records, fields, read_picture, shown_pictures

_ROWS_PER_GROUP = 100
_BYTES_PER_GROUP = 32 * 2**20
# what `datasets` calls Arrow's types, where it has names of its own
_DTYPES = {"double": "float64", "float": "float32"}


@dataclass
class _RowGroup:
    """Records that are written at once, and how much their pictures weigh."""

    rows: list[Record] = field(default_factory=list)
    n_bytes: int = 0


def write_shards(records: Records, folder: ExportFolder, place: str = "data") -> list[str]:
    """Write each split as `<place>/<split>-<shard>-of-<shards>.parquet`, and say the names.

    The pictures of a shard weigh at most the folder's `shard_bytes`, those of one record apart.
    """
    schema = _with_features(records.schema(), records.picture_columns)
    names = []
    for split in records.splits():
        groups = _row_groups(records.of_split(split), min(_BYTES_PER_GROUP, folder.shard_bytes))
        shards = list(_shards(groups, schema, folder))
        for number, shard in enumerate(shards):
            name = f"{place}/{split}-{number:05}-of-{len(shards):05}.parquet"
            folder.keep(shard, name)
            names.append(name)
    return names


def _shards(
    groups: Iterator[_RowGroup], schema: pa.Schema, folder: ExportFolder
) -> Iterator[IO[bytes]]:
    group = next(groups, None)
    while group is not None:
        n_bytes = 0
        with folder.part() as part, pq.ParquetWriter(part, schema) as writer:
            while group is not None and (
                not n_bytes or n_bytes + group.n_bytes <= folder.shard_bytes
            ):
                writer.write_table(pa.Table.from_pylist(group.rows, schema))
                n_bytes += group.n_bytes
                group = next(groups, None)
        yield part


def _row_groups(records: Records, most_bytes: int) -> Iterator[_RowGroup]:
    group = _RowGroup()
    for record in records:
        pictures = {
            column: {"bytes": read_picture(picture), "path": picture["image"]}
            for column, picture in shown_pictures(record).items()
        }
        n_bytes = sum(len(picture["bytes"]) for picture in pictures.values())
        if group.rows and (
            len(group.rows) == _ROWS_PER_GROUP or group.n_bytes + n_bytes > most_bytes
        ):
            yield group
            group = _RowGroup()
        group.rows.append(pictures | fields(record))
        group.n_bytes += n_bytes
    yield group


def _with_features(schema: pa.Schema, picture_columns: tuple[str, ...]) -> pa.Schema:
    """The columns behind the pictures, with what `datasets` is to make of them."""
    features: Record = {name: {"_type": "Image"} for name in picture_columns} | {
        column.name: {"dtype": _DTYPES.get(str(column.type), str(column.type)), "_type": "Value"}
        for column in schema
    }
    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    images = [pa.field(name, picture) for name in picture_columns]
    described = json.dumps({"info": {"features": features}})
    return pa.schema([*images, *schema], metadata={"huggingface": described})
