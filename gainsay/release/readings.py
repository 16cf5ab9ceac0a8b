"""What readers found in records: the verdicts that come with the project, for the card."""

import csv
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import read_text

FOLDER: Final = "tests/readings"
_SAMPLED: Final = 4
_LONGEST_TEXT: Final = 240
_VERDICT: Final = ("is_right", "reason", "second_is_right", "second_reason")
# what was asked of a record, where a verdict is made of five answers
_ASKED: Final = ("true", "alone", "asked", "needed", "shown")
# where a record stands in a file of records, and whether the rules still make it
_PLACE: Final = ("tier", "stands")


@dataclass(frozen=True)
class Sample:
    """A record that was read: its id and texts, the verdict and why."""

    record_id: str
    texts: str
    is_right: bool
    reason: str


@dataclass(frozen=True)
class Reading:
    """One audit by reading: how much is right, how often a second reader agrees, some records."""

    name: str
    n: int
    n_right: int
    n_second: int
    n_agreed: int
    samples: list[Sample]

    @property
    def percent_right(self) -> float:
        """The share that is right, in percent."""
        return 100 * self.n_right / self.n

    @property
    def percent_agreed(self) -> float | None:
        """Of what a second reader judged, the share with the same verdict, in percent."""
        return 100 * self.n_agreed / self.n_second if self.n_second else None


def read_readings(project: Path, names: list[str]) -> list[Reading]:
    """The readings of these names, in that order; none where the project came without readings.

    Raises `GainsayError` where a reading has no file, or a row no verdict.
    """
    folder = project / FOLDER
    return [_read(folder / f"{name}.csv") for name in names] if folder.is_dir() else []


def _read(path: Path) -> Reading:
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(path), newline="")))
    except GainsayError as error:
        raise GainsayError(
            f"{error}; expected the file that a row `reading` of the release texts names"
        ) from error
    # what the rules make no more is kept beside the others, and counts no more
    judged = [
        (_is_right(path, row["is_right"]), row) for row in rows if row.get("stands") != "false"
    ]
    twice = [
        (is_right, _is_right(path, row["second_is_right"]))
        for is_right, row in judged
        if row["second_is_right"]
    ]
    # wrong ones first, so that a card shows what is wrong, too; each by the hash of its id
    wrong = _drawn([row for is_right, row in judged if not is_right])
    right = _drawn([row for is_right, row in judged if is_right])
    shown = [(False, row) for row in wrong[: _SAMPLED // 2]]
    shown += [(True, row) for row in right[: _SAMPLED - len(shown)]]
    return Reading(
        path.stem,
        len(judged),
        sum(is_right for is_right, _ in judged),
        len(twice),
        sum(first == second for first, second in twice),
        [_sample(is_right, row) for is_right, row in shown],
    )


def _is_right(path: Path, text: str) -> bool:
    if text not in ("true", "false"):
        raise GainsayError(f"{path}: a verdict is {text!r}; expected true or false")
    return text == "true"


def _drawn(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return sorted(rows, key=lambda row: hashlib.md5(_key(row).encode()).hexdigest())  # noqa: S324


def _key(row: dict[str, str]) -> str:
    return row[_key_column(row)]


def _key_column(row: dict[str, str]) -> str:
    return next(name for name in row if name == "id" or name.endswith("_id"))


def _sample(is_right: bool, row: dict[str, str]) -> Sample:
    asked = (reader + name for reader in ("", "second_") for name in _ASKED)
    untold = {_key_column(row), *_VERDICT, *_PLACE, *asked}
    said = [(name, text) for name, text in row.items() if name not in untold and text]
    texts = "; ".join(f"{name}: {text}" for name, text in said)
    if len(texts) > _LONGEST_TEXT:
        texts = texts[: _LONGEST_TEXT - 1].rstrip() + "…"
    return Sample(_key(row), texts, is_right, row["reason"])
