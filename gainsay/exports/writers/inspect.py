"""A task of inspect_ai: its functions, what the Hub's leaderboard reads, and the records."""

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.harness_files import RULES, SCORING, harness_file, scoring_files
from gainsay.exports.parquet import split_shards, write_shards
from gainsay.exports.records import Records
from gainsay.exports.templates import template
from gainsay.foundation.names import title

TASK = "inspect_task.py"
PYPROJECT = "pyproject.toml"
EVAL = "eval.yaml"
# what a release has at its root, where the Hub and people look for it
RUN_FROM_ROOT = (TASK, SCORING, RULES, PYPROJECT, EVAL)


def files(records: Records, _benchmark: str) -> list[str | Shards]:
    """The task, how it scores, what the Hub reads, and the shards of every split."""
    return [*RUN_FROM_ROOT, *split_shards(records).values()]


def write(records: Records, folder: ExportFolder) -> None:
    """Write `inspect_task.py` and the shards, whose pictures are data URIs."""
    shards = write_shards(records, folder, is_data_uri=True)
    folder.write(TASK, harness_file(TASK))
    for name, content in scoring_files(records, folder.benchmark).items():
        folder.write(name, content)
    words = {
        "title": title(folder.benchmark),
        "benchmark": folder.benchmark,
        "splits": [split for split in shards if split.startswith("test")] or [*shards],
        "version": next(iter(records))["record_version"],
    }
    for name in (PYPROJECT, EVAL):
        folder.write(name, template(f"inspect_{name}.jinja").render(**words).encode())
