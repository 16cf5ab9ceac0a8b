"""The demo in a folder of its own, and the commands that its last lines name."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]


@dataclass
class Demo:
    """A folder in which the demo has run, and the lines that it ended with."""

    folder: Path
    lines: list[str]

    @property
    def warehouse(self) -> Path:
        """The file that it built."""
        return self.folder / "data/demo/gainsay.duckdb"

    @property
    def environment(self) -> dict[str, str]:
        """What a person has set who did as the first of the lines says."""
        [line] = [line for line in self.lines if line.startswith("export ")]
        name, _, value = line.removeprefix("export ").partition("=")
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return os.environ | {
            name: value, "PATH": programs, "PYTHONUNBUFFERED": "1", "GAINSAY_PROJECT": str(PROJECT),
        }  # fmt: skip

    def line(self, command: str) -> str:
        """The line of a command, without what is said behind it."""
        [line] = [line for line in self.lines if re.match(rf"\S*gainsay {command}\b", line)]
        return line.partition("#")[0].strip()

    def run(self, line: str) -> str:
        done = subprocess.run(
            shlex.split(line), cwd=self.folder, env=self.environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        return done.stdout

    @contextmanager
    def served(self, line: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
        """The address of a page that a line opens, without a browser and at any port."""
        process = subprocess.Popen(
            [*shlex.split(line), "--no-browser", "--port", "0"], cwd=self.folder,
            env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert process.stdout is not None
        said = []
        for text in process.stdout:
            said.append(text)
            if text.startswith("Ctrl+C"):
                break
        try:
            yield next((text.strip() for text in said if text.startswith("http")), ""), process
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def make_demo(folder: Path) -> None:
    """Run the demo in its default folder below this one, and keep what it says."""
    command = [sys.executable, "-m", "gainsay", "demo"]
    said = subprocess.run(
        command, cwd=folder, text=True, check=True, stdout=subprocess.PIPE,
        env=os.environ | {"GAINSAY_PROJECT": str(PROJECT)},
    )  # fmt: skip
    (folder / "said.txt").write_text(said.stdout)


def demo_in(folder: Path) -> Demo:
    """The demo that has run in a folder."""
    said = (folder / "said.txt").read_text().partition("Try:\n")[2]
    return Demo(folder, [line.strip() for line in said.splitlines()])
