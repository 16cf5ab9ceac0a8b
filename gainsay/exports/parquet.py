"""Parquet with pictures inside, in shards as the Hugging Face hub names them."""

import base64
import json
import mimetypes
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.exports.folder import ExportFolder, Parts, Shards
from gainsay.exports.records import Record, Records, fields, read_picture, shown_pictures

_ROWS_PER_GROUP = 100
_BYTES_PER_GROUP = 32 * 2**20
# where many tasks write: with pictures of 100 kB about what one shard holds
_RECORDS_PER_TASK = 5_000
# what `datasets` calls Arrow's types, where it has names of its own
_DTYPES = {"double": "float64", "float": "float32"}


@dataclass
class _RowGroup:
    """Records that are written at once, and how much their pictures weigh."""

    rows: list[Record] = field(default_factory=list)
    n_bytes: int = 0


def split_shards(records: Records, place: str = "data") -> dict[str, Shards]:
    """The file of each split, `<place>/<split>-<shard>-of-<shards>.parquet`."""
    return {split: Shards(f"{place}/{split}", ".parquet") for split in records.splits()}


def language_shards(records: Records) -> list[Shards]:
    """The files of all splits of each language, those of a language in a folder of its name."""
    return [
        file
        for language in records.languages()
        for file in split_shards(records.of_language(language), f"data/{language}").values()
    ]


def write_shards(
    records: Records, folder: ExportFolder, place: str = "data", *, is_data_uri: bool = False
) -> dict[str, list[str]]:
    """Write each split into its shards, and say their names by split.

    The pictures of a shard weigh at most the folder's `shard_bytes`, those of one record apart.
    They are bytes, which `datasets` knows for a picture, or texts that hold them as data URIs.
    """
    if is_data_uri:
        columns = [pa.field(name, pa.string()) for name in records.picture_columns]
        schema = pa.schema([*columns, *records.schema()])
    else:
        schema = _with_features(records.schema(), records.picture_columns)
    write = partial(_shards, schema=schema, spell=_data_uri if is_data_uri else _bytes)
    names = {}
    for split, file in split_shards(records, place).items():
        shards = records.of_split(split).shards(write, folder, _RECORDS_PER_TASK)
        named = file.names(len(shards))
        for shard, name in zip(shards, named, strict=True):
            folder.keep(shard, name)
        names[split] = named
    return names


def _shards(
    records: Iterable[Record], parts: Parts, schema: pa.Schema, spell: "_Spelling"
) -> Iterator[IO[bytes]]:
    groups = _row_groups(records, min(_BYTES_PER_GROUP, parts.shard_bytes), spell)
    group = next(groups, None)
    while group is not None:
        n_bytes = 0
        with parts.part() as part, pq.ParquetWriter(part, schema) as writer:
            while group is not None and (
                not n_bytes or n_bytes + group.n_bytes <= parts.shard_bytes
            ):
                writer.write_table(pa.Table.from_pylist(group.rows, schema))
                n_bytes += group.n_bytes
                group = next(groups, None)
        yield part


# what a cell says of a picture: of its name in the export, and its bytes
_Spelling = Callable[[str, bytes], object]


def _bytes(name: str, data: bytes) -> object:
    return {"bytes": data, "path": name}


def _data_uri(name: str, data: bytes) -> object:
    kind = mimetypes.guess_type(name)[0] or "image/jpeg"
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _row_groups(
    records: Iterable[Record], most_bytes: int, spell: _Spelling
) -> Iterator[_RowGroup]:
    group = _RowGroup()
    for record in records:
        shown = shown_pictures(record)
        contents = {column: read_picture(picture) for column, picture in shown.items()}
        pictures = {
            column: spell(shown[column]["image"], data) for column, data in contents.items()
        }
        n_bytes = sum(map(len, contents.values()))
        if group.rows and (
            len(group.rows) == _ROWS_PER_GROUP or group.n_bytes + n_bytes > most_bytes
        ):
            yield group
            group = _RowGroup()
        group.rows.append(pictures | fields(record))
        group.n_bytes += n_bytes
    if group.rows:
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
