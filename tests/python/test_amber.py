"""AMBER's discriminative part, on its official files: scored as its own program scores it."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.python.conftest import Warehouse
from tests.python.real_data import AMBER, needs_amber

pytestmark = [needs_amber, pytest.mark.xdist_group("amber")]
# what its program prints a block of, and the kinds of questions in it
_DIMENSIONS: dict[str, Callable[[str], bool]] = {
    "all": lambda _: True,
    "existence": lambda kind: kind == "discriminative-hallucination",
    "attribute": lambda kind: "attribute" in kind,
    "state": lambda kind: kind.endswith("state"),
    "number": lambda kind: kind.endswith("number"),
    "action": lambda kind: kind.endswith("action"),
    "relation": lambda kind: kind in ("discriminative-relation", "relation"),
}


def _answer(number: int) -> str | None:
    """Mostly yes or no; now and then what the program does not know."""
    return random.Random(number).choice(["Yes"] * 5 + ["No"] * 6 + ["yes", "No.", "", None])


def _printed(
    dimension: str, questions: list[dict[str, Any]], truths: dict[int, dict[str, Any]]
) -> tuple[float, float, float, float, int]:
    """Accuracy, precision, recall and F1 as the program computes them, in floats of Python."""
    of_it = [
        (truths[question["id"]]["truth"], _answer(question["id"]))
        for question in questions
        if _DIMENSIONS[dimension](truths[question["id"]]["type"])
    ]
    n_right = sum(said == {"yes": "Yes", "no": "No"}[truth] for truth, said in of_it)
    n_no = sum(truth == "no" for truth, _ in of_it)
    n_said_no = sum(said == "No" for _, said in of_it)
    n_both = sum(truth == "no" and said == "No" for truth, said in of_it)
    accuracy = round(n_right / len(of_it) * 100, 1)
    precision = round(n_both / n_said_no * 100, 1)
    recall = round(n_both / n_no * 100, 1)
    little = 0.001 if dimension == "existence" else 0.0001
    both = (precision / 100) * (recall / 100)
    f1 = round(2 * both / (precision / 100 + recall / 100 + little) * 100, 1)
    return accuracy, precision, recall, f1, len(of_it)


def test_every_figure_is_the_one_that_its_program_prints(tiny: Warehouse, tmp_path: Path) -> None:
    questions = json.loads((AMBER / "query_discriminative.json").read_text())
    truths = {
        record["id"]: record for record in json.loads((AMBER / "annotations.json").read_text())
    }
    answers = [
        {"id": question["id"], "response": _answer(question["id"])} for question in questions
    ]
    (tmp_path / "mine.json").write_text(json.dumps(answers))
    # a warehouse whose blind readers have read what was there before
    warehouse = tiny.copied_to(tmp_path)
    warehouse.gainsay("land", "--question-set", "amber", AMBER)
    warehouse.gainsay("land-predictions", "--benchmark", "amber", tmp_path / "mine.json")
    warehouse.gainsay("score", "--benchmark", "amber")

    table = {
        dimension: figures
        for dimension, *figures in warehouse.rows_of_analysis(
            "evaluation__amber_table",
            "select dimension, accuracy, precision_of_no, recall_of_no, f1_of_no, n from analysis",
        )
    }
    assert len(questions) == 14_216
    assert table == {
        dimension: list(_printed(dimension, questions, truths)) for dimension in _DIMENSIONS
    }
    assert warehouse.rows("""
        select n_scored, n_unmatched, completeness from evaluation.evaluation__runs
        where benchmark = 'amber' and split = 'all'
    """) == [(14_216, 0, 1.0)]
    # what can be had without the pictures stands beside it: the blind reader learned from questions
    # about other pictures, and of two answers it knows more than the frequent one
    board = dict(
        warehouse.rows("""
            select model, value from evaluation.evaluation__leaderboard
            where benchmark = 'amber' and metric = 'accuracy' and split = 'all'
        """)
    )
    truth_of = [truths[question["id"]]["truth"] for question in questions]
    share_of_no = truth_of.count("no") / len(truth_of)
    [(guessed,)] = warehouse.rows("""
        select avg(is_right::int) from audit.audit__blind_guesses
        where benchmark = 'amber' and reader = 'cross_fitted'
    """)
    assert board.keys() == {"mine", "majority", "blind reader"}
    assert board["majority"] == pytest.approx(max(share_of_no, 1 - share_of_no), abs=1e-9)
    assert board["blind reader"] == pytest.approx(guessed, abs=1e-9)
    assert board["blind reader"] > board["majority"]
