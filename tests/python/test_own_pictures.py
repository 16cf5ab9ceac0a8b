"""Pictures of one's own: folders, manifests and annotations of any tool, and hostile ones."""

import csv
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.image_files import find_images, searched_folder
from gainsay.ingest.own_pictures import annotation_source, land_own
from gainsay.ingest.sinks.duckdb import DuckDbSink, ensure_raw_schema
from gainsay.python_udfs.pixels.image_files import ImageLimits
from tests.python import image_specimens as specimens
from tests.python.conftest import Warehouse

LIMITS = ImageLimits(2**20, 10**6)
Land = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five pictures, of which two share a name."""
    folder = tmp_path / "my pictures"
    for number, name in enumerate(("a.jpg", "b.jpg", "deep/a.jpg", "deep/ü.jpg", "100%_x.jpg")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(specimens.jpeg(seed=number))
    return folder


class Tables:
    """Raw tables, and what is in them."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.connection = duckdb.connect(path)
        ensure_raw_schema(self.connection)
        self.folder = folder

    def land(
        self, manifest: Path | None = None, *annotations: Path, folder: Path | None = None
    ) -> Any:
        root = str(folder or self.folder)
        found = find_images([root], LIMITS)
        return land_own(
            DuckDbSink(self.connection),
            [searched_folder(root)],
            found.files,
            annotations=[annotation_source(path) for path in annotations],
            manifest=manifest,
            advance=lambda _=1: None,
        )

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql).fetchall()

    def rejected(self) -> list[tuple[Any, ...]]:
        return self.rows(
            "select _position, field, found, expected from raw.rejected_records"
            " order by _position, field"
        )


@pytest.fixture
def tables(tmp_path: Path, folder: Path) -> Tables:
    """An empty warehouse beside the pictures."""
    return Tables(tmp_path / "gainsay.duckdb", folder)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_manifest_says_what_it_says_and_errors_are_rows(tables: Tables, tmp_path: Path) -> None:
    manifest = write(
        tmp_path / "m.csv",
        "File,Caption,lat,longitude,heading,taken_at,split group,mood\n"
        "a.jpg,'=1+1,43.5,11.9,360,2024-06-21 12:00,7,happy\n"
        "deep/a.jpg,A dog,91,nan,-1,yesterday,,\n"
        "../a.jpg,out,,,,,,\n"
        "/etc/passwd,out,,,,,,\n"
        "a.jpg,again,,,,,,\n"
        "./b.jpg,,,,,2008:10:22 16:28:39,,\n"
        "nowhere.jpg,,,,,,,\n"
        ",,,,,,,\n"
        "deep\\u\u0308.jpg,of a Mac on Windows,,,,2024-06-21,,\n"
        "100%_x.jpg,too,many,cells,1,2,3,4,5\n",
    )
    landed = tables.land(manifest).manifest
    assert (landed.n_records, landed.ignored) == (5, ("mood",))
    assert tables.rows(
        "select path, caption, latitude, longitude, heading, taken_at, split_group"
        " from raw.own_pictures order by _position"
    ) == [
        (str(tables.folder / "a.jpg"), "=1+1", 43.5, 11.9, 0.0, "2024-06-21T12:00:00", "7"),
        (str(tables.folder / "deep/a.jpg"), "A dog", None, None, None, None, None),
        (str(tables.folder / "a.jpg"), "again", None, None, None, None, None),
        (str(tables.folder / "b.jpg"), None, None, None, None, "2008-10-22T16:28:39", None),
        (str(tables.folder / "deep/ü.jpg"), "of a Mac on Windows", None, None, None, None, None),
    ]
    moment = "a date and a time of day, such as 2024-06-21T12:00:00+02:00"
    assert tables.rejected() == [
        (1, "heading", "-1", "degrees from 0 to 360"),
        (1, "latitude", "91", "degrees from -90 to 90"),
        (1, "taken_at", "yesterday", moment),
        (2, "file", "../a.jpg", "the path within the folder of one of 2 of this name"),
        (3, "file", "/etc/passwd", "a picture in the folder, which has none of this name"),
        (6, "file", "nowhere.jpg", "a picture in the folder, which has none of this name"),
        (7, "file", "", "the name of a picture"),
        (8, "taken_at", "2024-06-21", moment),
        (9, "row", "something else", "8 cells, as the first line has"),
    ]
    # nan is what pandas writes for nothing
    assert landed.n_rejected == 9


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("m.csv", "file,caption,caption\na.jpg,one,other\n", "several columns say caption"),
        ("m.csv", "file,lat,Latitude \na.jpg,1,2\n", "several columns say latitude: lat, Lat"),
        ("m.csv", "file_name,file\na.jpg,b.jpg\n", "several columns say file: file_name, file"),
        ("m.csv", 'file,caption\na.jpg,"A dog\nb.jpg,a cat\n', "line 2: no CSV: unexpected end"),
        # the quote finds a second that was meant for another cell
        ("m.csv", 'file,caption\na.jpg,"A dog\nb.jpg,of 5"\n', "line 2: a quote without its"),
        ("m.csv", 'file,caption\na.jpg,"A dog\nb.jpg,"a cat"\n', "line 2: no CSV: ',' expected"),
        ("m.csv", 'file,caption\na.jpg,""A" dog"\n', "line 2: no CSV: ',' expected"),
        ("m.csv", 'file,"caption\na.jpg,A dog\n', "line 1: no CSV: unexpected end"),
        ("m.tsv", 'file\tcaption\n"a.jpg\tA dog\nb.jpg\t"\n', "line 2: a quote without its"),
    ],
)
def test_what_would_mix_rows_or_columns_is_refused(
    tables: Tables, tmp_path: Path, name: str, text: str, problem: str
) -> None:
    with pytest.raises(GainsayError, match=re.escape(name)) as refused:
        tables.land(write(tmp_path / name, text))
    assert problem in str(refused.value)
    assert tables.rows("select * from raw.own_pictures") == []


def test_what_is_not_a_mix_lands(tables: Tables, tmp_path: Path) -> None:
    """Cells of several lines, old line ends, separators of any kind, apostrophes and quotes."""
    wanted = [("a.jpg", 'A "big" dog,\nand a cat'), ("b.jpg", "no second row\u2028here"),
              ("100%_x.jpg", 'a 5" ruler')]  # fmt: skip
    for end, separator, name in (
        ("\n", ",", "m.csv"), ("\r\n", ";", "m.csv"), ("\r", ",", "m.csv"), ("\n", "\t", "m.tsv"),
    ):  # fmt: skip
        cells = [
            ("file", "mood, caption" if name == "m.tsv" else "mood", "caption"),
            ("a.jpg", "", '"A ""big"" dog,\nand a cat"'),
            ("b.jpg", "", wanted[1][1]),
            ("100%_x.jpg", "", wanted[2][1]),
        ]
        manifest = tmp_path / name
        manifest.write_text(
            "\ufeff" + end.join(map(separator.join, cells)), encoding="utf-8", newline=""
        )
        landed = tables.land(manifest).manifest
        assert (landed.n_records, landed.n_rejected) == (3, 0)
        rows = tables.rows("select path, caption from raw.own_pictures order by _position")
        assert [(Path(path).name, caption) for path, caption in rows] == wanted


def test_rows_that_lack_cells_or_say_a_thing_twice_are_told(tables: Tables, tmp_path: Path) -> None:
    tables.land(write(tmp_path / "m.csv", "file,mood,caption\na.jpg,A dog\nb.jpg\n"))
    assert [row[1:] for row in tables.rejected()] == [
        ("row", "something else", "3 cells, as the first line has")
    ] * 2
    lines = [
        '{"file": "a.jpg", "file": "b.jpg"}',
        '{"file": "a.jpg", "lat": 1, "latitude": 2}',
        '{"file": "b.jpg", "capton": "A dog", "latitude": "4_3"}',
    ]
    landed = tables.land(write(tmp_path / "m.jsonl", "\n".join(lines))).manifest
    assert landed.ignored == ("capton",)
    assert tables.rejected() == [
        (0, "row", "something else", "one field of each name"),
        (1, "latitude", '["lat","latitude"]', "one field that says it"),
        (2, "latitude", "4_3", "degrees from -90 to 90"),
    ]
    table = pa.table([["a.jpg"], ["b.jpg"]], names=["file", "file"])
    pq.write_table(table, tmp_path / "m.parquet")
    with pytest.raises(GainsayError, match="several columns say file"):
        tables.land(tmp_path / "m.parquet")


@pytest.mark.parametrize("kind", ["pipe", "device", "sparse", "line"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_manifest_of_any_size_costs_nothing(
    tables: Tables, tmp_path: Path, kind: str, suffix: str
) -> None:
    manifest = tmp_path / f"m.{suffix}"
    if kind == "pipe":
        os.mkfifo(manifest)
    elif kind == "device":
        manifest.symlink_to("/dev/zero")
    else:
        with manifest.open("wb") as file:
            file.truncate(5 * 2**30 if kind == "sparse" else 32 * 2**20)
    wanted = {"pipe": "not a regular file", "device": "not a regular file",
              "sparse": "refused: more than 4,294,967,296 bytes"}  # fmt: skip
    of_a_line = "not of the format" if suffix == "parquet" else "line 1 has more than 16,777,216"
    with pytest.raises(GainsayError, match=wanted.get(kind, of_a_line)):
        tables.land(manifest)


def test_json_lines_have_types(tables: Tables, tmp_path: Path) -> None:
    lines = [
        '{"file": "b.jpg", "latitude": 1, "caption": 5, "author": null, "split_group": 12}',
        '{"file": 7}',
        '{"file": "deep/a.jpg", "heading": true, "longitude": "far", "url": "x\\u0000y"}',
        '["b.jpg"]',
        '{"file": "100%_x.jpg", "latitude": NaN}',
        '{"file": "ü.jpg", "license": "cc-by-4.0"}',
        "{",
        '{"file": "100%_x.jpg", "latitude": 1e999}',
    ]
    tables.land(write(tmp_path / "m.jsonl", "\n".join(lines)))
    assert tables.rows(
        "select path, latitude, split_group, license from raw.own_pictures order by _position"
    ) == [
        (str(tables.folder / "b.jpg"), 1.0, "12", None),
        (str(tables.folder / "deep/a.jpg"), None, None, None),
        (str(tables.folder / "deep/ü.jpg"), None, None, "cc-by-4.0"),
    ]
    assert [row[:2] for row in tables.rejected()] == [
        (0, "caption"), (1, "file"), (2, "heading"), (2, "longitude"), (2, "url"), (3, "row"),
        (4, "row"), (6, "row"), (7, "row"),
    ]  # fmt: skip


def test_parquet_has_times_of_its_own(tables: Tables, tmp_path: Path) -> None:
    taken_at = pa.array(["2024-06-21T12:00:00"]).cast(pa.timestamp("s"))
    file = tmp_path / "m.parquet"
    pq.write_table(
        pa.table({"file_name": ["b.jpg"], "taken_at": taken_at, "lat": pa.array([1.5])}), file
    )
    tables.land(file)
    assert tables.rows("select path, taken_at, latitude from raw.own_pictures") == [
        (str(tables.folder / "b.jpg"), "2024-06-21T12:00:00", 1.5)
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.csv", b"name,caption\na.jpg,x\n", "no column `file`"),
        ("m.csv", b"", "the file is empty"),
        ("m.csv", b"file\n\xff\xfe.jpg\n", "is not UTF-8"),
        ("m.xlsx", b"PK", "save its sheet as CSV in UTF-8"),
        ("m.parquet", b"PAR1 and no more", "not of the format"),
    ],
)
def test_a_file_of_another_form_is_refused(
    tables: Tables, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(GainsayError, match=message):
        tables.land(tmp_path / name)
    assert tables.rows("select * from raw.own_pictures") == []


@pytest.mark.long
def test_a_manifest_of_a_million_rows_ends(tables: Tables, tmp_path: Path) -> None:
    """Of a million rows for one picture one counts, and the others are errors."""
    n_rows = 1_000_000
    manifest = write(tmp_path / "m.csv", "file\n" + "a.jpg\n" * (n_rows - 1) + "b.jpg\n")
    landed = tables.land(manifest).manifest
    assert (landed.n_records, landed.n_rejected) == (2, n_rows - 2)


def test_a_later_manifest_replaces_the_former_of_its_folder(tables: Tables, tmp_path: Path) -> None:
    first = write(tmp_path / "first.csv", "file,caption\nb.jpg,first\nnone.jpg,\n")
    tables.land(first)
    tables.land(write(tmp_path / "second.csv", "file,caption\nb.jpg,second\n"))
    assert tables.rows("select caption from raw.own_pictures") == [("second",)]
    assert tables.rejected() == []
    assert tables.rows("select count(*) from raw.landed_files") == [(1,)]
    # of another folder both stay
    deep = write(tmp_path / "deep.csv", "file,caption\na.jpg,deep\n")
    tables.land(deep, folder=tables.folder / "deep")
    assert tables.rows("select caption from raw.own_pictures order by all") == [
        ("deep",), ("second",),
    ]  # fmt: skip


def coco(**parts: Any) -> str:
    whole = {"images": [], "annotations": [], "categories": []} | parts
    return json.dumps(whole)


def test_records_that_fit_no_annotation_are_rows(tables: Tables, tmp_path: Path) -> None:
    file = write(
        tmp_path / "objects.json",
        coco(
            images=[{"id": "x1", "file_name": "b.jpg"}, {"id": 2}, {"id": 3, "file_name": 4}],
            categories=[{"id": 1, "name": "dog"}],
            annotations=[
                {"image_id": "x1", "category_id": 1, "bbox": [1, 2, 3, 4], "iscrowd": 1},
                {"image_id": "x1", "category_id": 1, "bbox": "everywhere"},
                {"image_id": "x1", "bbox": [1, 2, 3, 4], "segmentation": []},
                {"image_id": None, "bbox": [1, 2, 3, 4]},
                {"image_id": "x1", "segmentation": {"counts": "abc", "size": [1]}},
            ],
        ),
    )
    (landing,) = tables.land(None, file).annotations
    assert (landing.n_records, landing.n_rejected, landing.state) == (4, 2, "landed")
    assert landing.n_left_empty == 2
    assert tables.rows("select image_id, category_id, iscrowd from raw.own_annotations") == [
        ("x1", "1", True), ("x1", "1", None), ("x1", None, None), ("x1", None, None),
    ]  # fmt: skip
    assert tables.rejected() == [
        (1, "$.bbox", '"everywhere"', "array | null; left empty"),
        (1, "$.file_name", "nothing", "required field"),
        (3, "$.image_id", "null", "int | str"),
        (4, "$.segmentation.size", "array of length 1", "array of length >= 2; left empty"),
    ]
    (again,) = tables.land(None, file).annotations
    assert again.state == "unchanged"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"images": [], "annotations": [{"image_id": 1, "bbox": [NaN, 0, 1, 1]}]}', "has no NaN"),
        ("[]", "no annotations in COCO's format"),
        ('{"images": []}', "no annotations in COCO's format"),
        ('{"annotations": [{"image": 1}]}', "none of its annotations fits"),
        ('{"annotations": [', "not JSON, or cut short"),
    ],
)
def test_what_is_no_coco_json_is_refused(
    tables: Tables, tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(GainsayError, match=message) as caught:
        tables.land(None, write(tmp_path / "objects.json", text))
    assert "gainsay download" not in str(caught.value)
    assert tables.rows("select * from raw.own_folders") == []


def test_a_folder_of_broken_pictures_ends_with_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(b"no picture")
    warehouse = Warehouse(tmp_path)
    process = warehouse.gainsay("land-images", folder, check=False)
    assert process.returncode == 1
    assert "none of the 1 images can be used" in process.stderr
    assert warehouse.rows("select error_kind from raw.image_files") == [("not_an_image",)]


def test_a_heading_is_read_and_a_hostile_one_is_none(tmp_path: Path) -> None:
    from PIL import ExifTags, TiffImagePlugin

    folder = tmp_path / "headed"
    folder.mkdir()
    rational = TiffImagePlugin.IFDRational
    cases = {
        "true": (rational(4500, 100), "T"),
        "magnetic": (rational(36000, 100), "M"),
        "unsaid": (rational(1, 2), None),
        "nowhere": (rational(0, 0), "T"),
        "beyond": (rational(400, 1), "T"),
        "text": ("north", "T"),
    }
    for name, (direction, reference) in cases.items():
        exif = Image.Exif()
        gps = exif.get_ifd(ExifTags.IFD.GPSInfo)
        gps[ExifTags.GPS.GPSImgDirection] = direction
        if reference:
            gps[ExifTags.GPS.GPSImgDirectionRef] = reference
        try:
            Image.new("RGB", (32, 32)).save(folder / f"{name}.jpg", exif=exif)
        except (TypeError, ValueError, ZeroDivisionError):
            # what Pillow does not write, others do
            continue
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land-images", folder)
    found = {
        str(name).removesuffix(".jpg"): rest
        for name, *rest in warehouse.rows(
            "select file_name, gps_direction, gps_direction_reference, exif_error is not null"
            " from raw.image_files"
        )
    }
    assert found["true"] == [45.0, "T", False]
    assert found["magnetic"] == [0.0, "M", False]
    assert found["unsaid"] == [0.5, None, False]
    assert found["beyond"] == [None, None, True]
    assert found.get("nowhere", [None, None, True]) == [None, None, True]
    assert found.get("text", [None, None, True]) == [None, None, True]


@pytest.mark.long
def test_pictures_alone_are_a_benchmark(tmp_path: Path) -> None:
    """A folder that nothing else was landed beside builds, and each picture has its reason."""
    folder = tmp_path / "pictures"
    (folder / "sub").mkdir(parents=True)
    for number in range(4):
        Image.effect_noise((200, 150), 30 + number).convert("RGB").save(
            folder / ("sub" if number % 2 else "") / f"IMG {number // 2}.jpg"
        )
    (folder / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "objects.json").write_text(
        coco(
            images=[{"id": 1, "file_name": "sub/IMG 0.jpg", "width": 200, "height": 150}],
            categories=[{"id": 1, "name": "Dog", "supercategory": "animal"}],
            annotations=[
                {"image_id": 1, "category_id": 1, "bbox": [20, 20, 90, 90], "score": 0.9},
                {"image_id": 1, "category_id": 2, "bbox": [20, 20, 90, 90]},
                {"image_id": 1, "category_id": 1, "bbox": [190, 20, 90, 90]},
            ],
        )
    )
    (tmp_path / "m.csv").write_text("file,scene\nIMG 0.jpg,beach\nsub/IMG 0.jpg,street\n")
    out = tmp_path / "out"
    made = Warehouse(tmp_path).gainsay(
        "reality-check", folder, out, "--annotations", tmp_path / "objects.json", "--manifest",
        tmp_path / "m.csv", "--vars", "{annotate_ocr: false}",
    )  # fmt: skip
    assert "spatial relations" in made.stdout
    assert "not measured" in made.stdout
    warehouse = Warehouse(tmp_path, out / "work/gainsay.duckdb")
    page = (out / "yields.html").read_text()
    assert "no annotations landed" in page
    assert "<script" not in page
    manifest = [json.loads(line) for line in (out / "data/raw/manifest.jsonl").open()]
    assert len(manifest) == 4
    assert all((out / line["local_path"]).is_file() for line in manifest)
    with (out / "pictures.csv").open(newline="") as sheet:
        left = {
            (row["source_image_id"], row["screening"], row["combination"]): row["reason"]
            for row in csv.DictReader(sheet)
        }
    assert left["file-broken.jpg", "reality_check_images", ""] == "unusable_picture"
    # four pictures in nine biases and four compounds, and five in the first screening
    assert len(left) == 4 * 13 + 5
    assert warehouse.rows("""
        select source_image_id, drop_reason from reality_check.reality_check__screened
        where screening = 'reality_check_images' order by all
    """) == [
        ("file-IMG 0.jpg", None),
        ("file-IMG 1.jpg", None),
        ("file-broken.jpg", "unusable_picture"),
        ("file-sub/IMG 0.jpg", None),
        ("file-sub/IMG 1.jpg", None),
    ]
    assert warehouse.rows("""
        select problem from reality_check.reality_check__own_annotations order by annotation_id
    """) == [(None,), ("unknown_category",), ("box_outside",)]
    assert warehouse.rows("""
        select source_image_id, label, supercategory from reality_check.reality_check__objects
    """) == [("file-sub/IMG 0.jpg", "dog", "animal")]
    reasons = dict(
        warehouse.rows("""
            select source_image_id, drop_reason || ': ' || coalesce(drop_detail, '')
            from reality_check.reality_check__screened where screening = 'reality_check_counting'
        """)
    )
    assert reasons["file-IMG 1.jpg"] == "annotation_missing: no annotations landed"
    assert reasons["file-sub/IMG 0.jpg"] == "no_partner: "
    assert dict(
        warehouse.rows("select source_image_id, scene from reality_check.reality_check__scenes")
    ) == {
        "file-IMG 0.jpg": "beach", "file-IMG 1.jpg": None,
        "file-sub/IMG 0.jpg": "street", "file-sub/IMG 1.jpg": None,
    }  # fmt: skip
