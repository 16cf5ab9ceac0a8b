"""What reaches standard output and error: nothing that steers a terminal, every letter somehow."""

import ast
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from gainsay.foundation.connection import connect
from tests.python.conftest import PROJECT

# clears the screen, names the window, rings, as one byte of Latin-1, and turns what follows about
ORDERS = ["\x1b[2J", "\x1b]0;mine\x07", "\x9b31m", "\u202e", "\r", "\x08"]
STEERED = " || ".join(f"chr({ord(character)})" for character in "".join(ORDERS))


@pytest.fixture(name="warehouse", autouse=True)
def empty_warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    with connect():
        pass


def _on_terminal(*arguments: str) -> str:
    """What a terminal is sent."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gainsay", *arguments],
        stdin=follower, stdout=follower, stderr=follower,
        env=os.environ | {"TERM": "dumb", "NO_COLOR": "1"},
    )  # fmt: skip
    os.close(follower)
    sent = b""
    # a terminal that nobody writes to any more has no end, but an error
    while part := _part(leader):
        sent += part
    os.close(leader)
    process.wait()
    return sent.decode()


def _part(leader: int) -> bytes:
    try:
        return os.read(leader, 65_536)
    except OSError:
        return b""


@pytest.mark.parametrize(
    "arguments",
    [
        ("sql", f"select {STEERED} as a"),
        ("sql", f'select 1 as "{ORDERS[0]}{ORDERS[1]}{ORDERS[3]}"'),
        ("sql", "--csv", f"select {STEERED} as a"),
        ("sql", f"select error({STEERED})"),
        ("compare", "".join(ORDERS[:3]) + ".duckdb", "b.duckdb"),
        ("land-votes", "".join(ORDERS[:3])),
    ],
)
def test_a_terminal_gets_no_orders(arguments: tuple[str, ...]) -> None:
    sent = _on_terminal(*arguments).replace("\r\n", "\n")
    assert not [character for character in "\x1b\x07\x08\r\x9b\u202e" if character in sent]
    # what is there is seen
    assert "[2J" in sent


def test_a_file_gets_every_text_as_it_is() -> None:
    shown = _gainsay({}, "sql", "--csv", f"select {STEERED} as a")
    assert "".join(ORDERS) in shown.stdout.decode()


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
)
@pytest.mark.parametrize("arguments", [("sql",), ("sql", "--csv")])
def test_an_output_without_letters_gets_their_numbers(
    locale: dict[str, str], arguments: tuple[str, ...]
) -> None:
    shown = _gainsay(locale, *arguments, "select 'Äpfel 猫' as \"ü\"")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"\\u732b" in shown.stdout
    failed = _gainsay(locale, *arguments, "select error('Äpfel 猫')")
    assert failed.returncode == 1
    assert b"Traceback" not in failed.stderr
    assert b"pfel" in failed.stderr


def _gainsay(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "gainsay", *arguments],
        cwd=PROJECT, env=os.environ | environment, capture_output=True, check=False,
    )  # fmt: skip


def test_files_are_read_as_utf8_whatever_the_locale() -> None:
    calls = [
        f"{path.relative_to(PROJECT)}:{node.lineno}"
        for folder in ("gainsay", "ingest", "python_udfs")
        for path in (PROJECT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _opens_text(node)
    ]
    assert calls == []


def _opens_text(call: ast.Call) -> bool:
    """Whether a call opens a file as text in the encoding of the locale."""
    named = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if any(keyword.arg == "encoding" for keyword in call.keywords):
        return False
    if named == "open":
        # those of other modules and of archives are given a file first
        mode = call.args[isinstance(call.func, ast.Name) :]
        return not mode or (isinstance(mode[0], ast.Constant) and "b" not in str(mode[0].value))
    # the first argument of `read_text` is the encoding, the second one of `write_text`
    return (named == "read_text" and not call.args) or (
        named == "write_text" and len(call.args) < 2
    )
