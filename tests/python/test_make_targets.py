"""The stages of VLM Reality Check by make, from raw tables to a delivery that is validated."""

import json

import pytest

from tests.python.conftest import Warehouse
from tests.python.printed_gates import failures, run_printed
from tests.python.protocol_checks import failed_checks
from tests.python.real_data import PRINTED_GATES
from tests.python.reality_check_targets import NEW_FILES, stages_of

SCALE, N_IMAGES = 0.002, 600

WITHHELD = {"google-streetview", "cc-by-nd-2.0", "cc-by-nc-nd-2.0", "no-known-restrictions"}


# one worker makes the corpus, in which other modules look, too
@pytest.mark.slow
@pytest.mark.xdist_group("reality_check")
def test_five_targets_make_the_delivery(reality_check: Warehouse) -> None:
    """Each stage writes its files, the last ends well, and the printed gates pass in the folder."""
    stages = stages_of(reality_check)
    assert {stage.target: stage.new_files for stage in stages} == NEW_FILES
    assert "left out: wikimedia" in stages[0].stdout
    assert "left out: openimages" in stages[0].stdout
    assert "not measured" not in stages[-1].stdout
    # what no licence lets one hand on stays behind, and nothing else
    delivery = reality_check.folder / "delivery"
    lines = map(json.loads, (delivery / "data/raw/manifest.jsonl").open())
    assert {line["license"] for line in lines if line["local_path"] is None} == WITHHELD
    assert failed_checks(delivery, SCALE, N_IMAGES) == ["2.1: no picture at None"]
    if PRINTED_GATES.is_dir():
        assert "PASSED" in run_printed("gate_1_1", delivery).stdout
        assert failures("smoke_test", delivery, SCALE * 0.6) == []
