"""Tasks of lmms-eval, one for each language, their functions and the records."""

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.parquet import language_shards, write_shards
from gainsay.exports.records import Records
from gainsay.exports.templates import template
from gainsay.exports.writers.lmms_eval import task_splits
from gainsay.foundation.names import title

_FUNCTIONS = "utils.py"
# the words that count as Yes and No, by language
_FORMS = """
    select language, form, answer, is_anywhere
    from vocabulary.reality_check_answer_forms
    order by language, length(form) desc, form
"""


def files(records: Records, benchmark: str) -> list[str | Shards]:
    """The tasks, their functions and the shards of every language and split."""
    tasks = [_group(benchmark), *(_task(benchmark, one) for one in records.languages())]
    return [*(f"{task}.yaml" for task in tasks), _FUNCTIONS, *language_shards(records)]


def _group(benchmark: str) -> str:
    return f"gainsay_{benchmark}"


def _task(benchmark: str, language: str) -> str:
    return f"{_group(benchmark)}_{language}"


def write(records: Records, folder: ExportFolder) -> None:
    """Write a task for each language, one for all of them, `utils.py` and the shards."""
    group = _group(folder.benchmark)
    languages = records.languages()
    task = template("lmms_eval_languages.yaml.jinja")
    for language in languages:
        asked = records.of_language(language)
        shards = write_shards(asked, folder, f"data/{language}")
        made = task.render(
            **task_splits(asked, shards),
            hub_id=folder.hub_id,
            task=_task(folder.benchmark, language),
            version=next(iter(asked))["record_version"],
        )
        folder.write(f"{_task(folder.benchmark, language)}.yaml", made.encode())
    tasks = "".join(f"- {_task(folder.benchmark, language)}\n" for language in languages)
    folder.write(f"{group}.yaml", f"group: {group}\ntask:\n{tasks}".encode())
    forms: dict[str, dict[str, str]] = {language: {} for language in languages}
    for row in records.rows(_FORMS):
        if row["language"] in forms:
            forms[row["language"]][row["form"]] = row["answer"]
    functions = template("lmms_eval_utils_languages.py.jinja").render(
        title=title(folder.benchmark), forms=forms
    )
    folder.write(_FUNCTIONS, functions.encode())
