"""Asking a server: every example once, whatever goes wrong, and nothing secret is kept."""

import base64
import csv
import errno
import hashlib
import json
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gainsay.cli.tallies import show_doubts
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.sinks.duckdb import ensure_raw_schema
from gainsay.lm.chat_client import KEY_VARIABLE, ChatClient
from gainsay.lm.confidence import Confidence
from gainsay.lm.predicting import (
    Asked,
    Example,
    Only,
    PictureFile,
    Question,
    examples,
    predict,
    resolve_question,
)
from gainsay.lm.prompt_files import Choice, read_picture_prompt
from gainsay.lm.store import AnswerStore, open_store
from gainsay.project.folder import project_vars
from tests.python.chat_server import Chat, serve
from tests.python.conftest import PATIENCE, PROJECT, Warehouse
from tests.python.provider_rules import refusal

SECRET = "sk-not-to-be-seen"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def chat() -> Iterator[Chat]:
    with serve() as server:
        yield server


@pytest.fixture
def asked_for(tmp_path: Path) -> list[Example]:
    picture = tmp_path / "7.png"
    picture.write_bytes(PNG + b"the bytes of a picture")
    return [Example(f"e{n}", f"e{n}", f"Question {n}?", str(picture)) for n in range(20)]


def _untold(amount: int = 1) -> None:
    """Progress that nobody watches."""


SUITE = Question("conflict_suite", "open_ended", "default")


def _ask(
    chat: Chat,
    asked_for: list[Example],
    output: Path,
    concurrency: int = 4,
    question: Question = SUITE,
    model: str = "some-model",
    confidence: Confidence | None = None,
) -> Asked:
    client = ChatClient(chat.url, model, backoff_seconds=0, logprobs=confidence == "sequence")
    return predict(
        client, question, asked_for, output,
        concurrency=concurrency, advance=_untold, report=print, confidence=confidence,
    )  # fmt: skip


def _records(output: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.read_text().splitlines()]


def _keys(output: Path) -> list[str]:
    return sorted(json.loads(line)["example_id"] for line in output.read_text().splitlines())


def test_every_example_is_asked_once_with_its_picture(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    chat.answer = lambda prompt: prompt.upper()
    output = tmp_path / "out" / "answers.jsonl"
    asked = _ask(chat, asked_for, output)
    records = {(r := json.loads(line))["example_id"]: r for line in output.read_text().splitlines()}

    assert (asked.tally.n_answered, asked.n_before, asked.tally.failures) == (20, 0, {})
    assert asked.cost(price_in=0.1, price_out=0.4) == pytest.approx(
        20 * (500 * 0.1 + 20 * 0.4) / 1e6
    )
    assert len(chat.requests) == len(records) == 20
    assert records["e7"]["prediction"] == "QUESTION 7?"
    assert len(chat.images) == 1
    assert chat.requests[0]["model"] == "some-model"
    assert chat.requests[0]["messages"][0]["content"][0]["image_url"]["url"].startswith(
        "data:image/png;base64,"
    )


def test_no_more_at_once_than_allowed_and_no_fewer(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    # answers only come when four questions wait together
    chat.hold = threading.Barrier(4, timeout=PATIENCE)
    _ask(chat, asked_for, tmp_path / "answers.jsonl", concurrency=4)
    assert chat.most_at_once == 4


@pytest.mark.parametrize(
    "fault",
    [(429, b"slow down"), (500, b"oops"), (503, b""), (0, b"")],
    ids=["429", "500", "503", "cut connection"],
)
def test_passing_faults_are_tried_again(
    chat: Chat, asked_for: list[Example], tmp_path: Path, fault: tuple[int, bytes]
) -> None:
    chat.faults = [fault] * 3
    asked = _ask(chat, asked_for, tmp_path / "answers.jsonl", concurrency=1)

    assert (asked.tally.n_answered, asked.tally.failures) == (20, {})
    assert len(chat.requests) == 23


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ((400, b"no pictures here"), "status 400: no pictures here"),
        ((401, b"who are you"), "status 401: who are you"),
        ((200, b'{"choices": []}'), "not a chat completion: "),
        ((200, b'{"choices": [{"message": {"content": null}}]}'), "not a chat completion: "),
        ((200, b'{"choices'), "not a chat completion: "),
    ],
)
def test_what_fails_stays_open(
    chat: Chat,
    asked_for: list[Example],
    tmp_path: Path,
    fault: tuple[int, bytes],
    reason: str,
) -> None:
    output = tmp_path / "answers.jsonl"
    chat.faults = [fault, fault]
    asked = _ask(chat, asked_for, output, concurrency=1)
    [(failure, n)] = asked.tally.failures.items()
    assert (n, asked.tally.n_answered) == (2, 18)
    assert failure.startswith(reason)

    again = _ask(chat, asked_for, output, concurrency=1)
    assert (again.tally.n_answered, again.n_before) == (2, 18)
    assert _keys(output) == sorted(str(example.key) for example in asked_for)


def test_a_refusal_is_an_answer(chat: Chat, asked_for: list[Example], tmp_path: Path) -> None:
    output = tmp_path / "answers.jsonl"
    refused = {"message": {"content": None, "refusal": "I cannot"}, "finish_reason": "stop"}
    cut = {"message": {"content": None}, "finish_reason": "length"}
    chat.faults = [(200, json.dumps({"choices": [choice]}).encode()) for choice in (refused, cut)]
    asked = _ask(chat, asked_for, output, concurrency=1)
    records = _records(output)

    assert (asked.tally.n_answered, asked.n_cut) == (20, 1)
    assert [record["prediction"] for record in records[:3]] == [None, None, "yes"]
    assert records[1]["finish_reason"] == "length"


@pytest.mark.parametrize("model", ["gpt-5", "openai/gpt-5-mini", "o3", "gpt-4o", "some-model"])
def test_models_are_asked_as_their_provider_wants_it(
    chat: Chat, asked_for: list[Example], tmp_path: Path, model: str
) -> None:
    asked = _ask(chat, asked_for, tmp_path / "answers.jsonl", model=model, confidence="sequence")
    gives_confidence = model in ("gpt-4o", "some-model")
    assert asked.tally.n_answered == 20
    assert asked.n_unsure == (0 if gives_confidence else 20)


def test_the_provider_refuses_what_models_do_not_take() -> None:
    for body in (
        {"model": "gpt-5", "max_tokens": 9},
        {"model": "gpt-5", "max_completion_tokens": 9, "temperature": 0},
        {"model": "o3", "max_completion_tokens": 9, "logprobs": True},
        {"model": "gpt-4o", "max_tokens": 9, "reasoning_effort": "low"},
        {"model": "gpt-4o", "max_tokens": 9, "top_logprobs": 5},
    ):
        assert refusal(body) is not None
    assert refusal({"model": "gpt-5", "max_completion_tokens": 9}) is None


def test_a_model_says_how_sure_it_is_in_a_second_turn(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    verdicts = {
        "Question 0?": {"Yes": 0.5, " yes": 0.1, "No": 0.2, "Maybe": 0.2},
        "Question 1?": {"no": 0.9},
        "Question 2?": {"Perhaps": 1.0},
    }
    chat.verdict = lambda prompt: verdicts.get(prompt, {})
    asked = _ask(chat, asked_for[:4], output, concurrency=1, confidence="verify")
    records = _records(output)

    assert asked.n_unsure == 2
    assert len(chat.requests) == 8
    assert asked.n_prompt_tokens == 8 * 500
    assert {record["confidence_kind"] for record in records} == {"self_verification"}
    # all spellings together: 0.6 / (0.6 + 0.2)
    assert [record["confidence"] for record in records] == [
        pytest.approx(0.75), pytest.approx(0.0), None, None
    ]  # fmt: skip
    assert (records[0]["p_yes"], records[0]["p_no"]) == pytest.approx((0.6, 0.2))
    assert "p_yes" not in records[3]
    question, answer, verification = chat.requests[1]["messages"]
    assert question["content"] == chat.requests[0]["messages"][0]["content"]
    assert answer == {"role": "assistant", "content": "yes"}
    assert "Proposed answer: yes" in verification["content"]


def test_the_probability_of_an_answer_is_that_of_its_tokens(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    chat.tokens = lambda prompt: [-0.1, -0.3] if prompt == "Question 0?" else []
    asked = _ask(chat, asked_for[:2], output, concurrency=1, confidence="sequence")
    first, second = _records(output)

    assert first["confidence"] == pytest.approx(exp(-0.2))
    assert (first["confidence_kind"], second["confidence"]) == ("sequence_probability", None)
    assert asked.n_unsure == 1
    assert len(chat.requests) == 2


ACTIONS = Question("conflict_suite", "answer_and_action", "default")


@pytest.mark.parametrize(
    ("said", "action", "answer"),
    [
        ("Action: trust_vision\nAnswer: red", "trust_vision", "red"),
        ("**Action:** Trust Text\n**Answer:** Yes.", "trust_text", "Yes."),
        ("- action: require-agreement.\n- answer: 2", "require_agreement", "2"),
        ("Action: abstain", "abstain", "Action: abstain"),
        ("Action: trust_vision or trust_text\nAnswer: no", None, "no"),
        ("I trust_vision here. yes", None, "I trust_vision here. yes"),
        ("Answer: abstain", None, "abstain"),
    ],
)
def test_a_model_states_its_action(
    chat: Chat, asked_for: list[Example], tmp_path: Path, said: str, action: str, answer: str
) -> None:
    output = tmp_path / "answers.jsonl"
    chat.answer = lambda _: said
    _ask(chat, asked_for[:1], output, question=ACTIONS)
    [record] = _records(output)
    assert (record["stated_action"], record["prediction"]) == (action, answer)
    assert record["said"] == said


def test_every_task_has_a_prompt_of_its_own() -> None:
    with (PROJECT / "seeds/shared/oracle_policy.csv").open(newline="") as file:
        actions = {row["oracle_action"] for row in csv.DictReader(file)}
    prompts = {}
    for benchmark, task in (
        ("clash", "open_ended"), ("clash", "multiple_choice"), ("pope", "open_ended"),
        ("vqa", "open_ended"), ("conflict_suite", "open_ended"),
        ("conflict_suite", "answer_and_action"), ("a_new_one", "open_ended"),
    ):  # fmt: skip
        prompts[benchmark, task] = read_picture_prompt(benchmark, task)
    assert len({prompt.sha256 for prompt in prompts.values()}) == 7
    assert set(prompts["conflict_suite", "answer_and_action"].actions) == actions
    phrase = project_vars()["clash_conflict_choice"]
    asked = prompts["clash", "open_ended"].text("What?", "A cat.", (), None)
    assert phrase in asked
    assert "fewer than 15 words" in asked
    for benchmark in ("conflict_suite_refined", "occlusions"):
        for task in ("open_ended", "answer_and_action"):
            assert read_picture_prompt(benchmark, task) is prompts["conflict_suite", task]


@pytest.mark.parametrize(
    ("model", "name", "picture"),
    [
        ("some-model", "", None),
        ("llava-hf/llava-1.5-7b-hf", "_llava", "<image>\n"),
        ("mPLUG/mPLUG-Owl3-7B", "_mplug_owl", "<|image|>"),
    ],
)
def test_a_model_is_asked_in_the_layout_that_it_knows(
    model: str, name: str, picture: str | None
) -> None:
    phrase = project_vars()["clash_conflict_choice"]
    choices = [Choice("A", "image_only", "a cat"), Choice("B", "conflict", phrase)]
    for task, offered in (("open_ended", []), ("multiple_choice", choices)):
        prompt = read_picture_prompt("clash", task, model)
        assert (prompt.full_version, prompt.picture) == (f"clash_{task}{name}-1", picture)
        asked = prompt.text("What is it?", "A dog.", offered, None)
        assert phrase in asked
        for part in ("both the picture and the caption", "contradict each other", "A dog.", "What"):
            assert part in asked
        assert ("(A) a cat\n(B) " in asked) == ("(A), " in asked) == bool(offered)
        # of other benchmarks all models are asked alike
        assert read_picture_prompt("vqa", task, model).models == ()


def test_a_killed_call_is_taken_up_and_pays_nothing_twice(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    _ask(chat, asked_for[:12], output)
    # killed while it wrote the last line
    output.write_bytes(output.read_bytes()[:-5])
    asked = _ask(chat, asked_for, output)

    assert (asked.tally.n_answered, asked.n_before) == (9, 11)
    assert len(chat.requests) == 12 + 9
    assert _keys(output) == sorted(str(example.key) for example in asked_for)


def test_another_file_is_not_written_over(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    output.write_text('{"something": "else"}\n')
    with pytest.raises(GainsayError, match="not answers of a former call: line 1"):
        _ask(chat, asked_for, output)
    assert output.read_text() == '{"something": "else"}\n'
    assert chat.requests == []


@pytest.mark.parametrize(
    "content",
    ['{"something": "else"}', "no JSON at all", '{"example_id": "e1", "prediction": "yes"}\n'],
    ids=["other record", "no record", "no word of the model"],
)
def test_a_file_of_somebody_else_stays_as_it_is(
    chat: Chat, asked_for: list[Example], tmp_path: Path, content: str
) -> None:
    output = tmp_path / "answers.jsonl"
    output.write_text(content)
    with pytest.raises(GainsayError, match=r"not answers of a former call.*; name another file"):
        _ask(chat, asked_for, output)
    assert output.read_text() == content
    assert chat.requests == []


def test_a_last_line_that_lost_its_end_of_line_is_an_answer(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    _ask(chat, asked_for[:12], output)
    output.write_text(output.read_text().rstrip("\n"))
    asked = _ask(chat, asked_for, output)
    assert (asked.tally.n_answered, asked.n_before) == (8, 12)
    assert _keys(output) == sorted(str(example.key) for example in asked_for)


@pytest.mark.parametrize(
    ("question", "model"),
    [
        (Question("conflict_suite", "open_ended", "default"), "another-model"),
        (Question("conflict_suite", "multiple_choice", "default"), "some-model"),
        (Question("conflict_suite", "open_ended", "original"), "some-model"),
        (Question("other_suite", "open_ended", "default"), "some-model"),
    ],
    ids=["model", "task", "condition", "benchmark"],
)
def test_answers_to_other_questions_are_not_taken_for_answers(
    chat: Chat, asked_for: list[Example], tmp_path: Path, question: Question, model: str
) -> None:
    output = tmp_path / "answers.jsonl"
    _ask(chat, asked_for[:2], output)
    before = output.read_text()
    with pytest.raises(GainsayError, match="holds an answer of some-model to conflict_suite"):
        _ask(chat, asked_for, output, question=question, model=model)
    assert (output.read_text(), len(chat.requests)) == (before, 2)


def test_answers_to_prompts_that_have_changed_are_not_taken_for_answers(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    _ask(chat, asked_for[:2], output)
    changed = [replace(asked_for[0], prompt="Another question?"), *asked_for[1:]]
    with pytest.raises(GainsayError, match="holds an answer to e0 as it was asked before"):
        _ask(chat, changed, output)
    assert len(chat.requests) == 2


def test_two_calls_do_not_pay_twice(chat: Chat, asked_for: list[Example], tmp_path: Path) -> None:
    output = tmp_path / "answers.jsonl"
    with (
        open_store(output, "example_id"),
        pytest.raises(GainsayError, match="another process is asking"),
    ):
        _ask(chat, asked_for, output)
    assert chat.requests == []
    assert _ask(chat, asked_for, output).tally.n_answered == 20


def test_a_full_disk_leaves_whole_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "answers.jsonl"
    with open_store(output, "example_id") as store:
        store.append([{"example_id": "e0"}])
        file = store._file

        class FullDisk:
            truncate = staticmethod(file.truncate)

            @staticmethod
            def write(data: bytes) -> int:
                if len(data) < 20:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return file.write(data[:15])

        monkeypatch.setattr(store, "_file", FullDisk())
        with pytest.raises(GainsayError, match="cannot be written: No space left on device"):
            store.append([{"example_id": "e1", "prediction": "yes"}])
        monkeypatch.undo()
        assert output.read_text() == '{"example_id":"e0"}\n'
        store.append([{"example_id": "e2"}])
    assert output.read_text() == '{"example_id":"e0"}\n{"example_id":"e2"}\n'


def test_the_key_goes_to_the_server_alone(
    chat: Chat,
    asked_for: list[Example],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    chat.faults = [(401, b"no")]
    asked = _ask(chat, asked_for, tmp_path / "answers.jsonl")

    assert set(chat.keys) == {f"Bearer {SECRET}"}
    assert SECRET not in (tmp_path / "answers.jsonl").read_text()
    assert SECRET not in str(asked)
    assert SECRET not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("status", "body", "hint"),
    [
        (401, b"no", f"is {KEY_VARIABLE} set, and a key of http://"),
        (403, b"no", f"is {KEY_VARIABLE} set, and a key of http://"),
        (404, b"no", "is http://"),
        (200, b"<html>", "is http://"),
        (400, b"too long", ""),
        (429, b"slow down", ""),
        (500, b"broken", ""),
        (503, b"later", ""),
    ],
)
def test_a_key_is_asked_for_where_the_server_refuses_it(
    chat: Chat,
    asked_for: list[Example],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    status: int,
    body: bytes,
    hint: str,
) -> None:
    # as often as it is tried
    chat.faults = [(status, body)] * 5
    asked = _ask(chat, asked_for[:1], tmp_path / "answers.jsonl")
    assert asked.tally.failures.total() == 1
    show_doubts(asked.tally, chat.url)
    shown = capsys.readouterr().err
    assert shown.startswith(hint)
    assert bool(shown) is bool(hint)


def test_a_missing_picture_fails_alone(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    gone = Example("gone", "gone", "?", str(tmp_path / "gone.png"))
    asked = _ask(chat, [gone, *asked_for], tmp_path / "answers.jsonl")
    assert asked.tally.n_answered == 20
    [(failure, n)] = asked.tally.failures.items()
    assert f"{gone.path}: the picture cannot be read: No such file or directory" in failure
    # which is no fault of the server's
    assert (n, asked.tally.n_unasked) == (1, 1)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
    ],
)
def test_a_picture_is_what_its_bytes_say(
    chat: Chat, tmp_path: Path, content: bytes, media_type: str
) -> None:
    picture = tmp_path / "a.tiff"
    picture.write_bytes(content)
    asked = _ask(chat, [Example("e1", "e1", "?", str(picture))], tmp_path / "answers.jsonl")
    assert asked.tally.n_answered == 1
    url = chat.requests[0]["messages"][0]["content"][0]["image_url"]["url"]
    assert url == f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def test_further_pictures_stand_behind_the_first(chat: Chat, tmp_path: Path) -> None:
    names = ["a", "b", "c"]
    for name in names:
        (tmp_path / name).write_bytes(b"GIF89a" + name.encode())
    first, *further = [PictureFile(str(tmp_path / name)) for name in names]
    example = Example("e1", "e1", "?", first.path, further_files=tuple(further))

    asked = _ask(chat, [example], tmp_path / "answers.jsonl")

    assert asked.tally.n_answered == 1
    *pictures, prompt = chat.requests[0]["messages"][0]["content"]
    urls = [picture["image_url"]["url"] for picture in pictures]
    assert [base64.b64decode(url.partition(",")[2])[-1:] for url in urls] == [b"a", b"b", b"c"]
    assert prompt["type"] == "text"


def test_a_picture_that_was_replaced_is_sent_to_nobody(chat: Chat, tmp_path: Path) -> None:
    picture = tmp_path / "a.gif"
    picture.write_bytes(b"GIF89a")
    landed = hashlib.sha256(b"GIF89a").hexdigest()
    picture.write_bytes(b"GIF87a")
    example = Example("e1", "e1", "?", str(picture), sha256=landed)
    asked = _ask(chat, [example], tmp_path / "answers.jsonl")
    assert (asked.tally.n_answered, asked.tally.failures.total()) == (0, 1)
    assert chat.requests == []


def test_what_is_no_picture_is_sent_to_nobody(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    page = tmp_path / "page.jpg"
    page.write_bytes(b"<html>404</html>")
    asked = _ask(
        chat, [Example("page", "page", "?", str(page)), *asked_for], tmp_path / "answers.jsonl"
    )
    assert asked.tally.n_answered == len(chat.requests) == 20
    [(failure, n)] = asked.tally.failures.items()
    assert n == 1
    assert failure.startswith("no picture: the file starts with b'<html>404</h'")


def test_a_hopeless_call_is_given_up(chat: Chat, tmp_path: Path) -> None:
    picture = tmp_path / "7.png"
    picture.write_bytes(PNG + b"the bytes of a picture")
    many = [Example(f"e{n}", f"e{n}", f"Question {n}?", str(picture)) for n in range(100)]
    chat.faults = [(404, b"no such model")] * 100
    asked = _ask(chat, many, tmp_path / "answers.jsonl")

    assert asked.tally.is_given_up
    # what was under way meanwhile ends
    assert 20 <= len(chat.requests) < 20 + 4
    assert asked.tally.failures == {"status 404: no such model": len(chat.requests)}


N = 24


@pytest.fixture
def asked_warehouse(tmp_path: Path) -> Warehouse:
    """A warehouse of 24 examples and as many CLASH samples, each with a picture of its own."""
    warehouse = Warehouse(tmp_path, GAINSAY_RENDERINGS=str(tmp_path / "pictures"))
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(N):
        (pictures / f"{number}.png").write_bytes(PNG + b"picture %d" % number)
        (pictures / f"{number}-edited.png").write_bytes(PNG + b"rendering %d" % number)
    with duckdb.connect(warehouse.path) as connection:
        connection.execute(f"""
            create schema conflict_suite; create schema clash; create schema images;
            create table conflict_suite.conflict_suite__prompts as
            select 'e' || n as example_id, example_id as example_key,
                example_id as asked_example_id, 'open_ended' as task,
                'default' as condition, 'coco-' || n as shown_image_id,
                case when n >= {N} // 2 then example_id end as recipe_id,
                'Question ' || n || '?' as question, 'Text ' || n as context,
                cast(null as varchar) as choices, 'Answer.' as instruction,
                '7' as prompt_version
            -- two have no picture: one is not landed, one is not rendered
            from (select * from range({N}) union all values (98), (99)) as numbers (n);
            create table images.images__recipes as
            select example_id as recipe_id, 'key ' || example_id as render_key,
                'path' as path, 'archive' as archive
            from conflict_suite.conflict_suite__prompts
            where recipe_id is not null;
            create table images.images__renderings as
            select render_key, substr(recipe_id, 2) || '-edited.png' as rendered_file,
                case when recipe_id = 'e99' then 'unreadable' end as error_kind
            from images.images__recipes
            where recipe_id <> 'e98';
            create table clash.clash__prompts as
            select 's' || n as example_id,
                -- two pictures of the test set have one number
                case when n < 2 then '77' else 's' || n end as example_key,
                's' || n || '::' || condition as asked_example_id,
                task, condition, 'coco-' || n as shown_image_id,
                cast(null as varchar) as recipe_id, 'Question ' || n || '?' as question,
                word || ' ' || n as context,
                case when task = 'multiple_choice' then choices end as choices,
                case when task = 'open_ended' then 'Answer.' end as instruction,
                '7' as prompt_version
            from range({N}) as numbers (n)
            cross join (values ('original', 'Right'), ('conflicting', 'Wrong'))
                as conditions (condition, word)
            cross join (values ('open_ended'), ('multiple_choice')) as tasks (task)
            -- every sample has its answers under other letters
            cross join lateral (
                select cast(to_json(list({{
                    'letter': substr('ABCD', 1 + (n + place) % 4, 1), 'kind': kind, 'text': choice
                }})) as varchar) as choices
                from (values (0, 'image_only', 'i'), (1, 'text_only', 't'),
                    (2, 'distractor', 'd'), (3, 'conflict', 'c')) as k (place, kind, choice)
            );
            create table images.images__files as
            select 'coco-' || n as source_image_id, '{pictures}/' || n || '.png' as path,
                cast(null as varchar) as archive, cast(null as varchar) as sha256
            from (select * from range({N}) union all values (99)) as numbers (n);
        """)
    return warehouse


def _predict(chat: Chat, output: Path, *options: str) -> list[str]:
    return [
        "predict", "--base-url", chat.url, "--model", "some-model", "--backoff", "0",
        *(options or ("--benchmark", "conflict_suite")), str(output),
    ]  # fmt: skip


def _asked(chat: Chat) -> list[tuple[str, str]]:
    """Text and picture of every request."""
    contents = [request["messages"][0]["content"] for request in chat.requests]
    pictures = [
        base64.b64decode(image["image_url"]["url"].partition("base64,")[2]) for image, _ in contents
    ]
    return [
        (text["text"], picture.removeprefix(PNG).decode())
        for (_, text), picture in zip(contents, pictures, strict=True)
    ]


def test_another_model_that_answers_is_kept_and_told(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    for model, limit in (("some-model", 2), ("another-model", 5)):
        chat.model = model
        limited = ("--benchmark", "conflict_suite", "--limit", str(limit))
        process = asked_warehouse.gainsay(*_predict(chat, output, *limited))
    assert (
        "3 answers are, by the server, of other models than some-model, such as 'another-model'"
        " (3):"
    ) in process.stderr
    kept = [record["asked"].get("answered_model") for record in _records(output)]
    assert kept == [None] * 2 + ["another-model"] * 3
    following = process.stdout.splitlines()[-1].removeprefix("next: ")
    asked_warehouse.gainsay(*shlex.split(following.partition(" && ")[0])[1:])
    landed = "select model, answered_model, count(*) from raw.predictions group by all order by all"
    assert asked_warehouse.rows(landed) == [
        ("some-model", "another-model", 3),
        ("some-model", None, 2),
    ]


def test_the_command_asks_every_example_once_with_its_picture(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    output = tmp_path / "out" / "answers.jsonl"
    options = ("--benchmark", "conflict_suite", "--price-in", "1000", "--price-out", "5000")
    process = asked_warehouse.gainsay(*_predict(chat, output, *options))

    assert sorted(_asked(chat)) == sorted(
        (f"Caption: Text {n}\nQuestion: Question {n}?\nAnswer.",
         f"picture {n}" if n < N // 2 else f"rendering {n}")
        for n in range(N)
    )  # fmt: skip
    assert _keys(output) == sorted(f"e{n}" for n in range(N))
    for record in map(json.loads, output.read_text().splitlines()):
        asked = record["asked"]
        assert asked.pop("request_sha256") != asked.pop("prompt_sha256")
        assert asked == {
            "benchmark": "conflict_suite", "task": "open_ended", "condition": "default",
            "model": "some-model", "example_id": record["example_id"],
            "prompt_version": "conflict_suite_answer-1+7",
            "parameters": {"max_tokens": 64, "temperature": 0},
        }  # fmt: skip
    # 24 x 500 tokens at 1,000 dollars a million and 24 x 20 at 5,000
    shown, following = process.stdout.splitlines()
    assert shown == f"{output}: 24 answered, 0 before, 12,000 + 480 tokens, $14.40"
    # what is shown at the end lands the answers
    land, score = following.removeprefix("next: ").split(" && ")
    assert score == "gainsay score --benchmark conflict_suite"
    landed = asked_warehouse.gainsay(*shlex.split(land)[1:])
    assert "24 answers of some-model landed" in landed.stdout
    rows = asked_warehouse.rows("""
        select distinct prompt_version, length(prompt_sha256), parameters from raw.predictions
    """)
    assert rows == [("conflict_suite_answer-1+7", 64, '{"max_tokens":64,"temperature":0.0}')]

    again = asked_warehouse.gainsay(*_predict(chat, output, *options))
    assert f"{output}: 0 answered, 24 before, 0 + 0 tokens, $0.00\n" in again.stdout
    assert len(chat.requests) == N


def test_the_command_asks_the_test_splits_alone(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    with duckdb.connect(asked_warehouse.path) as connection:
        connection.execute(f"""
            create schema vocabulary;
            create table vocabulary.split_roles as
            from read_csv('{PROJECT}/seeds/exports/split_roles.csv', header = true);
            create table conflict_suite.conflict_suite__examples as
            select
                example_id,
                ['train', 'val', 'test_id', 'test_ood_family'][1 + row_number() over () % 4]
                    as split
            from conflict_suite.conflict_suite__prompts
        """)
        in_test = connection.execute("""
            select example_id from conflict_suite.conflict_suite__examples
            inner join conflict_suite.conflict_suite__prompts using (example_id)
            where split like 'test%' and example_id not in ('e98', 'e99') order by all
        """).fetchall()
    output = tmp_path / "answers.jsonl"
    suite = ("--benchmark", "conflict_suite", "--split")
    asked_warehouse.gainsay(*_predict(chat, output, *suite, "test"))
    assert [(key,) for key in _keys(output)] == in_test
    assert 0 < len(in_test) < N

    refused = asked_warehouse.gainsay(*_predict(chat, output, *suite, "tset"), check=False)
    assert refused.returncode == 1
    assert (
        "no split tset is asked as open_ended under default; its splits are test_id,"
        " test_ood_family, train, val\n"
    ) in refused.stderr


def test_no_server_gets_a_picture_that_was_taken_down_since_the_build(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    with duckdb.connect(asked_warehouse.path) as connection:
        ensure_raw_schema(connection)
        # of the one the photograph is shown, of the other an edit
        connection.execute(
            "insert into raw.withdrawn_images"
            " select unnest(['coco-3', 'coco-20']), 'asked to', now()::timestamp"
        )
    output = tmp_path / "answers.jsonl"
    asked_warehouse.gainsay(*_predict(chat, output))
    assert _keys(output) == sorted(f"e{n}" for n in range(N) if n not in (3, 20))
    assert not {"picture 3", "rendering 20"} & {picture for _, picture in _asked(chat)}


def test_a_picture_in_two_files_is_asked_about_once_or_not_at_all(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    with duckdb.connect(asked_warehouse.path) as connection:
        connection.execute("""
            insert into images.images__files by name
            select * replace (path || '.copy' as path) from images.images__files
            where source_image_id = 'coco-3'
        """)
    process = asked_warehouse.gainsay(*_predict(chat, tmp_path / "a.jsonl"), check=False)
    assert process.returncode == 1
    assert "1 examples would be asked more than once, such as e3; run `gainsay" in process.stderr
    assert not chat.requests


def test_answers_that_are_not_kept_are_missed(
    chat: Chat, asked_for: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = AnswerStore.append

    def forgetful(store: AnswerStore, records: Iterable[dict[str, Any]]) -> None:
        append(store, [record for record in records if record["example_id"] != "e7"])

    monkeypatch.setattr(AnswerStore, "append", forgetful)
    with pytest.raises(GainsayError, match="holds 19 of these answers where 20 were given"):
        _ask(chat, asked_for, tmp_path / "answers.jsonl")


def test_a_split_of_clash_is_asked_under_one_caption(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    with duckdb.connect(asked_warehouse.path) as connection:
        connection.execute(f"""
            create schema vocabulary;
            create table vocabulary.split_roles as
            from read_csv('{PROJECT}/seeds/exports/split_roles.csv', header = true);
            create table clash.clash__examples as
            select distinct
                asked_example_id as example_id,
                ['train', 'test', 'test_generated', 'held_back'][
                    1 + cast(regexp_extract(example_id, '[0-9]+') as int) % 4
                ] as split
            from clash.clash__prompts
        """)

    def asked(*split: str) -> set[str]:
        output = tmp_path / f"answers{'-'.join(split)}.jsonl"
        options = ("--benchmark", "clash", "--task", "multiple_choice", *split)
        asked_warehouse.gainsay(*_predict(chat, output, *options))
        return {record["asked"]["example_id"] for record in _records(output)}

    in_split = [{f"s{n}" for n in range(N) if n % 4 == place} for place in range(4)]
    # the split that is called so, not all of its role
    assert asked("--split", "test") == in_split[1]
    assert asked("--split", "held_back") == in_split[3]
    assert asked() == in_split[0] | in_split[1] | in_split[2]
    output = tmp_path / "none.jsonl"
    options = ("--benchmark", "clash", "--task", "multiple_choice", "--split", "val")
    refused = asked_warehouse.gainsay(*_predict(chat, output, *options), check=False)
    assert (
        "clash: no split val is asked as multiple_choice under conflicting; its splits are"
        " held_back, test, test_generated, train\n"
    ) in refused.stderr


@pytest.mark.slow
def test_the_command_goes_on_where_it_was_killed(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    options = ("--benchmark", "conflict_suite", "--concurrency", "1")
    running: list[subprocess.Popen[bytes]] = []
    started = threading.Event()

    def answer(_prompt: str) -> str:
        started.wait()
        if len(chat.requests) == 8 and running[0].poll() is None:
            running[0].kill()
            running[0].wait()
        return "yes"

    chat.answer = answer
    command = [sys.executable, "-m", "gainsay", *_predict(chat, output, *options)]
    running.append(subprocess.Popen(command, cwd=PROJECT, env=asked_warehouse.environment))
    started.set()
    running[0].wait(PATIENCE)
    assert running[0].returncode == -signal.SIGKILL
    assert len(_keys(output)) == 7

    process = asked_warehouse.gainsay(*_predict(chat, output, *options))
    assert f"{output}: 17 answered, 7 before" in process.stdout
    assert _keys(output) == sorted(f"e{n}" for n in range(N))
    # only the question whose answer was lost with the process is asked again
    asked = Counter(text for text, _ in _asked(chat))
    assert sorted(asked.values()) == [1] * (N - 1) + [2]


def test_the_command_says_why_nothing_was_answered(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    chat.faults = [(404, b'{"error": "the model some-model does not exist"}')] * N
    failed = asked_warehouse.gainsay(*_predict(chat, output), check=False)

    assert failed.returncode == 1
    assert re.search("2[0-4] failed and stay open: status 404:", failed.stderr)
    assert "the model some-model does not exist" in failed.stderr
    assert "given up: none was answered, the rest was not asked" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert output.read_text() == ""

    chat.faults = []
    assert "24 answered, 0 before" in asked_warehouse.gainsay(*_predict(chat, output)).stdout


def test_the_command_offers_choices_under_either_caption(
    chat: Chat, asked_warehouse: Warehouse, tmp_path: Path
) -> None:
    chat.answer = lambda prompt: f"({prompt.partition(') i')[0][-1]})"
    output = tmp_path / "answers.jsonl"
    asked_warehouse.gainsay(
        *_predict(chat, output, "--benchmark", "clash", "--task", "multiple_choice",
                  "--condition", "original", "--limit", "5")
    )  # fmt: skip
    records = [json.loads(line) for line in output.read_text().splitlines()]

    assert {text.splitlines()[0] for text, _ in _asked(chat)} == {
        f"Caption: Right {n}" for n in ("0", "1", "10", "11", "12")
    }
    assert len(records) == 5
    for record in records:
        offered = record["modality_answers"]
        assert (record["image_id"] == "77") == ("question" in record)
        assert record["prediction"] == f"({offered['image_only']['choice']})"
        assert sorted(choice["choice"] for choice in offered.values()) == list("ABCD")
        assert record["asked"]["prompt_version"] == "clash_multiple_choice-1"

    layout = tmp_path / "llava.jsonl"
    asked_warehouse.gainsay(
        *_predict(chat, layout, "--benchmark", "clash", "--task", "multiple_choice",
                  "--limit", "1", "--model", "llava-1.5-7b")
    )  # fmt: skip
    [record] = _records(layout)
    assert record["asked"]["prompt_version"] == "clash_multiple_choice_llava-1"
    assert _asked(chat)[-1][0].splitlines()[1] == "Question 0?"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--benchmark", "vqa"), 1, "vqa: not in the warehouse, which has prompts of clash, conf"),
        (
            ("--benchmark", "conflict_suite", "--task", "multiple_choice"),
            1,
            "conflict_suite: it is not asked as multiple_choice; it has open_ended",
        ),
        (
            ("--benchmark", "clash", "--condition", "wrong"),
            1,
            "clash, open_ended: no condition wrong; it has conflicting, original",
        ),
    ],
)
def test_the_command_asks_nothing_that_is_not_there(
    chat: Chat,
    asked_warehouse: Warehouse,
    tmp_path: Path,
    options: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    process = asked_warehouse.gainsay(
        *_predict(chat, tmp_path / "answers.jsonl", *options), check=False
    )
    assert process.returncode == code
    assert message in process.stderr
    assert chat.requests == []


@pytest.fixture
def prompts(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Two examples with a text beside their picture; the picture of the second is not landed."""
    (tmp_path / "7.png").write_bytes(PNG + b"the bytes of a picture")
    with duckdb.connect() as connection:
        connection.execute("""
            create schema images; create schema vocabulary; create schema evaluation;
            create schema vqa;
            create table evaluation.conflicts__prompts (
                benchmark varchar, example_id varchar, example_key varchar, task varchar,
                condition varchar, question varchar, context varchar, choices varchar,
                instruction varchar, prompt_version varchar, shown_image_id varchar,
                recipe_id varchar, asked_example_id varchar
            );
            create table vqa.question_sets__prompts as from evaluation.conflicts__prompts;
            create table images.images__files (
                source_image_id varchar, path varchar, archive varchar, sha256 varchar
            );
            create table images.images__recipes (recipe_id varchar, render_key varchar);
            create table images.images__renderings (
                render_key varchar, rendered_file varchar, error_kind varchar
            );
        """)
        connection.executemany(
            "insert into evaluation.conflicts__prompts values"
            " (?, ?, ?, 'open_ended', 'default', ?, ?, null, 'Be brief.', 'v', ?, null, null)",
            [
                ["conflict_suite", "e1", "e1", "What color?", "A red bus.", "i1"],
                ["conflict_suite", "e2", "e2", "How many?", "Two dogs.", "i2"],
            ],
        )
        connection.execute(
            "insert into vqa.question_sets__prompts values ('vqa', 'q1', 'q1', 'open_ended',"
            " 'default', 'What color?', null, null, null, null, 'i1', null, 'q1')"
        )
        connection.execute(
            "insert into images.images__files values ('i1', ?, null, null)",
            [str(tmp_path / "7.png")],
        )
        yield connection


def test_one_side_alone_is_asked(
    chat: Chat, prompts: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """The text without any picture, or the picture without the text: conditions of their own."""
    asked: dict[str, list[str]] = {}
    for only in ("text", "picture"):
        question = resolve_question(prompts, "conflict_suite", "open_ended", None, only)
        asked_for = examples(prompts, question, "some-model")
        output = tmp_path / f"{only}.jsonl"
        chat.requests.clear()
        _ask(chat, asked_for, output, question=question)
        asked[only] = sorted(
            " ".join(part.get("text", "picture") for part in request["messages"][0]["content"])
            for request in chat.requests
        )
        provenance = {record["asked"]["condition"] for record in _records(output)}
        assert provenance == {f"{only}_only"}
        versions = {record["asked"]["prompt_version"] for record in _records(output)}
        assert all(version.endswith(f"+{only}_only") for version in versions)
        # the same file goes on with the same side, and takes no answer to another one
        assert _ask(chat, asked_for, output, question=question).n_before == len(asked_for)
        with pytest.raises(GainsayError, match="name another file"):
            _ask(chat, asked_for, output, question=replace(question, only=None))

    # no picture is needed where none is shown
    assert len(asked["text"]) == 2
    assert all("picture" not in said for said in asked["text"])
    assert any("A red bus." in said and "What color?" in said for said in asked["text"])
    assert len(asked["picture"]) == 1
    [said] = asked["picture"]
    assert said.startswith("picture")
    assert "What color?" in said
    assert "A red bus." not in said


def test_a_picture_without_a_text_beside_it_is_no_side_alone(
    prompts: duckdb.DuckDBPyConnection,
) -> None:
    question = resolve_question(prompts, "vqa", "open_ended", None, "picture")
    with pytest.raises(GainsayError, match="no text stands beside its pictures"):
        examples(prompts, question, "some-model")


@pytest.mark.parametrize(
    ("condition", "only", "answered"),
    [
        ("default", None, "default"),
        ("default", "text", "text_only"),
        ("conflicting", "picture", "conflicting_picture_only"),
    ],
)
def test_answers_to_one_side_have_a_condition_of_their_own(
    condition: str, only: Only | None, answered: str
) -> None:
    question = Question("clash", "open_ended", condition, only)
    assert question.answered_condition == answered


def test_a_temperature_is_sent_where_the_model_takes_one(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    client = ChatClient(chat.url, "some-model", temperature=0.7)
    predict(
        client, SUITE, asked_for[:1], tmp_path / "sample-1.jsonl",
        concurrency=1, advance=_untold, report=print,
    )  # fmt: skip
    assert chat.requests[0]["temperature"] == 0.7
    with pytest.raises(GainsayError, match="takes no temperature"):
        ChatClient(chat.url, "gpt-5", temperature=0.7)
