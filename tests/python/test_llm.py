"""Requests to language models survive a server that fails in every way, and nothing leaks."""

import csv
import gzip
import json
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

import duckdb
import pytest

from gainsay.foundation import archives, chunked_files
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance
from gainsay.ingest import llm_responses, streams
from gainsay.ingest.llm_responses import Request, land_batch_output, land_requests
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.lm import batches, requesting, tasks
from gainsay.lm.chat_client import KEY_VARIABLE, ChatClient
from gainsay.lm.model_properties import properties_of
from gainsay.lm.prompt_files import Prompt, read_prompt
from gainsay.lm.runner import Tally
from tests.python.batch_output import answer_line
from tests.python.conftest import PATIENCE, PROJECT, Warehouse
from tests.python.counting_tables import peak_of_landing
from tests.python.fickle_server import serve

KEY = "sk-nobody-may-see-this"


def silent(amount: int = 1) -> None:
    """Show no progress."""
    assert amount > 0


def requests_for(*inputs: str, model: str = "small-batch") -> list[Request]:
    """Requests whose texts are the inputs."""
    schema = {"type": "object", "additionalProperties": False}
    prompt = Prompt("judge", 1, "Judge.", "{input}", schema, "0" * 64)
    return [tasks.make_request(prompt, model, text, {"input": text}, 50) for text in inputs]


def ask(
    warehouse: Path,
    client: ChatClient,
    made: list[Request],
    concurrency: int = 4,
    advance: Advance = silent,
) -> Tally:
    """Ask what is open of some requests, and land what comes."""
    reports: list[str] = []
    with requesting.open_responses(warehouse, "judge", client.model) as store:
        with duckdb.connect(warehouse) as connection:
            waiting = requesting.open_requests(connection, made)
        try:
            return requesting.ask_open(
                client, waiting, store,
                concurrency=concurrency, advance=advance, report=reports.append,
            )  # fmt: skip
        finally:
            with duckdb.connect(warehouse) as connection:
                requesting.land(connection, store)


def pressing_ctrl_c(when: Callable[[], bool]) -> Advance:
    """Press Ctrl-C once, when an answer is kept and `when` holds."""
    pressed = []

    def advance(amount: int = 1) -> None:
        if amount and not pressed and when():
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    return advance


def still_open(warehouse: Path, made: list[Request]) -> list[Request]:
    """Those requests that have no answer."""
    with duckdb.connect(warehouse) as connection:
        return requesting.open_requests(connection, made)


def states(warehouse: Warehouse) -> dict[str, tuple[str, int]]:
    """State and number of responses of each request, by its input."""
    warehouse.build("--select", "+llm__outcomes")
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
    "malformed": "failed",
    "babble": "malformed",
    "refused": "refused",
    "filtered": "refused",
    "truncated": "truncated",
    "denied": "failed",
}
# `make bench` asks ten thousand
N_REQUESTS = 1_000


def test_many_requests_end_in_one_state_each(
    landed: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    warehouse = landed.copied_to(tmp_path)
    fates = list(FATES)
    inputs = [
        f"{number} {fates[number % 50] if number % 50 < len(fates) else 'good'}"
        for number in range(N_REQUESTS)
    ]
    made = requests_for(*inputs)
    with duckdb.connect(warehouse.path) as connection:
        assert land_requests(DuckDbSink(connection), made) == N_REQUESTS
    with serve() as fickle:
        client = ChatClient(fickle.url, "small-batch", backoff_seconds=0)
        tally = ask(warehouse.path, client, made, 64)
        # a wrong key is told without the key, and stays open; all else is mended
        n_denied = N_REQUESTS // 50
        n_failed = 2 * n_denied
        assert tally.failures == {
            "status 401: wrong key Bearer (key)": n_denied,
            'not a chat completion: Input data was truncated: {"choices": [': n_denied,
        }
        assert tally.n_answered == N_REQUESTS - n_failed
        # never more than were asked for; in `test_predict` answers only come to that many
        assert fickle.most_at_once <= 64
        left = still_open(warehouse.path, made)
        assert len(left) == n_failed
        # the next run asks for these alone, and gives up
        again = ask(warehouse.path, client, made)
        n_again = again.failures.total()
        assert (again.n_answered, again.is_given_up) == (0, True)
        assert 20 <= n_again <= n_failed
        assert still_open(warehouse.path, made) == left

    # a file says a second thing of one request, and names unknown ones
    batch = tmp_path / "output.jsonl"
    batch.write_text(
        "\n".join(
            json.dumps({"custom_id": name, "response": {"status_code": 200, "body": {}}})
            for name in (made[-1].custom_id, "judge-unknown", None, 7)
        )
        + "\nnot json\n"
    )
    with duckdb.connect(warehouse.path) as connection:
        assert land_batch_output(DuckDbSink(connection), batch).n_lines == 5
        assert land_batch_output(DuckDbSink(connection), batch).is_unchanged
    # a response without a name answers nobody
    assert still_open(warehouse.path, made) == left

    found = states(warehouse)
    assert {text: state for text, (state, _) in found.items()} == {
        text: FATES.get(text.split()[1], "answered") for text in inputs
    }
    assert warehouse.rows("select count(*) from raw.llm_responses") == [(N_REQUESTS + n_again + 5,)]
    assert sum(n for _, n in found.values()) == N_REQUESTS + n_again + 1
    assert warehouse.rows_of_analysis(
        "llm__unknown_responses",
        "select reason, count(*) from analysis group by all order by all",
    ) == [("no_response", 3), ("unknown_request", 1)]
    # what was answered was paid for once
    assert set(fickle.answered.values()) == {1}
    # the server saw the key, and nobody else does
    assert fickle.keys == {f"Bearer {KEY}"}
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert KEY.encode() not in file.read_bytes(), file


def test_a_killed_run_pays_for_nothing_twice(synthetic: Warehouse, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path, GAINSAY_API_KEY=KEY)
    warehouse.path.write_bytes(synthetic.path.read_bytes())
    with serve() as fickle:
        under_way = fickle.hold_from(60)
        arguments = [
            "llm", "run", "--task", "edit_different", "--model", "some-model",
            "--base-url", fickle.url, "--concurrency", "4",
        ]  # fmt: skip
        killed = subprocess.Popen(
            [sys.executable, "-m", "gainsay", *arguments], cwd=PROJECT,
            env=warehouse.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert under_way.wait(PATIENCE)
        killed.send_signal(signal.SIGKILL)
        output = killed.communicate()[0]
        assert killed.returncode == -signal.SIGKILL
        fickle.release()
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
    assert n_requests == n_responses == n_answered > 80  # type: ignore[operator]
    # at most what was under way when it was killed
    assert sum(before.values()) >= 60
    assert 0 <= fickle.n_asked - int(str(n_requests)) <= 4
    assert once_more.stdout.startswith("0 answered, 0 failed and still open\n")
    for text in (output.decode(), shown.stdout, shown.stderr):
        assert KEY not in text


def test_ctrl_c_ends_a_run_and_lands_what_came(synthetic: Warehouse, tmp_path: Path) -> None:
    warehouse = synthetic.copied_to(tmp_path)
    with serve() as fickle:
        under_way = fickle.hold_from(60)
        arguments = [
            "llm", "run", "--task", "clash_generate", "--model", "some-model",
            "--base-url", fickle.url, "--concurrency", "4",
        ]  # fmt: skip
        running = subprocess.Popen(
            [sys.executable, "-m", "gainsay", *arguments], cwd=PROJECT,
            env=warehouse.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert under_way.wait(PATIENCE)
        running.send_signal(signal.SIGINT)
        assert running.stdout is not None
        output = ""
        for line in running.stdout:
            output += line
            if line.startswith("stopping: waiting"):
                fickle.release()
    assert running.wait() == 130, output
    assert "stopped; the same command goes on where this one ended" in output
    assert "Traceback" not in output
    n_answered = fickle.answered.total()
    assert f"{n_answered} answered, 0 failed and still open\n" in output
    assert warehouse.rows("select count(*) from raw.llm_responses where status = 200") == [
        (n_answered,)
    ]


@pytest.fixture
def requested(tmp_path: Path) -> tuple[Path, list[Request]]:
    """A warehouse with five hundred requests that are answered well."""
    made = requests_for(*(f"{n} good" for n in range(500)))
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        land_requests(DuckDbSink(connection), made)
    return tmp_path / "gainsay.duckdb", made


@pytest.mark.slow
def test_a_stopped_run_keeps_what_was_under_way(requested: tuple[Path, list[Request]]) -> None:
    warehouse, made = requested
    with serve() as fickle:
        client = ChatClient(fickle.url, "small-batch", backoff_seconds=0)
        tally = ask(warehouse, client, made, 4, pressing_ctrl_c(lambda: fickle.n_asked >= 20))
        assert (tally.is_stopped, tally.n_left) == (True, 0)
        assert 20 <= tally.n_answered == fickle.n_asked <= 24
        ask(warehouse, ChatClient(fickle.url, "small-batch"), made, 64)
    assert still_open(warehouse, made) == []
    assert fickle.n_asked == 500


def test_an_error_keeps_what_was_under_way(requested: tuple[Path, list[Request]]) -> None:
    warehouse, made = requested
    with serve() as fickle:

        def fail(amount: int = 1) -> None:
            assert amount
            assert fickle.n_asked < 20, "the display broke"

        client = ChatClient(fickle.url, "small-batch", backoff_seconds=0)
        with pytest.raises(AssertionError, match="the display broke"):
            ask(warehouse, client, made, 4, fail)
    assert len(still_open(warehouse, made)) == 500 - fickle.n_asked


@pytest.mark.parametrize("retry_after", ["21600", "Fri, 31 Dec 2100 23:59:59 GMT", "9" * 5_000])
def test_a_pause_is_as_long_as_allowed_and_ends_when_stopped(
    requested: tuple[Path, list[Request]], retry_after: str
) -> None:
    warehouse, _ = requested
    with serve() as fickle:
        fickle.retry_after = retry_after
        texts = requests_for("1 busy", "2 busy")
        with duckdb.connect(warehouse) as connection:
            land_requests(DuckDbSink(connection), texts)
        client = ChatClient(fickle.url, "small-batch", backoff_seconds=0, longest_pause=0.01)
        assert ask(warehouse, client, texts).n_answered == 2

        # both wait for an hour when somebody presses Ctrl-C, at the last answer
        n_kept = 0
        all_asked = fickle.after(4 + 12)

        def press_at_the_last(amount: int = 1) -> None:
            nonlocal n_kept
            n_kept += amount
            if amount and n_kept == 10:
                assert all_asked.wait(PATIENCE)
                signal.raise_signal(signal.SIGINT)

        waiting = requests_for("3 busy", "4 busy", *(f"{n} good" for n in range(10)))
        client = ChatClient(fickle.url, "small-batch", longest_pause=3_600)
        tally = ask(warehouse, client, waiting, 3, press_at_the_last)
        # neither was given up when the grace was over, nor asked again
        assert (tally.is_stopped, tally.n_left) == (True, 0)
        assert (tally.n_answered, tally.failures) == (10, {})
        assert (fickle.asked["3 busy"], fickle.asked["4 busy"]) == (1, 1)


def test_two_runs_do_not_pay_twice(requested: tuple[Path, list[Request]]) -> None:
    warehouse, made = requested
    with serve() as fickle:
        client = ChatClient(fickle.url, "small-batch")
        with (
            requesting.open_responses(warehouse, "judge", "small-batch"),
            pytest.raises(GainsayError, match="another process is asking"),
        ):
            ask(warehouse, client, made)
        # another model's answers are kept elsewhere
        with requesting.open_responses(warehouse, "judge", "org/another"):
            assert ask(warehouse, client, made).n_answered == 500


@pytest.mark.slow
def test_the_warehouse_is_free_while_a_server_is_asked(
    requested: tuple[Path, list[Request]],
) -> None:
    warehouse, made = requested
    written = []
    with serve() as fickle:

        def write_meanwhile(amount: int = 1) -> None:
            if not written:
                write = f"import duckdb; duckdb.connect('{warehouse}').execute('create schema s')"
                subprocess.run([sys.executable, "-c", write], check=True)
                written.append(amount)

        ask(warehouse, ChatClient(fickle.url, "small-batch"), made, 4, write_meanwhile)
    assert written
    assert still_open(warehouse, made) == []


@pytest.mark.slow
def test_answers_outlive_the_warehouse(requested: tuple[Path, list[Request]]) -> None:
    warehouse, made = requested
    with serve() as fickle:
        ask(warehouse, ChatClient(fickle.url, "small-batch"), made)
        warehouse.unlink()
        with duckdb.connect(warehouse) as connection:
            land_requests(DuckDbSink(connection), made)
            with requesting.open_responses(warehouse, "judge", "small-batch") as store:
                assert requesting.land(connection, store) == 500
                assert requesting.land(connection, store) == 0
    assert still_open(warehouse, made) == []


def test_files_of_one_name_are_two_files(requested: tuple[Path, list[Request]]) -> None:
    warehouse, made = requested
    files = []
    for number, name in enumerate(
        ["a/output.jsonl", "b/output.jsonl", "c/run", "d/output.jsonl.gz"]
    ):
        file = warehouse.parent / name
        file.parent.mkdir()
        line = answer_line(made[number].custom_id, '{"label": "TEXT"}').encode()
        file.write_bytes(gzip.compress(line) if file.suffix == ".gz" else line)
        files.append(file)
    with serve() as fickle, duckdb.connect(warehouse) as connection:
        [live] = made[10:11]
        client = ChatClient(fickle.url, "small-batch")
        with requesting.open_responses(warehouse, "judge", "small-batch") as store:
            requesting.ask_open(client, [live], store, concurrency=1, advance=silent, report=print)
            requesting.land(connection, store)
        for file in [*files, *files]:
            land_batch_output(DuckDbSink(connection), file)
        moved = files[0].rename(warehouse.parent / "moved.jsonl")
        assert land_batch_output(DuckDbSink(connection), moved).is_unchanged
        rows = connection.execute("select custom_id from raw.llm_responses order by 1").fetchall()
    assert rows == sorted((request.custom_id,) for request in [*made[:4], live])


@pytest.mark.parametrize("name", ["output.jsonl", "output.jsonl.gz"])
def test_memory_does_not_grow_with_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for module, limit in ((streams, "RUN_BYTES"), (archives, "_READ_SIZE")):
        monkeypatch.setattr(module, limit, 2**13)
    monkeypatch.setattr(chunked_files, "_READ_BYTES", 2**13)
    monkeypatch.setattr(llm_responses, "_ROWS_PER_BATCH", 50)
    peaks, sizes = [], []
    # what is imported and compiled with the first file counts for none
    for n_lines in (3_000, 300, 3_000):
        lines = b"".join(
            answer_line(f"judge-v1:{number}", f'{{"label": "{number}"}}').encode() + b"\n"
            for number in range(n_lines)
        )
        file = tmp_path / str(n_lines) / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(gzip.compress(lines) if file.suffix == ".gz" else lines)
        n_rows, peak = peak_of_landing(partial(land_batch_output, file=file))
        assert n_rows == n_lines
        peaks.append(peak)
        sizes.append(len(lines))
    assert peaks[2] < peaks[1] + (sizes[2] - sizes[1]) / 5
    assert peaks[2] < sizes[2] / 2


def test_lines_that_no_provider_writes_land_with_what_is_wrong(
    requested: tuple[Path, list[Request]],
) -> None:
    warehouse, made = requested
    name = made[0].custom_id
    lines = [
        # half of a pair, which JSON can spell and no text can hold
        b'{"custom_id": "%s", "response": {"status_code": 200, "body": {"a": "x\\ud800y"}}}'
        % name.encode(),
        b'{"custom_id": "\\udfff", "response": {"status_code": 200, "body": {}}}',
        b'{"custom_id": "%s", "response": {"status_code": 99999999999999999999}}' % name.encode(),
        b'{"custom_id": "%s", "response": {"status_code": true}}' % name.encode(),
        b'{"custom_id": "a", "response": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"custom_id": 1e400}',
        b"\xff",
        b"[]",
        b'{"custom_id": "a", "respo',
    ]
    file = warehouse.parent / "output.jsonl"
    file.write_bytes(b"\n".join(lines))
    with duckdb.connect(warehouse) as connection:
        landing = land_batch_output(DuckDbSink(connection), file)
        assert (landing.n_lines, landing.n_unfit) == (len(lines), len(lines) - 2)
        rows = connection.execute("""
            select custom_id, status, body, error from raw.llm_responses order by _position
        """).fetchall()
    none = "not a line of a batch's output: "
    assert rows == [
        (name, 200, '{"a": "x\ufffdy"}', None),
        ("\ufffd", 200, "{}", None),
        (name, None, None, f"{none}status_code is 99999999999999999999, expected 100 to 599"),
        (name, None, None, f"{none}status_code is True, expected 100 to 599"),
        (None, None, None, f"{none}values nested too deeply"),
        (None, None, None, f"{none}custom_id is inf, expected a text"),
        (None, None, None, f"{none}no UTF-8 at byte 0"),
        (None, None, None, f"{none}no object with custom_id and response"),
        (
            None,
            None,
            None,
            f"{none}no JSON, or cut short (Unterminated string starting at; character 20)",
        ),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"{}" * 99)[:-9], "truncated or corrupt"),
        (b"no gzip", "truncated or corrupt"),
        (gzip.compress(b"{}" * 99)[:10] + b"\xff" * 40, "truncated or corrupt"),
        (gzip.compress(bytes(40 * 2**20)), "inflates to more than 200 times"),
    ],
    ids=["cut", "no gzip", "flipped", "bomb"],
)
def test_archives_that_are_none_land_nothing(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "output.jsonl.gz"
    file.write_bytes(content)
    with (
        duckdb.connect(tmp_path / "gainsay.duckdb") as connection,
        pytest.raises(GainsayError, match=message),
    ):
        land_batch_output(DuckDbSink(connection), file)


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        ("small-batch", {"max_tokens": 9, "temperature": 0}),
        ("gpt-4o-mini", {"max_tokens": 9, "temperature": 0}),
        ("gpt-5-nano", {"max_completion_tokens": 9, "reasoning_effort": "minimal"}),
        ("openai/GPT-5", {"max_completion_tokens": 9, "reasoning_effort": "minimal"}),
        ("o3-mini", {"max_completion_tokens": 9, "reasoning_effort": "low"}),
        ("o1-mini", {"max_completion_tokens": 9}),
        ("gpt-5/small", {"max_tokens": 9, "temperature": 0}),
    ],
)
def test_requests_have_what_their_model_takes(model: str, settings: dict[str, object]) -> None:
    assert properties_of(model).settings(model, 9) == {"model": model} | settings


def test_batch_files_keep_the_provider_s_limits_and_shape(tmp_path: Path) -> None:
    made = requests_for(*map(str, range(25)))

    files = batches.write_batches(made, tmp_path, "judge", most_requests=10)
    assert [len(file.read_text().splitlines()) for file in files] == [10, 10, 5]
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    assert [line["custom_id"] for line in lines] == [request.custom_id for request in made]
    assert len({line["custom_id"] for line in lines}) == 25
    for line in lines:
        assert set(line) == {"custom_id", "method", "url", "body"}
        assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
        assert line["body"]["response_format"]["json_schema"]["strict"] is True

    # what is open no longer is not sent again
    assert batches.write_batches(made[:5], tmp_path, "judge", most_requests=10) == files[:1]
    assert sorted(tmp_path.iterdir()) == files[:1]

    small = batches.write_batches(made, tmp_path / "small", "judge", most_bytes=1500)
    assert len(small) > 3
    assert all(file.stat().st_size <= 1500 for file in small)
    with pytest.raises(GainsayError, match="larger than a batch file"):
        batches.write_batches(made, tmp_path / "none", "judge", most_bytes=10)
    with pytest.raises(GainsayError, match="hold 26 requests, 25 of them different, where 26 are"):
        batches.write_batches([*made, made[0]], tmp_path / "twice", "judge")
    assert (batches.MOST_REQUESTS, batches.MOST_BYTES) == (50_000, 200_000_000)


def test_a_request_is_known_by_prompt_model_and_input(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        assert land_requests(DuckDbSink(connection), requests_for("one", "two")) == 2
        assert land_requests(DuckDbSink(connection), requests_for("one", "two", "three")) == 1
        assert land_requests(DuckDbSink(connection), requests_for("one", model="other")) == 1
        assert land_requests(DuckDbSink(connection), []) == 0


def test_the_published_estimate_is_met() -> None:
    """Two thirds of 1,000 samples call the model, 500 tokens in and 500 out."""
    n_calls = 1_000 * 2 / 3
    assert batches.price(500 * n_calls, 500 * n_calls, 0.025, 0.20) == pytest.approx(0.075)

    # the prompt of 7 characters is part of the 500 tokens
    made = requests_for(*(f"{number:04}" + "x" * 1_989 for number in range(round(n_calls))))
    dollars_in, dollars_out = properties_of("small-batch").prices("small-batch")
    cost = batches.estimate(made, dollars_in, dollars_out, 500)
    assert (cost.n_requests, cost.n_tokens_in, cost.n_tokens_out) == (667, 333_500, 333_500)
    assert cost.dollars == pytest.approx(0.075, rel=1e-3)


def test_prompts_ask_strictly_for_the_fields_of_the_seed() -> None:
    with (PROJECT / "seeds/shared/llm/llm_fields.csv").open(newline="") as file:
        listed = [
            (row["task"], row["field"], row["kind"], row["choices"]) for row in csv.DictReader(file)
        ]
    asked = []
    for task in tasks.TASKS:
        schema = read_prompt(task).schema
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        asked += [
            (task, field, value["type"], " ".join(value.get("enum", [])))
            for field, value in schema["properties"].items()
        ]
    assert sorted(listed) == sorted(asked)


def test_what_falls_by_its_words_needs_no_verdict() -> None:
    with duckdb.connect() as connection:
        connection.execute("""
            create schema clash;
            create table clash.clash__screened as
            select
                sample_id, image_only_answer, drop_stage, 'A dog.' as original_caption,
                'A cat.' as conflicting_caption, 'dog' as original_words,
                'cat' as conflicting_words, 'object' as change_type, 'Which?' as question,
                'cat' as text_only_answer, 'ox' as distractor_answer
            from (values
                ('retained', 'dog', null),
                ('unchecked', 'dog', 'response'),
                ('rejected', 'dog', 'human_check'),
                ('vague', 'things', 'answer_words'),
                ('broken rule', 'dog', 'rule_check'),
                ('unanswered', null, 'response')
            ) as samples (sample_id, image_only_answer, drop_stage)
        """)
        asked = tasks.inputs_of(connection, "clash_answers_check")

    assert [asdict(sample)["sample_id"] for sample in asked] == [
        "rejected", "retained", "unchecked"
    ]  # fmt: skip


def test_an_object_that_is_taken_out_makes_one_pair_of_pictures() -> None:
    with duckdb.connect() as connection:
        connection.execute("""
            create schema certainly_uncertain;
            create table certainly_uncertain.certainly_uncertain__removals as
            from (values ('p1', 'coco-1', 'dog'), ('p2', 'coco-1', 'dog'), ('p3', 'coco-1', 'cup'),
                ('p4', 'coco-1', 'bus')) as removals (pair_id, source_image_id, object_name);
            create table certainly_uncertain.certainly_uncertain__renderings as
            from (values
                ('p1::unanswerable', 'a/1.jpg', 'k/k1.png'),
                ('p2::unanswerable', 'a/1.jpg', 'k/k1.png'),
                ('p3::unanswerable', 'a/1.jpg', null)
            ) as renderings (recipe_id, path, rendered_file)
        """)
        asked = tasks.inputs_of(connection, "extraneous_question")

    assert list(map(asdict, asked)) == [
        {"input_id": "coco-1::dog", "object_name": "dog", "photograph": "a/1.jpg",
         "picture": "k/k1.png"}
    ]  # fmt: skip


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
    assert "is http://127.0.0.1:" in failed.stderr
    assert "GAINSAY_API_KEY" not in failed.stderr
