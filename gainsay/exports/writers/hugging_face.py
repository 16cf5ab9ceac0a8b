"""Parquet as `datasets` writes it, pictures inside."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.parquet import write_shards
from gainsay.exports.records import Records


def write(records: Records, folder: ExportFolder) -> None:
    """Write the shards of every split into `data/`."""
    write_shards(records, folder)
