"""Commands of `gainsay` one after another in one process: each a JSON list in a line of stdin.

A line that begins with `END` and has the exit code comes after what a command prints.
"""

import json
import os
import sys

from gainsay.cli import main

END = "the command ends with "


def _exit_code(arguments: list[str]) -> int:
    try:
        main.main(arguments, prog_name="gainsay")
    except SystemExit as ending:
        if ending.code is None or isinstance(ending.code, int):
            return ending.code or 0
        print(ending.code)
        return 1
    return 0


def _run_commands() -> None:
    # errors stand among the rest, in order
    os.dup2(1, 2)
    for line in sys.stdin:
        code = _exit_code(json.loads(line))
        sys.stderr.flush()
        print(f"\n{END}{code}", flush=True)


if __name__ == "__main__":
    _run_commands()
