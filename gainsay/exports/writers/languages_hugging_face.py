"""Parquet as `datasets` writes it, a configuration for each language, pictures inside."""

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.parquet import language_shards, write_shards
from gainsay.exports.records import Records


def files(records: Records, _benchmark: str) -> list[str | Shards]:
    """The shards of every language and split."""
    return [*language_shards(records)]


def write(records: Records, folder: ExportFolder) -> None:
    """Write the shards of every language and split into `data/<language>/`."""
    for language in records.languages():
        write_shards(records.of_language(language), folder, f"data/{language}")
