"""Asking a server: every example once, whatever goes wrong, and nothing secret is kept."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.asking import Asked, Example, ask_all
from ingest.chat_client import KEY_VARIABLE, ChatClient
from ingest.errors import GainsayError
from tests.python.chat_server import Chat, serve

SECRET = "sk-not-to-be-seen"


@pytest.fixture
def chat() -> Iterator[Chat]:
    with serve() as server:
        yield server


@pytest.fixture
def asked_for(tmp_path: Path) -> list[Example]:
    picture = tmp_path / "7.png"
    picture.write_bytes(b"the bytes of a picture")
    return [Example(f"e{n}", f"Question {n}?", str(picture), None, None) for n in range(20)]


def _untold(amount: int = 1) -> None:
    """Progress that nobody watches."""


def _ask(chat: Chat, asked_for: list[Example], output: Path, concurrency: int = 4) -> Asked:
    client = ChatClient(chat.url, "some-model", backoff_seconds=0)
    return ask_all(client, "conflict_suite", asked_for, output, concurrency, _untold)


def _keys(output: Path) -> list[str]:
    return sorted(json.loads(line)["example_id"] for line in output.read_text().splitlines())


def test_every_example_is_asked_once_with_its_picture(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    chat.answer = lambda prompt: prompt.upper()
    output = tmp_path / "out" / "answers.jsonl"
    asked = _ask(chat, asked_for, output)
    records = {(r := json.loads(line))["example_id"]: r for line in output.read_text().splitlines()}

    assert (asked.n_answered, asked.n_before, asked.failures) == (20, 0, {})
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
    chat.hold = threading.Barrier(4, timeout=30)
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

    assert (asked.n_answered, asked.failures) == (20, {})
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
    assert asked.failures is not None
    [(failure, n)] = asked.failures.items()
    assert (n, asked.n_answered) == (2, 18)
    assert failure.startswith(reason)

    again = _ask(chat, asked_for, output, concurrency=1)
    assert (again.n_answered, again.n_before) == (2, 18)
    assert _keys(output) == sorted(str(example.key) for example in asked_for)


def test_a_killed_call_is_taken_up_and_pays_nothing_twice(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    _ask(chat, asked_for[:12], output)
    # killed while it wrote the last line
    output.write_bytes(output.read_bytes()[:-5])
    asked = _ask(chat, asked_for, output)

    assert (asked.n_answered, asked.n_before) == (9, 11)
    assert len(chat.requests) == 12 + 9
    assert _keys(output) == sorted(str(example.key) for example in asked_for)


def test_another_file_is_not_written_over(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    output.write_text('{"something": "else"}\n')
    with pytest.raises(GainsayError, match="not answers of a former call"):
        _ask(chat, asked_for, output)
    assert output.read_text() == '{"something": "else"}\n'
    assert chat.requests == []


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


def test_a_missing_picture_fails_alone(
    chat: Chat, asked_for: list[Example], tmp_path: Path
) -> None:
    gone = Example("gone", "?", str(tmp_path / "gone.png"), None, None)
    asked = _ask(chat, [gone, *asked_for], tmp_path / "answers.jsonl")
    assert asked.n_answered == 20
    assert asked.failures == {"No such file or directory": 1}
