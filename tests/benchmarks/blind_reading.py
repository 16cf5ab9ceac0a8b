"""The blind reader at official scale: what it costs beside the build of what it reads."""

import json
from pathlib import Path

from tests.benchmarks.measuring import Measurement, Run, dbt, gainsay, measured, run

_SCORES = ("audit__blind_scores", "audit__telltale_words")
_FOLDER = "path:models/blind"
_READER = tuple(f"+{model},{_FOLDER}" for model in _SCORES)
_WITHOUT_TESTS = ("--exclude-resource-type", "test", "unit_test")
_SUITE = ("--vars", json.dumps({"benchmarks": ["conflict_suite"]}))


def blind_reading(corpus: Path, folder: Path) -> list[Measurement]:
    """Measure the reader of the Conflict Suite beside its build, then that of all benchmarks."""
    folder = folder / "blind_reading"
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "gainsay.duckdb"
    database.unlink(missing_ok=True)
    environment = {"GAINSAY_DB": str(database)}
    run(gainsay("land", corpus), **environment)

    def build(*selection: str) -> Run:
        return measured(dbt(folder, "build", "--select", *selection), **environment)

    def reader_seconds(*options: str) -> float:
        """The reader's CPU seconds without dbt's start, which one seed takes, too."""
        start = build("blind_views", *_WITHOUT_TESTS, *options)
        return build(*_READER, *_WITHOUT_TESTS, *options).cpu_seconds - start.cpu_seconds

    def build_parents(*options: str) -> Run:
        parents = (f"+{model}" for model in _SCORES)
        return build(*parents, "--exclude", _FOLDER, *_WITHOUT_TESTS, *options)

    # parsed before anything is measured
    build("blind_views", *_SUITE)
    suite = build("+conflict_suite__manifest", *_SUITE)
    build_parents(*_SUITE)
    suite_reader = reader_seconds(*_SUITE)
    build("blind_views")
    everything = build_parents()
    reader = reader_seconds()
    return [
        Measurement("Conflict Suite, of all cores", suite.cpu_seconds),
        Measurement(
            "  its blind reader beside it", suite_reader,
            ratio=suite_reader / suite.cpu_seconds, at_most=0.05,
        ),
        Measurement("All benchmarks without tests, of all cores", everything.cpu_seconds),
        Measurement(
            "  their blind reader beside it", reader, ratio=reader / everything.cpu_seconds
        ),
    ]  # fmt: skip
