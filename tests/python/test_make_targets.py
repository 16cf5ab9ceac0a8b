"""The stages of VLM Reality Check by make, from raw tables to a delivery that is validated."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import yaml

from tests.python.conftest import PROJECT, Warehouse
from tests.python.printed_gates import GATES, failures, run_printed
from tests.python.protocol_checks import failed_checks

STAGES = ("collect", "process", "generate", "translate", "validate_dataset")
SCALE, N_IMAGES = 0.002, 600
# what is there after each stage, and was not before it
NEW_FILES = {
    "collect": {"data/raw/manifest.jsonl", "data/raw/images"},
    "process": {"data/processed/annotations.jsonl"},
    "generate": {"data/challenges/challenges.jsonl", "data/challenges/images"},
    "translate": {
        "data/challenges/challenges_multilingual.jsonl",
        "data/challenges/controls.jsonl",
        "data/questions",
        "data/validation/human_validation_sample.csv",
    },
    "validate_dataset": set(),
}

WITHHELD = {"google-streetview", "cc-by-nd-2.0", "cc-by-nc-nd-2.0", "no-known-restrictions"}


def make(
    target: str, warehouse: Warehouse, delivery: Path, collected: Path, settings: str
) -> "subprocess.CompletedProcess[str]":
    """Run a target with the programs of these tests, which are installed."""
    return subprocess.run(
        [
            "make", "-o", "install", target, f"BIN={Path(sys.executable).parent}",
            f"DELIVERY={delivery}", f"COLLECTED={collected}", f"VARS={settings}",
        ],
        cwd=PROJECT, env=warehouse.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


# one worker makes the corpus, in which other modules look, too
@pytest.mark.slow
@pytest.mark.xdist_group("reality_check")
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_five_targets_make_the_delivery(reality_check: Warehouse, tmp_path: Path) -> None:
    """Each stage writes its files, the last ends well, and the printed gates pass in the folder.

    Pictures are there, so that no stage asks anybody; the data tests of the models run elsewhere.
    """
    warehouse = reality_check.copied_to(
        tmp_path,
        GAINSAY_RENDERINGS=str(reality_check.folder / "renderings"),
        GAINSAY_PROJECT=str(PROJECT),
        DBT_TARGET_PATH=str(tmp_path / "target"),
        DBT_LOG_PATH=str(tmp_path / "logs"),
        DBT_EXCLUDE_RESOURCE_TYPES="test unit_test",
    )
    for name in ("GAINSAY_CONTACT", "STREET_VIEW_API_KEY"):
        warehouse.environment.pop(name, None)
    with duckdb.connect(warehouse.path) as connection:
        # as if nothing was built yet
        schemas = connection.execute(
            "select schema_name from duckdb_schemas()"
            " where not internal and schema_name not in ('raw', 'main')"
        ).fetchall()
        for (schema,) in schemas:
            connection.execute(f'drop schema "{schema}" cascade')
    files = reality_check.folder / "files"
    settings = json.dumps(yaml.safe_load((files / "vars.yml").read_text()))
    delivery = tmp_path / "delivery"
    for stage in STAGES:
        before = {name for names in NEW_FILES.values() for name in names
                  if (delivery / name).exists()}  # fmt: skip
        done = make(stage, warehouse, delivery, files, settings)
        assert done.returncode == 0, f"{stage}:\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
        if stage == "collect":
            assert "left out: wikimedia" in done.stdout
            assert "left out: openimages" in done.stdout
        there = {name for names in NEW_FILES.values() for name in names
                 if (delivery / name).exists()}  # fmt: skip
        assert there - before == NEW_FILES[stage], stage
    assert "not measured" not in done.stdout
    # what no licence lets one hand on stays behind, and nothing else
    lines = map(json.loads, (delivery / "data/raw/manifest.jsonl").open())
    assert {line["license"] for line in lines if line["local_path"] is None} == WITHHELD
    assert failed_checks(delivery, SCALE, N_IMAGES) == ["2.1: no picture at None"]
    if GATES.is_dir():
        assert "PASSED" in run_printed("gate_1_1", delivery).stdout
        assert failures("smoke_test", delivery, SCALE * 0.6) == []
