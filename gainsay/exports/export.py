"""One export, from the records of the warehouse to a folder with its card."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gainsay.exports.card import card
from gainsay.exports.counting import Row, compared, counts_of, require_equal, written_rows
from gainsay.exports.folder import SHARD_BYTES, ExportFolder, is_export_of
from gainsay.exports.formats import DEFAULT_BENCHMARK, FORMATS, Format, format_of
from gainsay.exports.records import NAME_STATE, PICTURE_STATE, Records
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import EXPORT_LIST

# all splits into the same files
ALL_SPLITS = "all"


@dataclass(frozen=True)
class Exported:
    """The records of an export, why pictures stayed out, and which records stay behind."""

    n_records: int
    left_out: dict[str, int]
    stays: dict[str, int] = field(default_factory=dict)


def export(
    connection: Any,
    kind: str,
    folder: Path,
    benchmark: str = DEFAULT_BENCHMARK,
    split: str | None = None,
    shard_bytes: int = SHARD_BYTES,
    language: str | None = None,
    is_one_sided: bool = False,
    records_of: Callable[..., Records] = Records,
    hub_id: str | None = None,
    ids: tuple[str, ...] | None = None,
    is_without_pictures: bool = False,
) -> Exported:
    """Write a benchmark in one of `FORMATS` into a folder, and at last a card that says what it is.

    What was written is read back and counted against the benchmark's own examples before the card.

    A benchmark that asks in several languages has files for each, or for the named `language`
    alone. Formats that need the picture hold the records whose picture is available,
    `coco-instances` those whose picture is edited; `jsonl` holds all. What an earlier export left
    in the folder goes: pictures that are no longer allowed first. A folder without its card is one
    whose export was stopped. What is held back stays behind unless its split is named, and formats
    for fine-tuning leave out what the words alone tell unless `is_one_sided`. Raises `GainsayError`
    where the records are not built, none can be exported, a picture cannot be read, the files hold
    other records than the benchmark has, or the folder holds something else.

    `connection` is what `records_of` reads with: of DuckDB, or a session for `SparkRecords`.
    `hub_id` is the data set of the Hub that a task for lmms-eval reads, else it reads its folder.
    With `ids` there are the records of these examples alone. `is_without_pictures` names the
    photographs as COCO does in the place of pictures, of formats to train on: for who has COCO.
    """
    chosen = format_of(kind, benchmark)
    if is_without_pictures and not chosen.has_names:
        known = ", ".join(name for name, one in FORMATS.items() if one.has_names)
        raise GainsayError(
            f"{kind} of {benchmark} has no names in the place of pictures; export {known} without"
            " pictures, or jsonl, which has none"
        )
    if language is not None and not chosen.has_languages:
        raise GainsayError(f"{kind} of {benchmark} has no languages; export it without one")
    # the model of a format of one benchmark has no column `benchmark`
    filtered = benchmark if chosen.benchmark is None else None
    own = chosen.benchmark or benchmark
    records = records_of(
        connection,
        chosen.model,
        chosen.source,
        filtered,
        examples=f"{own}.{own}__examples" if chosen.record_key else None,
        key=chosen.record_key or "example_id",
        is_two_sided=chosen.is_for_finetuning and not is_one_sided,
        ids=ids,
        state=_state(chosen, is_without_pictures),
    )
    if filtered is not None:
        _require_known("benchmark", benchmark, records)
    if split is not None:
        _require_known("split", split, records)
        records = records.of_split(split)
    if language is not None:
        _require_known("language", language, records)
        records = records.of_language(language)
    n_records = records.n_rows()
    left_out = records.left_out()
    target = ExportFolder(folder, kind, chosen.benchmark or benchmark, shard_bytes, hub_id)
    if not n_records:
        raise _nothing_to_export(chosen, left_out, target.clear(), is_without_pictures)
    has_files = chosen.needs_pictures and not chosen.is_sharded
    pictures = {row["image"] for row in records.pictures()} if has_files else set()
    stays = records.stays(target.benchmark, chosen.deliverable)
    with target.taken_over(pictures, chosen.files(records, target.benchmark)):
        chosen.writer()(records, target)
        _require_counted(chosen, records, target)
        target.finish(card(chosen, records, target.benchmark, n_records, left_out, stays))
    return Exported(n_records, left_out, stays)


def _state(chosen: Format, is_without_pictures: bool) -> str | None:
    """The column that says which records of the format's model are its records here."""
    if not chosen.has_names:
        return None
    return NAME_STATE if is_without_pictures else PICTURE_STATE


def _require_counted(chosen: Format, records: Records, folder: ExportFolder) -> None:
    """Raise `GainsayError` where the files hold other records than the benchmark's examples say."""
    columns = records.schema().names if chosen.record_key else []
    if chosen.has_languages:
        # a question in a language is of no condition and group of its own
        columns = [*({"split"} & {*columns}), "language"]
    else:
        columns = [name for name in columns if name != "language"]
    deliverable = records.deliverable_records(folder.benchmark, chosen.deliverable)
    expected = counts_of(
        compared(Row(**row), columns) for row in deliverable for _ in range(chosen.copies)
    )
    written = (row for name in folder.written for row in written_rows(folder.path / name))
    found = counts_of(compared(row, columns) for row in written)
    require_equal(found, expected, f"{folder.path}: {chosen.name} of {folder.benchmark}")


def export_by_split(
    connection: Any,
    kind: str,
    folder: Path,
    benchmark: str = DEFAULT_BENCHMARK,
    split: str | None = None,
    shard_bytes: int = SHARD_BYTES,
    language: str | None = None,
    is_one_sided: bool = False,
    records_of: Callable[..., Records] = Records,
    hub_id: str | None = None,
    is_without_pictures: bool = False,
) -> dict[Path, Exported]:
    """Export so that no file holds two splits: what was written, by folder.

    Where a benchmark has several splits, each is in a folder of its name, unless the format keeps
    them apart itself, one split is named, or `all` are wanted together. An earlier export of this
    format into the folder itself goes.
    """
    chosen = format_of(kind, benchmark)
    names: list[str | None] = [None if split == ALL_SPLITS else split]
    state = _state(chosen, is_without_pictures)
    records = records_of(connection, chosen.model, chosen.source, benchmark, state=state)
    if split is None and chosen.benchmark is None and not chosen.keeps_splits_apart:
        splits = records.splits()
        names = [*splits] if len(splits) > 1 else names
    if len(names) > 1:
        ExportFolder(folder, kind, benchmark, shard_bytes).clear()
    folders = {name: folder / str(name) if len(names) > 1 else folder for name in names}
    written = {
        place: export(
            connection,
            kind,
            place,
            benchmark,
            name,
            shard_bytes,
            language,
            is_one_sided,
            records_of,
            hub_id,
            is_without_pictures=is_without_pictures,
        )
        for name, place in folders.items()
    }
    if split == ALL_SPLITS and chosen.benchmark is None:
        splits = records.known("split")
        # else each record would be there twice, and pictures that were taken down since
        for place in sorted(folder.glob(f"*/{EXPORT_LIST}")):
            if place.parent.name in splits and is_export_of(place.parent, kind, benchmark):
                ExportFolder(place.parent, kind, benchmark, shard_bytes).clear()
    return written


def _require_known(what: str, name: str, records: Records) -> None:
    known = records.known(what)
    if name not in known:
        raise GainsayError(f"no {what} {name!r}; there are {', '.join(known) or 'none'}")


def _nothing_to_export(
    chosen: Format, left_out: dict[str, int], n_removed: int, is_without_pictures: bool
) -> GainsayError:
    states = ", ".join(left_out) or "no records at all"
    if is_without_pictures:
        return GainsayError(f"nothing to export: no record shows a photograph of COCO ({states})")
    or_else = ", or export jsonl" if chosen.benchmark is None else ""
    removed = f"; {n_removed} files of the earlier export were removed" if n_removed else ""
    return GainsayError(
        f"nothing to export: no {chosen.pictures} is available ({states}); land pictures with"
        f" `gainsay land-images`, see the vars export_requires_...{or_else}{removed}"
    )
