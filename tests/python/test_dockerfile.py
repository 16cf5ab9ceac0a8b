"""The steps of the Dockerfile, run as a script in a folder that stands for the image's root."""

import json
import os
import re
import shutil
import subprocess
from fnmatch import fnmatchcase as fnmatch
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]

# they install into an empty environment
pytestmark = pytest.mark.wheel


def _steps(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile, each with the rest of its line."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    whole = "\n".join(lines).replace("\\\n", " ")
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in whole.splitlines() if line]


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Which entries of a folder .dockerignore leaves out: patterns begin at the root."""
    patterns = (PROJECT / ".dockerignore").read_text().split()
    paths = {name: Path(folder, name).relative_to(PROJECT).as_posix() for name in names}
    return {
        name
        for name, path in paths.items()
        for pattern in patterns
        if fnmatch(path if pattern.count("/") == path.count("/") else "", pattern)
        or fnmatch(f"**/{name}", pattern)
    }


class _Image:
    """What the instructions have made below a folder."""

    def __init__(self, root: Path) -> None:
        self.root, self.workdir = root, root
        # of this machine its programs, and what says where packages come from
        own = ("GAINSAY_", "DBT_", "PYTHONPATH", "VIRTUAL_ENV")
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(own)
        } | {"PATH": _without_own_programs()}
        self.entrypoint: list[str] = []
        self.command: list[str] = []

    def apply(self, instruction: str, rest: str) -> None:
        if instruction == "WORKDIR":
            self.workdir = self.root / rest.lstrip("/")
            self.workdir.mkdir(parents=True, exist_ok=True)
        elif instruction == "COPY":
            assert rest == ". ."
            shutil.copytree(
                PROJECT, self.workdir, symlinks=True, dirs_exist_ok=True, ignore=_left_out
            )
        elif instruction == "ENV":
            name, _, value = rest.partition("=")
            placed = re.sub("^/", f"{self.root}/", value)
            self.environment[name] = placed.replace("$PATH", self.environment["PATH"])
        elif instruction == "RUN":
            self.run(["sh", "-c", rest])
        elif instruction == "ENTRYPOINT":
            self.entrypoint = json.loads(rest)
        elif instruction == "CMD":
            self.command = json.loads(rest)
        else:
            assert instruction == "FROM", instruction

    def run(self, command: list[str]) -> str:
        process = subprocess.run(
            # the program is looked up on the image's path
            ["env", *command], cwd=self.workdir, env=self.environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert process.returncode == 0, f"{command}\n{process.stdout}\n{process.stderr}"
        return process.stdout


def _without_own_programs() -> str:
    """The path of this process without environments of Python, in which gainsay may be."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(
        folder for folder in folders if folder and not Path(folder, "gainsay").exists()
    )


def test_its_steps_make_a_program_that_runs_the_demo(tmp_path: Path) -> None:
    steps = _steps((PROJECT / "Dockerfile").read_text())
    [(_, base)] = [step for step in steps if step[0] == "FROM"]
    version = re.fullmatch(r"python:3\.(\d+)-slim", base)
    assert version is not None
    assert int(version[1]) >= 11
    image = _Image(tmp_path)
    for instruction, rest in steps:
        image.apply(instruction, rest)

    assert "Usage: gainsay" in image.run([*image.entrypoint, *image.command])
    copied = tmp_path / "gainsay"
    before = {path for path in copied.iterdir() if path.name != ".venv"}
    assert not {".git", "data", "target"} & {path.name for path in before}
    assert "consistency_filter_failed" in image.run([*image.entrypoint, "demo", "--images", "20"])
    # the program's folder is left as it is: what a user asks for lands in theirs
    assert {path for path in copied.iterdir() if path.name != ".venv"} == before
    assert (tmp_path / "work/data/demo/report.html").stat().st_size > 0
