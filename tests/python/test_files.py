"""Official files are found wherever they lie; what is not one is refused with a reason."""

import gzip
import hashlib
import io
import json
import os
import random
import stat
import tempfile
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsay.foundation.errors import GainsayError
from gainsay.ingest import files
from gainsay.ingest.files import OFFICIAL_NAMES, find_sources, measure, read_again, read_source
from tests.python.official_layout import question

NAME = "v2_OpenEnded_mscoco_val2014_questions.json"
CONTENT = json.dumps({"questions": [question(n, 1, "Is it?") for n in range(50)]}).encode()


def _zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


def _write(path: Path, content: bytes = CONTENT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _names(*paths: Path) -> list[str]:
    return [source.official.name for source in find_sources(paths).sources]


def _contents(path: Path) -> list[bytes]:
    return [b"".join(read_source(source)) for source in find_sources([path]).sources]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (NAME, CONTENT),
        (f"{NAME}.gz", gzip.compress(CONTENT)),
        ("v2_Questions_Val_mscoco.zip", _zip({NAME: CONTENT})),
        ("any name.ZIP", _zip({f"some/folder/{NAME}": CONTENT}, zipfile.ZIP_STORED)),
        ("windows.zip", _zip({"folder\\" + NAME: CONTENT})),
        ("lzma.zip", _zip({NAME: CONTENT}, zipfile.ZIP_LZMA)),
        ("bzip2.zip", _zip({NAME: CONTENT}, zipfile.ZIP_BZIP2)),
    ],
    # what is packed holds the time
    ids=lambda value: value if isinstance(value, str) else "packed",
)
def test_containers_give_the_same_content(tmp_path: Path, name: str, content: bytes) -> None:
    path = _write(tmp_path / name, content)
    (source,) = find_sources([path]).sources
    content = measure(source)
    assert content.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert (content.n_bytes, content.end) == (len(CONTENT), CONTENT[-64:])
    assert b"".join(read_again(content)) == CONTENT
    assert source.official.name == NAME


@pytest.mark.parametrize(
    ("name", "kind", "split", "year"),
    [
        ("v2_OpenEnded_mscoco_train2014_questions.json", "vqa_questions", "train", 2014),
        ("v2_OpenEnded_mscoco_val2014_questions.json", "vqa_questions", "val", 2014),
        ("v2_OpenEnded_mscoco_test2015_questions.json", "vqa_questions", "test", 2015),
        ("v2_OpenEnded_mscoco_test-dev2015_questions.json", "vqa_questions", "test", 2015),
        ("v2_mscoco_train2014_annotations.json", "vqa_annotations", "train", 2014),
        ("v2_mscoco_val2014_annotations.json", "vqa_annotations", "val", 2014),
        ("captions_train2014.json", "coco_captions", "train", 2014),
        ("captions_val2014.json", "coco_captions", "val", 2014),
        ("captions_train2017.json", "coco_captions", "train", 2017),
        ("captions_val2017.json", "coco_captions", "val", 2017),
        ("instances_train2014.json", "coco_instances", "train", 2014),
        ("instances_val2014.json", "coco_instances", "val", 2014),
        ("instances_train2017.json", "coco_instances", "train", 2017),
        ("instances_val2017.json", "coco_instances", "val", 2017),
        ("train_sceneGraphs.json", "gqa_scene_graphs", "train", 2019),
        ("val_sceneGraphs.json", "gqa_scene_graphs", "val", 2019),
        ("train_balanced_questions.json", "gqa_questions", "train", 2019),
        ("testdev_balanced_questions.json", "gqa_questions", "testdev", 2019),
        ("train_all_questions_9.json", "gqa_questions", "train", 2019),
    ],
)
def test_official_names(name: str, kind: str, split: str, year: int) -> None:
    official = OFFICIAL_NAMES[name]
    assert (official.layout.kind, official.split, official.year) == (kind, split, year)
    assert len(OFFICIAL_NAMES) == 44


def test_members_of_the_official_annotation_archive(tmp_path: Path) -> None:
    stems = [f"{kind}_{split}2017" for kind in ("captions", "instances", "person_keypoints")
             for split in ("train", "val")]  # fmt: skip
    members = {f"annotations/{stem}.json": stem.encode() for stem in stems}
    path = _write(tmp_path / "annotations_trainval2017.zip", _zip(members))
    assert sorted(_contents(path)) == [stem.encode() for stem in sorted(stems)[:4]]


def test_folder_is_searched_in_a_stable_order(tmp_path: Path) -> None:
    for name in ("instances_val2017.json", "captions_val2014.json", "captions_val2017.json"):
        _write(tmp_path / "b" / name)
    _write(tmp_path / "a" / "deep" / f"{NAME}.gz", gzip.compress(CONTENT))
    _write(tmp_path / "c" / "archive.zip", _zip({"captions_train2014.json": CONTENT}))
    _write(tmp_path / "readme.txt")
    _write(tmp_path / "images.zip", _zip({"train2014/1.jpg": b""}))
    found = find_sources([tmp_path])
    assert [source.official.name for source in found.sources] == [
        NAME, "captions_val2014.json", "captions_val2017.json", "instances_val2017.json",
        "captions_train2014.json",
    ]  # fmt: skip
    assert found.n_ignored == 2


def test_folder_named_like_a_file_is_a_folder(tmp_path: Path) -> None:
    _write(tmp_path / "captions_val2014.json" / NAME)
    _write(tmp_path / "folder.zip" / "captions_train2014.json")
    assert _names(tmp_path) == [NAME, "captions_train2014.json"]
    assert _names(tmp_path / "captions_val2014.json") == [NAME]


def test_links_are_followed_and_circles_left(tmp_path: Path) -> None:
    _write(tmp_path / "elsewhere" / NAME)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / "link" / "up").symlink_to(folder)
    assert _names(folder) == [NAME]


def test_other_archives_inside_an_archive_are_left_alone(tmp_path: Path) -> None:
    inner = _zip({NAME: CONTENT})
    path = _write(tmp_path / "a.zip", _zip({"inner.zip": inner, "captions_val2014.json": b"{}"}))
    assert _names(path) == ["captions_val2014.json"]
    only_inner = _write(tmp_path / "b.zip", _zip({"inner.zip": inner}))
    with pytest.raises(GainsayError, match="no official file here"):
        find_sources([only_inner])


def test_members_of_one_name_are_each_read(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(NAME, b"one")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(NAME, b"two")
    assert _contents(path) == [b"one", b"two"]


@pytest.mark.parametrize("name", ["other.json", "questions.json.gz", "V2_MSCOCO.json"])
def test_unknown_name_is_refused_and_the_known_are_listed(tmp_path: Path, name: str) -> None:
    path = _write(tmp_path / name)
    with pytest.raises(GainsayError, match=f"(?s){name}: no official file.*captions_val2017"):
        find_sources([path])


@pytest.mark.parametrize("name", [NAME, "a.zip", "folder"])
def test_absent_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(GainsayError, match=f"{name}: cannot be read: No such file"):
        find_sources([tmp_path / name])


def test_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(GainsayError, match="no official file here"):
        find_sources([tmp_path])


def test_dangling_link_is_told(tmp_path: Path) -> None:
    (tmp_path / NAME).symlink_to(tmp_path / "gone")
    with pytest.raises(GainsayError, match=f"{NAME}: cannot be read: No such file"):
        find_sources([tmp_path])


@pytest.mark.parametrize("name", [NAME, "archive.zip"])
def test_pipe_is_refused_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(GainsayError, match="not a regular file"):
        find_sources([tmp_path])


def test_reading_that_fails(tmp_path: Path) -> None:
    # a regular file, of which no page can be read
    (tmp_path / NAME).symlink_to("/proc/self/mem")
    (source,) = find_sources([tmp_path]).sources
    with pytest.raises(GainsayError, match=f"{NAME}: cannot be read: Input/output error"):
        measure(source)


@contextmanager
def _without_privileges() -> Iterator[Path]:
    """A folder of nobody's, and its rights instead of root's."""
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, 65534, 65534)
        os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


@pytest.mark.parametrize("locked", ["", NAME, f"{NAME}.gz", "a.zip", "folder"])
def test_what_may_not_be_read(locked: str) -> None:
    with _without_privileges() as folder:
        _write(folder / NAME)
        _write(folder / f"{NAME}.gz", gzip.compress(CONTENT))
        _write(folder / "a.zip", _zip({NAME: CONTENT}))
        _write(folder / "folder" / NAME)
        (folder / locked).chmod(0)
        try:
            for path in (folder, folder / locked, folder / "folder" / NAME):
                if path == folder or str(path).startswith(str(folder / locked)):
                    with pytest.raises(GainsayError, match="cannot be read: Permission denied"):
                        [measure(source) for source in find_sources([path]).sources]
        finally:
            (folder / locked).chmod(stat.S_IRWXU)


@pytest.mark.parametrize("kept", [0, 1, 10, len(gzip.compress(CONTENT, mtime=0)) - 1])
def test_truncated_gzip(tmp_path: Path, kept: int) -> None:
    path = _write(tmp_path / f"{NAME}.gz", gzip.compress(CONTENT)[:kept])
    if kept == 0:
        # an empty gzip file is a valid one of nothing
        assert _contents(path) == [b""]
        return
    with pytest.raises(GainsayError, match=rf"{NAME}\.gz: truncated or corrupt"):
        _contents(path)


def test_text_named_gz(tmp_path: Path) -> None:
    with pytest.raises(GainsayError, match=r"truncated or corrupt .*Not a gzipped file"):
        _contents(_write(tmp_path / f"{NAME}.gz"))


@pytest.mark.parametrize("kept", [0, 1, 30, 200, len(_zip({NAME: CONTENT})) - 1])
def test_truncated_zip(tmp_path: Path, kept: int) -> None:
    path = _write(tmp_path / "a.zip", _zip({NAME: CONTENT})[:kept])
    with pytest.raises(GainsayError, match=r"a\.zip: truncated or corrupt"):
        _contents(path)


def test_flipped_bit_in_a_member(tmp_path: Path) -> None:
    content = bytearray(_zip({NAME: CONTENT}, zipfile.ZIP_STORED))
    content[content.index(b"Is it?")] ^= 1
    with pytest.raises(GainsayError, match=rf"a\.zip!{NAME}: truncated or corrupt .*CRC"):
        _contents(_write(tmp_path / "a.zip", content))


def test_encrypted_member(tmp_path: Path) -> None:
    content = bytearray(_zip({NAME: CONTENT}))
    for signature, flags_at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags_at] |= 1
    with pytest.raises(GainsayError, match=r"cannot be unpacked .*encrypted"):
        _contents(_write(tmp_path / "a.zip", content))


@pytest.mark.parametrize(
    "name",
    [
        f"../{NAME}",
        f"a/../../{NAME}",
        f"/etc/{NAME}",
        f"C:\\{NAME}",
        f"..\\{NAME}",
        f"\\\\host\\{NAME}",
        "../elsewhere.txt",
        "annotations/..",
    ],
)
def test_escaping_member_is_refused(tmp_path: Path, name: str) -> None:
    path = _write(tmp_path / "a.zip", _zip({"captions_val2014.json": b"{}", name: b"x"}))
    with pytest.raises(GainsayError, match="points outside its archive"):
        find_sources([path])


def test_member_that_is_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    link = zipfile.ZipInfo(NAME)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(GainsayError, match="points outside its archive"):
        find_sources([path])


@pytest.mark.parametrize("kind", ["zip", "gz"])
def test_bomb_is_refused_before_it_unfolds(tmp_path: Path, kind: str) -> None:
    zeros = bytes(200 * 2**20)
    packed = _zip({NAME: zeros}) if kind == "zip" else gzip.compress(zeros)
    path = _write(tmp_path / ("a.zip" if kind == "zip" else f"{NAME}.gz"), packed)
    del zeros
    assert len(packed) < 2**20
    tracemalloc.start()
    try:
        with pytest.raises(GainsayError, match="refused: inflates to more than 200 times"):
            _contents(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # an eighth of what it would be
    assert peak < 64 * 2**20


def test_uniform_but_honest_file_is_read(tmp_path: Path) -> None:
    line = json.dumps(question(1, 1, "Is it?")).encode() + b","
    content = b'{"questions":[' + line * 300_000 + line[:-1] + b"]}"
    packed = b"".join(
        gzip.compress(content[at : at + 20_000]) for at in range(0, len(content), 20_000)
    )
    assert len(content) > 16 * 2**20
    assert _contents(_write(tmp_path / f"{NAME}.gz", packed)) == [content]


def test_too_large_a_member_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", len(CONTENT) - 1)
    path = _write(tmp_path / "a.zip", _zip({NAME: CONTENT}))
    with pytest.raises(GainsayError, match=f"refused: declares {len(CONTENT):,} bytes"):
        find_sources([path])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (NAME, f"refused: {len(CONTENT):,} bytes; one file may hold {len(CONTENT) - 1:,} at most"),
        (f"{NAME}.gz", f"refused: more than {len(CONTENT) - 1:,} bytes"),
    ],
)
def test_too_large_a_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", len(CONTENT) - 1)
    path = _write(tmp_path / name, gzip.compress(CONTENT) if name.endswith("gz") else CONTENT)
    with pytest.raises(GainsayError, match=message):
        _contents(path)


def test_declared_size_is_not_believed(tmp_path: Path) -> None:
    content = bytearray(_zip({NAME: CONTENT}))
    directory = content.index(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = (7).to_bytes(4, "little")
    with pytest.raises(GainsayError, match="truncated or corrupt"):
        _contents(_write(tmp_path / "a.zip", content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (f"{NAME}.gz", gzip.compress(CONTENT)),
        ("stored.zip", _zip({"é": b"", NAME: CONTENT}, zipfile.ZIP_STORED)),
        ("deflated.zip", _zip({"é": b"", NAME: CONTENT})),
        ("bzip2.zip", _zip({"é": b"", NAME: CONTENT}, zipfile.ZIP_BZIP2)),
        ("lzma.zip", _zip({"é": b"", NAME: CONTENT}, zipfile.ZIP_LZMA)),
    ],
    # the bytes hold the time, and workers must collect the same tests
    ids=["gz", "stored", "deflated", "bzip2", "lzma"],
)
@settings(max_examples=150)
@given(seed=st.integers(0, 2**32))
def test_corrupt_container_gives_the_content_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes, seed: int
) -> None:
    dice = random.Random(seed)
    spoilt = bytearray(content)
    for _ in range(dice.randint(1, 4)):
        spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
    del spoilt[dice.choice([len(spoilt), dice.randrange(1, len(spoilt))]) :]
    path = _write(tmp_path_factory.getbasetemp() / "corrupt" / name, spoilt)
    try:
        contents = _contents(path)
    except GainsayError:
        return
    assert contents == [CONTENT]
