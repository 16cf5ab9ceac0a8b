"""How sure people were of their answers to VizWiz's questions lands answer by answer."""

import json

import pytest

from gainsay.ingest.question_sets import VIZWIZ
from gainsay.ingest.records import decode, split

SURE = {"answer": "a can", "answer_confidence": "yes"}


@pytest.mark.parametrize(
    ("answers", "texts", "confidences"),
    [
        ([SURE, {"answer": "unanswerable", "answer_confidence": "maybe"}],
         ["a can", "unanswerable"], ["yes", "maybe"]),
        # the file of one who left the field out, and a test file
        ([SURE, {"answer": "soup"}], ["a can", "soup"], ["yes", None]),
        ([], [], []),
    ],
)  # fmt: skip
def test_an_answer_has_its_confidence(
    answers: list[dict[str, str]], texts: list[str], confidences: list[str | None]
) -> None:
    record = {"image": "VizWiz_val_1.jpg", "question": "What is this?", "answers": answers}
    [(array, records)] = split(json.dumps([record]).encode(), VIZWIZ)
    [batch] = decode(array, records)
    [row] = batch.records.to_pylist()
    assert (row["answers"], row["answer_confidences"]) == (texts, confidences)
