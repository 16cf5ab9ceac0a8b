"""A corpus that leaves no mart empty: pictures, answers of models, votes, language models' batches.

Who answers is no model: what is said comes from the md5 of what is asked, so that it is the same
every time and good for comparing two warehouses, and for nothing else.
"""

import json
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import duckdb

from gainsay.ingest.llm_responses import Request, land_requests, write_requests
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.lm.tasks import TASKS, requests_of
from tests.python.batch_output import answer_line
from tests.python.conftest import Warehouse
from tests.python.published_clash import published
from tests.python.real_data import CLASH
from tests.python.scored_corpus import ANSWERS, GQA_QUESTIONS, LINES, QUESTION_SETS

Command = list[str]

_READERS = ("ann", "bob", "eve")
_VOTED_RECORDS = 12
_ASKED_INPUTS = 20


def write_corpus(warehouse: Warehouse, folder: Path) -> None:
    """Write the corpus of `gainsay synth`, with Reality Check's sources, and the question sets."""
    folder.mkdir()
    warehouse.gainsay("synth", folder / "corpus", "--reality-check")
    for question_set, files in QUESTION_SETS.items():
        (folder / question_set).mkdir()
        for name, content in files.items():
            is_lines = question_set in ("pope", "unk_vqa")
            text = "\n".join(map(json.dumps, content)) if is_lines else json.dumps(content)
            (folder / question_set / name).write_text(text)
    (folder / "testdev_balanced_questions.json").write_text(json.dumps(GQA_QUESTIONS))


def corpus_commands(folder: Path) -> list[Command]:
    """The commands that land the corpus with its pictures, the question sets and CLASH."""
    corpus = str(folder / "corpus")
    gqa = str(folder / "testdev_balanced_questions.json")
    return [
        ["land", corpus, gqa, str(CLASH / "clash_test.json")],
        ["land-images", corpus],
        *(["land", "--question-set", name, str(folder / name)] for name in QUESTION_SETS),
    ]


def answer_commands(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[Command]:
    """The commands that land answers: those of CLASH, to the question sets, to every benchmark.

    `connection` is a warehouse in which the corpus is built.
    """
    commands: dict[tuple[str, ...], list[str]] = {}
    for task, condition, _, file in published():
        asked = ("--benchmark", "clash", "--task", task, "--condition", condition)
        commands.setdefault(asked, []).append(str(file))

    def add(options: tuple[str, ...], model: str, answers: list[dict[str, Any]]) -> None:
        # a model is called by its file
        name = "-".join(option for option in options if not option.startswith("--"))
        (folder / name).mkdir(exist_ok=True)
        file = _lines(folder / name / f"{model}.jsonl", answers)
        commands.setdefault(options, []).append(file)

    for (benchmark, condition), answers in ANSWERS.items():
        add(("--benchmark", benchmark, "--condition", condition), "mine", answers)
    for model, answers in LINES.items():
        add(("--benchmark", "pope", "--condition", "random"), model, answers)
    for benchmark, answers in _of_references(connection).items():
        columns = ("--id-column", "example_id", "--answer-column", "prediction")
        for model in ("sure", "torn"):
            said = [_said_by(model, answer) for answer in answers]
            add(("--benchmark", benchmark, *columns), model, said)
    return [["land-predictions", *options, *files] for options, files in commands.items()]


def _of_references(connection: duckdb.DuckDBPyConnection) -> dict[str, list[dict[str, Any]]]:
    """By benchmark what may be said to each example; where no reference says it, yes or no."""
    rows = connection.execute("""
        select
            benchmark,
            example_key,
            list({prediction: prediction, stated_action: stated_action}
                order by model, prediction)
        from evaluation.evaluation__reference_answers
        group by all
        union all
        select 'reality_check', example_id,
            [{prediction: said, stated_action: null} for said in ['Yes', 'No', 'B', 'A']]
        from reality_check.reality_check__prompts
        union all
        select 'vqa', cast(question_id as varchar),
            [{prediction: said, stated_action: null}
                for said in [multiple_choice_answer, 'yes', 'two']]
        from raw.vqa_annotations
        order by all
    """).fetchall()
    answers: dict[str, list[dict[str, Any]]] = {}
    for benchmark, example_id, choices in rows:
        answers.setdefault(benchmark, []).append({"example_id": example_id, "choices": choices})
    return answers


def _said_by(model: str, answer: dict[str, Any]) -> dict[str, Any]:
    number = _number(f"{model}:{answer['example_id']}")
    said = answer["choices"][number % len(answer["choices"])]
    confidence = number // 100 % 101 / 100
    return {"example_id": answer["example_id"], **said, "confidence": confidence}


def vote_commands(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[Command]:
    """The command that lands a log of three readers, who look at the first of every queue."""
    records = connection.execute(
        "select benchmark, queue, record_id, record_md5, asked_questions"
        " from review.review__records"
        " qualify row_number() over (partition by benchmark, queue order by draw) <= ?"
        " order by all",
        [_VOTED_RECORDS],
    ).fetchall()
    questions = connection.execute("""
        select benchmark, queue, question, list(answer order by answer)
        from vocabulary.review_questions group by all order by all
    """).fetchall()
    events: list[dict[str, Any]] = []
    for benchmark, queue, record_id, record_md5, asked in records:
        for reader in _READERS:
            for of_benchmark, of_queue, question, answers in questions:
                if (of_benchmark, of_queue) != (benchmark, queue):
                    continue
                if asked is not None and question not in asked:
                    continue
                # readers mostly agree
                said = _number(f"{record_id}:{question}:{reader}")
                if said % 4:
                    said = _number(f"{record_id}:{question}")
                events.append({
                    "event_id": f"{len(events):032x}", "kind": "vote", "benchmark": benchmark,
                    "queue": queue, "record_id": record_id, "record_md5": record_md5,
                    "question": question, "answer": answers[said % len(answers)],
                    "reader": reader, "voted_at": "2026-01-01T10:00:00Z",
                })  # fmt: skip
    return [["land-votes", _lines(folder / "votes.ndjson", events)]]


def batch_commands(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[Command]:
    """The command that lands the first requests of every task, and what came back for them.

    The requests land in the warehouse of `connection` as those that it made.
    """
    requests = [
        request
        for task in TASKS
        for request in requests_of(connection, task, "gpt-4o", 500, _ASKED_INPUTS)
    ]
    land_requests(DuckDbSink(connection), requests)
    (folder / "output.jsonl").write_text("\n".join(_batch_lines(requests)))
    write_requests(connection, folder / "requests.parquet")
    return [["llm", "import", str(folder / "output.jsonl"), str(folder / "requests.parquet")]]


def _batch_lines(requests: list[Request]) -> Iterator[str]:
    """What comes back: answers of the wanted shape and of another, refusals, or nothing."""
    for request in requests:
        number = _number(request.custom_id)
        if number % 11 == 0:
            continue
        if number % 11 == 1:
            yield answer_line(request.custom_id, None, "I cannot")
        elif number % 11 == 2:
            yield answer_line(request.custom_id, '{"nothing": "of this"}')
        else:
            body = json.loads(request.body)
            schema = body["response_format"]["json_schema"]["schema"]
            words = _text_of(body["messages"][-1]["content"]).split()
            yield answer_line(request.custom_id, json.dumps(_fitting(schema, request, words, "")))


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else str(content[-1]["text"])


def _fitting(schema: dict[str, Any], request: Request, words: list[str], path: str) -> Any:
    """A value that fits the schema of an answer."""
    number = _number(f"{request.custom_id}:{path}")
    if choices := schema.get("enum"):
        return choices[number % len(choices)]
    kind = schema.get("type")
    if kind == "object":
        return {
            name: _fitting(field, request, words, f"{path}.{name}")
            for name, field in schema["properties"].items()
        }
    if kind == "array":
        return [
            _fitting(schema["items"], request, words, f"{path}.{place}")
            for place in range(1 + number % 2)
        ]
    if kind == "boolean":
        return number % 4 > 0
    if kind in ("integer", "number"):
        return 1 + number % 3
    return words[number % len(words)]


def _number(text: str) -> int:
    return int(md5(text.encode()).hexdigest()[:8], 16)


def _lines(file: Path, records: list[dict[str, Any]]) -> str:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(file)
