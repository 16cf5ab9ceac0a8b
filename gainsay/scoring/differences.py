"""How two models differ on the examples that both answered, and what metrics go with."""

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query, set_variables, sql_beside

# of fewer pictures nobody can say how much a difference varies
_FEWEST_IMAGES = 10


class _Run(msgspec.Struct):
    model: str
    run: str


class Difference(msgspec.Struct, frozen=True):
    """How two runs answered the same groups or examples, in one task, condition and matcher."""

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
    # mean values, their difference, and its interval
    first: float
    second: float
    difference: float
    low: float
    high: float
    # whether the interval leaves out 0; null where there are too few pictures to say
    is_beyond_noise: bool | None

    def sentence(self, first: str, second: str) -> str:
        """Which of two models is better, or that it is not known; by their names."""
        asked = ", ".join(
            [self.benchmark, self.task.replace("_", " "), self.condition, self.matcher]
            + ([self.splits] if self.splits else [])
        )
        points = 100 * self.difference
        units = "groups" if self.metric == "group_accuracy" else "examples"
        on = f"{self.n:,} {units} of {self.n_images:,} pictures"
        values = f"{self.metric.replace('_', ' ')} {self.first:.4f} and {self.second:.4f}"
        if self.is_beyond_noise is None:
            return (
                f"{asked}: too few pictures to say whether {first} and {second} differ beyond the"
                f" noise, which takes {_FEWEST_IMAGES} ({first} - {second}: {points:+.2f};"
                f" {values}; {on})"
            )
        interval = (
            f"{first} - {second}: {points:+.2f}, 95 % interval {100 * self.low:+.2f} to"
            f" {100 * self.high:+.2f}"
        )
        if not self.is_beyond_noise:
            said = f"{first} and {second} do not differ beyond the noise"
        else:
            better, worse = (first, second) if points > 0 else (second, first)
            said = f"{better} is better than {worse} by {abs(points):.2f} points, beyond the noise"
        return f"{asked}: {said} ({interval}; {values}; {on})"


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
        "fewest_images": _FEWEST_IMAGES,
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
