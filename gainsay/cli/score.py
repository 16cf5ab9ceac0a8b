"""`gainsay score`: from landed answers to boards."""

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import duckdb
import msgspec
from rich.table import Table

from gainsay.cli.tables import show, table_of
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import fields_of
from gainsay.foundation.sheets import cell_of_text
from gainsay.inspect.freshness import changes, warning
from gainsay.project.answer_files import require_known
from gainsay.scoring import boards
from gainsay.scoring.boards import Board, Score
from gainsay.scoring.differences import claims, leading, paired_differences
from gainsay.scoring.landed import answered_benchmarks, require_answers

if TYPE_CHECKING:
    from gainsay.project.keeping import Plan


@click.command()
@click.option("--benchmark", help="Show the board of this benchmark; else a summary over all.")
@click.option(
    "--references/--no-references",
    default=False,
    help="Score answers that need no model, too: to the suites in which text and picture conflict.",
)
@click.option(
    "--split",
    help="Show the scores over this split, or over all answers (all); else over the test splits.",
)
@click.option(
    "--matcher", help="Show scores by this matcher, or by each one (all); else by the first."
)
@click.option(
    "--metric", help="Show this metric alone, with deviations, targets, and what is missing."
)
@click.option("--csv", "form", flag_value="csv", help="Write all scores as CSV, a line each.")
@click.option("--json", "form", flag_value="json", help="Write all scores as JSON.")
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Say how two models differ on the examples that both answered, each as MODEL or"
    " MODEL/RUN.",
)
@click.option(
    "--published", is_flag=True, help="Show the scores that papers print beside ours, too."
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the leaderboard of the benchmark into this file (.png or .svg).",
)
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
def command(
    *,
    benchmark: str | None,
    references: bool,
    split: str | None,
    matcher: str | None,
    metric: str | None,
    form: str | None,
    compare: tuple[str, str] | None,
    published: bool,
    picture: Path | None,
    project: Path | None,
) -> None:
    """Match and score all landed answers, and show who is best.

    A row a model, a column a metric: of a benchmark its board, of several one summary. `majority`,
    which gives the most frequent answer, and the blind reader stand on it.

    Builds the evaluation models as `dbt build` does, without its tests. What they read of the
    benchmarks is built where it is missing, and else taken as the last `dbt build` left it.
    """
    if picture and picture.suffix not in (".png", ".svg"):
        raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    if published and form:
        raise click.UsageError(
            "--published shows a table, which --csv and --json have no place for"
        )
    _score(benchmark, references=references, needs_one=picture is not None, project=project)
    with connect(read_only=True) as connection:
        scores = boards.read_scores(connection, benchmark, split, metric, matcher)
        unshown = [] if split else boards.unshown_runs(connection, benchmark)
        unscored = boards.unscored_runs(connection, benchmark)
        concerned = [benchmark] if benchmark else []
        if newer := warning(changes(connection, ["evaluation__leaderboard"], concerned)):
            click.echo(newer, err=True)
        for hidden in unshown:
            click.echo(hidden.sentence(), err=True)
        for run in boards.other_models(connection, benchmark):
            click.echo(run.sentence(), err=True)
        if not scores:
            boards.require_scored(connection, unscored)
        referred = benchmark if references else None
        boards.require_scores(scores, unshown, split, metric, matcher, referred)
        if form:
            _write(scores, form)
        else:
            _show(connection, scores, benchmark, metric)
        if compare:
            found = paired_differences(connection, compare, benchmark, split, matcher)
            for difference in found if matcher else leading(found):
                click.echo(difference.sentence(*compare), err=form is not None)
        if published:
            _show_published(boards.published_scores(connection, benchmark))
        if picture:
            # a second of imports that most calls do without
            from gainsay.report import plots

            plots.save(plots.draw(connection, "leaderboard", benchmark, split), picture)
            click.echo(f"drawn: {picture}", err=form is not None)
        # whoever answered nothing that is asked has no place on a board, and that is an error
        boards.require_scored(connection, unscored)


def _score(
    benchmark: str | None, *, references: bool, needs_one: bool, project: Path | None
) -> None:
    """Have dbt build the scores; what can be told to be wrong is told before."""
    if benchmark is not None:
        require_known(benchmark, project)
    with connect(read_only=True) as connection:
        if not references:
            require_answers(connection, benchmark)
        answered = answered_benchmarks(connection)
        if needs_one and benchmark is None and (references or len(answered) != 1):
            names = f": {', '.join(answered)}" if answered else ""
            raise click.BadParameter(
                f"--picture draws one benchmark; --benchmark says which{names}"
            )
    # dbt, which takes seconds to import, only once it is known that something can be scored
    from gainsay.scoring import building

    click.echo("scoring: dbt reads the project", err=True)
    plan = building.scoring_plan(references=references, project=project)
    if plan.sentence:
        click.echo(plan.sentence, err=True)
    _build(project, plan)


def _build(project: Path | None, plan: "Plan") -> None:
    from gainsay.cli.build import show_failure
    from gainsay.cli.progress import dbt_progress
    from gainsay.project.building import build

    with dbt_progress("scoring") as listen:
        outcome = build(plan.arguments, project=project, listen=listen, manifest=plan.manifest)
    for failure in outcome.failures:
        show_failure(failure)
    if not outcome.is_success:
        raise GainsayError("the build failed; dbt's log is in target/build/logs")


def _write(scores: list[Score], form: str) -> None:
    """All that is known of the scores, for programs: a row a score."""
    rows = [msgspec.structs.asdict(score) for score in scores]
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(rows)).decode())
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(fields_of(Score))
    for row in rows:
        writer.writerow(
            [cell_of_text(value) if isinstance(value, str) else value for value in row.values()]
        )


def _show(
    connection: duckdb.DuckDBPyConnection,
    scores: list[Score],
    benchmark: str | None,
    metric: str | None,
) -> None:
    if metric:
        show(table_of(scores, Score))
        return
    found = boards.boards(connection, scores)
    if len({board.benchmark for board in found}) > 1:
        show(_summary(*boards.summary(found)))
        click.echo("--benchmark shows the board of one, --metric a metric with its deviations")
    else:
        for board in found:
            show(_board(board))
    by_modality = boards.modalities(connection, scores, benchmark)
    if by_modality:
        show(table_of(by_modality, boards.Modalities))
    if any(not row.is_scored for row in scores):
        click.echo(
            "in brackets and without a rank: less than 99 % of what is asked is answered,"
            " rated, and has the confidence or the action that the metric is of"
        )
    for line in claims(connection, benchmark):
        click.echo(line)


def _board(board: Board) -> Table:
    """A row a model, a column a metric."""
    asked = f"{board.task.replace('_', ' ')}, {board.condition}, {board.matcher}"
    note = f"; {board.note}" if board.note else ""
    table = Table(title=f"{board.benchmark}: {asked}{note}", title_justify="left")
    table.add_column("rank", justify="right")
    table.add_column("model")
    for column in board.columns:
        table.add_column(f"{column.metric.replace('_', ' ')}\n{column.split}", justify="right")
    table.add_column("n", justify="right")
    table.add_column("complete", justify="right")
    for row in board.rows:
        some = next(iter(row.values()))
        first = row.get(board.lead, some)
        rank = row[board.lead].rank if board.lead in row else None
        table.add_row(
            "-" if rank is None else str(rank),
            some.name,
            *(
                row[column].shown(with_deviation=column == board.lead) if column in row else ""
                for column in board.columns
            ),
            f"{first.n:,}",
            "" if first.completeness is None else f"{first.completeness:.1%}",
        )
    return table


def _summary(chosen: list[Board], names: dict[tuple[str, str], str]) -> Table:
    """A row a model, a column the first metric of a benchmark."""
    table = Table()
    table.add_column("model")
    for board in chosen:
        heading = f"{board.benchmark}\n{board.lead.metric.replace('_', ' ')}"
        asked = ", ".join(
            part for part in (board.lead.split, board.condition) if part not in ("all", "default")
        )
        table.add_column(f"{heading}\n{asked}", justify="right")
    cells = {
        (board.benchmark, score.who): score
        for board in chosen
        for row in board.rows
        for column, score in row.items()
        if column == board.lead
    }
    for who, name in names.items():
        found = [cells.get((board.benchmark, who)) for board in chosen]
        if any(found):
            table.add_row(name, *("" if score is None else score.shown() for score in found))
    return table


def _show_published(rows: list[boards.Published]) -> None:
    """Published scores beside ours, where answers of a model of that name landed."""
    if rows:
        show(table_of(rows, boards.Published))
    else:
        click.echo(
            "no landed answers are of a model whose scores are published; the names are in"
            " vocabulary.published_results"
        )
