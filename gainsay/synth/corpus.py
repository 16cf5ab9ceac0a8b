"""Writing a corpus: chunks made side by side, files assembled in order."""

import os
import re
import shutil
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import IO, Any, Final, TypeVar

import msgspec

from gainsay.foundation.atomic import atomic_folder, restore_folder
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance, advance_unseen
from gainsay.synth.chunks import Chunk, Job, make_chunk
from gainsay.synth.collected import FILES, PICTURES_FOLDER, write_collected
from gainsay.synth.layout import (
    ARRAYS,
    SPLITS,
    Array,
    Split,
    coco_categories,
    coco_header,
    coco_licenses,
    vqa_header,
)
from gainsay.synth.plan import Order, SplitPlan, plan_images

TRUTH_FILE: Final = "synthetic_truth.jsonl"

Written = TypeVar("Written")

_CHUNK_IMAGES: Final = 100
_TEXTS_FOR_ONE_PROCESS: Final = 3_000
# to start a process takes as long as to draw a hundred
_PICTURES_FOR_ONE_PROCESS: Final = 250
_CHUNKS_AHEAD: Final = 4
_PICTURE_NAME: Final = re.compile(r"COCO_(train|val)2014_\d{12}\.jpg")


@dataclass(slots=True)
class Summary:
    """Counts of what was written: records by (split, array), flawed records by their flaw."""

    records: Counter[tuple[Split, Array]] = field(default_factory=Counter)
    flaws: Counter[str] = field(default_factory=Counter)


def write_corpus(
    folder: Path,
    order: Order,
    advance: Advance = advance_unseen,
    *,
    has_collected: bool = False,
) -> Summary:
    """Write the corpus into `folder`, whole or not at all; with the listings of Reality Check.

    `advance` counts images. Raises `GainsayError` as `replace_corpus`, and when a process that
    helps is killed.
    """
    plans = plan_images(order)

    def write(unfinished: Path) -> Summary:
        summary = _write(unfinished, order, plans, advance)
        if has_collected:
            write_collected(
                unfinished, order.seed, has_pictures=order.has_pictures, advance=advance
            )
        return summary

    return replace_corpus(folder, write)


def replace_corpus(folder: Path, write: Callable[[Path], Written]) -> Written:
    """Let `write` fill a folder beside `folder`, which takes its place at the end.

    An earlier corpus stays until then, and one that a killed run had set aside is put back. Raises
    `GainsayError` when the folder holds anything but an earlier corpus, or cannot be written.
    """
    folder = folder.absolute()
    try:
        restore_folder(folder)
        _refuse_what_is_not_ours(folder)
        with atomic_folder(folder) as unfinished:
            written = write(unfinished)
            _refuse_what_is_not_ours(folder)
            return written
    except OSError as error:
        raise GainsayError(f"{error.filename or folder}: cannot write: {error.strerror}") from error
    except BrokenProcessPool as error:
        raise GainsayError(
            f"{folder}: not written: a process that helped ended before its work was done; "
            "it may have been killed for lack of memory"
        ) from error


def _refuse_what_is_not_ours(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise GainsayError(f"{folder}: expected a folder, found a file")
    is_ours = (folder / TRUTH_FILE).exists()
    for path in folder.iterdir():
        if not (is_ours and _is_known(path)):
            raise GainsayError(
                f"{folder}: {path.name} is not part of a synthetic corpus; "
                "choose an empty folder or one that an earlier corpus is in"
            )


def _is_known(path: Path) -> bool:
    if path.name in {f"{split}2014" for split in SPLITS}:
        return path.is_dir() and all(_PICTURE_NAME.fullmatch(file.name) for file in path.iterdir())
    if path.name == PICTURES_FOLDER:
        return path.is_dir()
    names = {TRUTH_FILE, *FILES, *(name for split in SPLITS for name in file_names(split))}
    return path.is_file() and path.name in names


def file_names(split: Split) -> tuple[str, str, str, str]:
    """The files of questions, annotations, captions and instances of a split."""
    return (
        f"v2_OpenEnded_mscoco_{split}2014_questions.json",
        f"v2_mscoco_{split}2014_annotations.json",
        f"captions_{split}2014.json",
        f"instances_{split}2014.json",
    )


def _write(folder: Path, order: Order, plans: dict[Split, SplitPlan], advance: Advance) -> Summary:
    summary = Summary()
    if order.has_pictures:
        for split in SPLITS:
            (folder / f"{split}2014").mkdir()
    with ExitStack() as stack:
        spools = {
            (split, array): stack.enter_context(tempfile.TemporaryFile(dir=folder))
            for split in SPLITS
            for array in ARRAYS
        }
        truth = stack.enter_context((folder / TRUTH_FILE).open("wb"))
        for chunk in _chunks(_jobs(folder, order, plans), order):
            truth.write(chunk.truth)
            for array, records in chunk.records.items():
                spool = spools[chunk.split, array]
                if records:
                    spool.write(b",\n" if spool.tell() else b"")
                    spool.write(records)
                summary.records[chunk.split, array] += chunk.counts[array]
            summary.flaws.update(chunk.flaws)
            advance(chunk.images)
        for split in SPLITS:
            _assemble(folder, split, {array: spools[split, array] for array in ARRAYS})
    return summary


def _assemble(folder: Path, split: Split, spools: dict[Array, IO[bytes]]) -> None:
    """The four files of a split, with the keys of the official ones in their order.

    A spool is closed once it is copied, which frees its disk: at no time is there more than the
    corpus and its largest file.
    """
    questions, annotations, captions, instances = (folder / name for name in file_names(split))
    licenses = {"licenses": coco_licenses()}
    _write_object(questions, vqa_header(split, questions=True), {"questions": spools["questions"]})
    spools["questions"].close()
    _write_object(
        annotations,
        vqa_header(split, questions=False),
        {"annotations": spools["annotations"]},
    )
    spools["annotations"].close()
    images = coco_header() | {"images": spools["images"]} | licenses
    _write_object(captions, images | {"annotations": spools["captions"]})
    spools["captions"].close()
    _write_object(
        instances,
        images | {"annotations": spools["instances"], "categories": coco_categories()},
    )
    spools["images"].close()
    spools["instances"].close()


def _write_object(path: Path, *parts: dict[str, Any]) -> None:
    """One JSON object; a value that is an open file holds the records of an array."""
    with path.open("wb") as target:
        opening = b"{"
        for key, value in (item for part in parts for item in part.items()):
            target.write(opening + msgspec.json.encode(key) + b":")
            opening = b","
            if isinstance(value, (dict, list, str)):
                target.write(msgspec.json.encode(value))
                continue
            target.write(b"[")
            value.seek(0)
            shutil.copyfileobj(value, target, 1 << 20)
            target.write(b"]")
        target.write(b"}\n")


def _jobs(folder: Path, order: Order, plans: dict[Split, SplitPlan]) -> Iterator[Job]:
    for split, plan in plans.items():
        waiting = iter(plan)
        for number in range(-(-plan.n_images // _CHUNK_IMAGES)):
            yield Job(
                order=order,
                folder=folder,
                split=split,
                number=number,
                images=list(islice(waiting, _CHUNK_IMAGES)),
                has_flaws=order.has_flaws and number == 0,
            )


def _chunks(jobs: Iterable[Job], order: Order) -> Iterator[Chunk]:
    """The chunks in the order of their jobs, made by as many processes as there are cores."""
    few = _PICTURES_FOR_ONE_PROCESS if order.has_pictures else _TEXTS_FOR_ONE_PROCESS
    processes = os.cpu_count() or 1
    if order.images <= few or processes == 1:
        yield from map(make_chunk, jobs)
        return
    remaining = iter(jobs)
    # a fresh interpreter per process: forking would copy the progress display's thread
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_end_with_parent
    ) as pool:
        ahead: deque[Future[Chunk]] = deque(
            pool.submit(make_chunk, job) for job in islice(remaining, _CHUNKS_AHEAD * processes)
        )
        while ahead:
            chunk = ahead.popleft().result()
            ahead.extend(pool.submit(make_chunk, job) for job in islice(remaining, 1))
            yield chunk


def _end_with_parent() -> None:
    """End this process when the one that started it is killed, so that it stops writing."""

    def watch() -> None:
        parent = parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()
