"""One export, from the records of the warehouse to a folder with its card."""

from dataclasses import dataclass
from pathlib import Path

import duckdb

from gainsay.errors import GainsayError
from gainsay.exports.card import card
from gainsay.exports.folder import SHARD_BYTES, ExportFolder
from gainsay.exports.formats import FORMATS, Format
from gainsay.exports.records import Records


@dataclass(frozen=True)
class Exported:
    """What an export holds: its records, and why pictures stayed out."""

    n_records: int
    left_out: dict[str, int]


def export(
    connection: duckdb.DuckDBPyConnection,
    kind: str,
    folder: Path,
    split: str | None = None,
    shard_bytes: int = SHARD_BYTES,
) -> Exported:
    """Write one of `FORMATS` into a folder, and at last a card that says what it is.

    Formats that need the picture hold the records whose picture is available, `coco-instances`
    those whose picture is edited; `jsonl` holds all. What an earlier export left in the folder
    goes: pictures that are no longer allowed first. A folder without its card is one whose export
    was stopped. Raises `GainsayError` where the records are not built, none can be exported, a
    picture cannot be read, or the folder holds something else.
    """
    chosen = FORMATS[kind]
    records = Records(connection, chosen.model, chosen.source, split)
    n_records = records.n_rows()
    if split is not None and split not in records.known_splits():
        raise GainsayError(
            f"no split {split!r}; the splits are {', '.join(records.known_splits()) or 'none'}"
        )
    left_out = records.left_out()
    target = ExportFolder(folder, kind, "conflict_suite", shard_bytes)
    if not n_records:
        raise _nothing_to_export(chosen, left_out, target.clear())
    pictures = {row["image"] for row in records.pictures()} if chosen.needs_pictures else set()
    with target.taken_over(pictures):
        chosen.writer()(records, target)
        target.finish(card(chosen, records, n_records, left_out))
    return Exported(n_records, left_out)


def _nothing_to_export(chosen: Format, left_out: dict[str, int], n_removed: int) -> GainsayError:
    states = ", ".join(left_out) or "no records at all"
    or_else = ", or export jsonl" if "jsonl" in FORMATS and chosen.needs_pictures else ""
    removed = f"; {n_removed} files of the earlier export were removed" if n_removed else ""
    return GainsayError(
        f"nothing to export: no picture is available ({states}); land pictures with"
        f" `gainsay land-images`, see the vars export_requires_...{or_else}{removed}"
    )
