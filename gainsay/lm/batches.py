"""Requests to language models as batch files within a provider's limits, and what they cost."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.llm_responses import Request
from gainsay.lm.attached_pictures import with_pictures

# of the provider, for one batch file
MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000
_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class Cost:
    """What requests would cost: tokens are estimated from characters, money is US dollars.

    Tokens in are those of the messages; some providers count the answer's schema, too.
    """

    n_requests: int
    n_tokens_in: int
    n_tokens_out: int
    dollars: float


def write_batches(
    requests: Iterable[Request],
    folder: Path,
    name: str,
    most_requests: int = MOST_REQUESTS,
    most_bytes: int = MOST_BYTES,
) -> list[Path]:
    """Write requests as batch files within the provider's limits; each appears whole.

    What a former export left of the same names goes: nothing in it is open any more, or it
    stands in the new files.

    Raises `GainsayError` for a request that is larger than a file may be, and where files hold
    other requests than these, each once.
    """
    files: list[Path] = []
    lines: list[bytes] = []
    custom_ids: Counter[str] = Counter()
    size = 0

    def flush() -> None:
        file = folder / f"{name}-{len(files) + 1:04}.jsonl"
        write_atomically(file, b"".join(lines))
        files.append(file)
        lines.clear()

    for request in requests:
        entry = {
            "custom_id": request.custom_id,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": json.loads(with_pictures(request.body)),
        }
        line = json.dumps(entry, ensure_ascii=False).encode() + b"\n"
        if len(line) > most_bytes:
            raise GainsayError(
                f"{request.custom_id}: its request alone is larger than a batch file may be"
            )
        if lines and (len(lines) == most_requests or size + len(line) > most_bytes):
            flush()
            size = 0
        lines.append(line)
        custom_ids[request.custom_id] += 1
        size += len(line)
    if lines:
        flush()
    _require_counted(files, custom_ids)
    for former in set(folder.glob(f"{name}-[0-9][0-9][0-9][0-9].jsonl")) - set(files):
        former.unlink()
    return files


def _require_counted(files: Iterable[Path], custom_ids: Counter[str]) -> None:
    """Raise `GainsayError` where batch files hold other requests, or one twice."""
    written: Counter[str] = Counter()
    for path in files:
        with path.open("rb") as file:
            written.update(msgspec.json.decode(line, type=_Entry).custom_id for line in file)
    if written != custom_ids or written.total() > len(written):
        raise GainsayError(
            f"batch files hold {written.total():,} requests, {len(written):,} of them different,"
            f" where {custom_ids.total():,} are open; export into another folder"
        )


class _Entry(msgspec.Struct):
    custom_id: str


def estimate(
    requests: Iterable[Request], dollars_in: float, dollars_out: float, tokens_out: int
) -> Cost:
    """What requests would cost at prices in US dollars per million tokens."""
    sizes = [
        sum(len(message["content"]) for message in json.loads(request.body)["messages"])
        for request in requests
    ]
    n_in = sum(-(-size // _CHARACTERS_PER_TOKEN) for size in sizes)
    n_out = tokens_out * len(sizes)
    return Cost(len(sizes), n_in, n_out, price(n_in, n_out, dollars_in, dollars_out))


def price(n_tokens_in: float, n_tokens_out: float, dollars_in: float, dollars_out: float) -> float:
    """US dollars for tokens, at prices per million of them."""
    return (n_tokens_in * dollars_in + n_tokens_out * dollars_out) / 1_000_000
