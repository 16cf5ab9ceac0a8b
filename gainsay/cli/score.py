"""`gainsay score`: from landed answers to a leaderboard."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import duckdb
import msgspec
from rich.table import Table

from gainsay.cli.tables import show
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query
from gainsay.scoring.differences import claims, paired_differences

if TYPE_CHECKING:
    from gainsay.project.parsing import ParsedProject, Relation


class _Ranked(msgspec.Struct):
    """A row of the leaderboard."""

    benchmark: str
    split: str
    task: str
    condition: str
    matcher: str
    metric: str
    rank: int | None
    model: str
    run: str
    value: float
    standard_deviation: float | None
    unit: str
    target: float | None
    is_target_met: bool | None
    is_scored: bool
    n: int
    n_unanswered: int | None
    n_unrated: int
    n_unmatched: int
    completeness: float | None


# of the split that is named, of all splits of the role that is named, or of those that are shown
_LEADERBOARD = """
    select benchmark, split, task, condition, matcher, metric, rank, model, run, value,
        standard_deviation, unit, target, is_target_met, is_scored, n, n_unanswered, n_unrated,
        n_unmatched, completeness
    from evaluation.evaluation__leaderboard
    where ($benchmark is null or benchmark = $benchmark)
        and if($split is null, is_shown, split = $split or split in (
            select split from vocabulary.split_roles where role = $split
        ))
    order by benchmark, task, condition, matcher_place, metric, split, rank nulls last, model, run
"""


class _Unshown(msgspec.Struct):
    """A run that is scored, and that the leaderboard shows nothing of."""

    benchmark: str
    model: str
    run: str
    splits: str


_UNSHOWN = """
    select benchmark, model, run,
        string_agg(distinct split, ', ' order by split) filter (where split <> 'all') as splits
    from evaluation.evaluation__leaderboard
    where $benchmark is null or benchmark = $benchmark
    group by benchmark, model, run
    having not bool_or(is_shown)
    order by benchmark, model, run
"""


class _Published(msgspec.Struct):
    """A published score and ours."""

    benchmark: str
    task: str
    condition: str
    matcher: str
    metric: str
    published_model: str
    unit: str
    published_value: float
    own_value: float
    difference: float
    published_n: int
    n: int
    run: str


_PUBLISHED = """
    select benchmark, task, condition, matcher, metric, published_model, unit, published_value,
        own_value, difference, published_n, n, run
    from evaluation.evaluation__published_results
    where own_value is not null and ($benchmark is null or benchmark = $benchmark)
    order by benchmark, task, condition, matcher, published_model, run, metric
"""


class _Unscored(msgspec.Struct):
    """Why answers of a run of which none is scored are not: one row a reason."""

    benchmark: str
    model: str
    run: str
    n_answers: int
    n_asked: int | None
    reason: str
    description: str
    n: int
    example_key: str


_UNSCORED = """
    select runs.benchmark, runs.model, runs.run, runs.n_answers, runs.n_asked,
        predictions.reason, rejections.description, count(*) as n,
        min(predictions.example_key) as example_key
    from evaluation.evaluation__runs as runs
    inner join evaluation.evaluation__predictions as predictions using (source_file)
    inner join vocabulary.prediction_rejections as rejections
        on predictions.reason = rejections.reason
    where runs.split = 'all'
        and runs.n_unmatched = runs.n_answers
        and ($benchmark is null or runs.benchmark = $benchmark)
    group by all
    order by runs.benchmark, runs.model, runs.run, n desc, predictions.reason
"""


class _Landed(msgspec.Struct):
    benchmark: str


# the models of answers are always built anew, and so are those that cost nothing; verdicts of
# judges may have landed a moment ago
_ANSWERS = (
    "tag:evaluation",
    # matchers in the folders of their benchmarks
    "evaluation__predictions+",
    "llm__outcomes",
    "1+tag:evaluation,resource_type:seed",
    "+tag:evaluation,config.materialized:view",
)
_EVALUATION = "evaluation"


@click.command()
@click.option("--benchmark", help="Show the scores of this benchmark only.")
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
    "--compare",
    nargs=2,
    metavar="A B",
    help="Show how two models differ on the examples that both answered, each as MODEL or"
    " MODEL/RUN: by the first matcher, over the test splits.",
)
@click.option(
    "--matcher",
    help="Compare by this matcher, or by each one of the task (all); else by the first.",
)
@click.option(
    "--published", is_flag=True, help="Show the scores that papers print beside ours, too."
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the leaderboard into this file (.png or .svg).",
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
    compare: tuple[str, str] | None,
    matcher: str | None,
    published: bool,
    picture: Path | None,
    project: Path | None,
) -> None:
    """Match and score all landed answers, and show the leaderboard.

    Builds the evaluation models as `dbt build` does, without its tests. What they read of the
    benchmarks is built where it is missing, and else taken as the last `dbt build` left it.
    """
    if matcher and not compare:
        raise click.BadParameter("--matcher says by which matcher --compare compares")
    if picture and picture.suffix not in (".png", ".svg"):
        raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    with connect(read_only=True) as connection:
        if not references:
            _require_answers(connection, benchmark)
    arguments = ["--vars", "{evaluation_reference_answers: true}"] if references else []
    parsed = _parsed(arguments, project)
    with connect(read_only=True) as connection:
        selected = _selected(connection, parsed)
    _build(project, arguments, selected)
    with connect(read_only=True) as connection:
        for unscored in query(connection, _UNSCORED, _Unscored, {"benchmark": benchmark}):
            click.echo(_explained(unscored), err=True)
        named = {"benchmark": benchmark, "split": split}
        ranked = query(connection, _LEADERBOARD, _Ranked, named)
        unshown = [] if split else query(connection, _UNSHOWN, _Unshown, {"benchmark": benchmark})
        for run in unshown:
            click.echo(
                f"{run.benchmark}, {run.model}, run {run.run}: no answer to a test split, only to"
                f" {run.splits}; --split shows them",
                err=True,
            )
        if not ranked and split and not unshown:
            raise GainsayError(f"no scores over a split {split}; --split all shows all")
        if not ranked and not unshown:
            raise GainsayError(
                "no landed answer is scored; look at evaluation__rejected_predictions, and whether"
                " GAINSAY_DB names the warehouse whose examples were asked"
            )
        show(_table(ranked))
        if any(not row.is_scored for row in ranked):
            click.echo(
                "in brackets and without a rank: less than 99 % of what is asked is answered,"
                " rated, and has the confidence or the action that the metric is of"
            )
        for line in claims(connection, benchmark):
            click.echo(line)
        if compare:
            for difference in paired_differences(connection, compare, benchmark, split, matcher):
                click.echo(difference.sentence(*compare))
        if published:
            _show_published(query(connection, _PUBLISHED, _Published, {"benchmark": benchmark}))
        if picture:
            # a second of imports that most calls do without
            from gainsay.report import plots

            plots.save(plots.draw(connection, "leaderboard", benchmark, split), picture)
            click.echo(f"drawn: {picture}")


def _table(rows: list[_Ranked]) -> Table:
    table = Table(
        "benchmark",
        "split",
        "asked",
        "metric",
        "rank",
        "model",
        "score",
        "target",
        "n",
        "unanswered",
        "unrated",
        "unmatched",
        "complete",
    )
    for row in rows:
        is_percent = row.unit == "percent"
        digits = 2 if is_percent else 4
        deviation = row.standard_deviation
        spread = "" if deviation is None else f" ± {deviation:.{digits}f}"
        score = f"{row.value:.{digits}f}{spread}{' %' if is_percent else ''}"
        met = "met" if row.is_target_met else "missed"
        table.add_row(
            row.benchmark,
            row.split,
            f"{row.task.replace('_', ' ')}, {row.condition}, {row.matcher}",
            row.metric,
            "-" if row.rank is None else str(row.rank),
            row.model if row.run == "default" else f"{row.model} ({row.run})",
            score if row.is_scored else f"({score})",
            "" if row.target is None else f"{row.target:g} {met}",
            f"{row.n:,}",
            "" if row.n_unanswered is None else f"{row.n_unanswered:,}",
            f"{row.n_unrated:,}",
            f"{row.n_unmatched:,}",
            "" if row.completeness is None else f"{row.completeness:.1%}",
        )
    return table


def _show_published(rows: list[_Published]) -> None:
    """Published scores beside ours, where answers of a model of that name landed."""
    if not rows:
        click.echo(
            "no landed answers are of a model whose scores are published; the names are in"
            " vocabulary.published_results"
        )
        return
    table = Table("benchmark", "asked", "metric", "model", "published", "ours", "difference", "n")
    for row in rows:
        digits = 2 if row.unit == "percent" else 4
        sizes = f"{row.n:,}" if row.n == row.published_n else f"{row.n:,} of {row.published_n:,}"
        table.add_row(
            row.benchmark,
            f"{row.task.replace('_', ' ')}, {row.condition}, {row.matcher}",
            row.metric,
            row.published_model,
            f"{row.published_value:.{digits}f}",
            f"{row.own_value:.{digits}f}",
            f"{row.difference:+.{digits}f}",
            sizes,
        )
    show(table)


def _explained(unscored: _Unscored) -> str:
    """Why none of a run's answers is scored, for one reason."""
    asked = "none are asked" if unscored.n_asked is None else f"{unscored.n_asked:,} are asked"
    return (
        f"{unscored.benchmark}, {unscored.model}, run {unscored.run}: none of"
        f" {unscored.n_answers:,} answers is scored; {unscored.n:,} {unscored.reason} (such as"
        f" {unscored.example_key!r}): {unscored.description} Of {unscored.benchmark}'s examples"
        f" {asked} in this warehouse; were the answers given to another one, or to another"
        " protocol?"
    )


def _require_answers(connection: duckdb.DuckDBPyConnection, benchmark: str | None) -> None:
    """Raise `GainsayError` where no answer is landed, or none to this benchmark."""
    tables = connection.execute(
        "select 1 from information_schema.tables"
        " where table_schema = 'raw' and table_name = 'landed_predictions'"
    ).fetchall()
    landed = []
    if tables:
        landed = query(
            connection,
            "select distinct benchmark from raw.landed_predictions order by benchmark",
            _Landed,
        )
    names = [row.benchmark for row in landed]
    if benchmark in names or (names and benchmark is None):
        return
    to_whom = f" to {benchmark}" if benchmark else ""
    others = f" (only to {', '.join(names)})" if names else ""
    raise GainsayError(
        f"no answers{to_whom} are landed{others}; land a file by `gainsay land-predictions"
        f" --benchmark {benchmark or 'NAME'} --model NAME FILE`, ask a model by `gainsay predict`,"
        " or score answers that need no model by `gainsay score --references`"
    )


def _selected(connection: duckdb.DuckDBPyConnection, project: "ParsedProject") -> tuple[str, ...]:
    """What has to be built: the evaluation, and what it reads where the warehouse lacks it."""
    relations = connection.execute(
        "select table_schema, table_name from information_schema.tables"
    ).fetchall()
    present = {(schema, name) for schema, name in relations}
    if not any(schema == _EVALUATION for schema, _ in present):
        return ("+tag:evaluation",)
    read = {
        parent
        for node in project.nodes.values()
        if node.folder == _EVALUATION
        for parent in node.parents
        if project.nodes[parent].folder != _EVALUATION
    }
    return (*_ANSWERS, *project.lacking(read, present), *_outdated(connection, project, present))


def _outdated(
    connection: duckdb.DuckDBPyConnection, project: "ParsedProject", present: "set[Relation]"
) -> Iterator[str]:
    """What is made of examples that landed after the last build, such as a test set.

    A model of landed examples says in its `meta` where they are staged, which column names them,
    and which port has them once they are built.
    """
    for node in project.nodes.values():
        if not (landed := node.meta.get("landed_examples")):
            continue
        staged, examples = project.nodes[landed["staged"]], project.nodes[landed["examples"]]
        yield node.name
        if not {staged.relation, examples.relation} <= present:
            continue
        key = landed["key"]
        unseen = connection.execute(
            f"select 1 from {'.'.join(staged.relation)} where {key} not in"
            f" (select {key} from {'.'.join(examples.relation)} where {key} is not null) limit 1"
        ).fetchall()
        if unseen:
            benchmark = examples.name.partition("__")[0]
            yield f"+{benchmark}__prompts"
            yield f"path:models/benchmarks/{benchmark}"


def _parsed(arguments: list[str], project: Path | None) -> "ParsedProject":
    # dbt, which takes a second to import, only once the options are known to be good
    from gainsay.project.parsing import parse_project

    return parse_project(arguments, project=project)


def _build(project: Path | None, further: list[str], selected: tuple[str, ...]) -> None:
    from gainsay.cli.build import show_failure
    from gainsay.cli.progress import dbt_progress
    from gainsay.project.building import build

    arguments = ["--select", *selected]
    # the review reads every benchmark, and no score reads the review
    arguments += ["--exclude", "review__records+"]
    arguments += ["--exclude-resource-type", "test", "unit_test"]
    arguments += further
    with dbt_progress("scoring") as listen:
        outcome = build(arguments, project=project, listen=listen)
    for failure in outcome.failures:
        show_failure(failure)
    if not outcome.is_success:
        raise GainsayError("the build failed; dbt's log is in target/build/logs")
