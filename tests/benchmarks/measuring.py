"""Commands measured from outside: wall time and peak memory of the process tree's largest."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Measurement:
    """One line of the benchmark's table.

    `ratio` is what the target speaks of; `at_least` and `at_most` are its bounds.
    """

    stage: str
    seconds: float
    n_rows: int | None = None
    peak_megabytes: float | None = None
    ratio: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    most_seconds: float | None = None
    most_megabytes: float | None = None

    @property
    def is_missed(self) -> bool:
        """Whether any bound is broken."""
        return (
            (self.at_least is not None and (self.ratio or 0) < self.at_least)
            or (self.at_most is not None and (self.ratio or 0) > self.at_most)
            or (self.most_seconds is not None and self.seconds > self.most_seconds)
            or (
                self.most_megabytes is not None and (self.peak_megabytes or 0) > self.most_megabytes
            )
        )

    def cells(self) -> list[str]:
        """The measurement as texts, a dash where it says nothing."""
        targets = [
            f"{sign} {bound:g}{unit}"
            for sign, bound, unit in (
                (">=", self.at_least, "x"),
                ("<=", self.at_most, "x"),
                ("<=", self.most_seconds, " s"),
                ("<=", self.most_megabytes, " MB"),
            )
            if bound is not None
        ]
        return [
            self.stage,
            f"{self.seconds:.1f}",
            f"{self.n_rows / self.seconds:,.0f}" if self.n_rows else "-",
            f"{self.peak_megabytes:,.0f}" if self.peak_megabytes else "-",
            f"{self.ratio:.2f}" if self.ratio else "-",
            ", ".join(targets) or "-",
        ]


@dataclass(frozen=True)
class Run:
    """What a command took: wall seconds, seconds of all cores together, and peak megabytes."""

    seconds: float
    cpu_seconds: float
    megabytes: float


def run(command: Sequence[str | Path], **environment: str) -> tuple[float, float]:
    """Run a command to its end; return wall seconds and peak megabytes.

    Raises `RuntimeError` with the command's output when it fails.
    """
    done = measured(command, **environment)
    return done.seconds, done.megabytes


def measured(command: Sequence[str | Path], **environment: str) -> Run:
    """Run a command to its end.

    Raises `RuntimeError` with the command's output when it fails.
    """
    started = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, command)),
        cwd=PROJECT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command}:\n{output.decode()[-4000:]}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def gainsay(*arguments: str | Path) -> list[str | Path]:
    """The command line of `gainsay`."""
    return [sys.executable, "-m", "gainsay", *arguments]


def dbt(folder: Path, *arguments: str) -> list[str | Path]:
    """The command line of `dbt`, which writes its account into the target folder in `folder`."""
    return [
        Path(sys.executable).parent / "dbt", arguments[0], "--profiles-dir", "profiles",
        "--write-json",
        "--target-path", folder / "target", "--log-path", folder / "logs", *arguments[1:],
    ]  # fmt: skip
