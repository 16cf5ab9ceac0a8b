"""Captions of one's own pictures, of DOCCI and of Wikimedia Commons make samples and pairs."""

import csv
import hashlib
import json
from pathlib import Path

import duckdb
import pytest

from tests.python import image_specimens as specimens
from tests.python.conftest import PROJECT, Warehouse, once

URL = "https://example.org/deer.jpg"
COMMONS = f"wikimedia_{hashlib.md5(URL.encode()).hexdigest()[:12]}"
BUS = "A man in a red jacket is sitting on a wooden bench beside a green bus."
# of one group: their pairs are of one split
MANIFEST = f"""file,caption,split_group
a.jpg,{BUS},walk
b.jpg,A black dog is lying on a brown couch.,walk
c.jpg,Ah.,
"""
IN_FILE = ["A white horse is standing in a field.", "A white horse eats grass near a fence."]
PARAGRAPH = (
    "A brown bear is sitting on a large rock. A yellow boat of 2.5 metres is next to the bear."
)


@pytest.fixture(scope="module")
def built(shared_folder: Path) -> Warehouse:
    """Nothing of COCO: a folder, its manifest and annotations, DOCCI, a page of Commons."""

    def make(folder: Path) -> None:
        pictures = folder / "pictures"
        pictures.mkdir()
        names = ("a.jpg", "b.jpg", "c.jpg", "d.jpg", "train_00001.jpg", f"{COMMONS}.jpg")
        for number, name in enumerate(names):
            (pictures / name).write_bytes(specimens.jpeg(seed=number))
        (folder / "captions.csv").write_text(MANIFEST)
        (folder / "captions.json").write_text(
            json.dumps(
                {
                    "images": [{"id": 1, "file_name": "d.jpg"}],
                    "annotations": [{"image_id": 1, "caption": caption} for caption in IN_FILE],
                }
            )
        )
        (folder / "docci_descriptions.jsonlines").write_text(
            "".join(
                json.dumps(
                    {
                        "example_id": name,
                        "split": "train",
                        "image_file": f"{name}.jpg",
                        "description": PARAGRAPH,
                    }
                )
                + "\n"
                for name in ("train_00001", "train_00002")
            )
        )
        warehouse = Warehouse(folder)
        warehouse.gainsay(
            "land-images", pictures, "--manifest", folder / "captions.csv",
            "--annotations", folder / "captions.json",
        )  # fmt: skip
        warehouse.gainsay("land", folder)
        description = {"ImageDescription": {"value": "<p>A red car parked on the street.</p>"}}
        with duckdb.connect(warehouse.path) as connection:
            connection.execute(
                "insert into raw.wikimedia_pages (pageid, url, extmetadata, _source_file,"
                " _position) values (1, ?, ?, 'listing', 0)",
                [URL, json.dumps(description)],
            )
        warehouse.build(
            "--select", "+clash__examples", "+certainly_uncertain__examples",
            "--vars", "caption_origins: [coco, docci, own, wikimedia]",
        )  # fmt: skip

    return Warehouse(once(shared_folder, "own_captions", make))


def test_every_origin_has_its_texts(built: Warehouse) -> None:
    assert built.rows("""
        select caption_origin, source_image_id, count(*) from images.images__texts
        group by all order by all
    """) == [
        # DOCCI's picture is the landed one of its file's name, or known by its id alone
        ("docci", "docci-train_00002", 2),
        ("docci", "file-train_00001.jpg", 2),
        ("own", "file-a.jpg", 1),
        ("own", "file-b.jpg", 1),
        ("own", "file-c.jpg", 1),
        ("own", "file-d.jpg", 2),
        ("wikimedia", COMMONS, 1),
    ]


def test_each_caption_that_says_something_is_a_candidate_of_clash(built: Warehouse) -> None:
    found = built.rows("""
        select caption_origin, source_image_id, original_caption, image_id, is_retained,
            drop_reason is null, sample_id like 'clash-' || source_image_id || '-%'
        from clash.clash__screened
    """)
    assert {row[:2] for row in found} == {
        ("docci", "docci-train_00002"), ("docci", "file-train_00001.jpg"),
        ("own", "file-a.jpg"), ("own", "file-b.jpg"), ("own", "file-d.jpg"),
        ("wikimedia", COMMONS),
    }  # fmt: skip
    said = {BUS, *IN_FILE, *PARAGRAPH.replace(". A", ".|A").split("|")}
    said |= {"A black dog is lying on a brown couch.", "A red car parked on the street."}
    assert {row[2] for row in found} <= said
    for *_, image_id, is_retained, has_no_reason, is_named_by_picture in found:
        assert image_id is None
        assert is_retained == has_no_reason
        assert is_named_by_picture
    # a sample is an example under both conditions
    retained = [row for row in found if row[4]]
    assert {row[0] for row in retained} >= {"own", "docci"}
    assert built.rows("select count(*) from clash.clash__examples") == [(2 * len(retained),)]


def test_pairs_follow_from_every_origin_or_drop_with_a_reason(built: Warehouse) -> None:
    found = built.rows("""
        select caption_origins, count(*), count(case when is_retained then 1 end),
            count(case when is_retained <> (drop_reason is null) then 1 end)
        from certainly_uncertain.certainly_uncertain__screened
        group by all order by all
    """)
    origins = {origin for origins, *_ in found for origin in str(origins).split(",")}
    assert origins == {"docci", "own", "wikimedia"}
    assert all(n_unexplained == 0 for *_, n_unexplained in found)
    assert any("own" in str(origins) and n_retained for origins, _, n_retained, _ in found)


def test_pictures_of_a_group_are_in_one_split(built: Warehouse) -> None:
    assert built.rows("""
        select count(distinct is_test_half) from certainly_uncertain.certainly_uncertain__stem_sides
        where source_image_id in ('file-a.jpg', 'file-b.jpg')
    """) == [(1,)]


@pytest.mark.parametrize("benchmark", ["clash", "certainly_uncertain"])
def test_what_own_captions_make_is_right_often_enough(benchmark: str) -> None:
    with (PROJECT / "tests" / "readings" / "own_captions.csv").open(newline="") as file:
        read = [row for row in csv.DictReader(file) if row["benchmark"] == benchmark]
    right = sum(row["is_right"] == "true" for row in read)
    assert right / len(read) >= 0.95
    assert all(len(row["reason"].split()) >= 5 for row in read)
