"""The gates that VLM Reality Check's source protocol prints, run where a folder was exported.

They are read from beside the project and never copied. `run_printed` runs a script as it is.
`failures` runs it with its counts scaled, and with each assertion told instead of stopping at the
first, because two conditions of gate 4.3 contradict the document that prints it.
"""

import ast
import subprocess
import sys
from pathlib import Path

from tests.python.real_data import PRINTED_GATES

# what gate 4.3 says where compounds, all hard, are 40,000 of 130,000: the compounds are more than
# 15 % of all, and the shares of the levels are those of the single biases alone
CONTRADICTIONS = ("compound is ", "Easy ", "Medium ", "Hard ")
# smaller numbers are no counts of the full size
_LEAST_COUNT = 10_000


def run_printed(name: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a script as it is printed, in a folder."""
    return _python([str(PRINTED_GATES / f"{name}.py")], folder)


def failures(name: str, folder: Path, scale: float = 1.0) -> list[str]:
    """What a script finds wrong with a folder whose counts are `scale` of the full size."""
    tree = ast.parse((PRINTED_GATES / f"{name}.py").read_text())
    telling = ast.fix_missing_locations(_Telling(scale).visit(tree))
    done = _python(["-c", ast.unparse(telling)], folder)
    assert done.returncode == 0, done.stderr
    assert "PASSED" in done.stdout
    return [
        line.removeprefix("FAILED: ")
        for line in done.stdout.splitlines()
        if line.startswith("FAILED: ")
    ]


class _Telling(ast.NodeTransformer):
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, int) and node.value >= _LEAST_COUNT:
            return ast.Constant(round(node.value * self.scale))
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        told = node.msg or ast.Constant(ast.unparse(node.test))
        call = ast.Call(ast.Name("print", ast.Load()), [ast.Constant("FAILED:"), told], [])
        test = ast.UnaryOp(ast.Not(), node.test)
        return ast.If(test=test, body=[ast.Expr(call)], orelse=[])


def _python(arguments: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
