"""`gainsay browse` at official size: the slowest page of each kind, and the server's memory."""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

from gainsay.browse.candidates import FACETS, MOST_PAGES
from tests.benchmarks.measuring import PROJECT, Measurement, gainsay, run

_BENCHMARKS = ("conflict_suite", "occlusions", "clash")
# what pages read of a warehouse
_MODELS = (
    "+audit__candidates", "+audit__gates", "+exports__pictures", "+images__instances",
    "+images__annotations", "+reality_check__shadow_regions",
)  # fmt: skip
_WORDS = ("dog", "red umbrella", "what is the man holding", "zzyzx", "vqa-12")
_MOST_SECONDS = 1.0
_MOST_MEGABYTES = 1_500


def browsing(corpus: Path, folder: Path) -> list[Measurement]:
    """Every facet of the first page, searches, orders, and records of every benchmark.

    The warehouse has the benchmarks of the demo, and is kept for the next run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "gainsay.duckdb"
    if not database.exists():
        unfinished = folder / "unfinished.duckdb"
        unfinished.unlink(missing_ok=True)
        environment = {"GAINSAY_DB": str(unfinished), "DBT_TARGET_PATH": str(folder / "target")}
        run(gainsay("land", corpus), **environment)
        chosen = json.dumps({"benchmarks": _BENCHMARKS, "reviewed": ["clash"]})
        without_tests = ("--exclude-resource-type", "test", "unit_test")
        build = gainsay("build", "--select", *_MODELS, "--vars", chosen, *without_tests)
        run(build, **environment)
        unfinished.rename(database)
    with _served(database) as (address, process):
        slowest = {
            kind: max(_seconds_of(address + path) for path in paths)
            for kind, paths in _paths(address).items()
        }
        megabytes = _peak_megabytes(process.pid)
    return [
        Measurement(
            f"browse: {kind}, the slowest", seconds, peak_megabytes=megabytes,
            most_seconds=_MOST_SECONDS, most_megabytes=_MOST_MEGABYTES,
        )
        for kind, seconds in slowest.items()
    ]  # fmt: skip


def _paths(address: str) -> dict[str, list[str]]:
    """The pages that are asked for, by their kind."""
    first = _page(f"{address}/")
    facets = {
        name: [unescape(path) for path in re.findall(rf'href="(/\?{name}=[^"]*)"', first)]
        for name in FACETS
    }
    records = [
        unescape(path)
        for benchmark in facets["benchmark"]
        for ending in ("", "&stage=retained")
        for path in re.findall(r'href="(/candidate\?[^"]*)"', _page(address + benchmark + ending))[
            :2
        ]
    ]
    return {
        "first page": ["/", "/"],
        **{f"facet {name}": paths for name, paths in facets.items() if paths},
        "search": [
            f"/?q={quote(words)}{facet}"
            for words in _WORDS
            for facet in ("", *(path.replace("/?", "&") for path in facets["benchmark"]))
        ],
        "orders and far pages": [
            f"/?sort={order}&page={page}"
            for order in ("id", "question", "answer", "draw")
            for page in (1, MOST_PAGES)
        ],
        "records": records,
    }


def _page(address: str) -> str:
    with urlopen(address) as answer:
        text: str = answer.read().decode()
    return text


def _seconds_of(address: str) -> float:
    started = time.perf_counter()
    _page(address)
    return time.perf_counter() - started


@contextmanager
def _served(database: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    process = subprocess.Popen(
        list(map(str, gainsay("browse", "--no-browser", "--port", "0"))),
        cwd=PROJECT,
        env=os.environ | {"GAINSAY_DB": str(database), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.terminate()
        process.wait()


def _peak_megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024
