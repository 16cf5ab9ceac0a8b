"""Parquet as `datasets` writes it, pictures inside."""

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.parquet import split_shards, write_shards
from gainsay.exports.records import Records


def files(records: Records, _benchmark: str) -> list[str | Shards]:
    """The shards of every split."""
    return [*split_shards(records).values()]


def write(records: Records, folder: ExportFolder) -> None:
    """Write the shards of every split into `data/`."""
    write_shards(records, folder)
