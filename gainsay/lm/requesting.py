"""Sending requests to a server: the answers go to a store beside the warehouse, then into it.

While a server is asked, which may take hours, the warehouse is not held.
"""

import hashlib
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
from msgspec import Struct

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance
from gainsay.ingest.llm_responses import Request, Response, answered_requests, land_answers
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.withdrawals import withdrawn_photographs
from gainsay.lm.attached_pictures import photographs_of, with_pictures
from gainsay.lm.chat_client import ChatClient, UnaskedError
from gainsay.lm.runner import Outcome, Tally, ask_all
from gainsay.lm.store import AnswerStore, open_store

_LONGEST_NAME = 80


class _Line(Struct, omit_defaults=True):
    """A line of a store: the first one names the store, every other one is a response."""

    custom_id: str
    store: str | None = None
    status: int | None = None
    body: str | None = None
    error: str | None = None


class ResponseStore:
    """The responses to one task's requests to one model; `open_responses` makes it."""

    def __init__(self, store: AnswerStore) -> None:
        self._store = store
        first = next(iter(store.lines(_Line)), None)
        if first is None:
            # a store that somebody deletes and another one that is made are two
            first = _Line("", store=uuid.uuid4().hex)
            store.append([first])
        if first.store is None:
            raise GainsayError(f"{store.path}: not answers of a former call; move it elsewhere")
        self.name = f"{store.path.name}/{first.store}"

    def responses(self) -> Iterator[Response]:
        """What came, in the order in which it came."""
        for line in self._store.lines(_Line):
            if line.store is None:
                yield Response(line.custom_id, line.status, line.body, line.error)

    def keep(self, outcomes: Sequence[Outcome[Request, str]]) -> None:
        """Add what came; a failure is a response, too."""
        self._store.append(
            _Line(
                outcome.job.custom_id,
                status=None if outcome.reply is None else 200,
                body=outcome.reply,
                error=outcome.failure,
            )
            for outcome in outcomes
        )


@contextmanager
def open_responses(warehouse: Path, task: str, model: str) -> Iterator[ResponseStore]:
    """Hold the store of a task's answers by a model, beside the warehouse.

    Raises `GainsayError` while another process holds it.
    """
    readable = re.sub(r"[^A-Za-z0-9._-]", "_", model)[:_LONGEST_NAME]
    name = f"{task}-{readable}-{hashlib.sha256(model.encode()).hexdigest()[:8]}.jsonl"
    folder = warehouse.with_name(f"{warehouse.name}.answers")
    with open_store(folder / name, "custom_id") as store:
        yield ResponseStore(store)


def land(connection: duckdb.DuckDBPyConnection, store: ResponseStore) -> int:
    """Land what the store holds and the warehouse does not; how many responses."""
    return land_answers(DuckDbSink(connection), store.name, store.responses())


def open_requests(
    connection: duckdb.DuckDBPyConnection, requests: Iterable[Request]
) -> list[Request]:
    """Those requests, by id, that no successful response is landed for; each of them once.

    Photographs that were taken down are shown to no model.
    """
    answered = answered_requests(connection)
    withdrawn = withdrawn_photographs(connection)
    by_id = {
        request.custom_id: request
        for request in requests
        if not withdrawn or withdrawn.isdisjoint(photographs_of(request.body))
    }
    return [by_id[custom_id] for custom_id in sorted(by_id.keys() - answered)]


def ask_open(
    client: ChatClient,
    requests: Iterable[Request],
    store: ResponseStore,
    *,
    concurrency: int,
    advance: Advance,
    report: Callable[[str], None],
) -> Tally:
    """Send requests to a server, and keep in the store whatever comes, failures included.

    A killed run asks again only what was under way.
    """

    def ask(request: Request) -> str:
        try:
            body = with_pictures(request.body)
        except GainsayError as error:
            raise UnaskedError(str(error)) from error
        return client.complete(body)

    return ask_all(
        requests,
        ask,
        store.keep,
        concurrency=concurrency,
        stop=client.stop,
        advance=advance,
        report=report,
    )
