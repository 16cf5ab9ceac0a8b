"""A task of lmms-eval: its YAML, its functions and the records."""

from gainsay.exports.card import title
from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.parquet import split_shards, write_shards
from gainsay.exports.records import Records
from gainsay.exports.templates import template

_FUNCTIONS = "utils.py"
# the benchmark where not knowing may be right, and the seeds of what says so
_UNCERTAIN = "certainly_uncertain"
_WORDS = {
    "phrases": "from vocabulary.idk_phrases select phrase, form, place order by all",
    "fillers": "from vocabulary.idk_fillers select words, place order by all",
    "exceptions": "from vocabulary.idk_exceptions select phrase order by all",
}


def files(records: Records, benchmark: str) -> list[str | Shards]:
    """The task, its functions and the shards of every split."""
    return [f"{_task_name(benchmark)}.yaml", _FUNCTIONS, *split_shards(records).values()]


def _task_name(benchmark: str) -> str:
    return f"gainsay_{benchmark}"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `gainsay_<benchmark>.yaml`, `utils.py` and the shards in `data/`.

    Both files are of the benchmark's own templates where there are such.
    """
    task_name = _task_name(folder.benchmark)
    shards = write_shards(records, folder)
    task = template(f"lmms_eval_{folder.benchmark}.yaml.jinja", "lmms_eval.yaml.jinja").render(
        # lmms-eval looks for them from wherever it runs
        data_files=[str((folder.path / shard).resolve()) for shard in shards],
        task=task_name,
        version=next(iter(records))["record_version"],
    )
    words = {
        name: [tuple(row.values()) for row in records.rows(query)]
        for name, query in _WORDS.items()
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
