"""A task of lmms-eval: its YAML, its functions and the records."""

from gainsay.exports.card import title
from gainsay.exports.folder import ExportFolder
from gainsay.exports.parquet import write_shards
from gainsay.exports.records import Records
from gainsay.exports.templates import template

# the benchmark where not knowing may be right, and the seed of what says so
_UNCERTAIN = "certainly_uncertain"
_PHRASES = "from vocabulary.idk_phrases order by phrase"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `gainsay_<benchmark>.yaml`, `utils.py` and the shards in `data/`.

    Both files are of the benchmark's own templates where there are such.
    """
    task_name = f"gainsay_{folder.benchmark}"
    shards = write_shards(records, folder)
    task = template(f"lmms_eval_{folder.benchmark}.yaml.jinja", "lmms_eval.yaml.jinja").render(
        # lmms-eval looks for them from wherever it runs
        data_files=[str((folder.path / shard).resolve()) for shard in shards],
        task=task_name,
        version=next(iter(records))["record_version"],
    )
    phrases = list(records.rows(_PHRASES)) if folder.benchmark == _UNCERTAIN else []
    functions = template(
        f"lmms_eval_utils_{folder.benchmark}.py.jinja", "lmms_eval_utils.py.jinja"
    ).render(
        title=title(folder.benchmark),
        phrases=tuple(row["phrase"] for row in phrases if not row["is_whole_answer"]),
        whole_answers=tuple(row["phrase"] for row in phrases if row["is_whole_answer"]),
    )
    folder.write(f"{task_name}.yaml", task.encode())
    folder.write("utils.py", functions.encode())
