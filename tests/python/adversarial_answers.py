"""Models that try to win without looking: what they answer, and their answers in a warehouse.

python -m tests.python.adversarial_answers WAREHOUSE    # lands their answers
"""

import json
import sys
import tempfile
from collections.abc import Callable
from hashlib import md5
from pathlib import Path

import duckdb
from msgspec import Struct

from gainsay.foundation.progress import advance_unseen
from gainsay.foundation.queries import query
from ingest.answers import land_predictions
from ingest.predictions import Answering, layout_of
from ingest.sinks.duckdb import DuckDbSink

_REFUSALS = (
    "I cannot answer that.", "No puedo responder a eso.", "Je ne peux pas répondre à cela.",
    "Das kann ich nicht beantworten.", "मैं इसका उत्तर नहीं दे सकता।",
)  # fmt: skip
_EVERYTHING = "yes, no, maybe, 0, 1, 2, 3, red, green, blue, black, white, left, right"


class Asked(Struct):
    """What is asked of an example."""

    benchmark: str
    task: str
    condition: str
    example_id: str
    question: str | None
    context: str | None
    choices: str | None

    @property
    def options(self) -> list[str]:
        """The offered answers with their letters; none to an open question."""
        found = json.loads(self.choices or "[]")
        return [f"({choice['letter']}) {choice['text']}" for choice in found]


def _in_some_language(asked: Asked) -> str:
    return _REFUSALS[int(md5(asked.example_id.encode()).hexdigest(), 16) % len(_REFUSALS)]


# what each of them says, whatever the picture shows
ADVERSARIES: dict[str, Callable[[Asked], str | None]] = {
    "always yes": lambda _: "Yes",
    "always no": lambda _: "No",
    "always (A)": lambda _: "(A)",
    "always I don't know": lambda _: "I don't know",
    "always a conflict": lambda _: "Conflicting information - cannot answer.",
    "all options": lambda asked: " ".join(asked.options) or _EVERYTHING,
    "question repeated": lambda asked: asked.question,
    "caption copied": lambda asked: asked.context or asked.question,
    "A or B": lambda asked: " or ".join(asked.options[:2]) or "Yes or no",
    "empty": lambda _: "",
    "10 kB": lambda asked: ("Yes and no. " + " ".join(asked.options) + " ").ljust(100, "x") * 100,
    "choices quoted": lambda asked: (
        f"The choices are {'; '.join(asked.options) or _EVERYTHING}, and the answer is one of them."
    ),
    "refusals in five languages": _in_some_language,
    "JSON": lambda _: '{"answer": "yes", "confidence": 1.0}',
}

_COLUMNS = "task, condition, example_id, question, context, choices"
# benchmarks that publish what they ask by themselves
_ALONE = ("clash", "certainly_uncertain", "reality_check")


def _asked(connection: duckdb.DuckDBPyConnection) -> list[Asked]:
    selects = [
        f"select benchmark, {_COLUMNS} from evaluation.conflicts__prompts",
        f"select benchmark, {_COLUMNS} from vqa.question_sets__prompts",
        *(f"select '{name}', {_COLUMNS} from {name}.{name}__prompts" for name in _ALONE),
    ]
    order = "order by benchmark, task, condition, example_id"
    return query(connection, f"{' union all '.join(selects)} {order}", Asked)


def land_adversaries(connection: duckdb.DuckDBPyConnection) -> int:
    """Land the answers of each of them to all that is asked: how many runs that makes."""
    runs: dict[tuple[str, str, str], list[Asked]] = {}
    for asked in _asked(connection):
        runs.setdefault((asked.benchmark, asked.task, asked.condition), []).append(asked)
    tables = DuckDbSink(connection)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.jsonl"
        for (benchmark, task, condition), examples in runs.items():
            for name, answer in ADVERSARIES.items():
                file.write_text(
                    "\n".join(
                        json.dumps(
                            {
                                "example_id": asked.example_id,
                                "prediction": answer(asked),
                                "confidence": 1.0,
                            }
                        )
                        for asked in examples
                    )
                )
                answering = Answering(benchmark, task, condition, name, "adversary")
                land_predictions(tables, file, answering, layout_of(), advance_unseen)
    return len(runs) * len(ADVERSARIES)


if __name__ == "__main__":
    with duckdb.connect(sys.argv[1]) as warehouse:
        print(land_adversaries(warehouse), "runs")
