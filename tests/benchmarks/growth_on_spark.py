"""`python -m tests.benchmarks.growth_on_spark`: how the build on Spark grows with the corpus.

Local Spark of two cores at shares of the official size. What Spark says in its event log is
read after each build: how long the tables of a stage took, the largest shuffle, the most of a
shuffle that one task read and the most that came back to the driver; a plan with a Cartesian
product fails the run.
"""

import json
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tests.benchmarks.measuring import gainsay, run

_OFFICIAL = 658_111
_MODELS = ("+conflict_suite__manifest", "+conflict_suite__pilot", "+audit__rejected_inputs")
# a table belongs to the first stage that its name begins with
_STAGES = {
    "images__": "captions",
    "conflict_suite__candidates": "screening",
    "conflict_suite__question_findings": "screening",
    "conflict_suite__caption_": "screening",
    "conflict_suite__screened": "screening",
    "conflict_suite__bases": "bases and splits",
    "conflict_suite__easy_": "easy donors",
    "conflict_suite__hard_": "hard donors",
    "conflict_suite__donors": "donors chosen",
    "conflict_suite__text_edits": "text edits",
    "conflict_suite__examples": "variants and examples",
    "conflict_suite__violations": "integrity",
    "conflict_suite__manifest": "manifest",
    "conflict_suite__pilot": "pilot",
    "audit__": "audit",
}


_WRITTEN = re.compile(
    r"CreateDataSourceTableAsSelectCommand\nArguments: `spark_catalog`\.`gainsay_store`\."
    r"`[a-z]+(?:_[a-z]+)*?__(?P<table>\w+)__v[0-9a-f]{32}`"
)


@dataclass
class Work:
    """What Spark did for one stage: seconds of its tables, bytes and megabytes at the most."""

    seconds: float = 0.0
    largest_shuffle: int = 0
    largest_result: int = 0
    peak_execution: int = 0
    # the most bytes of a shuffle that one task reads
    largest_task: int = 0

    def add(self, other: "Work") -> None:
        self.seconds += other.seconds
        self.largest_shuffle = max(self.largest_shuffle, other.largest_shuffle)
        self.largest_result = max(self.largest_result, other.largest_result)
        self.peak_execution = max(self.peak_execution, other.peak_execution)
        self.largest_task = max(self.largest_task, other.largest_task)


@dataclass
class Growth:
    """One size: its work by stage, and the whole processes from outside."""

    n_questions: int
    land_seconds: float
    build_seconds: float
    peak_megabytes: float
    stages: dict[str, Work] = field(default_factory=lambda: defaultdict(Work))


@click.command()
@click.option("--parts", default="16,4,1", show_default=True, help="1/N of the official size.")
@click.option(
    "--folder",
    default="data/bench",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where corpora and tables are kept; corpora are made once.",
)
@click.option("--memory", default="6g", show_default=True, help="The heap of the one JVM.")
def main(parts: str, folder: Path, memory: str) -> None:
    """Measure each size and print them beside each other."""
    show_growth([int(part) for part in parts.split(",")], folder.resolve(), memory)


def show_growth(parts: list[int], folder: Path, memory: str) -> None:
    """Measure 1/N of the official size for each N of `parts`, and print them beside each other.

    Raises `RuntimeError` where a plan has a Cartesian product.
    """
    sizes = sorted(_OFFICIAL // part for part in parts)
    _print([_measure(n_questions, folder, memory) for n_questions in sizes])


def _measure(n_questions: int, folder: Path, memory: str) -> Growth:
    corpus = folder / f"corpus_{n_questions}"
    if not corpus.exists():
        size = ("--questions", str(n_questions), "--no-images", "--no-flaws")
        run(gainsay("synth", corpus, *size))
    work = folder / f"spark_{n_questions}"
    shutil.rmtree(work, ignore_errors=True)
    (work / "events").mkdir(parents=True)
    environment = {"GAINSAY_SPARK_WAREHOUSE": str(work), "SPARK_DRIVER_MEMORY": memory}
    land_seconds, _ = run(gainsay("land", "--target", "spark", corpus), **environment)
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": str(work / "events"),
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.eventLog.logStageExecutorMetrics": "true",
        "spark.executor.processTreeMetrics.enabled": "true",
        "spark.executor.heartbeatInterval": "2s",
    }
    options = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    build_seconds, _ = run(
        gainsay(
            "spark", "--master", "local[2]", *options, "build", "--select", *_MODELS,
            "--exclude-resource-type", "test",
            "--target-path", work / "target", "--log-path", work / "logs",
        ),
        **environment,
    )  # fmt: skip
    growth = Growth(n_questions, land_seconds, build_seconds, 0.0)
    (log,) = (path for path in (work / "events").iterdir() if path.is_file())
    _read(log, growth)
    return growth


def _read(log: Path, growth: Growth) -> None:
    """Add what an event log says to the stages of the project."""
    tables: dict[int, str] = {}
    started: dict[int, int] = {}
    execution_of: dict[int, int] = {}
    shuffled: dict[int, int] = defaultdict(int)
    returned: dict[int, int] = defaultdict(int)
    for event in _events(log):
        kind = event["Event"].rsplit(".", 1)[-1]
        if kind in ("SparkListenerSQLExecutionStart", "SparkListenerSQLAdaptiveExecutionUpdate"):
            plan = event["physicalPlanDescription"]
            if "CartesianProduct" in plan:
                raise RuntimeError(f"a Cartesian product:\\n{plan[:4000]}")
        if kind == "SparkListenerSQLExecutionStart":
            # what writes a table's files is run by what makes the table
            number, root = event["executionId"], event.get("rootExecutionId")
            is_root = root in (None, number)
            tables[number] = _table_of(plan) if is_root else tables.get(root, "")
            if is_root:
                started[number] = event["time"]
        elif kind == "SparkListenerSQLExecutionEnd" and event["executionId"] in started:
            seconds = (event["time"] - started[event["executionId"]]) / 1000
            growth.stages[_stage(tables[event["executionId"]])].add(Work(seconds))
        elif kind == "SparkListenerStageSubmitted":
            execution = event["Properties"].get("spark.sql.execution.id")
            if execution is not None:
                execution_of[event["Stage Info"]["Stage ID"]] = int(execution)
        elif kind == "SparkListenerTaskEnd" and "Task Metrics" in event:
            metrics = event["Task Metrics"]
            stage = event["Stage ID"]
            shuffled[stage] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            returned[stage] += metrics["Result Size"]
            peak = metrics["Peak Execution Memory"]
            name = _stage(tables.get(execution_of.get(stage, -1), ""))
            read = metrics["Shuffle Read Metrics"]
            task = read["Remote Bytes Read"] + read["Local Bytes Read"]
            growth.stages[name].add(Work(peak_execution=peak, largest_task=task))
        elif kind == "SparkListenerStageExecutorMetrics":
            memory = event["Executor Metrics"].get("ProcessTreeJVMRSSMemory", 0)
            growth.peak_megabytes = max(growth.peak_megabytes, memory / 1e6)
    for stage, execution in execution_of.items():
        name = _stage(tables.get(execution, ""))
        growth.stages[name].add(Work(0.0, shuffled[stage], returned[stage]))


def _events(log: Path) -> Iterator[dict[str, Any]]:
    with log.open() as lines:
        yield from map(json.loads, lines)


def _table_of(plan: str) -> str:
    """The table of the project that a plan writes; empty for any other plan."""
    written = _WRITTEN.search(plan)
    return written["table"] if written else ""


def _stage(table: str) -> str:
    return next(
        (stage for beginning, stage in _STAGES.items() if table.startswith(beginning)),
        "seeds and views",
    )


def _print(growths: list[Growth]) -> None:
    table = Table(title="Spark, local[2]", title_justify="left")
    table.add_column("stage")
    for growth in growths:
        for header in ("s", "shuffle MB", "task MB", "to driver kB"):
            table.add_column(f"{header} at {growth.n_questions:,}", justify="right")
    names = [*dict.fromkeys(_STAGES.values()), "seeds and views"]
    for name in names:
        cells = [name]
        for growth in growths:
            work = growth.stages[name]
            cells += [
                f"{work.seconds:.1f}",
                f"{work.largest_shuffle / 1e6:.1f}",
                f"{work.largest_task / 1e6:.1f}",
                f"{work.largest_result / 1e3:.0f}",
            ]
        table.add_row(*cells)
    for name, values in (
        ("gainsay land", [growth.land_seconds for growth in growths]),
        ("gainsay spark build", [growth.build_seconds for growth in growths]),
        ("peak MB of the JVM", [growth.peak_megabytes for growth in growths]),
    ):
        cells = [name]
        for value in values:
            cells += [f"{value:.0f}", "", "", ""]
        table.add_row(*cells)
    Console(width=240 if not sys.stdout.isatty() else None).print(table)


if __name__ == "__main__":
    main()
