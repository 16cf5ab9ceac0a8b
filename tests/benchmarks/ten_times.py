"""`python -m tests.benchmarks.ten_times`: ten times the official size on one machine.

The official size and so many times of it are written, landed and built one after the other, with
the same memory for DuckDB, which spills what it can't hold. What takes longest is printed for both.
It is no part of `make bench`: at ten times, the corpus takes 10 GB of disk, which stay for the next
run, the warehouse and what spills another 10 GB, and all of it an hour of two cores.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import click
import duckdb
from rich.console import Console
from rich.table import Table

from tests.benchmarks.measuring import Run, dbt, gainsay, measured

_OFFICIAL = 658_111
_MODELS = ("+conflict_suite__manifest", "+conflict_suite__pilot", "+audit__rejected_inputs")
# as in the other measurements of the Conflict Suite, which reads no instances
_LANDED = ("v2_*.json", "captions_*.json")
_N_SHOWN = 15
_MOST_TIMES_PER_TIME = 1.2
_LARGEST_LANDING_MB = 1_000


@dataclass(frozen=True)
class Size:
    """One size: what writing, landing and building took, megabytes spilled, seconds by node."""

    n_questions: int
    written: Run | None
    landed: Run
    built: Run
    spilled_megabytes: float
    seconds: dict[str, float]
    n_rows: dict[str, int]

    @property
    def landed_and_built(self) -> float:
        return self.landed.seconds + self.built.seconds


@click.command()
@click.option("--questions", default=_OFFICIAL, show_default=True, help="The size to multiply.")
@click.option("--times", default=10, show_default=True, help="How many times of it.")
@click.option("--memory", default="6GB", show_default=True, help="GAINSAY_MEMORY_LIMIT.")
@click.option(
    "--folder",
    default="data/bench",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where corpora are kept and warehouses made; corpora are made once.",
)
def main(questions: int, times: int, memory: str, folder: Path) -> None:
    """Measure both sizes; exits with 1 when time grows by more than 1.2 for each time."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    small, large = (measure(n, memory, folder) for n in (questions, times * questions))
    _print(small, large)
    ratio = large.landed_and_built / small.landed_and_built
    print(f"landed and built in {ratio:.1f} times the time, at most {1.2 * times:g} are allowed")
    is_missed = ratio > _MOST_TIMES_PER_TIME * times or large.landed.megabytes > _LARGEST_LANDING_MB
    sys.exit(is_missed)


def measure(n_questions: int, memory: str, folder: Path) -> Size:
    """Write a corpus unless it is there, land it and build the Conflict Suite, tests included.

    The warehouse is removed. Raises `RuntimeError` where a command fails.
    """
    corpus = folder / f"corpus_{n_questions}"
    written = None
    if not corpus.exists():
        size = ("--questions", str(n_questions), "--no-images", "--no-flaws")
        written = measured(gainsay("synth", corpus, *size))
    database = folder / f"times_{n_questions}.duckdb"
    database.unlink(missing_ok=True)
    environment = {"GAINSAY_DB": str(database), "GAINSAY_MEMORY_LIMIT": memory}
    files = [path for pattern in _LANDED for path in sorted(corpus.glob(pattern))]
    landed = measured(gainsay("land", *files), **environment)
    spills = database.with_name(f"{database.name}.tmp")
    with ThreadPoolExecutor(1) as pool:
        has_ended = Event()
        watched = pool.submit(_largest_size, spills, has_ended)
        try:
            built = measured(dbt(folder, "build", "--select", *_MODELS), **environment)
        finally:
            has_ended.set()
    results = json.loads((folder / "target" / "run_results.json").read_text())["results"]
    seconds = {result["unique_id"]: float(result["execution_time"]) for result in results}
    n_rows = _n_rows(database)
    database.unlink()
    return Size(n_questions, written, landed, built, watched.result() / 1e6, seconds, n_rows)


def _largest_size(folder: Path, has_ended: Event) -> int:
    """The most bytes that the files of a folder came to."""
    largest = 0
    while not has_ended.wait(0.5):
        sizes = []
        for path in folder.glob("*"):
            try:
                sizes.append(path.stat().st_size)
            except FileNotFoundError:
                continue
        largest = max(largest, sum(sizes))
    return largest


def _n_rows(database: Path) -> dict[str, int]:
    with duckdb.connect(database, read_only=True) as connection:
        return dict(
            connection.execute("select table_name, estimated_size from duckdb_tables()").fetchall()
        )


def _print(small: Size, large: Size) -> None:
    table = Table(title="One machine", title_justify="left")
    table.add_column("")
    for size in (small, large):
        for header in ("s", "MB", "rows"):
            table.add_column(f"{header} at {size.n_questions:,}", justify="right")
    table.add_column("times", justify="right")

    def add(name: str, runs: list[Run | None]) -> None:
        cells = [
            cell
            for run in runs
            for cell in (
                (f"{run.seconds:.0f}", f"{run.megabytes:,.0f}", "") if run else ("there", "", "")
            )
        ]
        first, second = runs
        ratio = f"{second.seconds / first.seconds:.1f}" if first and second else ""
        table.add_row(name, *cells, ratio)

    add("gainsay synth", [small.written, large.written])
    add("gainsay land", [small.landed, large.landed])
    add("dbt build, tests included", [small.built, large.built])
    spilled = [f"{size.spilled_megabytes:,.0f}" for size in (small, large)]
    table.add_row("  spilled at the most", "", spilled[0], "", "", spilled[1], "", "")
    slowest = sorted(large.seconds, key=lambda name: -large.seconds[name])
    for name in slowest[:_N_SHOWN]:
        model = name.split(".")[-1] if name.startswith("model.") else name.split(".")[2]
        before, after = small.seconds.get(name, 0.0), large.seconds[name]
        rows = [
            f"{size.n_rows[model]:,}" if model in size.n_rows else "" for size in (small, large)
        ]
        ratio = f"{after / before:.1f}" if before else ""
        table.add_row(
            f"  {model}", f"{before:.1f}", "", rows[0], f"{after:.1f}", "", rows[1], ratio
        )
    Console(width=180 if not sys.stdout.isatty() else None).print(table)


if __name__ == "__main__":
    main()
