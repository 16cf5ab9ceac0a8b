"""Models that try to win without looking: what they answer, and their answers in a warehouse.

Constant models say the same to everything; wording models know the right answers to other examples,
and say what is right most often where the words are the same.

python -m tests.python.adversarial_answers WAREHOUSE    # lands their answers
"""

import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import md5
from pathlib import Path

import duckdb
from msgspec import Struct

from gainsay.foundation.progress import advance_unseen
from gainsay.foundation.queries import query
from gainsay.ingest.answers import land_predictions
from gainsay.ingest.predictions import Answering, layout_of
from gainsay.ingest.sinks.duckdb import DuckDbSink

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


class Right(Struct):
    """What is right of an example that a benchmark of the house asks, and its split."""

    benchmark: str
    condition: str
    example_id: str
    answer: str
    split: str | None


_RIGHT = """
    select benchmark, 'default' as condition, example_id,
        if(is_abstention_right, 'cannot answer', gold_answer) as answer, split
    from evaluation.conflicts__examples
    union all
    select 'clash', condition, sample_id, coalesce(target, 'Conflicting information'), split
    from clash.clash__examples
    union all
    select 'certainly_uncertain', 'default', example_id, coalesce(target, 'I don''t know'), split
    from certainly_uncertain.certainly_uncertain__examples
    union all
    select 'reality_check', language, challenge_id || '::' || language, answer, null
    from reality_check.reality_check__record_questions
"""
# a word that fewer of a benchmark's different questions have is what a template leaves open
_TEMPLATE_SHARE = 0.02


def _words(asked: Asked) -> list[str]:
    return re.findall(r"\w+", (asked.question or "").lower())


def _templates(examples: Sequence[Asked]) -> Mapping[str, str]:
    """Each question with the words left out that few questions of its benchmark have."""
    different = {(one.benchmark, one.question): set(_words(one)) for one in examples}
    n_questions = Counter(benchmark for benchmark, _ in different)
    n_with = Counter(
        (benchmark, word) for (benchmark, _), words in different.items() for word in words
    )
    return {
        one.example_id: " ".join(
            word
            if n_with[one.benchmark, word] >= _TEMPLATE_SHARE * n_questions[one.benchmark]
            else "_"
            for word in _words(one)
        )
        for one in examples
    }


def _choice(asked: Asked, answer: str) -> str:
    """The letter of an answer where choices are offered and one of them says it."""
    for option in asked.options:
        if option[4:].lower().startswith(answer.lower()):
            return option[:3]
    return answer


def wording_answers(
    examples: Sequence[Asked], rights: Sequence[Right]
) -> Iterator[tuple[str, Asked, str]]:
    """What each wording model answers to each example: its name, the example, the answer.

    It says what is right most often among the examples with the same words, of the training split,
    or of its own split without the example itself; equally often, what comes first. It does not
    know under which condition it is asked. Where it knows no such example it says what is right
    most often of all.
    """
    known = {(one.benchmark, one.condition, one.example_id): one for one in rights}
    told = [
        (one, known[one.benchmark, one.condition, one.example_id])
        for one in examples
        if (one.benchmark, one.condition, one.example_id) in known
    ]
    templates = _templates([one for one, _ in told])
    keys: dict[str, Callable[[Asked], str]] = {
        "question": lambda one: " ".join(_words(one)),
        "template": lambda one: templates[one.example_id],
        "first three words": lambda one: " ".join(_words(one)[:3]),
    }
    for name, key in keys.items():
        counts: dict[tuple[str, str, str | None, str], Counter[str]] = defaultdict(Counter)
        for one, right in told:
            for words in (key(one), ""):
                counts[one.benchmark, one.task, right.split, words][right.answer] += 1
        for one, right in told:
            trained = counts[one.benchmark, one.task, "train", key(one)]
            trained = trained or counts[one.benchmark, one.task, "train", ""]
            if trained:
                yield f"most frequent by {name}, train", one, _choice(one, _first(trained))
            others = counts[one.benchmark, one.task, right.split, key(one)].copy()
            others[right.answer] -= 1
            others = +others or counts[one.benchmark, one.task, right.split, ""]
            yield f"most frequent by {name}, others", one, _choice(one, _first(others))


def _first(counts: Counter[str]) -> str:
    return min(counts, key=lambda answer: (-counts[answer], answer))


def land_adversaries(connection: duckdb.DuckDBPyConnection) -> int:
    """Land the answers of each of them to all that is asked: how many runs that makes."""
    examples = _asked(connection)
    runs: dict[tuple[str, str, str, str], list[tuple[Asked, str | None]]] = defaultdict(list)
    for asked in examples:
        for name, answer in ADVERSARIES.items():
            runs[asked.benchmark, asked.task, asked.condition, name].append((asked, answer(asked)))
    for name, asked, said in wording_answers(examples, query(connection, _RIGHT, Right)):
        runs[asked.benchmark, asked.task, asked.condition, name].append((asked, said))
    tables = DuckDbSink(connection)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.jsonl"
        for (benchmark, task, condition, name), answers in runs.items():
            file.write_text(
                "\n".join(
                    json.dumps(
                        {"example_id": asked.example_id, "prediction": said, "confidence": 1.0}
                    )
                    for asked, said in answers
                )
            )
            answering = Answering(benchmark, task, condition, name, "adversary")
            land_predictions(tables, file, answering, layout_of(), advance_unseen)
    return len(runs)


if __name__ == "__main__":
    with duckdb.connect(sys.argv[1]) as warehouse:
        print(land_adversaries(warehouse), "runs")
