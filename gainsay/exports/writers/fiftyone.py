"""Records as FiftyOne reads a folder: a sample each, with outlines, stages and answers.

Source: FiftyOne's type `FiftyOneDataset` in its layout without a version, which every release since
0.8 reads (`LegacyFiftyOneDatasetImporter`) and whose fields it infers from the samples.
"""

import base64
import io
import zlib
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import msgspec
import numpy as np

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_elements
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records, fields
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.names import title
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, picture_size
from gainsay.python_udfs.pixels.masks import mask_of

METADATA = "metadata.json"
SAMPLES = "samples.json"
# what the warehouse may lack, each with what it says of a record
_OBJECTS = """
    select records.example_id, instances.* from exports.exports__records as records
    inner join images.images__instances as instances
        on records.shown_image_id = instances.source_image_id
    where records.example_id in ({ids}) and records.benchmark = $benchmark
    order by records.example_id, instances.instance_id
"""
_CANDIDATES = """
    select
        records.example_id, candidates.candidate_id, candidates.screening, candidates.stage,
        candidates.reason, candidates.drop_detail, candidates.question, candidates.gold_answer
    from exports.exports__records as records
    inner join audit.audit__candidates as candidates
        on records.benchmark = candidates.benchmark
        and records.source_image_id = candidates.source_image_id
    where records.example_id in ({ids}) and records.benchmark = $benchmark
    order by records.example_id, candidates.screening, candidates.candidate_id
"""
_ANSWERS = """
    select example_id, prediction, model, run, task, condition, matcher, credit, is_abstained
    from evaluation.evaluation__matches
    where example_id in ({ids}) and benchmark = $benchmark
    order by example_id, model, run, task, condition, matcher
"""


def files(_records: Records, _benchmark: str) -> list[str]:
    """What describes the samples, and the samples."""
    return [METADATA, SAMPLES]


def write(records: Records, folder: ExportFolder) -> None:
    """Write `metadata.json`, `samples.json` and the pictures."""
    write_pictures(records, folder)
    described = {
        "name": f"gainsay-{folder.benchmark}",
        "media_type": "image",
        "info": {"description": f"{title(folder.benchmark)}, a benchmark of gainsay"},
    }
    folder.write(METADATA, msgspec.json.format(msgspec.json.encode(described), indent=2) + b"\n")
    with folder.file(SAMPLES) as file:
        file.write(b'{"samples":\n')
        write_elements(file, _samples(records, folder))
        file.write(b"\n}\n")


def _samples(records: Records, folder: ExportFolder) -> Iterator[Record]:
    sizes: dict[str, tuple[int, int]] = {}
    objects = _Beside(records, "images", "images__instances", _OBJECTS)
    candidates = _Beside(records, "audit", "audit__candidates", _CANDIDATES)
    answers = _Beside(records, "evaluation", "evaluation__matches", _ANSWERS)
    for record in records:
        name, example_id = record["image"], record["example_id"]
        if name not in sizes:
            sizes[name] = _size(folder, name)
        width, height = sizes[name]
        yield _said(
            {
                "filepath": name,
                "tags": [record["split"]],
                "metadata": {"_cls": "ImageMetadata", "width": width, "height": height},
                **fields(record),
                "objects": {
                    "_cls": "Detections",
                    "detections": [_object(one, width, height) for one in objects.of(example_id)],
                },
                # all that was asked of the picture, and where each ended
                "candidates": _labels(candidates.of(example_id), "stage"),
                "answers": _labels(answers.of(example_id), "prediction"),
            }
        )


class _Beside:
    """The rows of another table that belong to a record, read along in the order of the records."""

    def __init__(self, records: Records, schema: str, table: str, query: str) -> None:
        ids = f"select example_id from {records.model} where {records.condition}"
        found = (
            records.rows(query.format(ids=ids)) if records.has_table(schema, table) else iter(())
        )
        self._groups = groupby(found, itemgetter("example_id"))
        self._next = self._taken()

    def _taken(self) -> tuple[str, list[Record]] | None:
        return next(((name, list(rows)) for name, rows in self._groups), None)

    def of(self, example_id: str) -> list[Record]:
        if self._next is None or self._next[0] != example_id:
            return []
        rows = self._next[1]
        self._next = self._taken()
        return rows


def _labels(rows: list[Record], column: str) -> Record:
    return {
        "_cls": "Classifications",
        "classifications": [
            {
                "_cls": "Classification",
                "label": str(row[column] or ""),
                **_said({name: row[name] for name in row if name not in (column, "example_id")}),
            }
            for row in rows
        ],
    }


def _object(instance: Record, width: int, height: int) -> Record:
    """An object with its box in shares of the picture, and its mask within the box."""
    left, top, box_width, box_height = instance["bbox"]
    box = [left / width, top / height, box_width / width, box_height / height]
    return _said(
        {
            "_cls": "Detection",
            "label": instance["category"],
            "supercategory": instance["supercategory"],
            "instance_id": str(instance["instance_id"]),
            "iscrowd": instance["is_crowd"],
            "bounding_box": box,
            "mask": _mask(instance, width, height),
        }
    )


def _mask(instance: Record, width: int, height: int) -> str | None:
    """The pixels within the box, as FiftyOne spells an array; none where an outline is none."""
    segmentation = {
        "polygons": instance["segmentation_polygons"],
        "counts": instance["segmentation_rle_counts"],
        "string": instance["segmentation_rle_string"],
        "size": instance["segmentation_rle_size"],
    }
    mask = mask_of(segmentation, height, width)
    if mask is None:
        return None
    left, top, box_width, box_height = instance["bbox"]
    rows = slice(max(0, int(top)), max(int(top) + 1, round(top + box_height)))
    columns = slice(max(0, int(left)), max(int(left) + 1, round(left + box_width)))
    stream = io.BytesIO()
    np.save(stream, mask[rows, columns].astype(bool), allow_pickle=False)
    return base64.b64encode(zlib.compress(stream.getvalue())).decode()


def _said(record: Record) -> Record:
    """Without what is null: a field without a value is left out of a sample."""
    return {name: value for name, value in record.items() if value is not None}


def _size(folder: ExportFolder, name: str) -> tuple[int, int]:
    try:
        return picture_size((folder.path / name).read_bytes())
    except (OSError, ImageUnreadableError) as error:
        raise GainsayError(f"{folder.path / name}: cannot be read: {error}") from error
