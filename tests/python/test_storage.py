"""Files by path and by URL: on this machine, and in a local server that speaks Amazon's S3."""

import hashlib
import zipfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.renderings import leads_out, read_rendering
from gainsay.ingest.image_files import find_images, land_images
from gainsay.ingest.sinks.duckdb_images import DuckDbImages
from gainsay.python_udfs import storage
from gainsay.python_udfs.annotate.annotators import measure_textures
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_image
from gainsay.python_udfs.pixels.image_files import ImageLimits
from gainsay.python_udfs.pixels.rendering import Recipe, are_rendered, render_recipes
from gainsay.python_udfs.registry import UDFS
from tests.python import image_specimens as specimens

LIMITS = ImageLimits(10**8, 10**8)
PICTURE = specimens.jpeg(48, 32)


@pytest.fixture(params=["path", "file", "s3"])
def root(request: pytest.FixtureRequest, tmp_path: Path, bucket: str) -> str:
    """A folder of its own, by its path, as a URL of this machine, and in the bucket."""
    if request.param == "s3":
        return f"{bucket}/{tmp_path.name}"
    return str(tmp_path) if request.param == "path" else f"file://{tmp_path}"


def test_a_file_is_written_whole_read_and_removed(root: str) -> None:
    name = f"{root}/some folder/é#?%20.bin"
    assert (storage.status(name), storage.read_whole(name)) == (None, None)
    assert not storage.delete(name)

    storage.write_whole(name, b"first")
    storage.write_whole(name, b"second one")

    found = storage.status(name)
    assert found is not None
    assert (found.name, found.n_bytes) == (name, 10)
    assert found.modified_ns > 0
    with storage.open_stored(name) as file:
        file.seek(7)
        assert file.read() == b"one"
    if storage.is_url(root):
        # nothing unfinished is left beside it
        assert [file.name for file in storage.stored_below(root)] == [name]
    assert storage.delete(name)
    assert storage.status(name) is None


def test_a_picture_is_read_by_its_url_and_in_an_archive(root: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("inside/b.jpg", PICTURE)
    storage.write_whole(f"{root}/a.jpg", PICTURE)
    packed = f"{root}/other.zip"
    storage.write_whole(packed, (tmp_path / "packed.zip").read_bytes())

    assert read_image(f"{root}/a.jpg", None, 10**6) == PICTURE
    assert read_image(f"{packed}!inside/b.jpg", packed, 10**6) == PICTURE
    with pytest.raises(ImageUnreadableError, match="more than 10 bytes"):
        read_image(f"{root}/a.jpg", None, 10)
    for path, archive in ((f"{root}/none.jpg", None), (f"{root}/none.zip!b", f"{root}/none.zip")):
        with pytest.raises(ImageUnreadableError) as raised:
            read_image(path, archive, 10)
        assert (raised.value.kind, raised.value.is_transient) == ("unreadable", True)


def test_pictures_of_a_bucket_land_where_they_lie(bucket: str, tmp_path: Path) -> None:
    folder = f"{bucket}/landing"
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("b.jpg", specimens.jpeg(24, 16))
    for name, data in (
        ("COCO_val2014_000000000042.jpg", PICTURE),
        ("broken.png", b"no picture"),
        ("packed.zip", (tmp_path / "packed.zip").read_bytes()),
        ("readme.txt", b"a text"),
    ):
        storage.write_whole(f"{folder}/{name}", data)
    states = []
    with duckdb.connect() as connection:
        for gone in ("broken.png", None):
            found = find_images([folder], LIMITS)
            landing = land_images(
                DuckDbImages(connection), found.files, [folder], LIMITS, lambda _=1: None
            )
            states.append((landing.n_read, landing.n_unchanged, landing.n_gone))
            if gone:
                assert found.n_ignored == 1
                assert landing.errors == {"not_an_image": 1}
                storage.delete(f"{folder}/{gone}")
        rows = connection.execute(
            "select path, archive, image_id, width from raw.image_files order by path"
        ).fetchall()

    assert states == [(3, 0, 0), (0, 2, 1)]
    assert rows == [
        (f"{folder}/COCO_val2014_000000000042.jpg", None, 42, 48),
        (f"{folder}/packed.zip!b.jpg", f"{folder}/packed.zip", None, 24),
    ]
    for nowhere in (f"{bucket}/nothing here", "s3://no-such-bucket/here"):
        with pytest.raises(GainsayError, match=r"no image file here|cannot be listed"):
            find_images([nowhere], LIMITS)


def _rendered(folder: str, picture: str) -> dict[str, object]:
    """What became of one recipe whose renderings lie in a folder."""
    sha256 = hashlib.sha256(PICTURE).hexdigest()
    recipe = Recipe(
        "key", picture, None, sha256, "gaussian_noise", 2, *[None] * 5, "seed", None, None,
        folder, 10**6,
    )  # fmt: skip
    (udf,) = (udf for udf in UDFS if udf.name == "gs_render")
    columns = [
        pa.array([value], kind)
        for value, kind in zip(vars(recipe).values(), udf.parameters, strict=True)
    ]
    (row,) = render_recipes(*columns).to_pylist()
    assert row["error"] is None
    return dict(row)


def test_renderings_are_the_same_wherever_they_lie(root: str, tmp_path: Path) -> None:
    (tmp_path / "picture.jpg").write_bytes(PICTURE)
    expected = _rendered(str(tmp_path / "expected"), str(tmp_path / "picture.jpg"))
    storage.write_whole(f"{root}/pictures/a.jpg", PICTURE)
    folder = f"{root}/renderings"

    row = _rendered(folder, f"{root}/pictures/a.jpg")

    assert row == expected
    name, size = str(row["rendered_file"]), row["n_bytes"]
    data = read_rendering(folder, name, 10**6)
    assert hashlib.sha256(data).hexdigest() == row["sha256"]
    is_there = are_rendered(pa.array([name, name]), pa.array([size, 1]), pa.array([folder] * 2))
    assert is_there.to_pylist() == [True, False]

    # it is known by its key: not made again, unless its file is gone
    storage.delete(f"{root}/pictures/a.jpg")
    assert _rendered(folder, "nowhere.jpg") == expected
    storage.write_whole(f"{root}/pictures/a.jpg", PICTURE)
    storage.delete(f"{folder}/{name}")
    assert _rendered(folder, f"{root}/pictures/a.jpg") == expected
    assert storage.status(f"{folder}/{name}") is not None


def test_what_is_found_in_a_picture_is_kept_beside_the_renderings(root: str) -> None:
    sha256 = hashlib.sha256(PICTURE).hexdigest()
    storage.write_whole(f"{root}/a.jpg", PICTURE)

    def looked(path: str) -> list[dict[str, object]]:
        given = (path, None, sha256, f"{root}/annotations")
        texts = [pa.array([value], pa.string()) for value in given]
        found: list[dict[str, object]] = measure_textures(
            *texts, pa.array([10**6], pa.int64())
        ).to_pylist()
        return found

    seen = looked(f"{root}/a.jpg")
    assert seen[0]["error"] is None
    assert looked(f"{root}/gone.jpg") == seen


@pytest.mark.parametrize("name", ["../a.jpg", "ab/../../a.jpg", "/etc/passwd"])
def test_a_rendering_is_never_read_outside_its_folder(root: str, name: str) -> None:
    assert leads_out(f"{root}/renderings", name)
    with pytest.raises(ImageUnreadableError, match="leads out of"):
        read_rendering(f"{root}/renderings", name, 10**6)
