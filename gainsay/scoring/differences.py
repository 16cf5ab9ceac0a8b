"""How two models differ on the examples that both answered, and what metrics go with."""

from math import sqrt
from statistics import NormalDist

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query, set_variables, sql_beside

# as wide as intervals of reports are
_INTERVAL = 0.95
# of fewer pictures the residuals say nothing of how much a difference varies: of one they are 0
_FEWEST_IMAGES = 10


class _Run(msgspec.Struct):
    model: str
    run: str


class Difference(msgspec.Struct):
    """Sums over the groups or examples that two runs answered, in one task, condition, matcher."""

    benchmark: str
    task: str
    condition: str
    matcher: str
    # `group_accuracy`, or `credit` of the examples one by one
    metric: str
    # the splits that the examples are of, as one text; null where they have none
    splits: str | None
    n: int
    n_images: int
    # mean values, and the squares of the residuals of each picture, added up
    first: float
    second: float
    squares: float

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the difference, with all answers about one picture as one draw.

        By Student's t with a picture less than there are, and variances of so few: some dozen
        pictures would seem to say more than they do.
        """
        n = max(self.n_images, 2)
        error = sqrt(self.squares * n / (n - 1)) / self.n
        distance = _student_quantile((1 + _INTERVAL) / 2, n - 1) * error
        difference = self.first - self.second
        return difference - distance, difference + distance

    @property
    def is_beyond_noise(self) -> bool | None:
        """Whether the interval leaves out 0; null where there are too few pictures to say."""
        if self.n_images < _FEWEST_IMAGES:
            return None
        low, high = self.interval
        return not low <= 0 <= high

    def sentence(self, first: str, second: str) -> str:
        """Which of two models is better, or that it is not known; by their names."""
        asked = ", ".join(
            [self.benchmark, self.task.replace("_", " "), self.condition, self.matcher]
            + ([self.splits] if self.splits else [])
        )
        points = 100 * (self.first - self.second)
        units = "groups" if self.metric == "group_accuracy" else "examples"
        on = f"{self.n:,} {units} of {self.n_images:,} pictures"
        values = f"{self.metric.replace('_', ' ')} {self.first:.4f} and {self.second:.4f}"
        if self.is_beyond_noise is None:
            return (
                f"{asked}: too few pictures to say whether {first} and {second} differ beyond the"
                f" noise, which takes {_FEWEST_IMAGES} ({first} - {second}: {points:+.2f};"
                f" {values}; {on})"
            )
        low, high = self.interval
        interval = (
            f"{first} - {second}: {points:+.2f}, 95 % interval {100 * low:+.2f} to"
            f" {100 * high:+.2f}"
        )
        if not self.is_beyond_noise:
            said = f"{first} and {second} do not differ beyond the noise"
        else:
            better, worse = (first, second) if points > 0 else (second, first)
            said = f"{better} is better than {worse} by {abs(points):.2f} points, beyond the noise"
        return f"{asked}: {said} ({interval}; {values}; {on})"


def _student_quantile(p: float, freedom: float) -> float:
    """The quantile of Student's t, true to 0.0003 from nine degrees of freedom on.

    Source: its expansion about the normal quantile, Abramowitz and Stegun (1964), 26.7.5.
    """
    z = NormalDist().inv_cdf(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))


def paired_differences(
    connection: duckdb.DuckDBPyConnection,
    names: tuple[str, str],
    benchmark: str | None = None,
    split: str | None = None,
    matcher: str | None = None,
) -> list[Difference]:
    """How two runs differ on what both answered: whole groups, then credit, a task and condition.

    By the first matcher of the task, or by `matcher`; `all` gives each. Over the test splits
    together, or over `split` (`all` for all answers but to what is held back). Raises
    `GainsayError` where a name is no model's, or of several runs, and where they share none.
    """
    first, second = (_run_of(connection, name) for name in names)
    named = {
        "model": first.model, "run": first.run, "other_model": second.model,
        "other_run": second.run, "benchmark": benchmark, "split": split, "matcher": matcher,
    }  # fmt: skip
    set_variables(connection, named)
    found = query(connection, sql_beside(__file__, "differences"), Difference)
    if not found:
        over = " of the test splits; --split all compares all answers" if split is None else ""
        raise GainsayError(
            f"{names[0]} and {names[1]} have no scored answers to the same examples{over}"
        )
    return found


def leading(found: list[Difference]) -> list[Difference]:
    """Of each task and condition the first difference: by whole groups, else by credit."""
    first: dict[tuple[str, str, str], Difference] = {}
    for one in found:
        first.setdefault((one.benchmark, one.task, one.condition), one)
    return list(first.values())


def _run_of(connection: duckdb.DuckDBPyConnection, name: str) -> _Run:
    set_variables(connection, {"name": name})
    runs = query(connection, sql_beside(__file__, "named_runs"), _Run)
    if not runs:
        raise GainsayError(f"{name}: no scored answers of this model; see `gainsay score`")
    if len({run.model for run in runs}) > 1:
        raise GainsayError(
            f"{name}: is a model, and a run of another one; land one of them under another name"
            f" ({name}/default names the model)"
        )
    if len(runs) > 1 and runs[0].run != "default":
        choices = ", ".join(f"{run.model}/{run.run}" for run in runs)
        raise GainsayError(f"{name} has several runs; name one: {choices}")
    return runs[0]


class _Claim(msgspec.Struct):
    benchmark: str
    other_metric: str
    n: int
    pearson: float | None
    spearman: float | None


def claims(connection: duckdb.DuckDBPyConnection, benchmark: str | None) -> list[str]:
    """How confidence-weighted accuracy goes with the metrics that it is said to go with."""
    set_variables(connection, {"benchmark": benchmark})
    return [
        f"{claim.benchmark}: over {claim.n} runs confidence-weighted accuracy goes with"
        f" {claim.other_metric} by r = {_shown(claim.pearson)} (Pearson) and"
        f" {_shown(claim.spearman)} (Spearman)"
        for claim in query(connection, sql_beside(__file__, "claims"), _Claim)
    ]


def _shown(correlation: float | None) -> str:
    return (
        "none, as one of them is the same in all runs"
        if correlation is None
        else (f"{correlation:+.3f}")
    )
