"""Requests to language models survive a server that fails in every way, and nothing leaks."""

import csv
import json
import signal
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from gainsay.errors import GainsayError
from gainsay.lm import batches as llm
from gainsay.lm.chat_client import KEY_VARIABLE, ChatClient
from tests.python.conftest import PROJECT, Warehouse
from tests.python.fickle_server import serve

KEY = "sk-nobody-may-see-this"


def silent(amount: int = 1) -> None:
    """Show no progress."""
    assert amount > 0


def requests_for(*inputs: str, model: str = "small-batch") -> list[llm.Request]:
    """Requests whose texts are the inputs."""
    prompt = llm.Prompt("judge", 1, "Judge.", "{input}", {"type": "object"}, "0" * 64)
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


# what the server does with a request, and the state that it ends in
FATES = {
    "busy": "answered",
    "broken": "answered",
    "down": "answered",
    "silent": "answered",
    "slow": "answered",
    "cut": "answered",
    "malformed": "malformed",
    "babble": "malformed",
    "refused": "refused",
    "filtered": "refused",
    "truncated": "truncated",
    "denied": "failed",
}
N_REQUESTS = 10_000


def test_ten_thousand_requests_end_in_one_state_each(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land", corpus)
    fates = list(FATES)
    inputs = [
        f"{number} {fates[number % 50] if number % 50 < len(fates) else 'good'}"
        for number in range(N_REQUESTS)
    ]
    with serve(seconds=0.03) as fickle, duckdb.connect(warehouse.path) as connection:
        client = ChatClient(fickle.url, "small-batch", backoff_seconds=0)
        made = requests_for(*inputs)
        assert llm.keep_requests(connection, made) == N_REQUESTS
        waiting = llm.open_requests(connection, made)
        answered, failed = llm.run(connection, client, waiting, 64, silent)
        # a cut answer is a failure that the next run mends, a wrong key is none
        again = llm.open_requests(connection, made)
        assert answered == N_REQUESTS - len(again)
        assert len(again) == failed.total() == 2 * 200
        # a wrong key is told without the key
        assert failed["status 401: wrong key Bearer (key)"] == 200
        assert (fickle.most_at_once, fickle.mean_at_once > 32) == (64, True)
        llm.run(connection, client, again, 64, silent)
        left = llm.open_requests(connection, made)
        assert len(left) == 200
        assert {name for name, _ in left} < {name for name, _ in again}
        # a file says a second thing of one request, and names unknown ones
        first = waiting[0][0]
        batch = tmp_path / "output.jsonl"
        batch.write_text(
            "\n".join(
                json.dumps({"custom_id": name, "response": {"status_code": 200, "body": {}}})
                for name in (first, "judge-unknown", None, 7)
            )
            + "\nnot json\n"
        )
        llm.land_responses(connection, batch)
        assert llm.land_responses(connection, batch) == 5
        # a response without a name answers nobody
        assert len(llm.open_requests(connection, made)) == 200
        n_responses = connection.execute("select count(*) from raw.llm_responses").fetchone()

    found = states(warehouse)
    assert {text: state for text, (state, _) in found.items()} == {
        text: FATES.get(text.split()[1], "answered") for text in inputs
    }
    assert n_responses == (N_REQUESTS + len(again) + 5,)
    assert sum(n for _, n in found.values()) == N_REQUESTS + len(again) + 1
    assert warehouse.rows("""
        select reason, count(*) from llm.llm__unknown_responses group by all order by all
    """) == [("no_response", 3), ("unknown_request", 1)]
    # what was answered was paid for once
    assert set(fickle.answered.values()) == {1}
    # the server saw the key, and nobody else does
    assert fickle.keys == {f"Bearer {KEY}"}
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert KEY.encode() not in file.read_bytes(), file


def test_a_killed_run_pays_for_nothing_twice(synthetic: Warehouse, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path, GAINSAY_API_KEY=KEY)
    warehouse.path.write_bytes(synthetic.path.read_bytes())
    with serve(seconds=0.02) as fickle:
        arguments = [
            "llm", "run", "--task", "edit_irrelevant", "--model", "some-model",
            "--base-url", fickle.url, "--concurrency", "4",
        ]  # fmt: skip
        killed = subprocess.Popen(
            [sys.executable, "-m", "gainsay", *arguments], cwd=PROJECT,
            env=warehouse.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert fickle.after(60).wait(timeout=60)
        killed.send_signal(signal.SIGKILL)
        output = killed.communicate()[0]
        assert killed.returncode == -signal.SIGKILL
        before = Counter(fickle.asked)
        shown = warehouse.gainsay(*arguments)
        once_more = warehouse.gainsay(*arguments)

    [(n_requests, n_responses, n_answered)] = warehouse.rows("""
        select
            (select count(*) from raw.llm_requests),
            count(*),
            count(distinct custom_id)
        from raw.llm_responses
    """)
    assert n_requests == n_responses == n_answered > 100  # type: ignore[operator]
    # at most what was under way when it was killed, and what came within a tenth of a second
    assert sum(before.values()) >= 60
    assert 0 <= fickle.n_asked - int(str(n_requests)) <= 4 + 40
    assert once_more.stdout.startswith("0 answered, 0 failed and still open\n")
    for text in (output.decode(), shown.stdout, shown.stderr):
        assert KEY not in text


def test_a_stopped_run_keeps_what_came(tmp_path: Path) -> None:
    with serve() as fickle, duckdb.connect(tmp_path / "gainsay.duckdb") as connection:

        def stop_after_some(amount: int = 1) -> None:
            if amount and fickle.n_asked >= 20:
                raise KeyboardInterrupt

        client = ChatClient(fickle.url, "small-batch", backoff_seconds=0)
        made = requests_for(*(f"{n} good" for n in range(500)))
        llm.keep_requests(connection, made)
        waiting = llm.open_requests(connection, made)
        with pytest.raises(KeyboardInterrupt):
            llm.run(connection, client, waiting, 4, stop_after_some)
        left = llm.open_requests(connection, made)
        llm.run(connection, client, left, 4, silent)
        assert 0 < len(left) < 500
        assert llm.open_requests(connection, made) == []
        # at most what was under way when it stopped
        assert fickle.n_asked <= 500 + 2 * 4


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

    # what is open no longer is not sent again
    assert llm.write_batches(made[:5], tmp_path, "judge", most_requests=10) == files[:1]
    assert sorted(tmp_path.iterdir()) == files[:1]

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

    # the prompt of 7 characters is part of the 500 tokens
    made = requests_for(*(f"{number:04}" + "x" * 1_989 for number in range(round(n_calls))))
    with (PROJECT / "seeds/shared/llm/llm_prices.csv").open(newline="") as file:
        prices = {row["model"]: row for row in csv.DictReader(file)}["small-batch"]
    cost = llm.estimate(
        [(request.custom_id, request.body) for request in made],
        float(prices["dollars_per_million_in"]), float(prices["dollars_per_million_out"]), 500,
    )  # fmt: skip
    assert (cost.n_requests, cost.n_tokens_in, cost.n_tokens_out) == (667, 333_500, 333_500)
    assert cost.dollars == pytest.approx(0.075, rel=1e-3)


def test_prompts_ask_strictly_for_the_fields_of_the_seed() -> None:
    with (PROJECT / "seeds/shared/llm/llm_fields.csv").open(newline="") as file:
        listed = [
            (row["task"], row["field"], row["kind"], row["choices"]) for row in csv.DictReader(file)
        ]
    asked = []
    for task in llm.TASKS:
        schema = llm.read_prompt(task).schema
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        asked += [
            (task, field, value["type"], " ".join(value.get("enum", [])))
            for field, value in schema["properties"].items()
        ]
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
    # an estimate leaves nothing behind, and a limit counts whatever was asked for before
    assert warehouse.rows("select count(*) from raw.llm_requests") == [(20,)]
    few = ("--model", "small-batch", "--limit", "5", tmp_path / "few")
    warehouse.gainsay("llm", "export", "--task", "edit_different", *few)
    [file] = (tmp_path / "few").iterdir()
    assert len(file.read_text().splitlines()) == 5


def test_a_server_that_is_not_there_is_an_error(synthetic: Warehouse, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.path.write_bytes(synthetic.path.read_bytes())
    with socket.socket() as taken:
        # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        failed = warehouse.gainsay(
            "llm", "run", "--task", "clash_generate", "--model", "m", "--limit", "2",
            "--backoff", "0", "--base-url", f"http://127.0.0.1:{taken.getsockname()[1]}/v1",
            check=False,
        )  # fmt: skip
    assert failed.returncode == 1
    assert failed.stdout == "0 answered, 2 failed and still open\n"
    assert "2 failed: no answer: ConnectionError\n" in failed.stderr
    assert "is GAINSAY_API_KEY set, and http://127.0.0.1:" in failed.stderr
