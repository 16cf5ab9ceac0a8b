"""The review page under many readers: how many votes a second are on the disk and acknowledged."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.benchmarks.measuring import Measurement
from tests.python.review_server import Reader, review_server
from tests.python.review_warehouse import VERIFICATION, write_review_warehouse

_N_READERS = 20
_LEAST_A_SECOND = 500


def reviewing(n_votes: int, folder: Path) -> list[Measurement]:
    """Twenty readers who vote as fast as they are answered, one vote a request.

    Raises `RuntimeError` when a vote is lost or doubled.
    """
    folder.mkdir(parents=True, exist_ok=True)
    warehouse = folder / "gainsay.duckdb"
    for old in (warehouse, *folder.glob("votes/*.ndjson")):
        old.unlink(missing_ok=True)
    write_review_warehouse(warehouse, n_votes // _N_READERS, pictures=False)
    with review_server(warehouse, "--no-land") as server:
        readers = [Reader(server.port, f"reader {number}") for number in range(_N_READERS)]
        started = time.perf_counter()
        with ThreadPoolExecutor(_N_READERS) as pool:
            acknowledged = pool.map(lambda reader: _vote(reader, n_votes // _N_READERS), readers)
            ids = [event_id for own in acknowledged for event_id in own]
        seconds = time.perf_counter() - started
        kept = [event["event_id"] for event in server.events()]
    if len(ids) != n_votes or sorted(kept) != sorted(ids):
        raise RuntimeError(f"{n_votes} votes, {len(ids)} acknowledged, {len(kept)} in the log")
    return [
        Measurement(
            f"{_N_READERS} readers' votes", seconds, n_votes, most_seconds=n_votes / _LEAST_A_SECOND
        )
    ]


def _vote(reader: Reader, n_votes: int) -> list[str]:
    """Vote so many times; the ids that are acknowledged."""
    record = reader.next(VERIFICATION)["record"]
    acknowledged: list[str] = []
    for place in range(n_votes):
        vote = reader.vote(VERIFICATION, record, ("keep", "drop")[place % 2])
        acknowledged += reader.send(vote)[1]["acknowledged"]
    return acknowledged
