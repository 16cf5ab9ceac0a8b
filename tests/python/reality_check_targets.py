"""VLM Reality Check by the targets of make, from landed files to a delivery that is validated."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import yaml

from tests.python.conftest import PROJECT, Warehouse

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
_FILES = {name for names in NEW_FILES.values() for name in names}


class Stage(msgspec.Struct):
    """What a target said, and which files of the delivery were there after it and not before."""

    target: str
    stdout: str
    new_files: set[str]


def make_delivery(warehouse: Warehouse, files: Path) -> None:
    """Run each target on what was landed of `files`; the delivery is beside the warehouse.

    Pictures are there, so that no stage asks anybody; the data tests of the models run elsewhere.
    """
    folder = warehouse.folder
    environment = warehouse.environment | {
        "GAINSAY_PROJECT": str(PROJECT),
        "DBT_TARGET_PATH": str(folder / "target"),
        "DBT_LOG_PATH": str(folder / "logs"),
        "DBT_EXCLUDE_RESOURCE_TYPES": "test unit_test",
        # what `gainsay build` says to dbt, too
        "DBT_USE_FAST_TEST_EDGES": "true",
        "DBT_CACHE_SELECTED_ONLY": "true",
    }
    for name in ("GAINSAY_CONTACT", "STREET_VIEW_API_KEY"):
        environment.pop(name, None)
    settings = json.dumps(yaml.safe_load((files / "vars.yml").read_text()))
    # dbt would begin with a parse of the whole project
    warehouse.leave_parsed("--vars", settings)
    delivery = folder / "delivery"
    stages = []
    for target in NEW_FILES:
        before = _files_of(delivery)
        # with the programs of these tests, which are installed
        command = [
            "make", "-o", "install", target, f"BIN={Path(sys.executable).parent}",
            f"DELIVERY={delivery}", f"COLLECTED={files}", f"VARS={settings}",
        ]  # fmt: skip
        done = subprocess.run(
            command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{target}:\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
        stages.append(Stage(target, done.stdout, _files_of(delivery) - before))
    (folder / "stages.json").write_bytes(msgspec.json.encode(stages))


def stages_of(warehouse: Warehouse) -> list[Stage]:
    """What each target did."""
    return msgspec.json.decode((warehouse.folder / "stages.json").read_bytes(), type=list[Stage])


def _files_of(delivery: Path) -> set[str]:
    return {name for name in _FILES if (delivery / name).exists()}
