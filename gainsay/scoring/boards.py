"""The boards: a row a model, a column a metric; and one summary over all benchmarks."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query, read, set_variables, sql_beside
from gainsay.scoring.naming import namings


class Score(msgspec.Struct, frozen=True):
    """A row of the leaderboard: what one run reaches in one metric."""

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

    @property
    def name(self) -> str:
        """The model, with its run where that is no plain one."""
        return self.model if self.run == "default" else f"{self.model} ({self.run})"

    @property
    def who(self) -> tuple[str, str]:
        """The model and its run: two of them may be shown under one name."""
        return self.model, self.run

    @property
    def asked(self) -> tuple[str, str, str, str]:
        """What a board is of: benchmark, task, condition and matcher."""
        return self.benchmark, self.task, self.condition, self.matcher

    def shown(self, *, with_deviation: bool = False) -> str:
        """The value in its unit, in brackets where too little of what is asked is scored."""
        digits = 2 if self.unit == "percent" else 4
        deviation = self.standard_deviation if with_deviation else None
        spread = "" if deviation is None else f" ± {deviation:.{digits}f}"
        value = f"{self.value:.{digits}f}{spread}{' %' if self.unit == 'percent' else ''}"
        return value if self.is_scored else f"({value})"


class _Metric(msgspec.Struct, frozen=True):
    benchmark: str
    metric: str
    place: int
    is_ranked: bool


class Column(msgspec.Struct, frozen=True):
    """A column of a board: a metric over a split."""

    metric: str
    split: str


class Board(msgspec.Struct, frozen=True):
    """How all runs answered one benchmark, task and condition, by one matcher."""

    benchmark: str
    task: str
    condition: str
    matcher: str
    # the first is what the board ranks by
    columns: tuple[Column, ...]
    # the best first; each row by column
    rows: tuple[dict[Column, Score], ...]
    # what its runs were not asked under, and runs of another board were: they have no whole group,
    # and rank among each other
    lacking: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Why its runs do not rank by groups; empty where nothing lacks."""
        return f"no answers under {', '.join(self.lacking)}" if self.lacking else ""

    @property
    def lead(self) -> Column:
        """The metric and split that the board ranks by."""
        return self.columns[0]


def read_scores(
    connection: duckdb.DuckDBPyConnection,
    benchmark: str | None = None,
    split: str | None = None,
    metric: str | None = None,
    matcher: str | None = None,
) -> list[Score]:
    """The rows of the leaderboard, over the test splits and by each task's first matcher.

    `split` (or a role of splits, or `all`) and `matcher` (or `all`) ask for others. Raises
    `GainsayError` where the warehouse has no leaderboard.
    """
    wanted = {"benchmark": benchmark, "split": split, "metric": metric, "matcher": matcher}
    set_variables(connection, wanted)
    return query(connection, sql_beside(__file__, "scores"), Score)


def boards(connection: duckdb.DuckDBPyConnection, scores: Sequence[Score]) -> list[Board]:
    """The boards of some scores. Metrics stand in the order of the seed `metrics`.

    The first metric has a column for each split, the others, as far as runs are ranked by them, one
    for the first split. Runs that were asked under some of a task's conditions alone, such as
    CLASH's conflicting captions without the original ones, have a board of their own where others
    have whole groups.
    """
    metrics = {
        (one.benchmark, one.metric): one
        for one in read(connection, _Metric, "evaluation.evaluation__metrics")
    }
    return [
        _board(asked, part, metrics, lacking)
        for asked, group in groupby(
            sorted(scores, key=lambda one: one.asked), key=lambda one: one.asked
        )
        for part, lacking in _parts(list(group), scores, metrics)
    ]


def _parts(
    of_board: list[Score],
    scores: Sequence[Score],
    metrics: dict[tuple[str, str], _Metric],
) -> Iterable[tuple[list[Score], tuple[str, ...]]]:
    """The scores of runs that have the leading metric, and of those that have others alone.

    With what the latter were not asked under, of all that the former were.
    """
    lead = min(of_board, key=lambda one: _place(metrics, one)).metric
    led = {one.who for one in of_board if one.metric == lead and one.is_scored}
    others = {
        one.who
        for one in of_board
        if one.metric != lead and one.is_scored and not _place(metrics, one)[0]
    }
    apart = others - led
    benchmark, task, *_ = of_board[0].asked
    conditions: dict[tuple[str, str], set[str]] = {}
    for one in scores:
        if (one.benchmark, one.task) == (benchmark, task):
            conditions.setdefault(one.who, set()).add(one.condition)
    whole = set.intersection(*(conditions[who] for who in led)) if led else set()
    parts: dict[tuple[str, ...], list[Score]] = {}
    for one in of_board:
        if one.who not in apart:
            parts.setdefault((), []).append(one)
        elif one.metric != lead:
            parts.setdefault(tuple(sorted(whole - conditions[one.who])), []).append(one)
    for lacking, part in sorted(parts.items()):
        yield part, lacking


def _place(metrics: dict[tuple[str, str], _Metric], score: Score) -> tuple[bool, int]:
    """What metrics are put in order by: those that rank, then their places."""
    metric = metrics[score.benchmark, score.metric]
    return not metric.is_ranked, metric.place


def _board(
    asked: tuple[str, str, str, str],
    scores: list[Score],
    metrics: dict[tuple[str, str], _Metric],
    lacking: tuple[str, ...],
) -> Board:
    places = {one.metric: _place(metrics, one) for one in scores}
    ordered = sorted(places, key=lambda name: places[name])
    splits = sorted({one.split for one in scores}, key=lambda split: (split == "all", split))
    lead, *others = ordered
    wanted = [Column(lead, split) for split in splits]
    wanted += [Column(name, splits[0]) for name in others if not places[name][0]]
    rows: dict[tuple[str, str], dict[Column, Score]] = {}
    for one in scores:
        rows.setdefault(one.who, {})[Column(one.metric, one.split)] = one
    found = {column for row in rows.values() for column in row}
    columns = tuple(column for column in wanted if column in found)
    return Board(*asked, columns, tuple(_ranked(rows, columns)), lacking)


def _ranked(
    rows: dict[tuple[str, str], dict[Column, Score]], columns: Sequence[Column]
) -> Iterable[dict[Column, Score]]:
    """The rows in the order of their ranks in the first column, those without one behind."""
    lead = columns[0]

    def key(row: dict[Column, Score]) -> tuple[bool, int, str]:
        rank = row[lead].rank if lead in row else None
        return rank is None, rank or 0, next(iter(row.values())).name

    shown = (row for row in rows.values() if any(column in row for column in columns))
    return sorted(shown, key=key)


def summary(found: Sequence[Board]) -> tuple[list[Board], dict[tuple[str, str], str]]:
    """One board a benchmark, the one that most runs are on, and all runs on them by `who`."""
    chosen: dict[str, Board] = {}
    for board in found:
        best = chosen.get(board.benchmark)
        if best is None or len(board.rows) > len(best.rows):
            chosen[board.benchmark] = board
    names = {
        score.who: score.name
        for board in chosen.values()
        for row in board.rows
        for score in row.values()
    }
    return list(chosen.values()), names


class Unshown(msgspec.Struct):
    """A run that is scored, and that the leaderboard shows nothing of."""

    benchmark: str
    model: str
    run: str
    splits: str

    def sentence(self) -> str:
        """That the run has no answer to a test split, and which splits it has answers to."""
        return (
            f"{self.benchmark}, {self.model}, run {self.run}: no answer to a test split, only to"
            f" {self.splits}; --split shows them"
        )


class OtherModels(msgspec.Struct):
    """A run of which the server says that another model answered than was asked."""

    benchmark: str
    task: str
    condition: str
    model: str
    run: str
    other_model: str
    n_of_other_models: int
    n_answers: int

    def sentence(self) -> str:
        """How many answers are of other models, and one of these."""
        return (
            f"{self.benchmark}, {self.task}, {self.condition}, {self.model}, run {self.run}:"
            f" {self.n_of_other_models:,} of {self.n_answers:,} answers are, by the server, of"
            f" other models, such as {self.other_model!r}"
        )


class Published(msgspec.Struct):
    """A published score and ours."""

    benchmark: str
    published_table: str
    task: str
    condition: str
    matcher: str
    slice_name: str
    slice_value: str
    metric: str
    published_model: str
    run: str
    published_value: float
    own_value: float
    difference: float
    published_deviation: float | None
    unit: str
    published_n: int | None
    n: int


class Modalities(msgspec.Struct):
    """A score of a model by what it saw: both sides, one alone, or, as the blind reader, none."""

    benchmark: str
    split: str
    task: str
    condition: str
    matcher: str
    metric: str
    model: str
    both_value: float | None
    text_value: float | None
    picture_value: float | None
    blind_value: float | None
    unit: str
    both_sample_entropy: float | None
    text_sample_entropy: float | None
    picture_sample_entropy: float | None
    both_token_entropy: float | None
    text_token_entropy: float | None
    picture_token_entropy: float | None


class Unscored(msgspec.Struct):
    """Why answers of a run of which none is scored are not: one row a reason."""

    source_file: str
    benchmark: str
    model: str
    run: str
    n_answers: int
    n_asked: int | None
    reason: str
    description: str
    n: int
    example_key: str

    def sentence(self, wanted_id: str | None) -> str:
        """Why none of a run's answers is scored, for one reason; ids are like `wanted_id`."""
        asked = "none are asked" if self.n_asked is None else f"{self.n_asked:,} are asked"
        return (
            f"{self.benchmark}, {self.model}, run {self.run}: none of {self.n_answers:,} answers is"
            f" scored; {self.n:,} {self.reason} (such as {self.example_key!r}):"
            f" {self.description} Of {self.benchmark}'s examples {asked} in this warehouse"
            f"{'' if wanted_id is None else f', with ids like {wanted_id!r}'}; were"
            " the answers given to another one, or to another protocol?"
        )


_OF_BENCHMARK = "($benchmark is null or benchmark = $benchmark)"


def unshown_runs(
    connection: duckdb.DuckDBPyConnection, benchmark: str | None = None
) -> list[Unshown]:
    """The runs that answered no test split."""
    set_variables(connection, {"benchmark": benchmark})
    return query(connection, sql_beside(__file__, "unshown"), Unshown)


def unscored_runs(
    connection: duckdb.DuckDBPyConnection, benchmark: str | None = None
) -> list[Unscored]:
    """The runs of which no answer is scored, and why."""
    set_variables(connection, {"benchmark": benchmark})
    return query(connection, sql_beside(__file__, "unscored"), Unscored)


def other_models(
    connection: duckdb.DuckDBPyConnection, benchmark: str | None = None
) -> list[OtherModels]:
    """The runs that have answers of other models than were asked."""
    set_variables(connection, {"benchmark": benchmark})
    return query(connection, sql_beside(__file__, "other_models"), OtherModels)


def published_scores(
    connection: duckdb.DuckDBPyConnection, benchmark: str | None = None
) -> list[Published]:
    """The scores that papers print, where answers of a model of that name landed."""
    return read(
        connection,
        Published,
        "evaluation.evaluation__published_results",
        where=f"own_value is not null and {_OF_BENCHMARK}",
        order=(
            "benchmark, task, condition, matcher, published_model, run, published_table,"
            " slice_name, slice_value, metric"
        ),
        parameters={"benchmark": benchmark},
    )


def modalities(
    connection: duckdb.DuckDBPyConnection,
    scores: Sequence[Score],
    benchmark: str | None = None,
) -> list[Modalities]:
    """What models score with one side alone, over the splits and by the matchers of some scores."""
    shown = {(one.benchmark, one.split, one.matcher) for one in scores}
    found = read(
        connection,
        Modalities,
        "evaluation.evaluation__modalities",
        where=_OF_BENCHMARK,
        order="benchmark, task, condition, matcher, metric, split, model",
        parameters={"benchmark": benchmark},
    )
    return [one for one in found if (one.benchmark, one.split, one.matcher) in shown]


def require_scored(connection: duckdb.DuckDBPyConnection, unscored: Sequence[Unscored]) -> None:
    """Raise `GainsayError` where a run has answers of which none is scored, and say why."""
    wanted = {
        file: next((one.wanted_id for one in namings(connection, file)), None)
        for file in dict.fromkeys(one.source_file for one in unscored)
    }
    if unscored:
        raise GainsayError("\n".join(one.sentence(wanted[one.source_file]) for one in unscored))


def require_scores(
    scores: Sequence[Score],
    unshown: Sequence[Unshown],
    split: str | None = None,
    metric: str | None = None,
    matcher: str | None = None,
    referred: str | None = None,
) -> None:
    """Raise `GainsayError` where nothing is to be shown, and say why.

    `referred` is a benchmark of which reference answers were asked for, which not each has.
    """
    if scores or unshown:
        return
    if metric:
        raise GainsayError(f"no scores in a metric {metric}; the names are in the seed metrics")
    if matcher:
        raise GainsayError(f"no scores by a matcher {matcher}; --matcher all shows all")
    if split:
        raise GainsayError(f"no scores over a split {split}; --split all shows all")
    none = f", and there are no reference answers to {referred}" if referred else ""
    raise GainsayError(
        f"no landed answer is scored{none}; look at evaluation__rejected_predictions, and whether"
        " GAINSAY_DB names the warehouse whose examples were asked"
    )
