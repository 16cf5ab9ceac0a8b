"""The benchmarks that `make bench` runs for an hour still run, at a size that takes seconds."""

from collections import Counter
from pathlib import Path

import cv2
import duckdb
import numpy as np

from gainsay.python_udfs.pixels.edits import EDIT_FAMILIES
from tests.benchmarks.asking import asking
from tests.benchmarks.pixels import render_edits
from tests.benchmarks.reality_check import make_rows
from tests.python.conftest import Warehouse


def test_asking_measures_every_request(tmp_path: Path) -> None:
    asked, landed = asking(100, tmp_path)

    assert asked.n_rows == landed.n_rows == 100


def test_rows_of_reality_check_fit_the_tables_that_they_fill(
    tiny: Warehouse, tmp_path: Path
) -> None:
    warehouse = tiny.copied_to(tmp_path)
    with duckdb.connect(warehouse.path) as connection:
        make_rows(connection, 250)

    landed = Counter(
        str(name).partition("_")[0]
        for (name,) in warehouse.rows("select file_name from raw.image_files")
    )
    assert landed == {"wikimedia": 64, "openimages": 64, "yfcc": 64, "COCO": 50, "streetview": 8}
    for table in ("annotator_results", "shadow_regions", "outlines", "object_colors"):
        ((n_rows,),) = warehouse.rows(f"select count(*) from reality_check.reality_check__{table}")
        assert n_rows, table


def test_edits_are_proved_by_family(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    noise = np.random.Generator(np.random.Philox(7)).integers(0, 256, (120, 160, 3), np.uint8)
    cv2.imwrite(str(picture), noise)

    measured = render_edits([picture], tmp_path / "edits", n_edits=2)

    assert [line.n_rows for line in measured] == [2] * 2 * len(EDIT_FAMILIES)
