"""How files of answers are laid out, by benchmark: the rows of seeds named `answer_files`."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain
from pathlib import Path

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import read_text
from gainsay.foundation.names import given_name
from gainsay.ingest.predictions import USUAL_COLUMNS, Answering, Layout, layout_of
from gainsay.project.folder import project_folder, project_vars

_ANY = "any"
_COLUMNS = {
    "benchmark", "task", "condition", "id_column", "answer_column", "is_known_by_line",
}  # fmt: skip
_DEFAULT_CONDITION = "default"
# rows that the boards add to those of the models
BOARD_MODELS = frozenset({"blind reader", "majority"})
_BOARD_RUNS = frozenset({"cross_fitted", "most_frequent", "reference"})
# of a condition under which one side alone was shown
_SIDE = re.compile("_?(text|picture)_only$")


@dataclass(frozen=True)
class AnswerFiles:
    """The tasks and conditions of a benchmark, none where any will do, and its columns.

    `named_conditions` are those that the seeds name, also where any will do.
    """

    benchmark: str
    tasks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    columns: tuple[str, str] = USUAL_COLUMNS
    line_conditions: tuple[str, ...] = ()
    named_conditions: tuple[str, ...] = ()

    @property
    def default_condition(self) -> str:
        """The condition where none is named."""
        return self.conditions[0] if self.conditions else _DEFAULT_CONDITION

    def layout(self, id_column: str | None = None, answer_column: str | None = None) -> Layout:
        """The names of the columns, those that a person gave before all others."""
        return layout_of(
            id_column, answer_column, usual=self.columns, line_conditions=self.line_conditions
        )


def answer_files(benchmark: str, project: Path | None = None) -> AnswerFiles:
    """What the project's seeds say of files of answers to a benchmark.

    Raises `GainsayError` where a seed lacks a column.
    """
    rows = [row for row in _rows(project_folder(project)) if row["benchmark"] == benchmark]
    if not rows:
        return AnswerFiles(benchmark)
    return AnswerFiles(
        benchmark,
        _listed(row["task"] for row in rows),
        _listed(row["condition"] for row in rows),
        (rows[0]["id_column"], rows[0]["answer_column"]),
        tuple(row["condition"] for row in rows if row["is_known_by_line"] == "true"),
        tuple(row["condition"] for row in rows if row["condition"] != _ANY),
    )


def whole_condition(condition: str) -> str:
    """The condition of which one side alone was shown."""
    return _SIDE.sub("", condition) or _DEFAULT_CONDITION


def answering_of(
    benchmark: str, task: str, condition: str | None, model: str, run: str
) -> Answering:
    """Under which names answers land: those that are given, and else the usual condition.

    Raises `GainsayError` for answers that could not be scored, or would land under the name of
    others.
    """
    require_known(benchmark)
    files = answer_files(benchmark)
    model = given_name(model, "model", BOARD_MODELS)
    run = given_name(run, "run", _BOARD_RUNS)
    task = given_name(task, "task")
    if condition is None:
        condition = files.default_condition
    condition = given_name(condition, "condition")
    if files.conditions and whole_condition(condition) not in files.conditions:
        raise GainsayError(f"{condition}: {benchmark} knows {' and '.join(files.conditions)}")
    if files.tasks == ("open_ended",) and task != "open_ended":
        raise GainsayError(f"{benchmark} is asked open-ended only")
    if files.tasks and task not in files.tasks:
        raise GainsayError(f"{task}: {benchmark} knows {' and '.join(files.tasks)}")
    if "/" in task or "/" in condition or "/" in run:
        raise GainsayError("a task, condition or run has no / in its name")
    return Answering(benchmark, task, condition, model, run)


def require_known(benchmark: str, project: Path | None = None) -> None:
    """Raise `GainsayError`, with the nearest name, for what is no benchmark and no question set."""
    names = _benchmarks(project)
    if benchmark not in names:
        near = get_close_matches(benchmark, names, n=1)
        meant = f"did you mean {near[0]}? There" if near else "there"
        raise GainsayError(f"{benchmark}: no benchmark; {meant} are {', '.join(names)}")


def _benchmarks(project: Path | None) -> list[str]:
    """What the project's vars name, and what is scored together with those."""
    names = project_vars(project)
    together = [name for models in names["shared_ports"].values() for name in models.values()]
    return sorted({*names["benchmarks"], *names["question_sets"], *chain.from_iterable(together)})


def _rows(folder: Path) -> Iterator[dict[str, str]]:
    for path in sorted((folder / "seeds").rglob("*answer_files.csv")):
        for row in csv.DictReader(io.StringIO(read_text(path), newline="")):
            if missing := _COLUMNS - row.keys():
                raise GainsayError(f"{path}: no column {', '.join(sorted(missing))}")
            yield row


def _listed(values: Iterable[str]) -> tuple[str, ...]:
    """Each value once; nothing where any will do."""
    names = tuple(dict.fromkeys(values))
    return () if _ANY in names else names
