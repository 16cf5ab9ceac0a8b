"""Image files land as rows, whatever is wrong with them."""

import io
import os
import resource
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import imagehash
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.image_files import find_images, image_id_of, land_images
from gainsay.ingest.sinks import duckdb_images
from gainsay.ingest.sinks.duckdb_images import DuckDbImages
from gainsay.python_udfs.pixels.image_files import ImageLimits
from gainsay.python_udfs.pixels.probing import perceptual_hash, probe
from tests.python import image_specimens as specimens
from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import REAL_SAMPLE, needs_real_sample

MAX_PIXELS = 64_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every specimen, and things beside them."""
    folder = tmp_path / "files"
    (folder / "deep" / "er").mkdir(parents=True)
    for name, data in specimens.usable().items():
        (folder / name).write_bytes(data)
    for name, (data, _) in specimens.unusable().items():
        (folder / "deep" / name).write_bytes(data)
    (folder / "deep/er/000000000009.jpg").write_bytes(specimens.jpeg())
    (folder / "notes.txt").write_text("ignored")
    (tmp_path / "secret.jpg").write_bytes(specimens.jpeg(seed=3))
    (folder / "link.jpg").symlink_to(tmp_path / "secret.jpg")
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.jpg")
    return folder


class _FullDisk:
    """A connection to a warehouse on a full disk, whose failed commit ends its transaction."""

    def commit(self) -> None:
        raise duckdb.IOException("could not write: No space left on device")

    def rollback(self) -> None:
        raise duckdb.TransactionException("cannot rollback - no transaction is active")

    def __getattr__(self, _name: str) -> Any:
        return lambda *_arguments: self

    def fetchall(self) -> list[Any]:
        return []


def test_a_full_disk_is_the_cause_that_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_images, "ensure_raw_schema", lambda _: None)
    rows = DuckDbImages(_FullDisk())  # type: ignore[arg-type]
    limits = ImageLimits(10**8, MAX_PIXELS)
    found = find_images([str(folder / "deep/er")], limits)
    with pytest.raises(GainsayError, match="No space left on device"):
        rows.land(found.files, limits)


@pytest.mark.parametrize(
    ("name", "image_id"),
    [
        ("COCO_train2014_000000000009.jpg", 9),
        ("COCO_val2014_000000391895.jpg", 391895),
        ("COCO_test2015_000000000001.jpg", 1),
        ("000000000009.jpg", 9),
        ("000000000009.JPG", 9),
        ("9.jpg", None),
        ("COCO_train2014_000000000009.png", None),
        ("my_000000000009.jpg", None),
    ],
)
def test_ids_of_both_layouts(name: str, image_id: int | None) -> None:
    assert image_id_of(name) == image_id


def test_every_file_is_a_row(folder: Path, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    process = warehouse.gainsay("land-images", folder)

    rows = warehouse.rows("select file_name, error_kind, error, sha256 from raw.image_files")
    kinds = {str(name): kind for name, kind, _, _ in rows}
    expected = dict.fromkeys(specimens.usable()) | {
        name: kind for name, (_, kind) in specimens.unusable().items()
    }
    expected |= {"000000000009.jpg": None, "link.jpg": "escapes_folder", "up": "escapes_folder",
                 "pipe.jpg": "unreadable"}  # fmt: skip
    assert kinds == expected
    assert len(rows) == len(expected)
    assert all((kind is None) == (error is None) for _, kind, error, _ in rows)
    assert "1 other files ignored" in process.stdout
    # the secret's content is nowhere
    secret = probe((tmp_path / "secret.jpg").read_bytes(), MAX_PIXELS).sha256
    assert secret not in {sha256 for *_, sha256 in rows}


def test_pictures_are_known_as_they_are_seen(folder: Path, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land-images", folder)
    rows = {
        row[0]: row[1:]
        for row in warehouse.rows(
            "select file_name, width, height, format, mode, n_frames, exif_orientation"
            " from raw.image_files"
        )
    }

    assert rows["plain.jpg"] == (64, 48, "JPEG", "RGB", 1, 1)
    assert rows["1x1.png"] == (1, 1, "PNG", "RGB", 1, 1)
    assert rows["cmyk.jpg"] == (64, 48, "JPEG", "CMYK", 1, 1)
    assert rows["palette.png"][:4] == (64, 48, "PNG", "P")
    assert rows["16bit.png"][:4] == (64, 48, "PNG", "I;16")
    assert rows["animated.gif"][4] == 2
    assert rows["pages.tiff"][4] == 2
    assert rows["rotated.jpg"] == (48, 64, "JPEG", "RGB", 1, 6)
    assert rows["bomb.png"][:3] == (None, None, None)
    assert rows["large.png"][:3] == (8001, 8000, "PNG")


def test_landing_again_reads_nothing_but_changes(folder: Path, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land-images", folder)
    before = warehouse.rows("select * from raw.image_files order by path")
    again = warehouse.gainsay("land-images", folder)
    assert "\n0 images landed" in again.stdout
    assert warehouse.rows("select * from raw.image_files order by path") == before

    (folder / "plain.jpg").write_bytes(specimens.jpeg(80, 60))
    (folder / "1x1.png").unlink()
    changed = warehouse.gainsay("land-images", folder)
    assert "\n1 images landed" in changed.stdout
    assert "1 gone" in changed.stdout
    assert warehouse.rows(
        "select width from raw.image_files where file_name in ('plain.jpg', '1x1.png')"
    ) == [(80,)]


def test_limits_are_vars_and_options(folder: Path, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land-images", folder, "--max-pixels", "3000", "--max-bytes", "3000")
    kinds = dict(
        warehouse.rows("select file_name, error_kind from raw.image_files")  # type: ignore[arg-type]
    )
    assert kinds["plain.jpg"] == "too_many_pixels"
    assert kinds["truncated.jpg"] == "too_large"
    assert kinds["1x1.png"] is None
    # other limits, other answers
    warehouse.gainsay("land-images", folder)
    assert warehouse.rows(
        "select error_kind from raw.image_files where file_name = 'plain.jpg'"
    ) == [(None,)]


def test_members_of_archives_land_like_files(tmp_path: Path) -> None:
    archive = tmp_path / "val2017.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("val2017/000000000009.jpg", specimens.jpeg())
        file.writestr("val2017/../../000000000010.jpg", specimens.jpeg())
        file.writestr("/000000000011.jpg", specimens.jpeg())
        file.writestr("val2017/000000000012.jpg", b"\0" * 80_000_000)
        file.writestr("val2017/readme.txt", b"x")
    damaged = tmp_path / "damaged.zip"
    content = bytearray(archive.read_bytes())
    content[60:90] = b"\xff" * 30
    damaged.write_bytes(content)
    (tmp_path / "no.zip").write_bytes(b"PK no archive")

    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land-images", archive, damaged, tmp_path / "no.zip")
    rows = warehouse.rows(
        "select archive is not null, image_id, error_kind, path from raw.image_files order by path"
    )
    by_name = {str(row[3]).removeprefix(f"{tmp_path}/"): row[:3] for row in rows}
    assert by_name["val2017.zip!val2017/000000000009.jpg"] == (True, 9, None)
    assert by_name["val2017.zip!val2017/../../000000000010.jpg"] == (True, 10, "escapes_folder")
    assert by_name["val2017.zip!/000000000011.jpg"] == (True, 11, "escapes_folder")
    assert by_name["val2017.zip!val2017/000000000012.jpg"] == (True, 12, "too_large")
    assert by_name["damaged.zip!val2017/000000000009.jpg"] == (True, 9, "unreadable")
    assert by_name["no.zip"] == (False, None, "unreadable")


@pytest.mark.long
@pytest.mark.slow
def test_a_killed_landing_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    small = specimens.jpeg(16, 16)
    for number in range(700):
        (folder / f"{number:012}.jpg").write_bytes(small)
    warehouse = Warehouse(tmp_path)
    kill = (
        "import os, sys\n"
        "from gainsay.ingest.sinks.duckdb_images import DuckDbImages\n"
        "n, replace = [0], DuckDbImages._replace\n"
        "def counted(*arguments):\n"
        "    n[0] += 1\n"
        "    if n[0] == 3: os.kill(os.getpid(), 9)\n"
        "    replace(*arguments)\n"
        "DuckDbImages._replace = counted\n"
        "from gainsay.cli import main\n"
        "main(['land-images', sys.argv[1]])\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", kill, folder], cwd=PROJECT, env=warehouse.environment, check=False
    )
    assert process.returncode == -9
    assert warehouse.rows("select count(*) from raw.image_files") == [(512,)]
    again = warehouse.gainsay("land-images", folder)
    assert "188 images landed, 512 unchanged" in again.stdout


def test_a_name_that_is_no_utf_8_is_a_row(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / os.fsdecode(b"caf\xe9")).mkdir(parents=True)
    for name in (b"a.jpg", b"b\xff.jpg", b"b\xfe.JPG", b"caf\xe9/c.png", b"d\xff.zip"):
        (folder / os.fsdecode(name)).write_bytes(specimens.jpeg())
    warehouse = Warehouse(tmp_path)
    process = warehouse.gainsay("land-images", folder)
    assert "4 x bad_name" in process.stdout
    rows = warehouse.rows("select path, file_name, error_kind, error from raw.image_files")
    by_name = {
        str(path).removeprefix(f"{folder}/"): (name, kind, error)
        for path, name, kind, error in rows
    }
    assert by_name["a.jpg"] == ("a.jpg", None, None)
    assert by_name[r"b\xff.jpg"][:2] == (r"b\xff.jpg", "bad_name")
    assert "b'b\\xff.jpg'" in str(by_name[r"b\xff.jpg"][2])
    assert by_name.keys() == {"a.jpg", r"b\xff.jpg", r"b\xfe.JPG", r"caf\xe9/c.png", r"d\xff.zip"}

    # such rows go with their files, too, and a folder may be named so by the user
    (folder / os.fsdecode(b"b\xff.jpg")).unlink()
    again = warehouse.gainsay("land-images", folder)
    assert "0 images landed, 4 unchanged, 1 gone" in again.stdout
    # of these none can be used, which is an error
    inner = folder / os.fsdecode(b"caf\xe9")
    assert warehouse.gainsay("land-images", inner, check=False).returncode == 1
    (folder / os.fsdecode(b"caf\xe9/c.png")).rename(folder / os.fsdecode(b"caf\xe9/d.png"))
    renamed = warehouse.gainsay("land-images", inner, check=False)
    assert "1 images landed, 0 unchanged, 1 gone" in renamed.stdout


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (MemoryError(), "not enough memory for its bytes"),
    ],
)
def test_what_could_not_be_read_once_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(specimens.jpeg())

    def failing(path: Path, *arguments: Any) -> Any:
        if path.name == "a.jpg":
            raise error
        return opened(path, *arguments)

    opened = Path.open
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", failing)
        first = land(tmp_path)
    assert first == (2, 0, [("a.jpg", "unreadable", reason), ("b.jpg", None, None)])
    assert land(tmp_path) == (1, 1, [("a.jpg", None, None), ("b.jpg", None, None)])
    assert land(tmp_path)[:2] == (0, 2)


def test_pixels_that_found_no_memory_are_decoded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jpg").write_bytes(specimens.jpeg())

    def failing(*_: Any) -> Any:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(Image.Image, "convert", failing)
        first = land(tmp_path)
    assert first == (1, 0, [("a.jpg", "undecodable", "not enough memory for its pixels")])
    assert land(tmp_path) == (1, 0, [("a.jpg", None, None)])


def land(folder: Path) -> tuple[int, int, list[tuple[str, str | None, str | None]]]:
    """How many files were read and were unchanged, and what is known of each."""
    limits = ImageLimits(10**8, MAX_PIXELS)
    with duckdb.connect(folder / "gainsay.duckdb") as connection:
        files = find_images([str(folder)], limits).files
        rows = DuckDbImages(connection)
        landing = land_images(rows, files, [str(folder)], limits, lambda _=1: None)
        landed = connection.execute(
            "select file_name, error_kind, error from raw.image_files order by all"
        ).fetchall()
    return landing.n_read, landing.n_unchanged, landed


def test_a_folder_that_moved_is_read_where_it_is(tmp_path: Path) -> None:
    """Whatever landed last, and the former place is told and can be forgotten."""
    warehouse = Warehouse(tmp_path)
    former, later = tmp_path / "former", tmp_path / "later"
    for folder in (later, former):
        folder.mkdir()
        (folder / "a.jpg").write_bytes(specimens.jpeg())
        warehouse.gainsay("land-images", folder)
    order = "select path from raw.image_files order by _landed_at desc"
    assert warehouse.rows(order)[0] == (str(former / "a.jpg"),)
    former.rename(tmp_path / "gone")
    told = warehouse.gainsay("land-images", later).stderr
    assert f"1 of these pictures landed from {former} before" in told
    assert warehouse.rows(order)[0] == (str(later / "a.jpg"),)
    assert "1 images forgotten" in warehouse.gainsay("land-images", "--forget", former).stdout
    assert warehouse.rows(order) == [(str(later / "a.jpg"),)]
    assert "before" not in warehouse.gainsay("land-images", later).stderr
    nothing = warehouse.gainsay("land-images", "--forget", former, check=False)
    assert (nothing.returncode, "no picture landed from here" in nothing.stderr) == (1, True)


def test_names_of_coco_are_told(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    for name, seed in (("own/000000000042.jpg", 1), ("val2014/COCO_val2014_000000000042.jpg", 2)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(specimens.jpeg(seed=seed))
    told = warehouse.gainsay("land-images", tmp_path / "own").stderr
    assert "1 pictures have names of COCO's, and no landed file of COCO names them" in told
    told = warehouse.gainsay("land-images", tmp_path / "val2014").stderr
    assert "1 names of COCO's are of several files that differ" in told


def test_no_image_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "absent"):
        process = Warehouse(tmp_path).gainsay("land-images", path, check=False)
        assert process.returncode == 1
        assert str(path) in process.stderr
        assert "Traceback" not in process.stderr


def test_exif_tells_time_and_place() -> None:
    base, gps = ExifTags.Base, ExifTags.GPS
    found = probe(
        specimens.jpeg(
            exif=specimens.exif(
                camera={base.DateTimeOriginal: "2024:06:21 12:00:00",
                        base.OffsetTimeOriginal: "-04:00"},
                gps={
                    gps.GPSLatitudeRef: "S",
                    gps.GPSLatitude: tuple(map(specimens.rational, (40, 42, 46))),
                    gps.GPSLongitudeRef: "W",
                    gps.GPSLongitude: tuple(map(specimens.rational, (74, 0, 22))),
                    gps.GPSDateStamp: "2024:06:21",
                    gps.GPSTimeStamp: tuple(map(specimens.rational, (16, 0, 1))),
                },
            )
        ),
        MAX_PIXELS,
    ).exif  # fmt: skip
    assert found.taken_at == "2024-06-21T12:00:00"
    assert found.utc_offset_minutes == -240
    assert found.gps_latitude == pytest.approx(-40.712777778)
    assert found.gps_longitude == pytest.approx(-74.006111111)
    assert found.gps_utc == "2024-06-21T16:00:01.000"
    assert found.error is None


@pytest.mark.parametrize(
    ("camera", "gps", "problem"),
    [
        ({"DateTimeOriginal": "yesterday"}, {}, "time: "),
        ({"DateTimeOriginal": "2024:13:21 12:00:00"}, {}, "time: "),
        ({"OffsetTimeOriginal": "+99:00"}, {}, "offset: "),
        ({}, {"GPSLatitude": (1, 2, 3), "GPSLatitudeRef": "N"}, "GPS place: "),
        ({}, {"GPSLatitude": (91, 0, 0), "GPSLatitudeRef": "N",
              "GPSLongitude": (1, 0, 0), "GPSLongitudeRef": "E"}, "more than 90"),
        ({}, {"GPSLatitude": (1, 0, 0), "GPSLatitudeRef": "X",
              "GPSLongitude": (1, 0, 0), "GPSLongitudeRef": "E"}, "no hemisphere"),
        ({}, {"GPSDateStamp": "2024:06:21", "GPSTimeStamp": (25, 0, 0)}, "GPS time: "),
    ],
)  # fmt: skip
def test_broken_exif_is_told_and_stops_nothing(
    camera: dict[str, str], gps: dict[str, object], problem: str
) -> None:
    made = specimens.exif(
        camera={ExifTags.Base[name]: value for name, value in camera.items()},
        gps={
            ExifTags.GPS[name]: tuple(map(specimens.rational, value))
            if isinstance(value, tuple)
            else value
            for name, value in gps.items()
        },
    )
    found = probe(specimens.jpeg(exif=made), MAX_PIXELS)
    assert found.error_kind is None
    assert problem in str(found.exif.error)
    assert found.exif.gps_latitude is None
    assert found.exif.taken_at is None
    assert found.exif.gps_utc is None


@pytest.mark.parametrize("orientation", range(1, 9))
def test_hashes_are_of_the_upright_picture(orientation: int) -> None:
    """A viewer turns the stored pixels; the same pixels stored upright hash alike."""
    turned = specimens.encoded(
        Image.fromarray(specimens.photograph()), "PNG", exif=specimens.exif(orientation)
    )
    turn = {2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE",
            6: "ROTATE_270", 7: "TRANSVERSE", 8: "ROTATE_90"}  # fmt: skip
    upright = Image.fromarray(specimens.photograph())
    if orientation in turn:
        upright = upright.transpose(Image.Transpose[turn[orientation]])
    found = probe(turned, MAX_PIXELS)
    assert found.perceptual_hash == str(imagehash.phash(upright))
    assert (found.width, found.height) == upright.size


def test_hashes_tell_a_smaller_copy_from_another_picture() -> None:
    noise = np.random.Generator(np.random.Philox(42))
    first, second = map(Image.fromarray, noise.integers(0, 256, (2, 256, 256, 3), dtype=np.uint8))
    smaller = Image.open(
        io.BytesIO(specimens.encoded(first.resize((192, 192)), "JPEG", quality=80))
    )
    of_first, of_second, of_smaller = (
        int(perceptual_hash(image), 16) for image in (first, second, smaller)
    )
    # ten bits are the gate that near duplicates pass
    assert (of_first ^ of_smaller).bit_count() < 10
    assert (of_first ^ of_second).bit_count() >= 10


@pytest.mark.parametrize("text", ["0000:00:00 00:00:00", "    :  :     :  :  "])
def test_a_clock_that_was_never_set_is_no_error(text: str) -> None:
    made = specimens.exif(camera={ExifTags.Base.DateTimeOriginal: text})
    assert probe(specimens.jpeg(exif=made), MAX_PIXELS).exif.error is None


@pytest.mark.long
@pytest.mark.slow
@settings(max_examples=200)
@given(st.data())
def test_damaged_files_never_raise(data: st.DataObject) -> None:
    whole = bytearray(data.draw(st.sampled_from(sorted(specimens.usable().values()))))
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    found = probe(bytes(whole[:cut]), MAX_PIXELS)
    assert (found.error_kind is None) == (found.perceptual_hash is not None)


def test_a_bomb_is_never_decoded() -> None:
    # what a first picture loads is not the bomb's
    assert probe(specimens.bomb(64, 64), MAX_PIXELS).error_kind is None
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert probe(specimens.bomb(), MAX_PIXELS).error_kind == "too_many_pixels"
    assert probe(specimens.bomb(8_001, 8_000), MAX_PIXELS).error_kind == "too_many_pixels"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000


@pytest.mark.slow
@needs_real_sample
def test_hashes_are_those_of_imagehash() -> None:
    paths = sorted(REAL_SAMPLE.glob("*2017/*.jpg"))
    differing = [
        path.name
        for path in paths
        if probe(path.read_bytes(), MAX_PIXELS).perceptual_hash
        != str(imagehash.phash(Image.open(path)))
    ]
    assert len(paths) == 101
    assert differing == []
