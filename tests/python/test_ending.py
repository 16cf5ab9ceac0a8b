"""The end of a command: all that Python does then, except to take the memory apart."""

import subprocess
import sys

import pytest

# what a process does at its end, and what it need not do
_ENDING = """
import atexit, sys, threading
from gainsay.cli import main

class Memory:
    def __del__(self):
        print("taken apart")

kept = Memory()
atexit.register(print, "last words")
sys.argv[1:] = {arguments}
{before}
main()
"""
_THREAD = """
import duckdb

def work():
    threading.main_thread().join()
    print("the work is done")

threading.Thread(target=work).start()
"""


def _end(arguments: list[str], before: str = "") -> "subprocess.CompletedProcess[str]":
    code = _ENDING.format(arguments=arguments, before=before)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "code", "n_lines"), [(["--version"], 0, 1), (["--no-such-option"], 2, 0)]
)
def test_a_command_ends_without_taking_its_memory_apart(
    arguments: list[str], code: int, n_lines: int
) -> None:
    ended = _end(arguments)
    assert ended.returncode == code
    assert ended.stdout.splitlines()[n_lines:] == ["last words"]
    assert ("No such option" in ended.stderr) == bool(code)


def test_a_thread_that_still_works_is_waited_for() -> None:
    # a command that is imported, and does nothing
    ended = _end(["sql", "--help"], _THREAD)
    assert ended.returncode == 0
    assert ended.stdout.splitlines()[-3:] == ["the work is done", "last words", "taken apart"]
    # nor is anything said of what could not be freed
    assert ended.stderr == ""


def test_a_closed_output_is_no_success() -> None:
    code = _ENDING.format(arguments=["--help"], before="sys.stdout = open('/dev/full', 'w')")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert ended.returncode != 0
