"""A standalone cluster on loopback, a master and two workers, builds what one machine does.

Not in CI: `make test-cluster`.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from threading import Thread
from typing import NamedTuple

import pyspark
import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.published_clash import published
from tests.python.real_data import CLASH, REAL_SAMPLE, needs_clash, needs_real_sample
from tests.python.scored_corpus import ANSWERS, QUESTION_SETS
from tests.python.test_spark import MODELS, QUICK

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]

_SPARK_CLASS = Path(pyspark.__file__).parent / "bin/spark-class"
# all that is made of texts
_MODELS = (
    *MODELS,
    "+audit__funnel",
    "+audit__drops",
    "+certainly_uncertain__manifest",
    "+conflict_suite_refined__manifest",
    "+reality_check__manifest",
    "+reality_check__multilingual",
    "+reality_check__translation_sample",
)
_MARTS = (
    "audit__drops",
    "audit__funnel",
    "audit__rejected_inputs",
    "certainly_uncertain__examples",
    "certainly_uncertain__manifest",
    "certainly_uncertain__screened",
    "clash__screened",
    "conflict_suite__examples",
    "conflict_suite__manifest",
    "conflict_suite__pilot",
    "conflict_suite_refined__manifest",
    "conflict_suite_refined__screened",
    "conflict_suite__screened",
    "contradictions__proposals",
    "reality_check__manifest",
    "reality_check__screened",
)
# pictures and answers of a part of the house, which is no smaller in kinds of models
_PICTURED_VARS = "{benchmarks: [conflict_suite, occlusions, clash], question_sets: [pope]}"
_PICTURED_MODELS = (
    "+images__annotations",
    "+images__renderings",
    "+occlusions__manifest",
    "+path:models/evaluation/marts",
)
_PICTURED_MARTS = (
    "evaluation__judge_agreement",
    "evaluation__judge_labels",
    "evaluation__leaderboard",
    "evaluation__matches",
    "evaluation__published_results",
    "evaluation__runs",
    "evaluation__scores",
    "occlusions__manifest",
)
_LOOPBACK = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}


def compared(
    warehouse: Warehouse, other: Warehouse, marts: tuple[str, ...]
) -> "subprocess.CompletedProcess[str]":
    """What `gainsay compare` says of marts on DuckDB and on Spark."""
    names = [option for mart in marts for option in ("--mart", mart)]
    return warehouse.gainsay("compare", *names, str(other.path), "spark", check=False)


class Cluster(NamedTuple):
    """A running cluster: where its master is, and its workers' processes."""

    master: str
    workers: list["subprocess.Popen[str]"]


@contextmanager
def _cluster(folder: Path) -> Iterator[Cluster]:
    daemons = []
    try:
        daemon, master = _started(folder, "master", "--host", "127.0.0.1", "--port", "0")
        daemons.append(daemon)
        for number in (1, 2):
            work = folder / f"work_{number}"
            options = ("--cores", "1", "--memory", "1g", "--work-dir", str(work), "--port", "0")
            daemons.append(_started(folder, "worker", master, *options)[0])
        yield Cluster(master, daemons[1:])
    finally:
        for daemon in daemons:
            _kill(daemon)


def _started(folder: Path, kind: str, *options: str) -> tuple["subprocess.Popen[str]", str]:
    """Start a daemon in a group of its own; return it and the URL that its log names."""
    name = f"org.apache.spark.deploy.{kind}.{kind.capitalize()}"
    process = subprocess.Popen(
        [str(_SPARK_CLASS), name, "--webui-port", "0", *options],
        env=os.environ | _LOOPBACK | {"SPARK_DAEMON_MEMORY": "256m"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    ready = re.compile(r"(?:Starting Spark master at|Successfully registered with master) (\S+)")
    seen = []
    for line in process.stdout:
        seen.append(line)
        if found := ready.search(line):
            # a daemon whose words nobody takes would stop
            log = (folder / f"{kind}_{process.pid}.log").open("w")
            Thread(target=copyfileobj, args=(process.stdout, log), daemon=True).start()
            return process, found[1]
    raise RuntimeError("".join(seen))


def _kill(daemon: "subprocess.Popen[str]") -> None:
    if daemon.poll() is None:
        os.killpg(daemon.pid, signal.SIGKILL)
        daemon.wait()


class ClusterWarehouse(Warehouse):
    """Spark tables that a cluster builds, by the commands a user runs."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        environment = QUICK | _LOOPBACK | {"GAINSAY_SPARK_WAREHOUSE": str(folder / "spark")}
        super().__init__(folder, **environment)

    def command(
        self,
        cluster: Cluster,
        *arguments: str,
        models: tuple[str, ...] = _MODELS,
        with_tests: bool = False,
    ) -> list[str]:
        left_out = () if with_tests else ("--exclude-resource-type", "test")
        return [
            sys.executable, "-m", "gainsay", "spark", "--master", cluster.master,
            "--conf", "spark.executor.memory=768m", "--conf", "spark.sql.shuffle.partitions=4",
            "build", "--select", *models, *left_out,
            "--target-path", str(self.folder / "target"), "--log-path", str(self.folder / "logs"),
            *arguments,
        ]  # fmt: skip


def test_two_workers_build_what_one_machine_does(
    synthetic: Warehouse, corpus: Path, tmp_path: Path
) -> None:
    warehouse = ClusterWarehouse(tmp_path / "warehouse")
    warehouse.gainsay("land", "--target", "spark", corpus)
    with _cluster(tmp_path) as cluster:
        warehouse.process(warehouse.command(cluster, with_tests=True))

    assert compared(warehouse, synthetic, _MARTS).returncode == 0


def test_a_worker_killed_during_the_build_leaves_the_old_tables_or_the_new(
    synthetic: Warehouse, corpus: Path, tmp_path: Path
) -> None:
    """With the second worker the build goes on; without any it fails."""
    warehouse = ClusterWarehouse(tmp_path / "warehouse")
    warehouse.gainsay("land", "--target", "spark", corpus)
    with _cluster(tmp_path) as cluster:
        warehouse.process(warehouse.command(cluster))
        # the tables are rebuilt with another seed
        command = warehouse.command(cluster, "--vars", "{seed: 8}")
        build = subprocess.Popen(
            command, cwd=PROJECT, env=warehouse.environment, stdout=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        assert build.stdout is not None
        _until(build.stdout, "START sql table model conflict_suite.conflict_suite__bases ")
        _kill(cluster.workers[0])
        _until(build.stdout, "START sql table model conflict_suite.conflict_suite__examples ")
        _kill(cluster.workers[1])
        # nobody is left to do the work, so it is given up
        os.killpg(build.pid, signal.SIGKILL)
        build.stdout.close()
        build.wait()

    # the first lost worker cost nothing: what stands before the examples is of the new seed
    donors = compared(warehouse, synthetic, ("conflict_suite__screened",))
    assert donors.returncode == 0
    old = compared(warehouse, synthetic, ("conflict_suite__examples",))
    assert old.returncode == 0, old.stdout

    with _cluster(tmp_path) as cluster:
        warehouse.process(warehouse.command(cluster))
    assert compared(warehouse, synthetic, _MARTS).returncode == 0


def _until(lines: Iterator[str], mark: str) -> None:
    assert any(mark in line for line in lines), mark


@needs_real_sample
def test_the_real_sample_is_built_alike(real: Warehouse, tmp_path: Path) -> None:
    warehouse = ClusterWarehouse(tmp_path / "warehouse")
    warehouse.gainsay("land", "--target", "spark", REAL_SAMPLE)
    with _cluster(tmp_path) as cluster:
        warehouse.process(warehouse.command(cluster))

    assert compared(warehouse, real, _MARTS).returncode == 0


def _land_pictures_and_answers(warehouse: Warehouse, files: Path, target: str) -> None:
    """A corpus with its pictures, POPE, and the published answers to CLASH."""

    def land(command: str, *arguments: str | Path) -> None:
        warehouse.gainsay(command, "--target", target, *arguments)

    land("land", files / "corpus", CLASH / "clash_test.json")
    land("land-images", files / "corpus")
    land("land", "--question-set", "pope", files / "pope")
    for (benchmark, condition), answers in ANSWERS.items():
        if benchmark == "pope":
            file = files / "mine.jsonl"
            file.write_text("\n".join(map(json.dumps, answers)))
            land("land-predictions", "--benchmark", "pope", "--condition", condition, file)
    for published_answers in published():
        task, condition, model, file = published_answers
        land(
            "land-predictions", "--benchmark", "clash", "--task", task, "--condition", condition,
            "--model", model, file,
        )  # fmt: skip


@needs_clash
def test_pictures_and_answers_are_those_of_one_machine_though_a_worker_is_killed_rendering(
    tmp_path: Path,
) -> None:
    files = tmp_path / "files"
    one = Warehouse(tmp_path, GAINSAY_RENDERINGS=str(tmp_path / "of_one"))
    one.gainsay("synth", files / "corpus", "--images", "20")
    (files / "pope").mkdir()
    for name, questions in QUESTION_SETS["pope"].items():
        (files / "pope" / name).write_text("\n".join(map(json.dumps, questions)))
    many = ClusterWarehouse(tmp_path / "warehouse")
    many.environment["GAINSAY_RENDERINGS"] = str(tmp_path / "of_many")
    for warehouse, target in ((one, "dev"), (many, "spark")):
        _land_pictures_and_answers(warehouse, files, target)
    one.build("--select", *_PICTURED_MODELS, "--vars", _PICTURED_VARS)

    with _cluster(tmp_path) as cluster:
        command = many.command(cluster, "--vars", _PICTURED_VARS, models=_PICTURED_MODELS)
        build = subprocess.Popen(
            command, cwd=PROJECT, env=many.environment, stdout=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        assert build.stdout is not None
        _until(build.stdout, " model images.images__renderings ")
        _watch(build, lambda: any((tmp_path / "of_many").glob("??/[!.]*")))
        _kill(cluster.workers[0])
        for _ in build.stdout:
            pass
        assert build.wait() == 0

    printed = compared(many, one, _PICTURED_MARTS).stdout
    assert printed.count("agrees") == len(_PICTURED_MARTS), printed
    # files are named by their content; nothing is there that is not whole
    assert _rendered(tmp_path / "of_many") == _rendered(tmp_path / "of_one")
    assert len(_rendered(tmp_path / "of_one")) > 50


def _watch(process: "subprocess.Popen[str]", has_come: Callable[[], bool]) -> None:
    while not has_come():
        assert process.poll() is None, "it ended before it could be killed"


def _rendered(folder: Path) -> dict[str, int]:
    """The files of renderings, with their sizes; what a kill left unfinished has no such name."""
    return {file.name: file.stat().st_size for file in folder.glob("??/[!.]*")}
