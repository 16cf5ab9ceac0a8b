"""Requests to language models survive a server that fails in every way, and nothing leaks."""

import csv
import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import duckdb
import pytest

from ingest import llm
from ingest.chat_client import ChatClient
from ingest.errors import GainsayError
from tests.python.conftest import PROJECT, Warehouse

KEY = "sk-nobody-may-see-this"


def silent(amount: int = 1) -> None:
    """Show no progress."""
    assert amount > 0


class ChatHandler(BaseHTTPRequestHandler):
    """An OpenAI-compatible server; the input says how it fails, and how often it was asked."""

    asked: ClassVar[Counter[str]]
    keys: ClassVar[set[str | None]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"]
        fault = text.split()[1]
        self.keys.add(self.headers["Authorization"])
        self.asked[text] += 1
        is_first = self.asked[text] == 1
        message = {"content": json.dumps({"label": "TEXT"})}
        choice: dict[str, object] = {"finish_reason": "stop", "message": message}
        if fault == "busy" and is_first:
            self.reply(429, "slow down")
        elif fault == "broken" and is_first:
            self.reply(500, "oops")
        elif fault == "denied":
            self.reply(401, f"wrong key {self.headers['Authorization']}")
        elif fault == "cut" and is_first:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"{")
            self.close_connection = True
        elif fault == "malformed":
            self.reply(200, '{"choices": [')
        elif fault == "refused":
            self.reply(200, json.dumps({"choices": [{"message": {"refusal": "I cannot"}}]}))
        elif fault == "truncated":
            self.reply(200, json.dumps({"choices": [choice | {"finish_reason": "length"}]}))
        else:
            self.reply(200, json.dumps({"choices": [choice]}))

    def reply(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[tuple[str, type[ChatHandler]]]:
    """A server on loopback, and what it has seen."""

    class Handler(ChatHandler):
        asked: ClassVar[Counter[str]] = Counter()
        keys: ClassVar[set[str | None]] = set()

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

    http = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_address[1]}/v1", Handler
    http.shutdown()
    http.server_close()


def requests_for(*inputs: str, model: str = "small-batch") -> list[llm.Request]:
    """Requests whose texts are the inputs."""
    prompt = llm.Prompt("judge", 1, "Judge.", "Input {input}", {"type": "object"}, "0" * 64)
    return [llm.make_request(prompt, model, text, {"input": text}, 50) for text in inputs]


def states(warehouse: Warehouse) -> dict[str, tuple[str, int]]:
    """State and number of responses of each request, by its input."""
    warehouse.build("--select", "+llm__outcomes", "llm__unknown_responses")
    return {
        str(input_id): (str(state), int(str(n)))
        for input_id, state, n in warehouse.rows(
            "select input_id, state, n_responses from llm.llm__outcomes"
        )
    }


def test_every_request_ends_in_one_state(
    server: tuple[str, type[ChatHandler]],
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, handler = server
    monkeypatch.setenv("GAINSAY_API_KEY", KEY)
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land", corpus)
    faults = ["busy", "broken", "cut", "malformed", "refused", "truncated", "denied"]
    inputs = [*faults, *(f"good {number}" for number in range(300))]
    client = ChatClient(url, "small-batch", backoff_seconds=0)
    with duckdb.connect(warehouse.path) as connection:
        llm.keep_requests(connection, requests_for(*inputs))
        waiting = llm.open_requests(connection, "judge", "small-batch")
        answered, failed = llm.run(connection, client, waiting, 64, silent)
        # a cut answer is a failure that the next run mends
        again = llm.open_requests(connection, "judge", "small-batch")
        assert again == [
            request for request in waiting if "cut" in request[1] or "denied" in request[1]
        ]
        llm.run(connection, client, again, 64, silent)
        assert llm.open_requests(connection, "judge", "small-batch") == [
            request for request in again if "denied" in request[1]
        ]
        # a file says a second thing of one request, and names an unknown one
        first = waiting[0][0]
        batch = tmp_path / "output.jsonl"
        batch.write_text(
            "\n".join(
                json.dumps({"custom_id": name, "response": {"status_code": 200, "body": {}}})
                for name in (first, "judge-unknown")
            )
            + "\nnot json\n"
        )
        llm.land_responses(connection, batch)
        assert llm.land_responses(connection, batch) == 3

    assert (answered, failed) == (len(inputs) - 2, 2)
    found = states(warehouse)
    assert len(found) == len(inputs)
    assert Counter(state for state, _ in found.values()) == {
        "answered": 303,
        "malformed": 1,
        "refused": 1,
        "truncated": 1,
        "failed": 1,
    }
    assert sum(n for _, n in found.values()) == len(inputs) + 3
    assert warehouse.rows("""
        select reason, count(*) from llm.llm__unknown_responses group by all order by all
    """) == [("no_response", 1), ("unknown_request", 1)]
    assert max(count for text, count in handler.asked.items() if "good" in text) == 1
    # the server saw the key, and nobody else does
    assert handler.keys == {f"Bearer {KEY}"}
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert KEY.encode() not in file.read_bytes(), file


def test_a_stopped_run_pays_for_nothing_twice(
    server: tuple[str, type[ChatHandler]], tmp_path: Path
) -> None:
    url, handler = server
    client = ChatClient(url, "small-batch", backoff_seconds=0)

    def stop_after_some(amount: int = 1) -> None:
        if amount and len(handler.asked) >= 20:
            raise KeyboardInterrupt

    database = tmp_path / "gainsay.duckdb"
    with duckdb.connect(database) as connection:
        llm.keep_requests(connection, requests_for(*(f"good {n}" for n in range(100))))
        waiting = llm.open_requests(connection, "judge", "small-batch")
        with pytest.raises(KeyboardInterrupt):
            llm.run(connection, client, waiting, 4, stop_after_some)
    with duckdb.connect(database) as connection:
        left = llm.open_requests(connection, "judge", "small-batch")
        assert 0 < len(left) < 100
        llm.run(connection, client, left, 4, silent)
        assert llm.open_requests(connection, "judge", "small-batch") == []
    # at most what was under way when it stopped
    assert sum(handler.asked.values()) <= 100 + 2 * 4


def test_batch_files_keep_the_provider_s_limits_and_shape(tmp_path: Path) -> None:
    made = [(request.custom_id, request.body) for request in requests_for(*map(str, range(25)))]

    files = llm.write_batches(made, tmp_path, "judge", most_requests=10)
    assert [len(file.read_text().splitlines()) for file in files] == [10, 10, 5]
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    assert [line["custom_id"] for line in lines] == [custom_id for custom_id, _ in made]
    assert len({line["custom_id"] for line in lines}) == 25
    for line in lines:
        assert set(line) == {"custom_id", "method", "url", "body"}
        assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
        assert line["body"]["response_format"]["json_schema"]["strict"] is True

    small = llm.write_batches(made, tmp_path / "small", "judge", most_bytes=1500)
    assert len(small) > 3
    assert all(file.stat().st_size <= 1500 for file in small)
    with pytest.raises(GainsayError, match="larger than a batch file"):
        llm.write_batches(made, tmp_path / "none", "judge", most_bytes=10)
    assert (llm.MOST_REQUESTS, llm.MOST_BYTES) == (50_000, 200_000_000)


def test_a_request_is_known_by_prompt_model_and_input(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        assert llm.keep_requests(connection, requests_for("one", "two")) == 2
        assert llm.keep_requests(connection, requests_for("one", "two", "three")) == 1
        assert llm.keep_requests(connection, requests_for("one", model="other")) == 1


def test_the_published_estimate_is_met() -> None:
    """Two thirds of 1,000 samples call the model, 500 tokens in and 500 out."""
    n_calls = 1_000 * 2 / 3
    assert llm.price(500 * n_calls, 500 * n_calls, 0.025, 0.20) == pytest.approx(0.075)


def test_prompts_ask_strictly_for_the_fields_of_the_seed() -> None:
    with (PROJECT / "seeds/llm/llm_fields.csv").open(newline="") as file:
        listed = [(row["task"], row["field"]) for row in csv.DictReader(file)]
    asked = []
    for task in llm.TASKS:
        schema = llm.read_prompt(task).schema
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        asked += [(task, field) for field in schema["properties"]]
    assert sorted(listed) == sorted(asked)


def test_requests_are_made_and_priced_for_built_inputs(
    synthetic: Warehouse, tmp_path: Path
) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.path.write_bytes(synthetic.path.read_bytes())
    options = ("--model", "small-batch", "--limit", "20")
    for task in ("edit_different", "edit_irrelevant", "clash_generate", "clash_question_check"):
        shown = warehouse.gainsay("llm", "cost", "--task", task, *options).stdout
        assert shown.startswith("20 requests, ")
    warehouse.gainsay("llm", "export", "--task", "edit_different", *options, tmp_path / "batches")
    [file] = (tmp_path / "batches").iterdir()
    assert len(file.read_text().splitlines()) == 20
