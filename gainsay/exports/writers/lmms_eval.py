"""A task of lmms-eval: its YAML, its functions and the records."""

from typing import Any

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.parquet import split_shards, write_shards
from gainsay.exports.records import Records
from gainsay.exports.templates import template
from gainsay.foundation.names import title

_FUNCTIONS = "utils.py"
# the benchmark where not knowing may be right, and what the seed of its words says
_UNCERTAIN = "certainly_uncertain"
_PHRASES = "from vocabulary.idk_phrases"
WORDS_OF_NOT_KNOWING = {
    "phrases": f"{_PHRASES} select phrase, form, place where role = 'phrase' order by all",
    "fillers": f"{_PHRASES} select phrase, place where role = 'filler' order by all",
    "exceptions": f"{_PHRASES} select phrase where role = 'exception' order by all",
}
_ROLES = "select split, role from vocabulary.split_roles"
_TEST = "test"
# roles of splits: what a task scores is of the first that has records
_SCORED = (_TEST, "development", "training", "held_back")


def files(records: Records, benchmark: str) -> list[str | Shards]:
    """The task, its functions and the shards of every split."""
    return [f"{_task_name(benchmark)}.yaml", _FUNCTIONS, *split_shards(records).values()]


def _task_name(benchmark: str) -> str:
    return f"gainsay_{benchmark}"


def task_splits(
    records: Records, folder: ExportFolder, shards: dict[str, list[str]]
) -> dict[str, Any]:
    """The files of each split of a task, the splits for testing as one, and which is scored.

    Without records for testing those for development are scored, else those for training, each
    under the name of its split.
    """
    roles = {row["split"]: row["role"] for row in records.rows(_ROLES)}
    data_files: dict[str, list[str]] = {}
    for split in sorted(shards, key=lambda split: _SCORED.index(roles[split])):
        named = data_files.setdefault(_TEST if roles[split] == _TEST else split, [])
        # lmms-eval looks for them from wherever it runs
        named += [str((folder.path / shard).resolve()) for shard in shards[split]]
    return {"data_files": data_files, "test_split": next(iter(data_files))}


def write(records: Records, folder: ExportFolder) -> None:
    """Write `gainsay_<benchmark>.yaml`, `utils.py` and the shards in `data/`.

    Both files are of the benchmark's own templates where there are such.
    """
    task_name = _task_name(folder.benchmark)
    shards = write_shards(records, folder)
    task = template(f"lmms_eval_{folder.benchmark}.yaml.jinja", "lmms_eval.yaml.jinja").render(
        **task_splits(records, folder, shards),
        task=task_name,
        version=next(iter(records))["record_version"],
    )
    words = {
        name: [tuple(row.values()) for row in records.rows(query)]
        for name, query in WORDS_OF_NOT_KNOWING.items()
        if folder.benchmark == _UNCERTAIN
    }
    functions = template(
        f"lmms_eval_utils_{folder.benchmark}.py.jinja", "lmms_eval_utils.py.jinja"
    ).render(
        title=title(folder.benchmark),
        phrases=words.get("phrases", []),
        fillers=words.get("fillers", []),
        exceptions=[phrase for (phrase,) in words.get("exceptions", [])],
    )
    folder.write(f"{task_name}.yaml", task.encode())
    folder.write(_FUNCTIONS, functions.encode())
