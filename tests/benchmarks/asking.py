"""Ten thousand requests to a server that fails in every way, and into the warehouse."""

import time
from pathlib import Path

import duckdb

from gainsay.foundation.progress import advance_unseen
from gainsay.ingest.llm_responses import land_requests
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.lm import requesting, tasks
from gainsay.lm.chat_client import ChatClient
from gainsay.lm.prompt_files import Prompt
from tests.benchmarks.measuring import Measurement
from tests.python.fickle_server import serve

_CONCURRENCY = 64
# one request in ten fails at first, as often as each other
_FATES = ["busy", "broken", "down", "silent", "cut", *["good"] * 45]


def asking(n_requests: int, folder: Path) -> list[Measurement]:
    """Measure asking a server of this very process, and landing what it says."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "gainsay.duckdb"
    for former in [database, *folder.rglob("*.jsonl")]:
        former.unlink(missing_ok=True)
    # the server refuses a schema that leaves other properties open, as a real one does
    schema = {"type": "object", "additionalProperties": False}
    prompt = Prompt("judge", 1, "Judge.", "{input}", schema, "0" * 64)
    texts = [f"{number} {_FATES[number % len(_FATES)]}" for number in range(n_requests)]
    requests = [
        tasks.make_request(prompt, "small-batch", text, {"input": text}, 50) for text in texts
    ]
    with duckdb.connect(database) as connection:
        land_requests(DuckDbSink(connection), requests)
    with (
        serve() as fickle,
        requesting.open_responses(database, "judge", "small-batch") as store,
    ):
        started = time.perf_counter()
        tally = requesting.ask_open(
            ChatClient(fickle.url, "small-batch", backoff_seconds=0),
            requests,
            store,
            concurrency=_CONCURRENCY,
            advance=advance_unseen,
            report=print,
        )
        asked_seconds = time.perf_counter() - started
        started = time.perf_counter()
        with duckdb.connect(database) as connection:
            n_landed = requesting.land(connection, store)
        landed_seconds = time.perf_counter() - started
    if (tally.n_answered, n_landed) != (n_requests, n_requests):
        raise RuntimeError(
            f"{tally.n_answered:,} of {n_requests:,} requests answered, {n_landed:,} landed: "
            f"{dict(tally.failures)}"
        )
    assert set(fickle.answered.values()) == {1}
    assert fickle.most_at_once <= _CONCURRENCY
    return [
        Measurement("ask a server, its own time included", asked_seconds, n_rows=n_requests),
        Measurement("land what it answered", landed_seconds, n_rows=n_requests),
    ]
