"""The third round: the options of `gainsay predict`, and answers with odd probabilities, attacked.

Nothing beside an answer loses it, and a confidence is a probability or is not given.
"""

import json
from collections.abc import Iterator
from math import exp
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.lm.chat_client import ChatClient
from gainsay.lm.confidence import Confidence
from gainsay.lm.predicting import Example, Only, Question, predict
from tests.python.chat_server import Chat, serve

PNG = b"\x89PNG\r\n\x1a\n"
_ALWAYS = [
    "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--benchmark", "conflict_suite",
]  # fmt: skip


@pytest.fixture
def chat() -> Iterator[Chat]:
    with serve() as server:
        yield server


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(
            (option, value)
            for option in (
                "--price-in", "--price-out", "--temperature", "--backoff", "--longest-pause",
            )
            for value in ("-1", "nan", "inf", "-inf", "1e999", "free", "")
        ),
        ("--backoff", "86401"),
        ("--longest-pause", "1e300"),
        *((option, "0") for option in ("--limit", "--concurrency", "--max-tokens")),
        *((option, "1.5") for option in ("--limit", "--concurrency", "--max-tokens")),
        *(("--only", value) for value in ("", "both", "TEXT", "text_only")),
        *(("--confidence", value) for value in ("", "0.5", "Verify")),
    ],
)  # fmt: skip
def test_options_have_values_that_can_be_meant(tmp_path: Path, option: str, value: str) -> None:
    result = CliRunner().invoke(
        main,
        ["predict", *_ALWAYS, option, value, str(tmp_path / "answers.jsonl")],
        env={"GAINSAY_DB": str(tmp_path / "missing.duckdb")},
    )
    assert result.exit_code == 2
    assert option in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("model", "cause"),
    [
        (" ", "model ' ': a name has 1 to 200 letters"),
        ("\u202em", "model '\\u202em': a name has"),
        ("Majority", "and is not: blind reader, majority"),
        ("\uff41lpha", "model '\\uff41lpha': looks like the model 'alpha'"),
    ],
)
def test_a_model_whose_answers_would_not_land_is_not_asked(
    tmp_path: Path, model: str, cause: str
) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    with duckdb.connect(warehouse) as connection:
        connection.execute("""
            create schema raw;
            create table raw.landed_predictions as select 'alpha' as model, 'default' as run
        """)
    result = CliRunner().invoke(
        main,
        ["predict", *_ALWAYS, "--model", model, str(tmp_path / "answers.jsonl")],
        env={"GAINSAY_DB": str(warehouse)},
    )
    assert result.exit_code == 1
    assert cause in result.output


def _body(logprobs: Any, **others: Any) -> bytes:
    choice = {"message": {"content": "yes"}, "finish_reason": "stop", "logprobs": logprobs}
    return json.dumps({"choices": [choice | others.pop("choice", {})]} | others).encode()


def _token(logprob: Any, **others: Any) -> dict[str, Any]:
    return {"content": [{"token": "yes", "logprob": logprob} | others]}


def _asked(
    chat: Chat, folder: Path, confidence: Confidence | None, only: Only | None = None
) -> dict[str, Any]:
    """What is kept of one example that the server answers."""
    picture = folder / "7.png"
    picture.write_bytes(PNG)
    output = folder / "answers.jsonl"
    asked = predict(
        ChatClient(chat.url, "m", backoff_seconds=0, logprobs=confidence == "sequence"),
        Question("conflict_suite", "open_ended", "default", only),
        [Example("e1", "e1", "Is it?", None if only == "text" else str(picture))],
        output,
        concurrency=1,
        advance=lambda _=1: None,
        report=print,
        confidence=confidence,
    )
    assert (asked.tally.n_answered, asked.tally.failures) == (1, {})
    [line] = output.read_text().splitlines()
    record = json.loads(line, parse_constant=pytest.fail)
    assert record["prediction"] == "yes"
    return dict(record)


@pytest.mark.parametrize(
    ("logprobs", "confidence"),
    [
        (None, None),
        ({}, None),
        ([], None),
        ("none", None),
        ({"content": None}, None),
        ({"content": []}, None),
        ({"content": {}}, None),
        ({"content": [None]}, None),
        ({"content": [[]]}, None),
        ({"content": [{"token": "yes"}]}, None),
        ({"content": [{"token": 3, "logprob": -0.5}]}, None),
        (_token(None), None),
        (_token("-0.5"), None),
        (_token(True), None),
        (_token(float("nan")), None),
        (_token(float("inf")), None),
        (_token(float("-inf")), None),
        (_token(0.5), None),
        (_token(5_000.0), None),
        (_token(10**400), None),
        (_token(-(10**400)), None),
        (_token(1e-9), 1.0),
        (_token(0), 1.0),
        (_token(-0.0), 1.0),
        (_token(-0.5), exp(-0.5)),
        (_token(-9999.0), 0.0),
        (_token(-1e308), 0.0),
        (_token(-0.5, top_logprobs=None), None),
        (_token(-0.5, top_logprobs=[{"token": "no", "logprob": 1e5}]), None),
        (_token(-0.5, bytes=[1, 2], odd={"deep": [[[]]]}), exp(-0.5)),
        (
            {"content": [{"token": "y", "logprob": -1}] * 50_000, "refusal": []},
            pytest.approx(exp(-1)),
        ),
    ],
)
def test_a_probability_of_words_is_one_or_not_given(
    chat: Chat, tmp_path: Path, logprobs: Any, confidence: Any
) -> None:
    chat.faults = [(200, _body(logprobs))]
    record = _asked(chat, tmp_path, "sequence")
    assert record["confidence"] == confidence
    assert all(logprob <= 0 for logprob in record.get("token_logprobs", []))


def _first(*alternatives: tuple[Any, Any]) -> dict[str, Any]:
    spelled = [{"token": token, "logprob": logprob} for token, logprob in alternatives]
    return {"content": [spelled[0] | {"top_logprobs": spelled}]}


@pytest.mark.parametrize(
    ("logprobs", "confidence"),
    [
        (None, None),
        (_first(("maybe", -0.1)), None),
        (_first(("yes", 800.0), ("no", -1.0)), None),
        (_first(("yes", -1.0), ("no", 800.0)), None),
        (_first(("yes", float("nan"))), None),
        (_first((None, -0.1)), None),
        (_first(("", 0.0)), None),
        (_first(("yes", -2_000.0), ("no", -2_000.0)), None),
        (_first(("Yes", 0.0), (" yes", 0.0), ("YES\n", 0.0), ("no", 0.0)), 0.5),
        (_first(("yes", -9999.0), ("no", 0.0)), 0.0),
        (_first(("yes", -0.5)), 1.0),
        (_first(("no", -0.5), ("no", -0.5)), 0.0),
        (_first(*((str(n), -0.1) for n in range(10_000)), ("yes", -3.0)), 1.0),
    ],
)
def test_what_a_model_thinks_of_its_answer_is_a_probability_or_not_given(
    chat: Chat, tmp_path: Path, logprobs: Any, confidence: float | None
) -> None:
    chat.faults = [(200, _body(None)), (200, _body(logprobs))]
    record = _asked(chat, tmp_path, "verify")
    assert record["confidence"] == confidence
    for name in ("p_yes", "p_no"):
        assert 0 <= record.get(name, 0) <= 1


@pytest.mark.parametrize("only", ["text", "picture"])
@pytest.mark.parametrize(
    "usage",
    [None, [], "free", {"prompt_tokens": -5}, {"prompt_tokens": 1e300}, {"prompt_tokens": "1"},
     {"prompt_tokens": True}, {"completion_tokens": 10**400}],
)  # fmt: skip
def test_what_one_side_costs_loses_no_answer(
    chat: Chat, tmp_path: Path, only: Only, usage: Any
) -> None:
    chat.faults = [(200, _body(None, usage=usage))]
    record = _asked(chat, tmp_path, None, only)
    assert record["asked"]["condition"] == f"{only}_only"
    [content] = [request["messages"][0]["content"] for request in chat.requests]
    assert [part["type"] for part in content] == ["image_url"] * (only == "picture") + ["text"]
