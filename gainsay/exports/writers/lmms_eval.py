"""A task of lmms-eval: its YAML, its functions and the records."""

from gainsay.exports.card import title
from gainsay.exports.folder import ExportFolder
from gainsay.exports.parquet import write_shards
from gainsay.exports.records import Records
from gainsay.exports.templates import template


def write(records: Records, folder: ExportFolder) -> None:
    """Write `gainsay_<benchmark>.yaml`, `utils.py` and the shards in `data/`."""
    task_name = f"gainsay_{folder.benchmark}"
    shards = write_shards(records, folder)
    task = template("lmms_eval.yaml.jinja").render(
        # lmms-eval looks for them from wherever it runs
        data_files=[str((folder.path / shard).resolve()) for shard in shards],
        task=task_name,
        version=next(iter(records))["record_version"],
    )
    functions = template("lmms_eval_utils.py.jinja").render(title=title(folder.benchmark))
    folder.write(f"{task_name}.yaml", task.encode())
    folder.write("utils.py", functions.encode())
