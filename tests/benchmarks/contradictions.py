"""Text contradictions at official scale: proposals for all captions, and the refined suite."""

from pathlib import Path

from tests.benchmarks.measuring import Measurement, dbt, gainsay, run

# what this capability adds to the captions and bases that the Conflict Suite has anyway
_MODELS = (
    "path:models/shared/language",
    "path:models/shared/llm",
    "path:models/benchmarks/conflicts/conflict_suite_refined/bases",
    "path:models/benchmarks/conflicts/conflict_suite_refined/mix",
    "path:models/benchmarks/conflicts/conflict_suite_refined/edits",
    "path:models/benchmarks/conflicts/conflict_suite_refined/image_donors",
    "path:models/benchmarks/conflicts/conflict_suite_refined/pictures",
    "path:models/benchmarks/conflicts/conflict_suite_refined/variants",
    "path:models/benchmarks/conflicts/conflict_suite_refined/partners",
    "path:models/benchmarks/conflicts/conflict_suite_refined/screening",
    "conflict_suite_refined__screened",
)
_WITHOUT_TESTS = ("--exclude-resource-type", "test", "unit_test")


def contradictions(corpus: Path, small_corpus: Path, folder: Path) -> list[Measurement]:
    """Measure on a corpus of official size, and on one of a quarter of its questions."""
    seconds, megabytes = _seconds(corpus, folder / "contradictions")
    small_seconds, _ = _seconds(small_corpus, folder / "contradictions_small")
    return [
        Measurement("proposals and refined suite, a quarter", small_seconds),
        # dbt's own start is in both, so that the ratio stays below four
        Measurement(
            "proposals and refined suite", seconds, peak_megabytes=megabytes,
            ratio=seconds / small_seconds, at_most=5, most_seconds=60,
        ),
    ]  # fmt: skip


def _seconds(corpus: Path, folder: Path) -> tuple[float, float]:
    """Wall seconds and peak megabytes of the models, everything before them built."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "gainsay.duckdb"
    database.unlink(missing_ok=True)
    environment = {"GAINSAY_DB": str(database)}
    run(gainsay("land", corpus), **environment)
    upstream = (
        "+conflict_suite__bases",
        "+conflict_suite__evidence",
        "+occlusions__screened",
        "+images__source_images",
        "path:models/staging",
        "path:seeds",
    )
    run(dbt(folder, "build", "--select", *upstream, *_WITHOUT_TESTS), **environment)
    return run(dbt(folder, "build", "--select", *_MODELS, *_WITHOUT_TESTS), **environment)
