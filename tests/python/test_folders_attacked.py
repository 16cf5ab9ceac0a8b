"""The third round: folders of one's own pictures, deliveries, exports and full disks, attacked.

Each attempt says what comes of it: a row with its reason, a refusal with its words, or nothing bad.
"""

import hashlib
import io
import json
import os
import signal
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gainsay.exports.export import export
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import WRITTEN_LIST, OwnFiles
from gainsay.ingest.image_files import find_images, land_images, searched_folder
from gainsay.ingest.own_pictures import annotation_source, land_own
from gainsay.ingest.sinks.duckdb import DuckDbSink, ensure_raw_schema
from gainsay.ingest.sinks.duckdb_images import DuckDbImages
from gainsay.project.copying import copy_project
from gainsay.python_udfs.pixels.image_files import ImageLimits
from tests.python import image_specimens as specimens
from tests.python.disks import mounted, needs_mount, remount
from tests.python.made_exports import add_what_is_due

LIMITS = ImageLimits(2**20, 10**6)
ONE, OTHER = specimens.jpeg(seed=1), specimens.jpeg(seed=2)


def write(path: Path, data: bytes = ONE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def archive(path: Path, *members: tuple[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members:
            file.writestr(name, data)


# --- folders of pictures

Lay = Callable[[Path], object]
SOUND = "sound"


def _socket(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = os.open(".", os.O_RDONLY)
        try:
            # the name of a socket has 108 bytes at most
            os.chdir(folder)
            made.bind("a.jpg")
        finally:
            os.fchdir(here)
            os.close(here)


def _hole(folder: Path) -> None:
    with write(folder / "a.jpg").open("ab") as file:
        file.truncate(5 * 2**30)


def _nested() -> bytes:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as file:
        file.writestr("a.jpg", ONE)
    return inner.getvalue()


def _damaged(folder: Path) -> None:
    archive(folder / "a.zip", ("b.jpg", ONE))
    data = bytearray((folder / "a.zip").read_bytes())
    data[60] ^= 1
    (folder / "a.zip").write_bytes(data)


# what lies in the folder, and by picture what becomes of it
FOLDERS: dict[str, tuple[Lay, dict[str, str] | str]] = {
    "a name of two lines": (lambda at: write(at / "a\nb.jpg"), {"a\nb.jpg": SOUND}),
    "a name of quotes": (lambda at: write(at / "a'\"b.jpg"), {"a'\"b.jpg": SOUND}),
    "a name like an option": (lambda at: write(at / "-rf.jpg"), {"-rf.jpg": SOUND}),
    "a name of 255 bytes": (
        lambda at: write(at / ("x" * 251 + ".jpg")), {"x" * 251 + ".jpg": SOUND},
    ),
    "a name from right to left": (lambda at: write(at / "a\u202e.jpg"), {"a\u202e.jpg": SOUND}),
    "names that differ in case": (
        lambda at: (write(at / "a.jpg"), write(at / "A.JPG", OTHER)),
        {"a.jpg": SOUND, "A.JPG": SOUND},
    ),
    "sixty folders deep": (
        lambda at: write(at / Path(*["x" * 20] * 60) / "a.jpg"),
        {"/".join(["x" * 20] * 60) + "/a.jpg": SOUND},
    ),
    "a folder of a picture's name": (
        lambda at: write(at / "a.jpg/b.jpg"), {"a.jpg/b.jpg": SOUND},
    ),
    "a Mac's other halves": (
        lambda at: (write(at / "a.jpg"), write(at / "._a.jpg", b"\0\5\x16\7")),
        {"a.jpg": SOUND},
    ),
    "nothing in it": (lambda at: write(at / "a.jpg", b""), {"a.jpg": "empty"}),
    "a pipe": (lambda at: os.mkfifo(at / "a.jpg"), {"a.jpg": "unreadable"}),
    "a pipe as an archive": (lambda at: os.mkfifo(at / "a.zip"), {"a.zip": "unreadable"}),
    "a socket": (_socket, {"a.jpg": "unreadable"}),
    "a link to a device": (
        lambda at: (at / "a.jpg").symlink_to("/dev/zero"), {"a.jpg": "escapes_folder"},
    ),
    "a link to itself": (
        lambda at: (at / "a.jpg").symlink_to("a.jpg"), {"a.jpg": "escapes_folder"},
    ),
    "a link to the folder above": (
        lambda at: (write(at / "a.jpg"), (at / "up").symlink_to("..")),
        {"a.jpg": SOUND, "up": "escapes_folder"},
    ),
    "links inside": (
        lambda at: (
            write(at / "a.jpg"), (at / "b.jpg").symlink_to("a.jpg"), (at / "c").symlink_to(".")
        ),
        {"a.jpg": SOUND, "b.jpg": SOUND},
    ),
    "a link to nothing": (
        lambda at: (at / "a.jpg").symlink_to("none"), {"a.jpg": "unreadable"},
    ),
    "five gigabytes": (_hole, {"a.jpg": "too_large"}),
    "an archive of a picture's name": (
        lambda at: archive(at / "a.jpg", ("b.jpg", ONE)), {"a.jpg": "not_an_image"},
    ),
    "a picture of an archive's name": (lambda at: write(at / "a.zip"), {"a.zip": "unreadable"}),
    "a damaged archive": (_damaged, {"a.zip!b.jpg": "unreadable"}),
    "an archive that leads out": (
        lambda at: archive(at / "a.zip", ("../b.jpg", ONE), ("/c.jpg", ONE), ("C:\\d.jpg", ONE)),
        {
            "a.zip!../b.jpg": "escapes_folder", "a.zip!/c.jpg": "escapes_folder",
            "a.zip!C:\\d.jpg": "escapes_folder",
        },
    ),
    "an archive that unfolds": (
        lambda at: archive(at / "a.zip", ("b.jpg", bytes(2**24))), {"a.zip!b.jpg": "too_large"},
    ),
    "an archive of 5,000 folders": (
        lambda at: archive(at / "a.zip", *((f"{n}/", b"") for n in range(5000)), ("b.jpg", ONE)),
        {"a.zip!b.jpg": SOUND},
    ),
    "an archive in an archive": (
        lambda at: archive(at / "a.zip", ("b.zip", _nested())), "no image file here",
    ),
    "marks of members in names": (
        lambda at: (
            (at / "x!y").mkdir(), write(at / "x!y/a.jpg"),
            archive(at / "x!y/a!b.zip", ("c!d.jpg", ONE)),
        ),
        {"x!y/a.jpg": SOUND, "x!y/a!b.zip!c!d.jpg": SOUND},
    ),
    # one of two pictures was lost without a word
    "a file called as a member": (
        lambda at: (archive(at / "a.zip", ("b.jpg", ONE)), write(at / "a.zip!b.jpg", OTHER)),
        "of which only one can be known by this name; rename the file",
    ),
    "two members of one name": (
        lambda at: archive(at / "a.zip", ("b.jpg", ONE), ("b.jpg", OTHER)),
        {"a.zip!b.jpg": "unreadable"},
    ),
}  # fmt: skip


def landed(folder: Path, *annotations: Path, manifest: Path | None = None) -> dict[str, list[Any]]:
    """What is in the raw tables once a folder was landed with what is said of it."""
    with duckdb.connect() as connection:
        ensure_raw_schema(connection)
        found = find_images([str(folder)], LIMITS)
        land_images(DuckDbImages(connection), found.files, [str(folder)], LIMITS, lambda _=1: None)
        land_own(
            DuckDbSink(connection), [searched_folder(str(folder))], found.files,
            annotations=[annotation_source(path) for path in annotations], manifest=manifest,
            advance=lambda _=1: None,
        )  # fmt: skip
        return {
            table: connection.sql(f"from raw.{table}").to_arrow_table().to_pylist()
            for table in ("image_files", "own_pictures", "own_annotations", "rejected_records")
        }


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", FOLDERS)
def test_every_picture_of_a_hostile_folder_is_a_row(tmp_path: Path, name: str) -> None:
    lay, expected = FOLDERS[name]
    folder = tmp_path / "pictures"
    folder.mkdir()
    lay(folder)
    if isinstance(expected, str):
        with pytest.raises(GainsayError, match=expected):
            landed(folder)
        return
    rows = landed(folder)["image_files"]
    assert {
        os.path.relpath(row["path"], folder): row["error_kind"] or SOUND for row in rows
    } == expected


# --- what is said of them

SAYINGS: dict[str, tuple[str, bytes, str]] = {
    "no manifest": ("m.csv", b"", "the file is empty"),
    "a picture as a manifest": ("m.jpg", ONE, "a manifest is .csv, .tsv, .jsonl, .json or"),
    "a gzipped manifest": ("m.csv.gz", b"x", "a manifest is .csv"),
    "latin-1": ("m.csv", "file,caption\na.jpg,ü\n".encode("latin-1"), "is not UTF-8; save it"),
    "no Parquet": ("m.parquet", b"PAR1PAR1", "not of the format that its name says"),
}
# what comes of a row: its caption, or what was expected of its field
ROWS: dict[str, tuple[str, bytes, str | None]] = {
    "NUL in a name": ("m.csv", b"file,caption\na\0.jpg,x\n", "text without the character NUL"),
    "a blank around a name": ("m.csv", b"file,caption\n a.jpg ,x\n", None),
    "a name with blanks of its own": ("m.csv", b"file,caption\n b .jpg,x\n", None),
    "a formula": ("m.csv", b"file,caption\n'=c.jpg,x\n", None),
    "a comma in the header": ("m.csv", b'file;"caption, long";caption\na.jpg;y;x\n', None),
    "100,000 columns": (
        "m.csv", b"file,caption" + b",y" * 10**5 + b"\na.jpg,x" + b"," * 10**5 + b"\n", None,
    ),
    "a long caption": (
        "m.csv", b"file,caption\na.jpg," + b"x" * 20_000 + b"\n", "at most 10,000 characters",
    ),
    "a deep value": (
        "m.jsonl", b'{"file": "a.jpg", "caption": ' + b"[" * 50_000 + b"]" * 50_000 + b"}\n",
        "a JSON object",
    ),
    "a number of 10,000 digits": (
        "m.jsonl", b'{"file": "a.jpg", "latitude": ' + b"1" * 10_000 + b"}\n", "a JSON object",
    ),
    "half a character": ("m.jsonl", b'{"file": "a.jpg", "caption": "\\ud800"}\n', "a JSON object"),
    "a list": ("m.jsonl", b'[{"file": "a.jpg"}]\n', "a JSON object"),
    "an object of several lines": ("m.jsonl", b'{\n"file": "a.jpg"}\n', "a JSON object"),
    # a name opens nothing: it means the one picture that is called so
    "the folder above": ("m.csv", b"file,caption\n../a.jpg,x\n", None),
}  # fmt: skip


@pytest.mark.parametrize("name", SAYINGS)
def test_what_is_no_manifest_is_refused(tmp_path: Path, name: str) -> None:
    called, content, problem = SAYINGS[name]
    write(tmp_path / "pictures/a.jpg")
    manifest = write(tmp_path / called, content)
    with pytest.raises(GainsayError, match=problem):
        landed(tmp_path / "pictures", manifest=manifest)


@pytest.mark.parametrize("name", ROWS)
def test_every_row_says_something_or_why_not(tmp_path: Path, name: str) -> None:
    called, content, problem = ROWS[name]
    for place in ("a.jpg", " b .jpg", "=c.jpg"):
        write(tmp_path / "pictures" / place, specimens.jpeg(seed=len(place)))
    raw = landed(tmp_path / "pictures", manifest=write(tmp_path / called, content))
    if problem is None:
        assert [row["caption"] for row in raw["own_pictures"]] == ["x"]
        assert raw["rejected_records"] == []
    else:
        assert problem in {row["expected"] for row in raw["rejected_records"]}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"[]", "no annotations in COCO's format"),
        (b'{"images": 7}', "no annotations in COCO's format"),
        (b'{"images": [{"id": 1, "file_name": "a.jpg", "width": NaN}]}', "not JSON, or cut short"),
        (b'{"annotations": ' + b"[" * 50_000, "o.json"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_are_no_annotations_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    write(tmp_path / "pictures/a.jpg")
    with pytest.raises(GainsayError, match=problem):
        landed(tmp_path / "pictures", write(tmp_path / "o.json", content))


# --- deliveries


def _deliver(folder: Path) -> None:
    own = OwnFiles(folder)
    for n in range(6):
        own.write(f"data/{n}.jsonl", b"%d\n" % n * 1000)
    for n in range(6):
        data = specimens.jpeg(seed=n)
        own.have(f"images/{n}.jpg", hashlib.sha256(data).hexdigest(), lambda data=data: data)
    own.keep_only("images", {f"images/{n}.jpg" for n in range(6)})


def _files(folder: Path) -> dict[str, bytes]:
    """The files of a delivery, without what a kill leaves hidden for a day."""
    paths = [
        Path(name, file)
        for name, _, files in os.walk(folder, followlinks=True)
        for file in files
        if not file.startswith(".")
    ]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()
    }


@pytest.mark.parametrize("number", range(13))
def test_a_delivery_that_is_killed_goes_on(tmp_path: Path, number: int) -> None:
    """By SIGKILL, before the file of that number has its name."""
    _deliver(tmp_path / "whole")
    folder = tmp_path / "killed"
    child = os.fork()
    if not child:
        replace, calls = Path.replace, iter(range(number))

        def killed(path: Path, target: Path) -> Path:
            if next(calls, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return replace(path, target)

        Path.replace = killed  # type: ignore[method-assign, assignment]
        try:
            _deliver(folder)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) == (number < 12)
    _deliver(folder)
    assert _files(folder) == _files(tmp_path / "whole")


DELIVERIES: dict[str, tuple[Lay, str | None]] = {
    "a file in its place": (lambda at: write(at, b"x"), "cannot"),
    "a device in its place": (lambda at: at.symlink_to("/dev/null"), "cannot"),
    "a link to a folder": (
        lambda at: ((at.parent / "big").mkdir(), at.symlink_to(at.parent / "big")), None,
    ),
    "a folder that is a link": (
        lambda at: (at.mkdir(), (at.parent / "big").mkdir(), (at / "data").symlink_to("../big")),
        None,
    ),
    "a folder that is a file": (lambda at: write(at / "data", b"x"), "cannot"),
    "a list that is a pipe": (
        lambda at: (at.mkdir(), os.mkfifo(at / WRITTEN_LIST)), "not a regular file",
    ),
    "a list that is a folder": (
        lambda at: (at / WRITTEN_LIST).mkdir(parents=True), "not a regular file",
    ),
    "a list that is a device": (
        lambda at: (at.mkdir(), (at / WRITTEN_LIST).symlink_to("/dev/full")), "not a regular file",
    ),
    "a list of zeros": (
        lambda at: write(at / WRITTEN_LIST, bytes(1000) + b"\n"), "is not gainsay's list",
    ),
    "a list of another hash": (
        lambda at: (
            write(at / "data/0.jsonl", b"mine"),
            write(at / WRITTEN_LIST, b'{"name": "data/0.jsonl", "sha256": "x"}\n'),
        ),
        "was changed since gainsay wrote it",
    ),
    "somebody's file": (lambda at: write(at / "data/0.jsonl", b"mine"), "gainsay did not write it"),
    "somebody's picture": (
        lambda at: write(at / "images/3.jpg", OTHER), "gainsay did not write it",
    ),
    "somebody's same picture": (
        lambda at: write(at / "images/3.jpg", specimens.jpeg(seed=3)), None,
    ),
    "a folder of a picture's name": (
        lambda at: (at / "images/3.jpg").mkdir(parents=True), "gainsay did not write it",
    ),
    "a link of a picture's name": (
        lambda at: (
            (at / "images").mkdir(parents=True), write(at.parent / "mine"),
            (at / "images/3.jpg").symlink_to(at.parent / "mine"),
        ),
        "gainsay did not write it",
    ),
    "a list fifty times": (
        lambda at: (
            _deliver(at),
            (at / WRITTEN_LIST).write_bytes((at / WRITTEN_LIST).read_bytes() * 50),
        ),
        None,
    ),
    "files that may not be written": (
        lambda at: (_deliver(at), (at / "data/0.jsonl").chmod(0o444)), None,
    ),
    "files that were deleted": (lambda at: (_deliver(at), (at / "images/3.jpg").unlink()), None),
}  # fmt: skip


@pytest.mark.parametrize("name", DELIVERIES)
def test_a_delivery_takes_nothing_from_anybody(tmp_path: Path, name: str) -> None:
    lay, problem = DELIVERIES[name]
    folder = tmp_path / "out"
    lay(folder)
    before = _files(tmp_path)
    if problem is None:
        _deliver(folder)
        _deliver(tmp_path / "whole")
        assert _files(folder).items() >= _files(tmp_path / "whole").items()
    else:
        with pytest.raises(GainsayError, match=problem):
            _deliver(folder)
    assert _files(tmp_path).items() >= before.items()


# --- exports, and disks


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Twelve records, each with a photograph of its own of 20 KB."""
    photographs = tmp_path / "photographs"
    files = {}
    for n in range(12):
        data = specimens.jpeg(seed=n) + hashlib.shake_256(bytes([n])).digest(20_000)
        files[str(write(photographs / f"{n}.jpg", data))] = hashlib.sha256(data).hexdigest()
    with duckdb.connect() as connection:
        connection.execute("create schema exports; create schema images")
        connection.execute(
            "create table images.images__files as"
            " select unnest($paths) as path, unnest($sums) as sha256",
            {"paths": [*files], "sums": [*files.values()]},
        )
        connection.execute(f"""
            create table exports.exports__records as
            select 'conflict_suite' as benchmark, 'e' || n as example_id, 'test' as split,
                'Is it?' as prompt, 'yes' as target, 'no' as rejected, 'act' as oracle_action,
                'conflicting' as condition, 'object' as change_type, 'clean' as operator,
                'Is it?' as question, 'yes' as answer, null as text_input, true as is_sure,
                'available' as picture_state, null as photograph_name,
                'not_of_coco' as name_state, true as is_two_sided, null as license_name,
                null as license_url,
                'occlusion' as vision_family, 1 as severity, 'images/' || n || '.jpg' as image,
                '{photographs}/' || n || '.jpg' as image_path,
                cast(null as varchar) as image_archive
            from range(12) as numbers(n)
        """)
        for kind in KINDS:
            connection.execute(
                f"create table exports.exports__{kind.replace('-', '_')} as"
                " from exports.exports__records"
            )
        add_what_is_due(connection)
        yield connection


KINDS = ("hugging-face", "image-folder", "llava")


@needs_mount
@pytest.mark.parametrize("size", ["16k", "64k", "200k"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_export_that_finds_no_room_says_so_and_goes_on(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str, size: str
) -> None:
    export(warehouse, kind, tmp_path / "whole", "conflict_suite")
    with mounted(tmp_path / "disk", size) as disk:
        with pytest.raises(GainsayError, match="No space left on device"):
            export(warehouse, kind, disk / "out", "conflict_suite")
        assert not (disk / "out/README.md").exists()
        remount(disk, "size=8m")
        export(warehouse, kind, disk / "out", "conflict_suite")
        assert _files(disk / "out") == _files(tmp_path / "whole")


@needs_mount
@pytest.mark.parametrize("size", ["8k", "32k"])
def test_a_delivery_that_finds_no_room_says_so_and_goes_on(tmp_path: Path, size: str) -> None:
    _deliver(tmp_path / "whole")
    with mounted(tmp_path / "disk", "1m") as disk:
        _deliver(disk / "former")
        (disk / "former/data/0.jsonl").unlink()
        used = sum(len(data) for data in _files(disk).values())
        write(disk / "full", bytes(2**20 - used - int(size[:-1]) * 1024 - 2**17))
        _fill(disk / "rest", int(size[:-1]) * 1024)
        with pytest.raises(GainsayError, match="No space left on device"):
            _deliver(disk / "out")
        # what stood there stands
        assert _files(disk / "former").items() <= _files(tmp_path / "whole").items()
        (disk / "full").unlink()
        (disk / "rest").unlink()
        _deliver(disk / "out")
        assert _files(disk / "out") == _files(tmp_path / "whole")


def _fill(path: Path, n_left: int) -> None:
    """Take all room on a disk but so many bytes."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            file.truncate(max(0, file.tell() - n_left))


@needs_mount
@pytest.mark.parametrize("is_there", [False, True])
def test_an_init_that_finds_no_room_leaves_nothing(tmp_path: Path, is_there: bool) -> None:
    project = tmp_path / "project"
    for part in ("models/a.sql", "macros/a.sql", "seeds/a.csv", "tests/sql/a.sql",
                 "tests/generic/a.sql", "tests/readings/a.csv", "profiles/profiles.yml",
                 "analyses/a.sql", "dbt_project.yml", "selectors.yml"):  # fmt: skip
        write(project / part, bytes(200_000))
    # a first file of 1 MiB finds room, and not all files of the project do
    with mounted(tmp_path / "disk", "1200k") as disk:
        if is_there:
            (disk / "copy").mkdir()
        with pytest.raises(GainsayError, match=r"copy: cannot write: No space left on device$"):
            copy_project(project, disk / "copy")
        assert [path.name for path in disk.rglob("*")] == ["copy"] * is_there
        remount(disk, "size=100k")
        with pytest.raises(GainsayError, match=r"copy: cannot be written: .*No space left"):
            copy_project(project, disk / "copy")
        remount(disk, "size=4m")
        copy_project(project, disk / "copy")
        assert (disk / "copy/dbt_project.yml").exists()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (json.dumps({"name": "../../a", "sha256": "0" * 64}), "leaves the folder"),
        (json.dumps({"name": "README.md", "sha256": 7}), "is not gainsay's list"),
        (json.dumps({"name": "README.md"}), "is not gainsay's list"),
        ("{", "is not gainsay's list"),
        ("\0", "is not gainsay's list"),
    ],
)
def test_a_list_of_an_export_that_was_tampered_with_is_refused(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, line: str, problem: str
) -> None:
    folder = tmp_path / "out"
    export(warehouse, "llava", folder, "conflict_suite")
    before = _files(folder)
    with (folder / ".gainsay-export").open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(GainsayError, match=problem):
        export(warehouse, "llava", folder, "conflict_suite")
    assert _files(folder) == before


@pytest.mark.parametrize("kind", ["edited", "link", "pipe", "folder"])
def test_a_picture_of_an_export_that_is_somebodys_now_stops_the_next(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "out"
    export(warehouse, "llava", folder, "conflict_suite")
    picture = folder / "images/3.jpg"
    picture.unlink()
    if kind == "edited":
        picture.write_bytes(b"mine")
    elif kind == "link":
        picture.symlink_to(tmp_path / "photographs/3.jpg")
    elif kind == "pipe":
        os.mkfifo(picture)
    else:
        picture.mkdir()
    with pytest.raises(GainsayError, match=r"3\.jpg: was changed since gainsay wrote it"):
        export(warehouse, "llava", folder, "conflict_suite")
    assert os.path.lexists(picture)
