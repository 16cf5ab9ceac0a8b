"""The files of VLM Reality Check that the source protocol's own scripts read."""

import csv
from pathlib import Path

import yaml

from tests.python.conftest import Warehouse


def test_the_export_has_the_files_of_the_source_protocol(
    synthetic: Warehouse, tmp_path: Path
) -> None:
    synthetic.gainsay("reality-check", "export", tmp_path)

    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {
        "configs/biases.yaml",
        "configs/languages.yaml",
        "configs/pipeline.yaml",
        "data/challenges/challenges.jsonl",
        "data/challenges/challenges_multilingual.jsonl",
        "data/challenges/controls.jsonl",
        "data/processed/annotations.jsonl",
        "data/raw/manifest.jsonl",
        "data/validation/human_validation_sample.csv",
    }
    biases = yaml.safe_load((tmp_path / "configs/biases.yaml").read_text())
    assert sum(bias["target_count"] for bias in biases["biases"].values()) == 90_000
    assert [each["biases"] for each in biases["compound_combinations"]][1] == [
        "counting",
        "spurious_correlation",
    ]
    pipeline = yaml.safe_load((tmp_path / "configs/pipeline.yaml").read_text())
    assert pipeline["target_dataset_size"] == 130_000
    assert pipeline["languages"] == ["en", "es", "zh", "hi", "ar"]
    assert pipeline["random_seed"] == 42
    with (tmp_path / "data/validation/human_validation_sample.csv").open(newline="") as sheet:
        assert next(csv.reader(sheet))[-3:] == ["is_fluent", "is_accurate", "notes"]
