"""The sealed manifest of a benchmark as a file, and its comparison with the warehouse."""

from pathlib import Path
from typing import NamedTuple

import duckdb
import msgspec

from gainsay.errors import GainsayError
from gainsay.io.atomic import write_atomically

Manifest = dict[str, dict[str, dict[str, str]]]
"""section -> item -> measure -> value, as in the table `<benchmark>__manifest`"""


class Difference(NamedTuple):
    """One entry that a manifest file and the warehouse do not agree on."""

    section: str
    item: str
    measure: str
    in_file: str | None
    in_warehouse: str | None


def read_warehouse(
    connection: duckdb.DuckDBPyConnection, benchmark: str, *, sealed: bool
) -> Manifest:
    """Read a benchmark's manifest: as sealed by the last build, or as the data are now.

    The second is computed anew from the examples and vocabularies in the warehouse, so it
    takes the time of hashing them; it builds nothing.
    """
    relation = f"{benchmark}.{benchmark}__manifest" + ("" if sealed else "_entries")
    try:
        rows = connection.execute(f"select section, item, measure, value from {relation}")
    except duckdb.CatalogException as error:
        raise GainsayError(f"{relation}: not in the warehouse; run `dbt build` first") from error
    manifest: Manifest = {}
    for section, item, measure, value in rows.fetchall():
        manifest.setdefault(section, {}).setdefault(item, {})[measure] = value
    return manifest


def write_file(manifest: Manifest, path: Path) -> None:
    """Write a manifest as JSON with sorted keys; the file appears whole or not at all."""
    encoded = msgspec.json.encode(manifest, order="sorted")
    write_atomically(path, msgspec.json.format(encoded, indent=2) + b"\n")


def read_file(path: Path) -> Manifest:
    """Read a manifest file. Raises `GainsayError` when it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except OSError as error:
        raise GainsayError(f"{path}: cannot read the manifest: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise GainsayError(
            f"{path}: not a manifest ({error}); expected what `gainsay manifest export` writes"
        ) from error


def compare(in_file: Manifest, in_warehouse: Manifest) -> list[Difference]:
    """List the entries that differ or that one side lacks, in sorted order."""
    file_entries = _entries(in_file)
    warehouse_entries = _entries(in_warehouse)
    return [
        Difference(*key, file_entries.get(key), warehouse_entries.get(key))
        for key in sorted(file_entries.keys() | warehouse_entries.keys())
        if file_entries.get(key) != warehouse_entries.get(key)
    ]


def _entries(manifest: Manifest) -> dict[tuple[str, str, str], str]:
    return {
        (section, item, measure): value
        for section, items in manifest.items()
        for item, measures in items.items()
        for measure, value in measures.items()
    }
