"""What became of each source's pictures: looked at in this build, kept from before, or failed."""

from pathlib import Path
from queue import Queue

import duckdb
import pytest

from gainsay.cli.reality_check import _told_while_annotated
from gainsay.inspect.annotating import Annotated, annotated, counted_findings, kept_findings
from gainsay.python_udfs.annotate.results_cache import keep_results
from tests.python.conftest import PATIENCE


def test_pictures_are_counted_by_source_and_annotator(tmp_path: Path) -> None:
    """Two of three pictures have findings, one of them from a former build; the third failed."""
    folder = tmp_path / "annotations"
    assert kept_findings(folder) == frozenset()
    keep_results(str(folder), {"texture 3|aa": "{}", "ocr 3, tesseract 5|aa|01": "{}"})
    before = kept_findings(folder)
    keep_results(str(folder), {"texture 3|bb": "{}", "texture 3|of another warehouse": "{}"})
    with duckdb.connect() as connection:
        connection.execute("""
            create schema images; create schema reality_check;
            create table images.images__files (source_image_id varchar, sha256 varchar);
            insert into images.images__files values ('x', 'aa'), ('y', 'bb'), ('z', 'cc');
            create table reality_check.reality_check__images (image_id varchar, source varchar);
            insert into reality_check.reality_check__images
            values ('x', 'own'), ('y', 'coco'), ('z', 'coco');
        """)
        errors = ", ".join(
            f"{of}_error varchar"
            for of in ("shadow", "texture", "mirror", "text", "detection", "depth")
        )
        connection.execute(f"""
            create table reality_check.reality_check__shadow_regions
                (image_sha256 varchar, error varchar);
            create table reality_check.reality_check__annotator_results
                (image_sha256 varchar, {errors});
            insert into reality_check.reality_check__annotator_results by name
            select unnest(['aa', 'bb', 'cc']) as image_sha256,
                unnest([null, null, 'cut']) as texture_error;
        """)
        found = annotated(connection, before, kept_findings(folder))

    assert found == [
        Annotated("coco", "texture", n_looked_at=1, n_kept=0, n_failed=1),
        Annotated("own", "ocr", n_looked_at=0, n_kept=1, n_failed=0),
        Annotated("own", "texture", n_looked_at=0, n_kept=1, n_failed=0),
    ]


def test_what_is_looked_at_is_told_while_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "annotations"
    assert not counted_findings(folder)
    keep_results(str(folder), {"texture 3|aa": "{}", "ocr 3, tesseract 5|aa|01": "{}"})
    # what a thread writes while pytest reads what was captured may be lost
    told: Queue[str] = Queue()
    monkeypatch.setattr("click.echo", lambda text, **_: told.put(text))
    with _told_while_annotated(folder, seconds=0.01):
        keep_results(str(folder), {f"texture 3|{n}": "{}" for n in range(1_200)})
        assert told.get(timeout=PATIENCE) == (
            "pictures looked at: ocr 0 (+1 kept), texture 1,200 (+1 kept)"
        )
    assert counted_findings(folder) == {"ocr": 1, "texture": 1_201}
