"""The blind reader at official scale: what it costs beside the build of the Conflict Suite."""

from pathlib import Path

from tests.benchmarks.measuring import Measurement, Run, dbt, gainsay, measured, run

_READER = "path:models/audit/blind"
_WITHOUT_TESTS = ("--exclude-resource-type", "test", "unit_test")


def blind_reading(corpus: Path, folder: Path) -> list[Measurement]:
    """Measure the reader of all benchmarks that a corpus of official size gives examples of."""
    folder = folder / "blind_reading"
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "gainsay.duckdb"
    database.unlink(missing_ok=True)
    environment = {"GAINSAY_DB": str(database)}
    run(gainsay("land", corpus), **environment)

    def build(*selection: str) -> Run:
        return measured(dbt(folder, "build", "--select", *selection), **environment)

    suite = build("+conflict_suite__manifest")
    build(f"+{_READER}", "--exclude", _READER, *_WITHOUT_TESTS)
    start = build("blind_views", *_WITHOUT_TESTS)
    reader = build(_READER, *_WITHOUT_TESTS)
    # dbt takes as long to start for one seed
    cpu_seconds = reader.cpu_seconds - start.cpu_seconds
    return [
        Measurement("Conflict Suite, of all cores", suite.cpu_seconds),
        Measurement(
            "  the blind reader of all benchmarks beside it", cpu_seconds,
            peak_megabytes=reader.megabytes,
            ratio=cpu_seconds / suite.cpu_seconds, at_most=0.05,
        ),
    ]  # fmt: skip
