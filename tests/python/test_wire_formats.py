"""Open Images and YFCC100M in the files that their authors publish give the same rows as records.

The small corpus has its listings as records of the raw tables. Here they are written as Open
Images' CSV files and as YFCC100M's tables, in both of their layouts, and listed by
`gainsay collect list`.
"""

import bz2
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest

from tests.python.conftest import Warehouse

Record = dict[str, Any]

BOXES = (
    "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,"
    "IsDepiction,IsInside"
)
# files of Open Images: the header, and what its columns are called in the records
OPEN_IMAGES = {
    "openimages_images": (
        "ImageID,Subset,OriginalURL,OriginalLandingURL,License,AuthorProfileURL,Author,Title,"
        "OriginalSize,OriginalMD5,Thumbnail300KURL,Rotation",
        "image_id subset original_url original_landing_url license author_profile_url author title"
        " original_size original_md5 thumbnail_300k_url rotation",
    ),
    "openimages_boxes": (
        BOXES,
        "image_id source label_name confidence x_min x_max y_min y_max is_occluded is_truncated"
        " is_group_of is_depiction is_inside",
    ),
    "openimages_classes": ("LabelName,DisplayName", "label_name display_name"),
    "openimages_labels": (
        "ImageID,Source,LabelName,Confidence", "image_id source label_name confidence",
    ),
}  # fmt: skip
# the eight columns that train's boxes have since version 6
CLICKS = [f"XClick{n}{axis}" for axis in "XY" for n in (1, 2, 3, 4)]
# the columns of YFCC100M's photographs, those in brackets in the later release alone
YFCC = (
    "(line_number) photo_id (photo_hash) user_nsid user_nickname date_taken date_uploaded"
    " capture_device title description user_tags machine_tags longitude latitude accuracy page_url"
    " download_url license_name license_url server farm secret original_secret extension marker"
)
TABLES = (*OPEN_IMAGES, "yfcc_photos", "yfcc_autotags")


def records(folder: Path, kind: str) -> Iterator[Record]:
    for line in (folder / f"{kind}.jsonl").read_text().splitlines():
        record = json.loads(line)
        record.pop("info", None)
        yield record


def write_open_images(corpus: Path, folder: Path) -> list[Path]:
    """The four files as published: boxes have 21 columns, classes no header."""
    paths = []
    for kind, (header, names) in OPEN_IMAGES.items():
        paths.append(folder / f"{kind}.csv")
        with paths[-1].open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            clicks = CLICKS if kind == "openimages_boxes" else []
            if kind != "openimages_classes":
                writer.writerow([*header.split(","), *clicks])
            for record in records(corpus, kind):
                cells = [record.get(name) for name in names.split()]
                writer.writerow([*cells, *(["-1.0"] * len(clicks))])
    return paths


def write_yfcc(corpus: Path, folder: Path, n_columns: int) -> list[Path]:
    """Photographs, packed and with texts encoded as in addresses, and their autotags."""
    names = [
        name.strip("()") for name in YFCC.split() if n_columns == 25 or not name.startswith("(")
    ]
    assert len(names) == n_columns
    photos = "".join(
        "\t".join(_cell(name, record.get(name), line) for name in names) + "\n"
        for line, record in enumerate(records(corpus, "yfcc_photos"))
    )
    paths = [folder / "yfcc100m_dataset.bz2", folder / "yfcc100m_autotags"]
    paths[0].write_bytes(bz2.compress(photos.encode()))
    paths[1].write_text(
        "".join(f"{each['photo_id']}\t{each['autotags']}\n"
                for each in records(corpus, "yfcc_autotags"))
    )  # fmt: skip
    return paths


def _cell(name: str, value: Any, line: int) -> str:
    if name == "line_number":
        return str(line)
    if value is None:
        return "null" if name == "date_taken" else ""
    # times, addresses and numbers are as they are
    is_text = isinstance(value, str) and not name.endswith(("_url", "_taken"))
    return quote_plus(value) if is_text else str(value)


def rows(warehouse: Warehouse, table: str, *without: str) -> list[tuple[object, ...]]:
    """All rows of a raw table, but for where and when they landed."""
    left_out = ", ".join(["_source_file", "_source_sha256", "_position", "_landed_at", *without])
    return warehouse.rows(f"select * exclude ({left_out}) from raw.{table} order by all")


@pytest.fixture(scope="module")
def as_records(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The small corpus without its pictures, landed as it is."""
    warehouse = Warehouse(tmp_path_factory.mktemp("records"))
    files = warehouse.folder / "files"
    warehouse.gainsay("synth", files, "--reality-check", "--no-images")
    warehouse.gainsay("land", files)
    return warehouse


@pytest.mark.parametrize("n_columns", [23, 25])
def test_published_files_give_the_rows_of_records(
    as_records: Warehouse, tmp_path: Path, n_columns: int
) -> None:
    corpus = as_records.folder / "files"
    published = Warehouse(tmp_path)
    published.gainsay("collect", "list", "openimages", *write_open_images(corpus, tmp_path))
    yfcc = write_yfcc(corpus, tmp_path, n_columns)
    published.gainsay("collect", "list", "yfcc", *yfcc, "--share", "1")
    for table in TABLES:
        # two columns came with the later release
        is_first = table == "yfcc_photos" and n_columns == 23
        without = ["line_number", "photo_hash"] if is_first else []
        assert rows(published, table, *without) == rows(as_records, table, *without), table
        assert rows(published, table), table


def test_the_same_images_are_chosen_of_published_files(
    as_records: Warehouse, tmp_path: Path
) -> None:
    """Beside the records of the other sources, which have no such files."""
    corpus = as_records.folder / "files"
    others = tmp_path / "others"
    others.mkdir()
    for path in corpus.iterdir():
        if path.is_file() and path.stem not in TABLES:
            (others / path.name).symlink_to(path)
    published = Warehouse(tmp_path)
    published.gainsay("land", others)
    published.gainsay("collect", "list", "openimages", *write_open_images(corpus, tmp_path))
    published.gainsay("collect", "list", "yfcc", *write_yfcc(corpus, tmp_path, 25), "--share", "1")
    built = ("--vars", (corpus / "vars.yml").read_text(), "--select")
    chosen = []
    for warehouse in (as_records, published):
        warehouse.build(*built, "+reality_check__wanted_images")
        chosen.append(
            warehouse.rows("select * from reality_check.reality_check__wanted_images order by all")
        )
    assert {row[1] for row in chosen[0]} >= {"openimages", "yfcc"}
    assert chosen[0] == chosen[1]
