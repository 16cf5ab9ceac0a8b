"""The third round: what `gainsay score` shows, writes, compares and draws, attacked.

Each attempt says what comes of it: the text as it is, a refusal with its words, or nothing bad.
"""

import csv
import io
import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from math import inf, nan
from pathlib import Path
from threading import Thread
from typing import Any
from xml.etree import ElementTree

import duckdb
import pytest
from click.testing import CliRunner, Result
from matplotlib.figure import Figure

from gainsay.cli import main
from gainsay.cli import score as score_command
from gainsay.cli.outputs import have_outputs
from gainsay.foundation.errors import GainsayError
from gainsay.report import plots
from gainsay.scoring import boards
from gainsay.scoring.differences import paired_differences
from tests.python.boards_warehouse import write_boards_warehouse

# of models
NAMES = {
    "markup": "[red]bold[/red] [link=http://x]y[/] [/]",
    "escapes": "\x1b[2J\x1b]0;mine\x07\x9b31m",
    "a formula": '=HYPERLINK("http://x","look")',
    "plus": "+1+1",
    "minus": "-1+1",
    "at": "@SUM(1)",
    "a tab and a formula": "\t=1",
    "right to left": "a\u202eb\u2066c",
    "10,000 characters": "x" * 10_000,
    "two lines": "a\nb\r\nc",
    "NUL": "a\0b",
    "a picture's name": ":cat: :warning:",
    "a script": "<script>alert(1)</script>",
    "quotes": "a\"b'c,d;e",
    "nothing": "",
    "a blank": " ",
    "a slash": "org/model",
    "combining": "e" + "\u0301" * 500,
    "percent and braces": "%s %(x)d {0} {x!r} $1",
    "a formula of TeX": r"$\frac{$",
    "deep TeX": "$" + r"\frac{1}{" * 50 + "$",
    "an underscore": "_gpt",
}
# where a board shows something else than the name
SHOWN = {
    "escapes": "␛[2J␛]0;mine␇[U+009B]31m",
    "a tab and a formula": "=1",
    "right to left": "a[U+202E]b[U+2066]c",
    "10,000 characters": "x" * 9_000,
    "two lines": "a",
    "NUL": "a␀b",
}


@pytest.fixture(autouse=True)
def nothing_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores are those of the warehouse that a test made."""
    monkeypatch.setattr(score_command, "_score", lambda *_, **__: None)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("named") / "gainsay.duckdb"
    return write_boards_warehouse(
        path, [*((name, "default") for name in NAMES.values()), ("plain", "a [b]")]
    )


def _score(warehouse: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(
        main, ["score", *arguments], env={"GAINSAY_DB": str(warehouse)}, prog_name="gainsay"
    )
    assert result.exception is None or isinstance(result.exception, SystemExit | GainsayError)
    return result


def _model_cells(board: str) -> list[str]:
    return [line.split("│")[2].strip() for line in board.splitlines() if line.startswith("│")]


def test_a_board_shows_every_name(named: Path) -> None:
    shown = _score(named, "--benchmark", "vqa").stdout
    assert not set(shown) & set("\x1b\x07\x9b\u202e\u2066\0\r\t")
    cells = _model_cells(shown)
    expected = {name: SHOWN.get(name, text.strip()) for name, text in NAMES.items()}
    # it takes several lines
    assert expected.pop("10,000 characters") in "".join(cells)
    assert {name for name, text in expected.items() if text not in cells} == set()


def test_json_has_every_name_as_it_is(named: Path) -> None:
    models = [row["model"] for row in json.loads(_score(named, "--json").stdout)]
    assert sorted(models) == sorted([*NAMES.values(), "plain"])


def test_no_name_is_a_formula_of_csv(named: Path) -> None:
    shown = _score(named, "--csv").stdout_bytes.decode()
    rows = list(csv.DictReader(io.StringIO(shown, newline="")))
    assert len(rows) == len(NAMES) + 1
    cells = {row["model"] for row in rows}
    assert {
        name for name, text in NAMES.items() if text not in cells and f"'{text}" not in cells
    } == set()
    assert not [cell for cell in cells if cell.lstrip("\t\r ").startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize("name", NAMES)
def test_models_of_every_name_are_compared(named: Path, name: str) -> None:
    result = _score(named, "--json", "--compare", NAMES[name], "plain")
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)) == len(NAMES) + 1
    assert "2 examples of 2 pictures" in result.stderr


def test_a_picture_is_drawn_of_every_name(named: Path, tmp_path: Path) -> None:
    """Two dollar signs are no formula, and what XML has no character for is not in it."""
    picture = tmp_path / "new" / "board.svg"
    picture.parent.mkdir()
    result = _score(named, "--benchmark", "vqa", "--picture", str(picture))
    assert result.exit_code == 0
    drawn = picture.read_text()
    ElementTree.fromstring(drawn)
    with duckdb.connect(named, read_only=True) as connection:
        figure = plots.draw(connection, "leaderboard", "vqa")
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(labels) == len(NAMES) + 1
    assert max(map(len, labels)) < 100


def test_a_legend_has_a_model_that_begins_with_an_underscore() -> None:
    axes = Figure().subplots()
    plots._lines(axes, {"_gpt": [(0, 0), (1, 1)], "other": [(0, 1), (1, 0)]})
    plots._below(axes)
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text().strip() for text in legend.get_texts()] == ["_gpt", "other"]


@pytest.mark.parametrize("value", [inf, -inf, nan])
@pytest.mark.parametrize("name", ["value", "standard_deviation"])
def test_what_is_no_number_is_shown_and_not_drawn(tmp_path: Path, name: str, value: float) -> None:
    warehouse = write_boards_warehouse(
        tmp_path / "gainsay.duckdb", [("m", "default")], **{name: value}
    )
    assert str(value) in _score(warehouse, "--benchmark", "vqa").stdout
    [row] = json.loads(_score(warehouse, "--json").stdout)
    assert row[name] is None
    [line] = csv.DictReader(_score(warehouse, "--csv").stdout.splitlines())
    assert line[name] == str(value)
    picture = tmp_path / "board.png"
    result = _score(warehouse, "--benchmark", "vqa", "--picture", str(picture))
    assert (result.exit_code, picture.exists()) == (1, False)
    assert "accuracy of m is" in result.stderr
    assert "which no picture shows" in result.stderr


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        ({"rank": None}, ["-", "m", "1.0000 ± 0.1000", "2", "100.0%"]),
        ({"rank": 2**62}, [str(2**62), "m", "1.0000 ± 0.1000", "2", "100.0%"]),
        ({"value": -0.0}, ["1", "m", "-0.0000 ± 0.1000", "2", "100.0%"]),
        ({"value": 1e30}, ["1", "m", f"{1e30:.4f} ± 0.1000", "2", "100.0%"]),
        ({"completeness": None}, ["1", "m", "1.0000 ± 0.1000", "2", ""]),
        ({"completeness": 0.0, "is_scored": False}, ["1", "m", "(1.0000 ± 0.1000)", "2", "0.0%"]),
        ({"standard_deviation": None, "n": 0}, ["1", "m", "1.0000", "0", "100.0%"]),
        ({"n": 10**12}, ["1", "m", "1.0000 ± 0.1000", "1,000,000,000,000", "100.0%"]),
        ({"unit": "percent"}, ["1", "m", "1.00 ± 0.10 %", "2", "100.0%"]),
        ({"n_unanswered": None, "target": nan}, ["1", "m", "1.0000 ± 0.1000", "2", "100.0%"]),
    ],
)
def test_a_row_says_what_is_known(
    tmp_path: Path, columns: dict[str, Any], shown: list[str]
) -> None:
    warehouse = write_boards_warehouse(tmp_path / "gainsay.duckdb", [("m", "default")], **columns)
    [line] = [
        line
        for line in _score(warehouse, "--benchmark", "vqa").stdout.splitlines()
        if line.startswith("│")
    ]
    assert [cell.strip() for cell in line.strip("│").split("│")] == shown


def test_two_runs_of_one_shown_name_are_two(tmp_path: Path) -> None:
    runs = [("m", "x"), ("m (x)", "default")]
    warehouse = write_boards_warehouse(tmp_path / "gainsay.duckdb", runs)
    assert _model_cells(_score(warehouse, "--benchmark", "vqa").stdout) == ["m (x)", "m (x)"]
    with duckdb.connect(warehouse, read_only=True) as connection:
        found = boards.boards(connection, boards.read_scores(connection))
    assert list(boards.summary(found)[1]) == runs


def test_runs_of_one_condition_rank_among_each_other(tmp_path: Path) -> None:
    """Whoever was asked under one of two conditions has no whole group, and may be the best."""
    runs = [("one condition", "default"), ("worse of one", "default"), ("both", "default")]
    warehouse = write_boards_warehouse(tmp_path / "gainsay.duckdb", runs)
    with duckdb.connect(warehouse) as connection:
        connection.execute("""
            insert into evaluation.evaluation__metrics values ('vqa', 'groups', 0, true, 'higher');
            insert into evaluation.evaluation__leaderboard
            select * replace ('groups' as metric, 0.0 as value, 1 as rank)
            from evaluation.evaluation__leaderboard where model = 'both';
            insert into evaluation.evaluation__leaderboard
            select * replace ('original' as condition)
            from evaluation.evaluation__leaderboard where model = 'both';
        """)
        found = boards.boards(connection, boards.read_scores(connection))
    assert [
        (one.condition, one.lead.metric, [next(iter(row.values())).model for row in one.rows])
        for one in found
    ] == [
        ("default", "groups", ["both"]),
        ("default", "accuracy", ["one condition", "worse of one"]),
        ("original", "groups", ["both"]),
    ]
    assert [one.note for one in found] == ["", "no answers under original", ""]
    printed = " ".join(_score(warehouse, "--benchmark", "vqa").stdout.split())
    assert "no answers under original" in printed


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["--metric", "nope"], "no scores in a metric nope"),
        (["--matcher", "nope"], "no scores by a matcher nope; --matcher all"),
        (["--split", "nope"], "no scores over a split nope"),
        (["--split", "test' or true --"], "no scores over a split test' or true --"),
        (["--benchmark", "nope"], "no landed answer is scored"),
        (["--compare", "plain", "nope"], "nope: no scored answers of this model"),
        (["--compare", "plain", "plain/nope"], "plain/nope: no scored answers of this model"),
        (["--compare", "plain", ""], ": no scored answers of this model"),
        (["--compare", "plain", "%"], "%: no scored answers of this model"),
        (["--compare", "plain"], "requires 2 arguments"),
        (["--compare", "plain", "alone"], "have no scored answers to the same examples of the"),
        (["--split", "all", "--compare", "plain", "alone"], "no scores over a split all"),
        (["--compare", "both", "plain"], "both has several runs; name one: both/a, both/b"),
        (["--compare", "org/m", "plain"], "org/m: is a model, and a run of another one"),
        (["--json", "--published"], "--published shows a table"),
        (["--csv", "--published"], "--published shows a table"),
        (["--picture", "board.pdf"], "expected a name that ends in .png or .svg"),
        (["--picture", ".png"], "expected a name that ends in .png or .svg"),
        (["--benchmark", "vqa", "--picture", "/dev/full/board.svg"], "board.svg"),
    ],
)
def test_what_cannot_be_shown_is_refused(tmp_path: Path, arguments: list[str], cause: str) -> None:
    runs = [("plain", "default"), ("both", "a"), ("both", "b"), ("org/m", "default"), ("org", "m")]
    warehouse = write_boards_warehouse(tmp_path / "gainsay.duckdb", [*runs, ("alone", "default")])
    with duckdb.connect(warehouse) as connection:
        connection.execute(
            "update evaluation.evaluation__matches set example_id = 'other' where model = 'alone'"
        )
    result = _score(warehouse, *arguments)
    assert result.exit_code in (1, 2)
    assert cause in " ".join(result.stderr.split())


def test_a_model_does_not_differ_from_itself(named: Path) -> None:
    with duckdb.connect(named, read_only=True) as connection:
        [itself] = paired_differences(connection, ("plain", "plain/a [b]"))
    assert (itself.low, itself.high) == (0, 0)
    assert "plain is better" not in itself.sentence("plain", "plain")


def test_a_run_without_a_split_says_where_its_scores_are(tmp_path: Path) -> None:
    path = tmp_path / "gainsay.duckdb"
    warehouse = write_boards_warehouse(path, [("m", "r")], split="all", is_shown=False)
    with duckdb.connect(warehouse, read_only=True) as connection:
        [unshown] = boards.unshown_runs(connection)
    assert unshown.sentence() == (
        "vqa, m, run r: no answer to a test split, only to examples without a split; --split shows"
        " them"
    )


def test_a_board_says_which_runs_have_answers_of_other_models(tmp_path: Path) -> None:
    warehouse = write_boards_warehouse(tmp_path / "gainsay.duckdb", [("m", "r")])
    with duckdb.connect(warehouse) as connection:
        for split in ("all", "test"):
            connection.execute(
                "insert into evaluation.evaluation__runs by name select 'vqa' as benchmark,"
                " 'open_ended' as task, 'default' as condition, 'm' as model, 'r' as run,"
                " 'f' as source_file, $split as split, 5 as n_answers, 0 as n_unmatched,"
                " 'm-\x1b[2J' as other_model, 3 as n_of_other_models",
                {"split": split},
            )
    result = _score(warehouse, "--benchmark", "vqa")
    assert result.exit_code == 0
    assert result.stderr.count("other models") == 1
    assert (
        "vqa, open_ended, default, m, run r: 3 of 5 answers are, by the server, of other models,"
        " such as 'm-"
    ) in result.stderr
    assert "\x1b" not in result.stderr


def test_of_a_model_and_a_run_of_its_name_the_model_can_be_named(tmp_path: Path) -> None:
    runs = [("org/m", "default"), ("org", "m"), ("plain", "default")]
    warehouse = write_boards_warehouse(tmp_path / "gainsay.duckdb", runs)
    with duckdb.connect(warehouse, read_only=True) as connection:
        [found] = paired_differences(connection, ("org/m/default", "plain"))
    assert (found.first, found.second) == (1, 1 / 3)


@pytest.mark.parametrize("arguments", [["--csv"], ["--json"], ["--benchmark", "vqa"]])
def test_a_terminal_gets_no_orders_from_names(
    named: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    reading, writing = pty.openpty()
    monkeypatch.setenv("GAINSAY_DB", str(named))
    shown = bytearray()

    def read() -> None:
        with suppress(OSError):
            while part := os.read(reading, 65_536):
                shown.extend(part)

    reader = Thread(target=read)
    reader.start()
    with os.fdopen(writing, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        have_outputs()
        main(["score", *arguments], standalone_mode=False)
        terminal.flush()
    monkeypatch.undo()
    reader.join()
    os.close(reading)
    assert b"plain" in shown
    # what a table colours itself is no order of a name
    assert b"\x1b[2J" not in shown
    assert not {*shown} & {0, 7}
    assert not set(shown.decode()) & set("\x9b\u202e")


@pytest.mark.parametrize("arguments", [["--csv"], ["--json"], ["--benchmark", "vqa"]])
def test_a_full_output_is_no_success(named: Path, arguments: list[str]) -> None:
    command = [
        sys.executable, "-c",
        "from gainsay.cli import score; score._score = lambda *_, **__: None;"
        " from gainsay.__main__ import main; main()",
        "score", *arguments,
    ]  # fmt: skip
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env=os.environ | {"GAINSAY_DB": str(named)},
        )  # fmt: skip
    assert result.returncode == 1
    assert "No space left" in result.stderr
    assert "Traceback" not in result.stderr
