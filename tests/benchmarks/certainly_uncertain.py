"""CertainlyUncertain at official scale: pairs from all questions and all captions."""

from pathlib import Path

from tests.benchmarks.measuring import Measurement, dbt, gainsay, run

_MODELS = "path:models/benchmarks/certainly_uncertain"
_PEOPLE = "path:models/benchmarks/certainly_uncertain/people"
_WITHOUT_TESTS = ("--exclude-resource-type", "test", "unit_test")


def certainly_uncertain(
    corpus: Path, small_corpus: Path, folder: Path, suite_seconds: float
) -> list[Measurement]:
    """Measure on a corpus of official size, and on one of a quarter of its questions.

    `suite_seconds` is what the build of the Conflict Suite takes on the former.
    """
    seconds, megabytes = _seconds(corpus, folder / "certainly_uncertain")
    people_seconds, people_megabytes = _built(folder / "certainly_uncertain", _PEOPLE)
    small_seconds, _ = _seconds(small_corpus, folder / "certainly_uncertain_small")
    return [
        Measurement("CertainlyUncertain, a quarter", small_seconds),
        # dbt's own start is in both, so that the ratio stays below four
        Measurement(
            "CertainlyUncertain", seconds, peak_megabytes=megabytes,
            ratio=seconds / small_seconds, at_most=5, most_megabytes=6000,
        ),
        Measurement(
            "  against the Conflict Suite's build", seconds,
            ratio=seconds / suite_seconds, at_most=2,
        ),
        # built again alone, dbt's start included
        Measurement(
            "  of it, what people doubt", people_seconds, peak_megabytes=people_megabytes,
            ratio=people_seconds / seconds, at_most=1, most_megabytes=6000,
        ),
    ]  # fmt: skip


def _seconds(corpus: Path, folder: Path) -> tuple[float, float]:
    """Wall seconds and peak megabytes of the models, everything before them built."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "gainsay.duckdb"
    database.unlink(missing_ok=True)
    environment = {"GAINSAY_DB": str(database)}
    run(gainsay("land", corpus), **environment)
    upstream = ("+certainly_uncertain__manifest", "path:seeds", "path:models/staging")
    run(dbt(folder, "build", "--select", *upstream, *_WITHOUT_TESTS), **environment)
    return _built(folder, _MODELS)


def _built(folder: Path, models: str) -> tuple[float, float]:
    """Wall seconds and peak megabytes of some models in the warehouse of a folder."""
    environment = {"GAINSAY_DB": str(folder / "gainsay.duckdb")}
    return run(dbt(folder, "build", "--select", models, *_WITHOUT_TESTS), **environment)
