"""The published CLASH answers, landed and scored as a user does it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from tests.python.conftest import Warehouse
from tests.python.real_data import CLASH


class Published(NamedTuple):
    """One file of published answers, and what `gainsay land-predictions` is told of it."""

    task: str
    condition: str
    model: str
    file: Path

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records of the file."""
        records: list[dict[str, Any]] = json.loads(self.file.read_text())
        return records


def published() -> list[Published]:
    """All published files."""
    folders = {
        "multiple_choice": ("multiple_choice", "conflicting"),
        "open_ended": ("open_ended", "conflicting"),
        "open_ended_original_caption": ("open_ended", "original"),
        "llm_as_judge": ("open_ended", "conflicting"),
    }
    return [
        Published(task, condition, file.stem, file)
        for folder, (task, condition) in folders.items()
        for file in sorted((CLASH / "predictions" / folder).glob("*.json"))
    ]


def land(warehouse: Warehouse) -> None:
    """Land the test set and every published file of answers."""
    warehouse.gainsay("land", CLASH / "clash_test.json")
    for answers in published():
        warehouse.gainsay(
            "land-predictions",
            "--benchmark", "clash", "--task", answers.task, "--condition", answers.condition,
            "--model", answers.model, answers.file,
        )  # fmt: skip
