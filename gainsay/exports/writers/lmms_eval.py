"""A task of lmms-eval: its YAML, its functions and the records."""

from typing import Any

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.harness.gainsay_scoring import PERCENT
from gainsay.exports.harness_files import RULES, SCORING, harness_file, metrics_of, scoring_files
from gainsay.exports.parquet import split_shards, write_shards
from gainsay.exports.records import Records
from gainsay.exports.templates import template

_FUNCTIONS = "utils.py"
_ROLES = "select split, role from vocabulary.split_roles"
_TEST = "test"
# roles of splits: what a task scores is of the first that has records
_SCORED = (_TEST, "development", "training", "held_back")


def files(records: Records, benchmark: str) -> list[str | Shards]:
    """The task, its functions and the shards of every split."""
    named = [f"{_task_name(benchmark)}.yaml", _FUNCTIONS, SCORING, RULES]
    return [*named, *split_shards(records).values()]


def _task_name(benchmark: str) -> str:
    return f"gainsay_{benchmark}"


def task_splits(records: Records, shards: dict[str, list[str]]) -> dict[str, Any]:
    """The files of each split of a task, the splits for testing as one, and which is scored.

    Without records for testing those for development are scored, else those for training, each
    under the name of its split.
    """
    roles = {row["split"]: row["role"] for row in records.rows(_ROLES)}
    data_files: dict[str, list[str]] = {}
    for split in sorted(shards, key=lambda split: _SCORED.index(roles[split])):
        # lmms-eval looks for them beside the task
        data_files.setdefault(_TEST if roles[split] == _TEST else split, []).extend(shards[split])
    return {"data_files": data_files, "test_split": next(iter(data_files))}


def write(records: Records, folder: ExportFolder) -> None:
    """Write `gainsay_<benchmark>.yaml`, its functions, and the shards in `data/`."""
    task_name = _task_name(folder.benchmark)
    shards = write_shards(records, folder)
    task = template("lmms_eval.yaml.jinja").render(
        **task_splits(records, shards),
        task=task_name,
        hub_id=folder.hub_id,
        metrics=metrics_of(records, folder.benchmark),
        percent=PERCENT,
        version=next(iter(records))["record_version"],
    )
    folder.write(f"{task_name}.yaml", task.encode())
    folder.write(_FUNCTIONS, harness_file("lmms_eval_utils.py"))
    for name, content in scoring_files(records, folder.benchmark).items():
        folder.write(name, content)
