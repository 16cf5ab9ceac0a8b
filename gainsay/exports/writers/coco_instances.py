"""Edited pictures and the objects in them as COCO's instances files have them.

The file is written object by object: a corpus has more of them than fit in memory.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import msgspec

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_elements
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.names import title
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, picture_size

FILE = "instances.json"

_Terms = tuple[str, str]


def write(records: Records, folder: ExportFolder) -> None:
    """Write `instances.json` and the pictures."""
    write_pictures(records, folder)
    terms = _terms_of_pictures(records)
    licenses = [{"id": number, "name": name, "url": url} for (name, url), number in terms.items()]
    description = f"Edited pictures of the benchmark {title(folder.benchmark)}"
    with folder.file(FILE) as file:
        file.write(b'{"info":' + msgspec.json.encode({"description": description}))
        file.write(b',"licenses":' + msgspec.json.encode(licenses) + b',"images":')
        write_elements(file, _images(records, folder, terms))
        file.write(b',"annotations":')
        write_elements(file, _annotations(records))
        file.write(b',"categories":')
        write_elements(file, _categories(records))
        file.write(b"}\n")


def _images(records: Records, folder: ExportFolder, terms: dict[_Terms, int]) -> Iterator[Record]:
    """The pictures, numbered in the order of their names."""
    examples = records.rows(
        f"from {records.model} where {records.condition} order by image, example_id"
    )
    for number, (name, shown) in enumerate(groupby(examples, itemgetter("image")), start=1):
        first, *others = shown
        width, height = _size(folder.path / name)
        yield {
            "id": number,
            "file_name": name,
            "width": width,
            "height": height,
            "license": terms[_terms(first)],
            "flickr_url": first["flickr_url"],
            "source_image_id": first["shown_image_id"],
            "edit": first["vision_family"],
            "severity": first["severity"],
            "example_ids": [example["example_id"] for example in (first, *others)],
        }


def _size(picture: Path) -> tuple[int, int]:
    try:
        return picture_size(picture.read_bytes())
    except (OSError, ImageUnreadableError) as error:
        raise GainsayError(f"{picture}: cannot be read: {error}") from error


def _annotations(records: Records) -> Iterator[Record]:
    """The objects, picture by picture."""
    pictures = records.rows(
        f"select distinct image from {records.model} where {records.condition} order by image"
    )
    numbers = {picture["image"]: number for number, picture in enumerate(pictures, start=1)}
    instances = records.rows(
        "select * from exports.exports__edited_instances where image in"
        f" (select image from {records.model} where {records.condition})"
        " order by image, instance_id"
    )
    for number, instance in enumerate(instances, start=1):
        counts = instance["segmentation_rle_string"] or instance["segmentation_rle_counts"]
        yield {
            "id": number,
            "image_id": numbers[instance["image"]],
            "category_id": instance["category_id"],
            "bbox": instance["bbox"],
            "area": instance["area"],
            "iscrowd": int(instance["is_crowd"]),
            "segmentation": instance["segmentation_polygons"]
            if counts is None
            else {"size": instance["segmentation_rle_size"], "counts": counts},
            "source_instance_id": instance["instance_id"],
        }


def _categories(records: Records) -> Iterator[Record]:
    """The categories of the objects, by their numbers."""
    return records.rows(f"""
        select
            category_id as id, min(category) as name, min(supercategory) as supercategory
        from exports.exports__edited_instances
        where image in (select image from {records.model} where {records.condition})
        group by category_id order by category_id
    """)


def _terms_of_pictures(records: Records) -> dict[_Terms, int]:
    """The licences, each with its number."""
    rows = records.rows(
        f"select distinct license_name, license_url from {records.model} where {records.condition}"
    )
    return {terms: number for number, terms in enumerate(sorted(map(_terms, rows)), start=1)}


def _terms(record: Record) -> _Terms:
    return record["license_name"] or "", record["license_url"] or ""
