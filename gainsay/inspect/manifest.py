"""The sealed manifest of a benchmark as a file, and its comparison with the warehouse."""

from pathlib import Path
from typing import NamedTuple

import duckdb
import msgspec

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.whole_files import read_whole_file
from gainsay.project.holdings import require_built

Manifest = dict[str, dict[str, dict[str, str]]]
"""section -> item -> measure -> value, as in the table `<benchmark>__manifest`"""
_LARGEST_FILE = 256 * 2**20


class Entry(NamedTuple):
    """A row of `<benchmark>__manifest`."""

    protocol: str
    section: str
    item: str
    measure: str
    value: str


class Difference(NamedTuple):
    """One entry that a manifest file and the warehouse do not agree on."""

    section: str
    item: str
    measure: str
    in_file: str | None
    in_warehouse: str | None


def read_warehouse(
    connection: duckdb.DuckDBPyConnection,
    benchmark: str,
    *,
    sealed: bool,
    protocol: str | None = None,
) -> Manifest:
    """Read a benchmark's manifest: as sealed by the last build, or as the data are now.

    The second is computed anew from the examples and vocabularies in the warehouse, so it
    takes the time of hashing them; it builds nothing. A benchmark of several protocols has a
    manifest for each, and `protocol` says which one.

    Raises `GainsayError` when the benchmark has no manifest, and when the protocol is not one of
    its own or is not named though there are several.
    """
    relation = f"{benchmark}.{benchmark}__manifest" + ("" if sealed else "_entries")
    try:
        rows = connection.execute(f"select {', '.join(Entry._fields)} from {relation}").fetchall()
    except duckdb.CatalogException as error:
        require_built(benchmark, connection)
        known = ", ".join(benchmarks(connection)) or "none; run `dbt build` first"
        raise GainsayError(
            f"{relation}: not in the warehouse; benchmarks with a manifest: {known}"
        ) from error
    entries = [Entry(*row) for row in rows]
    protocols = sorted({entry.protocol for entry in entries})
    if protocol is None and len(protocols) > 1:
        raise GainsayError(
            f"{benchmark} has a manifest for each of its protocols; name one with --protocol:"
            f" {', '.join(protocols)}"
        )
    if protocol is not None and protocol not in protocols:
        raise GainsayError(
            f"{benchmark} has no protocol {protocol}; it has {', '.join(protocols) or 'none'}"
        )
    manifest: Manifest = {}
    for entry in entries:
        if protocol in (None, entry.protocol):
            items = manifest.setdefault(entry.section, {})
            items.setdefault(entry.item, {})[entry.measure] = entry.value
    return manifest


def benchmarks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The benchmarks that have a sealed manifest in the warehouse, by name."""
    rows = connection.execute("""
        select table_schema
        from information_schema.tables
        where table_name = table_schema || '__manifest'
        order by table_schema
    """)
    return [benchmark for (benchmark,) in rows.fetchall()]


def write_file(manifest: Manifest, path: Path) -> None:
    """Write a manifest as JSON with sorted keys; the file appears whole or not at all."""
    encoded = msgspec.json.encode(manifest, order="sorted")
    write_atomically(path, msgspec.json.format(encoded, indent=2) + b"\n")


def read_file(path: Path) -> Manifest:
    """Read a manifest file. Raises `GainsayError` where it is not one."""
    data = read_whole_file(path, _LARGEST_FILE).content
    try:
        return msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
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
