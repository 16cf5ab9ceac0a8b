"""What a model's server may answer: nothing wrong counts as answered, nothing paid for is lost.

And nothing leaks: prompts, pictures and the key go to the server that was named alone, and what it
repeats of the key is neither kept nor shown.
"""

import base64
import json
import socket
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.http import Secret, without_password
from gainsay.ingest.llm_responses import Request, Response, land_answers, land_requests
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.lm import chat_client, requesting
from gainsay.lm.chat_client import KEY_VARIABLE, ChatClient, ChatError
from tests.python.conftest import PATIENCE

KEY = "sk-proj-nobody/may+see=this"
PNG = b"\x89PNG\r\n\x1a\n"


def _completion(content: object = "yes", **others: object) -> bytes:
    message = {"role": "assistant", "content": content}
    choice = {"message": message, "finish_reason": "stop"} | others.pop("choice", {})  # type: ignore[operator]
    return json.dumps({"choices": [choice]} | others).encode()


@contextmanager
def _server(*answers: bytes | Callable[[socket.socket], None]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that gives each request the next answer, bytes as they go over the wire."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for answer in answers:
                try:
                    connected, _ = listening.accept()
                except OSError:
                    return
                with connected, connected.makefile("rb") as stream:
                    head = b""
                    while not head.endswith(b"\r\n\r\n"):
                        head += stream.readline()
                    [length] = [
                        int(line.partition(b":")[2])
                        for line in head.split(b"\r\n")
                        if line.lower().startswith(b"content-length:")
                    ]
                    seen.append(head + stream.read(length))
                    if isinstance(answer, bytes):
                        connected.sendall(answer)
                    else:
                        answer(connected)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", seen
        # ends a wait for a request that nobody sends
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def _ok(body: bytes, status: str = "200 OK", headers: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n"
    return head.encode() + body


NO_ANSWERS = {
    "error object": b'{"error": {"message": "overloaded", "code": 529}}',
    "page": b"<!doctype html><h1>Log in</h1>",
    "cut": _completion()[:-9],
    "nothing": b"",
    "null": b"null",
    "list": b"[]",
    "no choices": b'{"choices": []}',
    "no message": b'{"choices": [{}]}',
    "no content": _completion(None),
    "a number": _completion(7),
    "deep": b"[" * 100_000,
    "no UTF-8": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_what_is_no_completion_is_a_failure_with_its_reason(name: str) -> None:
    with _server(_ok(NO_ANSWERS[name])) as (url, _):
        client = ChatClient(url, "model", backoff_seconds=0)
        with pytest.raises(ChatError, match="not a chat completion"):
            client.complete("{}")


def test_the_next_run_asks_again_what_was_not_answered(tmp_path: Path) -> None:
    requests = [Request(f"id-{n}", "judge", "m", "0" * 64, str(n), "{}") for n in range(3)]
    responses = [
        # as an earlier version kept them
        Response("id-0", 200, '{"error": {"message": "overloaded"}}', None),
        Response("id-1", 200, "<html>", None),
        Response("id-2", 200, _completion().decode(), None),
    ]
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        land_requests(DuckDbSink(connection), requests)
        land_answers(DuckDbSink(connection), "store", responses)
        still_open = requesting.open_requests(connection, requests)
    assert [request.custom_id for request in still_open] == ["id-0", "id-1"]


PAID_FOR = {
    "tokens as floats": _completion(usage={"prompt_tokens": 12.0, "completion_tokens": 3.5}),
    "no tokens": _completion(usage={"prompt_tokens": None, "completion_tokens": "three"}),
    "usage is a text": _completion(usage="free"),
    "endless tokens": _completion()[:-1] + b', "usage": {"prompt_tokens": 1e400}}',
    "half a pair": _completion("yes\ud83d"),
    "not a number": _completion()[:-1] + b', "usage": {"prompt_tokens": NaN}}',
    "odd probabilities": _completion(choice={"logprobs": {"content": "none"}}),
    "odd reason": _completion(choice={"finish_reason": {"code": 1}}),
}


@pytest.mark.parametrize("name", PAID_FOR)
def test_what_is_beside_an_answer_does_not_lose_it(name: str) -> None:
    with _server(*[_ok(PAID_FOR[name])] * 2) as (url, _):
        client = ChatClient(url, "model", backoff_seconds=0)
        reply = client.ask("prompt", PNG)
        kept = client.complete("{}")
    assert (reply.text or "").startswith("yes")
    assert reply.n_prompt_tokens in (0, 12)
    # whoever reads it later reads it, too
    with duckdb.connect() as connection:
        [(content,)] = connection.execute(
            "select json_extract_string($1, '$.choices[0].message.content')", [kept]
        ).fetchall()
    assert content == reply.text


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
@pytest.mark.parametrize("location", ["{other}/v1", "http://[::1", "//169.254.169.254/", "\xff"])
def test_no_redirect_is_followed(status: str, location: str) -> None:
    with _server() as (other, asked):
        location = location.format(other=other)
        head = f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nLocation: {location}\r\n\r\n"
        with _server(head.encode("latin-1")) as (url, _):
            client = ChatClient(url, "model", backoff_seconds=0)
            with pytest.raises(ChatError, match="name its own address with --base-url"):
                client.ask("prompt", PNG)
    assert asked == []


def _spelled(key: str) -> dict[str, bytes]:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in key)
    return {
        "as it is": json.dumps(key).encode(),
        "escaped": f'"{escaped}"'.encode(),
        "in base64": json.dumps(base64.b64encode(key.encode()).decode()).encode(),
        "in a header in base64": json.dumps(
            base64.b64encode(f"Authorization: Bearer {key}".encode()).decode()
        ).encode(),
        "in an address": json.dumps(f"?key={urllib.parse.quote(key, safe='')}").encode(),
    }


@pytest.mark.parametrize("spelling", _spelled(KEY))
@pytest.mark.parametrize("is_good", [True, False])
def test_a_key_that_a_server_repeats_is_kept_nowhere(
    monkeypatch: pytest.MonkeyPatch, spelling: str, is_good: bool
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    said = _spelled(KEY)[spelling]
    answer = _completion().replace(b'"yes"', said) if is_good else b'{"error": %b}' % said
    told = []
    with _server(*[_ok(answer)] * 2) as (url, asked):
        client = ChatClient(url, "model", backoff_seconds=0)
        for ask in (lambda: client.complete("{}"), lambda: client.ask("prompt", PNG).text):
            try:
                told.append(str(ask()))
            except ChatError as error:
                told.append(str(error))
    assert b"Bearer " + KEY.encode() in asked[0]
    for text in told:
        plain = text.encode().decode("unicode_escape")
        assert KEY not in text
        assert KEY not in plain or not is_good
        assert base64.b64encode(KEY.encode()).decode()[1:-4] not in text
        assert "(key)" in text or spelling == "escaped"


def test_a_short_key_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "EMPTY")
    with _server(_ok(_completion("the glass is EMPTY"))) as (url, _):
        reply = ChatClient(url, "model").ask("prompt", PNG)
    assert reply.text == "the glass is EMPTY"


@pytest.mark.parametrize("key", ["sk-\u20ac", "sk one", "sk\n", "sk-\udcff"])
def test_a_key_that_no_header_holds_is_said_without_it(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with pytest.raises(GainsayError, match=KEY_VARIABLE) as raised:
        ChatClient("http://localhost:1/v1", "model")
    assert "sk" not in str(raised.value)


@pytest.mark.parametrize(
    "address",
    ["", "localhost:8000", "ftp://example.org", "http://", "http://[::1", "http://a:b/v1",
     "http://ex\udcffample.org", "http://user:hush@[::1", "https://user:hush@host:99999/"],
)  # fmt: skip
def test_an_address_that_is_none_is_said_without_its_password(address: str) -> None:
    with pytest.raises(GainsayError, match="--base-url") as raised:
        ChatClient(address, "model")
    assert "hush" not in str(raised.value)


def test_a_password_in_an_address_is_not_shown() -> None:
    assert without_password("http://me:hush@host:8000/v1?a=b") == "http://host:8000/v1?a=b"


def _drip_a_head(connected: socket.socket) -> None:
    _drip(connected, b"HTTP/1.1 200 OK\r\nX-Slow: ")


def _drip_a_body(connected: socket.socket) -> None:
    connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    _drip(connected, b"")


def _drip_chunks(connected: socket.socket) -> None:
    connected.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    _drip(connected, b"", b"1\r\nx\r\n")


def _drip(connected: socket.socket, first: bytes, each: bytes = b"x") -> None:
    """Send a byte every now and then, until nobody listens."""
    pause = threading.Event()
    try:
        connected.sendall(first)
        while True:
            connected.sendall(each)
            pause.wait(0.02)
    except OSError:
        return


@pytest.mark.parametrize("drip", [_drip_a_head, _drip_a_body, _drip_chunks])
def test_an_answer_that_drips_has_an_end(
    monkeypatch: pytest.MonkeyPatch, drip: Callable[[socket.socket], None]
) -> None:
    # however long the server is silent between two bytes
    monkeypatch.setattr(chat_client, "_SILENCES_OF_AN_ANSWER", 0.4 / PATIENCE)
    with _server(drip) as (url, asked):
        client = ChatClient(url, "model", backoff_seconds=0, timeout_seconds=PATIENCE)
        with pytest.raises(ChatError, match=r"no whole answer within 0\.4 s"):
            client.complete("{}")
    # it may have been paid for, and is not asked for at once again
    assert len(asked) == 1


def test_spellings_of_a_key_cover_every_place_in_base64() -> None:
    secret = Secret(KEY)
    for before in range(7):
        text = base64.b64encode(b"x" * before + KEY.encode() + b"tail").decode()
        left = secret.taken_out(text)
        assert "(key)" in left
        assert len(left) < len(text) - len(KEY)


def test_a_file_without_one_response_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    noise = tmp_path / "noise.jsonl"
    noise.write_bytes(b"\x00\xff\n{}\nno json\n")
    result = CliRunner().invoke(main, ["llm", "import", str(noise)])
    assert result.exit_code == 1
    assert "no line is a response" in result.output
