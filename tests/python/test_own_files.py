"""Nothing that another made is replaced, and no picture leaves but the one that was measured."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.exports.export import export
from gainsay.exports.folder import ExportFolder
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import WRITTEN_LIST, OwnFiles
from gainsay.foundation.renderings import read_rendering
from gainsay.ingest.image_files import find_images, land_images
from gainsay.ingest.sinks.duckdb import ensure_raw_schema
from gainsay.ingest.sinks.duckdb_images import DuckDbImages
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_landed
from gainsay.python_udfs.pixels.image_files import ImageLimits
from tests.python import image_specimens as specimens
from tests.python.made_exports import add_what_is_due

LIMITS = ImageLimits(2**20, 10**6)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_what_gainsay_wrote_is_replaced_and_nothing_else_is(tmp_path: Path) -> None:
    OwnFiles(tmp_path).write("data/a.csv", b"1")
    own = OwnFiles(tmp_path)
    own.write("data/a.csv", b"2")
    assert (tmp_path / "data/a.csv").read_bytes() == b"2"
    (tmp_path / "notes.csv").write_bytes(b"mine")
    with pytest.raises(GainsayError, match=r"notes\.csv: gainsay did not write it"):
        own.write("notes.csv", b"3")
    (tmp_path / "data/a.csv").write_bytes(b"2, and my note")
    for each in (own, OwnFiles(tmp_path)):
        with pytest.raises(GainsayError, match=r"a\.csv: was changed since gainsay wrote it"):
            each.write("data/a.csv", b"3")
        with pytest.raises(GainsayError, match=r"a\.csv: was changed"):
            each.require_own(["data/a.csv", "absent"])
    assert (tmp_path / "data/a.csv").read_bytes() == b"2, and my note"
    assert (tmp_path / "notes.csv").read_bytes() == b"mine"


@pytest.mark.parametrize("kind", ["link", "broken link", "folder"])
def test_what_stands_under_a_name_is_somebodys(tmp_path: Path, kind: str) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.write_bytes(b"mine")
    if kind == "folder":
        (folder / "a").mkdir()
    else:
        (folder / "a").symlink_to(elsewhere if kind == "link" else tmp_path / "nowhere")
    with pytest.raises(GainsayError, match="gainsay did not write it"):
        OwnFiles(folder).write("a", b"x")
    assert elsewhere.read_bytes() == b"mine"
    assert [path.name for path in folder.iterdir()] == ["a"]


def test_a_kill_before_a_file_has_its_name_leaves_it_to_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OwnFiles(tmp_path).write("a", b"1")

    def killed(_self: Path, _target: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            OwnFiles(tmp_path).write("a", b"2")
    # and one amid a line of the list
    with (tmp_path / WRITTEN_LIST).open("ab") as file:
        file.write(b'{"name":"a","sha')
    assert (tmp_path / "a").read_bytes() == b"1"
    OwnFiles(tmp_path).write("a", b"3")
    assert (tmp_path / "a").read_bytes() == b"3"


@pytest.mark.parametrize("line", [b"x", b"[]", b'{"name":1,"sha256":"x"}', b"\xff", b"[" * 100_000])
def test_a_list_that_is_none_is_named(tmp_path: Path, line: bytes) -> None:
    (tmp_path / WRITTEN_LIST).write_bytes(line + b"\n")
    with pytest.raises(GainsayError, match="is not gainsay's list of what it wrote"):
        OwnFiles(tmp_path)


def test_a_list_from_elsewhere_removes_nothing_outside(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    outside = tmp_path / "outside"
    outside.write_bytes(b"1")
    name = f"data/../../{outside.name}"
    line = f'{{"name":"{name}","sha256":"{sha256(b"1")}"}}\n'
    (folder / WRITTEN_LIST).write_text(line)
    with pytest.raises(GainsayError, match="leaves the folder"):
        OwnFiles(folder).keep_only("data", set())
    assert outside.read_bytes() == b"1"


def test_content_decides_what_is_delivered(tmp_path: Path) -> None:
    """A picture replaced by one of its size, at its time, is another picture."""
    source = tmp_path / "a.jpg"
    first = specimens.jpeg(seed=1)
    second = first[:-3] + bytes([first[-3] ^ 1]) + first[-2:]
    source.write_bytes(first)
    times = source.stat()
    folder = tmp_path / "out"

    def deliver(content: bytes) -> None:
        wanted = sha256(content)
        OwnFiles(folder).have(
            "images/a.jpg", wanted, lambda: read_landed(str(source), None, 2**20, wanted)
        )

    deliver(first)
    target = folder / "images/a.jpg"
    # nobody who writes to the delivery writes to the picture
    assert not target.samefile(source)
    assert target.stat().st_nlink == 1
    source.write_bytes(second)
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(ImageUnreadableError, match="not the one that landed"):
        OwnFiles(tmp_path / "new").have(
            "a.jpg", sha256(first), lambda: read_landed(str(source), None, 2**20, sha256(first))
        )
    deliver(second)
    assert target.read_bytes() == second
    # what is there already is not read again
    OwnFiles(folder).have("images/a.jpg", sha256(second), lambda: pytest.fail("read"))
    assert OwnFiles(folder).keep_only("images", set()) == 1
    assert not target.exists()


def test_pictures_that_are_no_longer_delivered_go_but_for_somebodys(tmp_path: Path) -> None:
    own = OwnFiles(tmp_path)
    for name in ("images/a.jpg", "images/b.jpg", "images/c.jpg", "other/a.jpg"):
        own.write(name, name.encode())
    (tmp_path / "images/b.jpg").write_bytes(b"edited")
    (tmp_path / "images/mine.jpg").write_bytes(b"mine")
    assert OwnFiles(tmp_path).keep_only("images", {"images/a.jpg"}) == 1
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jpg")}
    assert left == {"images/a.jpg", "images/b.jpg", "images/mine.jpg", "other/a.jpg"}


def test_a_picture_replaced_by_one_of_its_size_and_time_is_landed_again(tmp_path: Path) -> None:
    picture = tmp_path / "pictures/a.jpg"
    picture.parent.mkdir()
    data = specimens.jpeg(seed=1)
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        ensure_raw_schema(connection)

        def land() -> tuple[int, str]:
            found = find_images([str(picture.parent)], LIMITS)
            landed = land_images(
                DuckDbImages(connection), found.files, [str(picture.parent)], LIMITS, lambda _: None
            )
            [(content,)] = connection.execute("select sha256 from raw.image_files").fetchall()
            return landed.n_read, content

        picture.write_bytes(data)
        os.utime(picture, ns=(0, 0))
        assert land() == (1, sha256(data))
        assert land() == (0, sha256(data))
        other = data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]
        picture.write_bytes(other)
        os.utime(picture, ns=(0, 0))
        assert land() == (1, sha256(other))


def test_a_rendering_that_was_changed_is_not_given_along(tmp_path: Path) -> None:
    data = specimens.jpeg(seed=1)
    name = f"{sha256(data)[:2]}/{sha256(data)}.jpg"
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_bytes(data)
    assert read_rendering(tmp_path, name, 2**20) == data
    (tmp_path / name).write_bytes(data[:-1] + b"x")
    with pytest.raises(ImageUnreadableError, match="is not what was rendered; delete it"):
        read_rendering(tmp_path, name, 2**20)


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    path = tmp_path / "photographs/0.jpg"
    path.parent.mkdir()
    path.write_bytes(specimens.jpeg(seed=1))
    return path


@pytest.fixture
def warehouse(photograph: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """One record with its photograph, as it was when it landed."""
    with duckdb.connect() as connection:
        connection.execute(f"""
            create schema exports; create schema images;
            create table images.images__files as
            select 'coco-1' as source_image_id, '{photograph}' as path,
                '{sha256(photograph.read_bytes())}' as sha256;
            create table exports.exports__records as
            select 'conflict_suite' as benchmark, 'e' as example_id, 'test' as split,
                'Is it?' as prompt, 'yes' as target, 'act' as oracle_action,
                'conflicting' as condition, 'object' as change_type, 'clean' as operator,
                'Is it?' as question, 'yes' as answer, null as text_input,
                'available' as picture_state, null as photograph_name,
                'not_of_coco' as name_state, true as is_two_sided, null as license_name,
                null as license_url,
                'occlusion' as vision_family, 1 as severity, 'images/0.jpg' as image,
                '{photograph}' as image_path, cast(null as varchar) as image_archive;
            create table exports.exports__hugging_face as from exports.exports__records;
            create table exports.exports__llava as from exports.exports__records;
        """)
        add_what_is_due(connection)
        yield connection


@pytest.mark.parametrize("kind", ["hugging-face", "llava"])
def test_no_export_has_a_picture_that_was_replaced(
    warehouse: duckdb.DuckDBPyConnection, photograph: Path, tmp_path: Path, kind: str
) -> None:
    export(warehouse, kind, tmp_path / "sound", "conflict_suite")
    photograph.write_bytes(specimens.jpeg(seed=2))
    with pytest.raises(GainsayError, match="not the one that landed; land images again"):
        export(warehouse, kind, tmp_path / "out", "conflict_suite")
    assert not list((tmp_path / "out").rglob("*.parquet"))


def test_an_export_that_somebody_edited_is_not_replaced(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    for _ in range(2):
        export(warehouse, "llava", folder, "conflict_suite")
    card = folder / "README.md"
    edited = card.read_bytes() + b"\nWhat I think of it.\n"
    card.write_bytes(edited)
    for act in (
        lambda: export(warehouse, "llava", folder, "conflict_suite"),
        ExportFolder(folder, "llava", "conflict_suite").clear,
    ):
        before = sorted(folder.rglob("*"))
        with pytest.raises(GainsayError, match=r"README\.md: was changed since gainsay wrote it"):
            act()
        assert sorted(folder.rglob("*")) == before
    assert card.read_bytes() == edited


def test_an_export_is_cut_amid_its_list(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    export(warehouse, "llava", folder, "conflict_suite")
    listed = folder / ".gainsay-export"
    whole = listed.read_bytes()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(last, len(whole)):
        listed.write_bytes(whole[:end])
        names = ExportFolder(folder, "llava", "conflict_suite")._earlier
        assert len(names) in (whole.count(b"\n") - 2, whole.count(b"\n") - 1)


def test_what_gainsay_wrote_is_not_landed_as_pictures(tmp_path: Path) -> None:
    """What lies beside it is somebody's, such as the pictures that it was exported among."""
    folder = tmp_path / "pictures"
    for number, name in enumerate(("a.jpg", "out/data/mine.jpg", "export/d.jpg", "drawn/e.jpg")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(specimens.jpeg(seed=number))
    OwnFiles(folder / "out").write("data/b.jpg", specimens.jpeg(seed=7))
    target = ExportFolder(folder / "export", "image-folder", "conflict_suite")
    with target.taken_over({"images/c.jpg"}):
        target.write("images/c.jpg", specimens.jpeg(seed=8))
    found = find_images([str(folder)], LIMITS, [folder / "drawn"])
    assert [image.file_name for image in found.files] == ["a.jpg", "d.jpg", "mine.jpg"]
    assert {path.name for path in found.left_out} == {"out", "export", "drawn"}
    # who names a delivery means it
    images = find_images([str(folder), str(folder / "out")], LIMITS, [folder / "drawn"]).files
    assert [image.file_name for image in images] == ["a.jpg", "d.jpg", "b.jpg", "mine.jpg"]


@pytest.mark.parametrize("place", [".", "data/raw/images", "work/renderings"])
def test_a_delivery_of_the_delivery_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    done = CliRunner().invoke(main, ["reality-check", str(tmp_path / place), str(tmp_path)])
    assert done.exit_code == 1
    assert "would be taken for yours" in done.output


@pytest.mark.parametrize("name", ["pictures.csv", "yields.html"])
def test_a_persons_own_files_stop_a_run_before_it_begins(tmp_path: Path, name: str) -> None:
    pictures, out = tmp_path / "pictures", tmp_path / "out"
    pictures.mkdir()
    (pictures / "a.jpg").write_bytes(specimens.jpeg(seed=1))
    out.mkdir()
    (out / name).write_bytes(b"mine")
    done = CliRunner().invoke(main, ["reality-check", str(pictures), str(out)])
    assert done.exit_code == 1
    assert f"{name}: gainsay did not write it" in done.output
    assert [path.name for path in out.iterdir()] == [name]
