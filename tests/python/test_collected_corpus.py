"""The small corpus of Reality Check: listings that land as they are, the same ones every time."""

import hashlib
import io
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from gainsay.foundation.progress import advance_unseen
from gainsay.ingest.collect.layouts import LAYOUTS, CollectedImage, YfccPhoto
from gainsay.ingest.records import decode, split
from gainsay.synth.collected import FILES, N_PICTURES, VARS_FILE, without_exif, write_collected


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_collected(folder, 7, has_pictures=False, advance=advance_unseen)
    return folder


@pytest.mark.slow
def test_every_record_lands(corpus: Path) -> None:
    counts = {}
    for layout in LAYOUTS:
        [(array, records)] = split((corpus / f"{layout.kind}.jsonl").read_bytes(), layout)
        assert [batch.rejections for batch in decode(array, records) if batch.rejections] == []
        counts[layout.kind] = len(records)
    del counts["openimages_boxes"], counts["openimages_classes"], counts["openimages_labels"]
    assert counts == {
        "wikimedia_pages": 120,
        "openimages_images": 120,
        "streetview_panoramas": 11,
        "yfcc_photos": 160,
        "yfcc_autotags": 159,
        "collected_images": 406,
        "collection_cursors": 5,
    }
    assert {path.name for path in corpus.iterdir()} == {*FILES, "raw"}
    assert msgspec.yaml.decode((corpus / VARS_FILE).read_bytes())["reality_check_scale"] == 0.002


@pytest.mark.slow
def test_all_wanted_pictures_but_one_were_fetched(corpus: Path) -> None:
    lines = (corpus / "collected_images.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=CollectedImage) for line in lines]
    assert Counter((row.source, row.state) for row in rows) == {
        ("wikimedia", "failed"): 1,
        ("wikimedia", "fetched"): 110,
        ("openimages", "fetched"): 111,
        ("streetview", "fetched"): 36,
        ("yfcc", "fetched"): 148,
    }
    manifest = (corpus / "raw/manifest.jsonl").read_bytes().splitlines()
    ids = {msgspec.json.decode(line)["image_id"] for line in manifest}
    assert len(ids) == len(manifest) == N_PICTURES
    assert ids == {row.image_id for row in rows if row.state == "fetched"}


def test_thirteen_photographs_are_of_one_place_and_day(corpus: Path) -> None:
    lines = (corpus / "yfcc_photos.jsonl").read_bytes().splitlines()
    photos = [msgspec.json.decode(line, type=YfccPhoto) for line in lines]
    groups = Counter(
        (photo.latitude, photo.longitude, str(photo.date_taken)[:10])
        for photo in photos
        if photo.latitude is not None
    )
    assert groups.most_common(2)[0][1] == 13
    assert groups.most_common(2)[1][1] < 13


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    write_collected(tmp_path, 7, has_pictures=False, advance=advance_unseen)

    def digests(folder: Path) -> dict[str, str]:
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    assert digests(tmp_path) == digests(corpus)


def test_a_picture_without_its_exif_is_the_same_picture() -> None:
    picture = Image.effect_noise((64, 48), 80.0)
    exif = Image.Exif()
    exif[0x0110] = "Camera"
    with_exif = io.BytesIO()
    picture.save(with_exif, "JPEG", exif=exif)
    stripped = without_exif(with_exif.getvalue())

    before, after = Image.open(with_exif), Image.open(io.BytesIO(stripped))
    assert (dict(before.getexif()), dict(after.getexif())) == ({0x0110: "Camera"}, {})
    assert before.tobytes() == after.tobytes()
