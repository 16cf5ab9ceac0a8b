"""Requests to language models: made from prompts, sent as batch files or to a server, kept.

A request is known by the hash of its prompt's version, its model and its input, so that the
same question is never asked, and paid for, twice.
"""

import hashlib
import importlib.resources
import json
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from gainsay.cli.progress import Advance
from gainsay.errors import GainsayError
from gainsay.io.atomic import write_atomically
from gainsay.lm.chat_client import ChatClient, ChatError
from ingest.raw import ensure_raw_schema

# of the provider, for one batch file
MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000
_CHARACTERS_PER_TOKEN = 4
_SECONDS_BETWEEN_COMMITS = 0.1
# what falls by the rule check is not worth a verdict
_CHECKED = """
    select *
    from clash.clash__screened
    where drop_stage is distinct from 'rule_check' and image_only_answer is not null
    order by sample_id
"""
_EDITED = """
    select base_id, question, gold_answer, caption
    from conflict_suite_refined.conflict_suite_refined__screened
    where screening = 'edits' and mix_state = '{}'
    order by base_id
"""
# what each task asks about: the first column is the input's id
_INPUTS = {
    "edit_different": _EDITED.format("different"),
    "edit_irrelevant": _EDITED.format("irrelevant"),
    "clash_generate": """
        select source_image_id, caption
        from images.images__captions
        where caption_position = 1
        order by source_image_id
    """,
    "clash_answers": """
        select *
        from clash.clash__candidates
        where editor = 'llm' and question is not null
        order by sample_id
    """,
    "clash_change_check": _CHECKED,
    "clash_answers_check": _CHECKED,
    "clash_question_check": _CHECKED,
    # answers that say the same about the same sample are one question
    "judge": """
        select distinct input_id, question, image_only_answer, text_only_answer, prediction
        from evaluation.evaluation__judge_inputs
        order by input_id
    """,
}
TASKS = tuple(_INPUTS)


@dataclass(frozen=True)
class Prompt:
    """A versioned prompt: texts with {fields} of the input, and the schema of the answer."""

    task: str
    version: int
    system: str
    user: str
    schema: dict[str, Any]
    sha256: str


@dataclass(frozen=True)
class Request:
    """One question to a language model; `custom_id` names prompt version, model and input."""

    custom_id: str
    task: str
    model: str
    prompt_sha256: str
    input_id: str
    body: str


@dataclass(frozen=True)
class Cost:
    """What requests would cost: tokens are estimated from characters, money is US dollars.

    Tokens in are those of the messages; some providers count the answer's schema, too.
    """

    n_requests: int
    n_tokens_in: int
    n_tokens_out: int
    dollars: float


def read_prompt(task: str) -> Prompt:
    """The prompt of a task, from its file in `gainsay/lm/prompts`."""
    data = (importlib.resources.files("gainsay.lm") / "prompts" / f"{task}.toml").read_bytes()
    content = tomllib.loads(data.decode())
    return Prompt(
        task,
        content["version"],
        content["system"].strip(),
        content["user"].strip(),
        json.loads(content["schema"]),
        hashlib.sha256(data).hexdigest(),
    )


def make_request(
    prompt: Prompt, model: str, input_id: str, fields: dict[str, Any], max_tokens: int
) -> Request:
    """The request that asks `model` the prompt about one input."""
    user = prompt.user.format(**fields)
    named = json.dumps([prompt.sha256, model, input_id, user], ensure_ascii=False)
    body = {
        "model": model,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": user},
        ],
        "temperature": 0,
        "max_completion_tokens": max_tokens,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": prompt.task, "strict": True, "schema": prompt.schema},
        },
    }
    return Request(
        f"{prompt.task}-{hashlib.sha256(named.encode()).hexdigest()[:24]}",
        prompt.task,
        model,
        prompt.sha256,
        input_id,
        json.dumps(body, ensure_ascii=False),
    )


def requests_of(
    connection: duckdb.DuckDBPyConnection,
    task: str,
    model: str,
    max_tokens: int,
    limit: int | None = None,
) -> list[Request]:
    """The requests of a task for its inputs as they are now, or for the first `limit` of them.

    Raises `GainsayError` when the models that hold the inputs are not built.
    """
    prompt = read_prompt(task)
    try:
        found = connection.execute(_INPUTS[task])
    except duckdb.CatalogException as error:
        raise GainsayError(f"{task}: its inputs are not built; run `dbt build` first") from error
    names = [column[0] for column in found.description or []]
    rows = found.fetchmany(limit) if limit else found.fetchall()
    return [
        make_request(prompt, model, str(row[0]), dict(zip(names, row, strict=True)), max_tokens)
        for row in rows
    ]


def keep_requests(connection: duckdb.DuckDBPyConnection, requests: Iterable[Request]) -> int:
    """Put requests in `raw.llm_requests`; those that are there stay. How many were new."""
    ensure_raw_schema(connection)
    landed_at = datetime.now(UTC).replace(tzinfo=None)
    rows = pa.Table.from_pylist([vars(request) | {"landed_at": landed_at} for request in requests])
    if not rows.num_rows:
        return 0
    before = _count(connection)
    connection.register("made", rows)
    connection.execute("""
        insert or ignore into raw.llm_requests
        select custom_id, task, model, prompt_sha256, input_id, body, landed_at from made
    """)
    connection.unregister("made")
    return _count(connection) - before


def _count(connection: duckdb.DuckDBPyConnection) -> int:
    [(n_requests,)] = connection.execute("select count(*) from raw.llm_requests").fetchall()
    return int(n_requests)


def open_requests(
    connection: duckdb.DuckDBPyConnection, requests: Iterable[Request]
) -> list[tuple[str, str]]:
    """Ids and bodies of those requests that no successful response came for, by id."""
    answered = {
        name
        for (name,) in connection.execute(
            "select distinct custom_id from raw.llm_responses where status = 200"
        ).fetchall()
    }
    bodies = {request.custom_id: request.body for request in requests}
    return sorted((name, body) for name, body in bodies.items() if name not in answered)


def write_batches(
    requests: Iterable[tuple[str, str]],
    folder: Path,
    name: str,
    most_requests: int = MOST_REQUESTS,
    most_bytes: int = MOST_BYTES,
) -> list[Path]:
    """Write requests as batch files within the provider's limits; each appears whole.

    What a former export left of the same names goes: nothing in it is open any more, or it
    stands in the new files.

    Raises `GainsayError` for a request that is larger than a file may be.
    """
    files: list[Path] = []
    lines: list[bytes] = []
    size = 0

    def flush() -> None:
        file = folder / f"{name}-{len(files) + 1:04}.jsonl"
        write_atomically(file, b"".join(lines))
        files.append(file)
        lines.clear()

    for custom_id, body in requests:
        entry = {
            "custom_id": custom_id,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": json.loads(body),
        }
        line = json.dumps(entry, ensure_ascii=False).encode() + b"\n"
        if len(line) > most_bytes:
            raise GainsayError(f"{custom_id}: its request alone is larger than a batch file may be")
        if lines and (len(lines) == most_requests or size + len(line) > most_bytes):
            flush()
            size = 0
        lines.append(line)
        size += len(line)
    if lines:
        flush()
    for former in set(folder.glob(f"{name}-[0-9][0-9][0-9][0-9].jsonl")) - set(files):
        former.unlink()
    return files


def land_responses(connection: duckdb.DuckDBPyConnection, file: Path) -> int:
    """Land an output or error file of a batch, any number of times; how many lines it has.

    A line that is no response lands, too, with its error: nothing is left out. Raises
    `GainsayError` when the file cannot be read.
    """
    ensure_raw_schema(connection)
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise GainsayError(f"{file}: cannot be read: {error.strerror}") from error
    rows = [_response(line) for line in lines]
    connection.begin()
    connection.execute("delete from raw.llm_responses where _source_file = ?", [file.name])
    _insert(connection, rows, file.name)
    connection.commit()
    return len(rows)


_Row = tuple[str | None, int | None, str | None, str | None]


def _response(line: bytes) -> _Row:
    """Id, status, body and error of one line of a batch's output."""
    try:
        entry = json.loads(line)
        name = entry["custom_id"]
        response, error = entry.get("response") or {}, entry.get("error")
        body, status = response.get("body"), response.get("status_code")
        if not isinstance(name, str) or not isinstance(status, int | None):
            raise TypeError
        return (
            name,
            status,
            None if body is None else json.dumps(body, ensure_ascii=False),
            None if error is None else json.dumps(error, ensure_ascii=False),
        )
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        return None, None, None, f"not a line of a batch's output: {type(error).__name__}"


def _insert(connection: duckdb.DuckDBPyConnection, rows: list[_Row], source: str) -> None:
    if not rows:
        return
    landed_at = datetime.now(UTC).replace(tzinfo=None)
    columns = ("custom_id", "status", "body", "error")
    table = pa.Table.from_pylist(
        [dict(zip(columns, row, strict=True)) for row in rows],
        schema=pa.schema([(c, pa.int32() if c == "status" else pa.string()) for c in columns]),
    )
    connection.register("received", table)
    connection.execute(
        """
        insert into raw.llm_responses
        select custom_id, status, body, error, $source, row_number() over () - 1, $landed_at
        from received
        """,
        {"source": source, "landed_at": landed_at},
    )
    connection.unregister("received")


def run(
    connection: duckdb.DuckDBPyConnection,
    client: ChatClient,
    requests: list[tuple[str, str]],
    concurrency: int,
    advance: Advance,
) -> tuple[int, Counter[str]]:
    """Send requests to a server; how many were answered, and how many failed for which reason.

    What has come is committed ten times a second: a killed run asks again only what was under
    way, and what came since the last commit. A failure is a row with its reason, and stays
    open for the next run.
    """
    ensure_raw_schema(connection)
    upcoming = iter(requests)
    n_answered = 0
    failures: Counter[str] = Counter()
    came: list[_Row] = []
    written = time.monotonic()
    with ThreadPoolExecutor(concurrency) as pool:
        under_way: set[Future[_Row]] = {
            pool.submit(_send, client, *request) for request in islice(upcoming, concurrency)
        }
        try:
            while under_way or came:
                left = max(0.0, written + _SECONDS_BETWEEN_COMMITS - time.monotonic())
                done, under_way = wait(
                    under_way, left if came else None, return_when=FIRST_COMPLETED
                )
                # the server stays busy while answers are written
                under_way |= {
                    pool.submit(_send, client, *request) for request in islice(upcoming, len(done))
                }
                came += [future.result() for future in done]
                if under_way and time.monotonic() < written + _SECONDS_BETWEEN_COMMITS:
                    continue
                rows, came = came, []
                _insert(connection, rows, "run")
                written = time.monotonic()
                n_answered += sum(row[1] == 200 for row in rows)
                failures.update(str(row[3]) for row in rows if row[1] != 200)
                advance(len(rows))
        finally:
            # a run that is stopped keeps what came
            _insert(connection, came, "run")
    return n_answered, failures


def _send(client: ChatClient, custom_id: str, body: str) -> _Row:
    try:
        return custom_id, 200, client.complete(body), None
    except ChatError as error:
        return custom_id, None, None, str(error)


def estimate(
    requests: Iterable[tuple[str, str]], dollars_in: float, dollars_out: float, tokens_out: int
) -> Cost:
    """What requests would cost at prices in US dollars per million tokens."""
    sizes = [
        sum(len(message["content"]) for message in json.loads(body)["messages"])
        for _, body in requests
    ]
    n_in = sum(-(-size // _CHARACTERS_PER_TOKEN) for size in sizes)
    n_out = tokens_out * len(sizes)
    return Cost(len(sizes), n_in, n_out, price(n_in, n_out, dollars_in, dollars_out))


def price(n_tokens_in: float, n_tokens_out: float, dollars_in: float, dollars_out: float) -> float:
    """US dollars for tokens, at prices per million of them."""
    return (n_tokens_in * dollars_in + n_tokens_out * dollars_out) / 1_000_000


def prices_of(connection: duckdb.DuckDBPyConnection, model: str) -> tuple[float, float]:
    """Dollars per million tokens in and out, from the seed `llm_prices`.

    Raises `GainsayError` for a model that the seed does not list.
    """
    try:
        row = connection.execute(
            "select dollars_per_million_in, dollars_per_million_out"
            " from vocabulary.llm_prices where model = ?",
            [model],
        ).fetchone()
    except duckdb.CatalogException as error:
        raise GainsayError("vocabulary.llm_prices: not there; run `dbt seed` first") from error
    if row is None:
        raise GainsayError(
            f"{model}: no price in seeds/shared/llm/llm_prices.csv; add its row there"
        )
    return float(row[0]), float(row[1])
