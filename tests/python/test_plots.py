"""Pictures show what is scored, and are the same for the same scores."""

import csv
import io
import json
from collections import defaultdict
from contextlib import redirect_stdout
from math import sqrt
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree

import duckdb
import pytest
from click.testing import CliRunner
from PIL import Image
from scipy.stats import t as student

from gainsay.cli import main
from gainsay.cli.score import _write
from gainsay.foundation.queries import fields_of
from gainsay.scoring.boards import Score, boards, read_scores
from gainsay.scoring.differences import Difference, leading, paired_differences
from tests.python.conftest import Warehouse
from tests.python.scored_corpus import scored_corpus


@pytest.fixture(scope="module")
def scored(shared_folder: Path, synthetic: Warehouse) -> Warehouse:
    """The references' answers to the synthetic corpus, and files of answers, scored."""
    return scored_corpus(shared_folder, synthetic)


pytestmark = pytest.mark.xdist_group("plots")


def test_one_command_shows_who_is_best_at_what(scored: Warehouse) -> None:
    """A summary over all benchmarks: a row a model, a column the first metric of each."""
    lines = (scored.folder / "first.txt").read_text().splitlines()
    [oracle] = [line for line in lines if "oracle (reference)" in line]
    # the right move everywhere, whatever the metrics of the suites and of CertainlyUncertain
    values = [cell.strip() for cell in oracle.strip("│").split("│")][1:]
    assert len(values) >= 2
    assert set(values) <= {"1.0000", ""}
    assert any("majority (reference)" in line for line in lines)


def test_a_board_has_a_row_a_model_and_a_column_a_metric(scored: Warehouse) -> None:
    with scored.connect() as connection:
        [board] = [
            one
            for one in boards(connection, read_scores(connection, "conflict_suite"))
            if one.task == "open_ended"
        ]
        rows = connection.execute("""
            select model, value from evaluation.evaluation__scores
            where benchmark = 'conflict_suite' and task = 'open_ended' and matcher = 'extracted'
                and metric = 'task_success' and slice_name = 'split' and slice_value = 'test_id'
        """).fetchall()
    assert board.matcher == "extracted"
    metrics = [column.metric for column in board.columns]
    # the first metric has a column for each test split; what explains others is no column
    splits = {column.split for column in board.columns if column.metric == board.lead.metric}
    assert board.lead == board.columns[0]
    assert splits
    assert all(split.startswith("test") for split in splits)
    assert metrics.count("brier") == 1
    assert "ece" not in metrics
    column = next(
        one for one in board.columns if (one.metric, one.split) == ("task_success", "test_id")
    )
    shown = {row[column].model: row[column].value for row in board.rows if column in row}
    assert {model: shown.get(model) for model, _ in rows} == dict(rows)
    ranks = [row[board.lead].rank or 99 for row in board.rows if board.lead in row]
    assert ranks == sorted(ranks)


def test_two_commands_lead_from_a_file_to_a_board_and_a_picture(scored: Warehouse) -> None:
    lines = (scored.folder / "second.txt").read_text().splitlines()
    assert "vqa: open ended, default, vqa_accuracy" in "\n".join(lines)
    [mine] = [line for line in lines if " mine " in line]
    assert " ± " in mine
    assert any(" majority (most_frequent) " in line for line in lines)
    with Image.open(scored.folder / "board.png") as image:
        assert image.width >= 1_000


def test_all_scores_are_written_for_programs(scored: Warehouse) -> None:
    with scored.connect() as connection:
        scores = read_scores(connection, "vqa", metric="ece")
        every = read_scores(connection, "vqa", matcher="all")
    assert {score.metric for score in scores} == {"ece"}
    assert {score.metric for score in every} >= {"ece", "vqa_accuracy"}
    buffer = io.StringIO()
    with redirect_stdout(buffer):
        _write(every, "csv")
    rows = list(csv.DictReader(io.StringIO(buffer.getvalue())))
    assert [row["metric"] for row in rows] == [score.metric for score in every]
    assert tuple(rows[0]) == fields_of(Score)
    assert [float(row["value"]) for row in rows] == [score.value for score in every]
    buffer = io.StringIO()
    with redirect_stdout(buffer):
        _write(every, "json")
    assert [row["n"] for row in json.loads(buffer.getvalue())] == [score.n for score in every]


def test_a_run_of_which_nothing_is_scored_is_explained(scored: Warehouse) -> None:
    shown = " ".join((scored.folder / "second.txt").read_text().split())
    assert (
        "vqa, lost, run default: none of 2 answers is scored; 2 unknown_id (such as '-1'):"
        " No example of the benchmark has this id. Of vqa's examples 1"
    ) in shown


def test_a_run_that_answers_a_part_has_no_rank_and_says_how_much_is_missing(
    scored: Warehouse,
) -> None:
    with scored.connect() as connection:
        [mine] = [
            score
            for score in read_scores(connection, "vqa", metric="vqa_accuracy")
            if score.model == "mine"
        ]
    assert (mine.split, mine.rank, mine.is_scored) == ("all", None, False)
    assert mine.shown().startswith("(")
    assert mine.n_unanswered is not None
    assert mine.completeness == pytest.approx(mine.n / (mine.n + mine.n_unanswered))
    # of its answers three are given twice, and four are to no question
    assert (mine.n_unrated, mine.n_unmatched) == (0, 7)
    [line] = [
        line for line in (scored.folder / "second.txt").read_text().splitlines() if " mine " in line
    ]
    assert line.strip("│").split("│")[0].strip() == "-"
    assert f"{mine.completeness:.1%}" in line


def test_two_models_are_compared_in_a_sentence(scored: Warehouse) -> None:
    with scored.connect() as connection:
        names = "oracle/reference", "random/reference"
        # a split in which the corpus has groups
        split = "test_ood_severity"
        groups, found = paired_differences(connection, names, "conflict_suite", split, "exact")
        # each comparison says one thing: by the first matcher, over the test splits together
        _, first = paired_differences(connection, names, "conflict_suite")
        every = [
            one
            for one in paired_differences(connection, names, "conflict_suite", "all", "all")
            if one.metric == "credit"
        ]
        splits = connection.execute("""
            select string_agg(distinct split, ', ' order by split), count(*)
            from conflict_suite.conflict_suite__examples where split like 'test%'
        """).fetchone()
        rows = connection.execute(f"""
            select a.source_image_id, a.credit - b.credit
            from evaluation.evaluation__matches as a
            inner join evaluation.evaluation__matches as b
                using (benchmark, matcher, example_id)
            where benchmark = 'conflict_suite' and matcher = 'exact' and a.model = 'oracle'
                and b.model = 'random' and list_contains(a.slices, 'split={split}')
        """).fetchall()
    assert (first.matcher, first.splits, first.n) == ("extracted", *(splits or ()))
    assert [(one.matcher, one.splits) for one in every] == [("exact", None), ("extracted", None)]
    assert every[0].n > first.n
    mean = fmean(difference for _, difference in rows)
    residuals: dict[str, float] = defaultdict(float)
    for image, difference in rows:
        residuals[image] += difference - mean
    n = len(residuals)
    error = sqrt(sum(residual**2 for residual in residuals.values()) * n / (n - 1)) / len(rows)
    distance = student.ppf(0.975, n - 1) * error
    # whole groups come first: the oracle answers all of them
    assert leading([groups, found]) == [groups]
    assert (groups.metric, groups.first, found.metric) == ("group_accuracy", 1, "credit")
    assert (found.n, found.n_images) == (len(rows), len(residuals))
    assert found.difference == pytest.approx(mean)
    assert (found.low, found.high) == pytest.approx((mean - distance, mean + distance), abs=1e-3)
    said = found.sentence("oracle", "random")
    assert said.startswith(f"conflict_suite, open ended, default, exact, {split}: oracle is better")
    assert f"oracle is better than random by {100 * mean:.2f} points, beyond the noise" in said
    unsure = Difference(
        "b", "t", "c", "m", "credit", None, 40, 40, 0.5, 0.25, 0.25, -0.75, 1.25, False
    )
    assert "do not differ beyond the noise" in unsure.sentence("one", "two")
    # three answers about one picture have no residuals, and tell nothing of noise
    few = Difference("b", "t", "c", "m", "credit", None, 3, 1, 0, 1, -1, -1, -1, None).sentence(
        "one", "two"
    )
    assert few.startswith("b, t, c, m: too few pictures to say whether one and two differ")
    assert "interval" not in few
    assert few.endswith("(one - two: -100.00; credit 0.0000 and 1.0000; 3 examples of 1 pictures)")


def test_a_picture_is_of_one_benchmark_and_says_so_before_it_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        connection.execute("""
            create schema raw;
            create table raw.landed_predictions as
            select unnest(['clash', 'vqa']) as benchmark
        """)
    result = CliRunner().invoke(main, ["score", "--picture", "board.png"])
    assert result.exit_code == 2
    assert "--benchmark says which: clash, vqa" in " ".join(result.output.split())


def test_without_answers_the_command_that_lands_some_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    duckdb.connect(tmp_path / "gainsay.duckdb").close()
    result = CliRunner().invoke(main, ["score"])
    assert result.exit_code != 0
    assert "no answers are landed" in result.output
    assert "gainsay land-predictions" in result.output


def test_targets_are_met_or_missed(scored: Warehouse) -> None:
    verdicts = {
        model: "met" if is_met else "missed"
        for model, is_met in scored.rows("""
            select model, is_target_met from evaluation.evaluation__scores
            where benchmark = 'conflict_suite' and metric = 'ece' and slice_name = 'overall'
                and matcher_place = 1
        """)
    }
    with scored.connect() as connection:
        shown = read_scores(connection, "conflict_suite", split="all", metric="ece")
    assert {(score.model, score.is_target_met) for score in shown if score.target == 0.12} == {
        ("oracle", True), ("calibrated", True), ("overconfident", False)
    }  # fmt: skip
    assert verdicts == {"oracle": "met", "calibrated": "met", "overconfident": "missed"}


def test_without_a_warehouse_scoring_says_what_to_do(tmp_path: Path) -> None:
    process = Warehouse(tmp_path).gainsay("score", check=False)
    assert process.returncode == 1
    assert "no warehouse here; land files first, or set GAINSAY_DB" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize("kind", ["risk-coverage", "reliability", "severity", "leaderboard"])
def test_every_model_is_in_the_picture(scored: Warehouse, tmp_path: Path, kind: str) -> None:
    png, svg, again = (tmp_path / name for name in ("a.png", "a.svg", "b.svg"))
    scored.gainsay("plot", "--benchmark", "conflict_suite", kind, png, svg)
    scored.gainsay("plot", "--benchmark", "conflict_suite", kind, again)

    assert svg.read_bytes() == again.read_bytes()
    with Image.open(png) as image:
        # text of 15 points stays above 7 when the picture is halved
        assert image.width >= 1_000
        assert len(image.convert("RGB").getcolors(2**24) or []) > 10
    comments = svg.read_text()
    named = {"oracle", "calibrated", "overconfident"}
    if kind in ("severity", "leaderboard"):
        named |= {"always_vision", "always_text", "majority", "random", "always_abstain"}
    assert {name for name in named if f"<!-- {name} -->" in comments} == named
    ElementTree.fromstring(comments)


def test_the_funnel_shows_what_every_stage_dropped(synthetic: Warehouse, tmp_path: Path) -> None:
    drawn, shown = tmp_path / "a.svg", tmp_path / "b.svg"
    synthetic.gainsay("plot", "funnel", drawn)
    synthetic.gainsay("funnel", "--picture", shown)

    assert drawn.read_bytes() == shown.read_bytes()
    words = drawn.read_text()
    dropped = synthetic.rows("""
        select replace(reason, '_', ' '), sum(n)
        from audit.audit__funnel
        where benchmark = 'conflict_suite' and stage <> 'retained'
        group by all
    """)
    assert len(dropped) >= 5
    for reason, n in dropped:
        assert f"<!-- {reason} -->" in words
        assert f" left, {n:,} dropped (" in words


def test_what_is_not_scored_cannot_be_drawn(scored: Warehouse, tmp_path: Path) -> None:
    process = scored.gainsay("plot", "modality", tmp_path / "a.png", check=False)
    assert process.returncode == 1
    assert "clash: no answers are scored; land answers and run `gainsay score`" in process.stderr
    assert list(tmp_path.iterdir()) == []
