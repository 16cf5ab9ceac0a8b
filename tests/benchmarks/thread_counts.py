"""The manifests of all benchmarks, built with one, two and four threads: the same hashes.

Threads are those of dbt and those of DuckDB. The corpus has pictures, listings and every flaw, so
that all benchmarks have records; alone: `python -m tests.benchmarks.thread_counts FOLDER`.
"""

import shutil
import sys
from pathlib import Path
from typing import Final

from tests.benchmarks.measuring import PROJECT, Measurement, dbt, gainsay, run

_THREADS: Final = (2, 1, 4)
_MANIFESTS: Final = tuple(
    sorted(path.stem for path in (PROJECT / "models/benchmarks").glob("*/marts/*__manifest.sql"))
)
_PICTURES: Final = ("train2014", "val2014", "raw")


def thread_counts(folder: Path) -> list[Measurement]:
    """Build the manifests with each number of threads, each with a folder of renderings its own.

    Raises `RuntimeError` that shows the rows that differ from those of two threads.
    """
    folder.mkdir(parents=True, exist_ok=True)
    corpus = folder / "corpus"
    if not corpus.exists():
        run(gainsay("synth", corpus, "--reality-check"))
    landed = folder / "landed.duckdb"
    landed.unlink(missing_ok=True)
    run(gainsay("land", corpus), GAINSAY_DB=str(landed))
    pictures = [corpus / name for name in _PICTURES]
    run(gainsay("land-images", *pictures), GAINSAY_DB=str(landed))
    marts = [part for name in _MANIFESTS for part in ("--mart", name)]
    measurements = []
    for threads in _THREADS:
        place = folder / f"threads_{threads}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        warehouse = place / "gainsay.duckdb"
        shutil.copy(landed, warehouse)
        build = dbt(
            place, "build", "--select", *(f"+{name}" for name in _MANIFESTS),
            "--vars", (corpus / "vars.yml").read_text(),
            "--exclude-resource-type", "test", "unit_test",
        )  # fmt: skip
        seconds, megabytes = run(
            build,
            GAINSAY_DB=str(warehouse),
            GAINSAY_RENDERINGS=str(place / "renderings"),
            GAINSAY_DBT_THREADS=str(threads),
            GAINSAY_DUCKDB_THREADS=str(threads),
        )
        first = folder / f"threads_{_THREADS[0]}/gainsay.duckdb"
        if threads != _THREADS[0]:
            run(gainsay("compare", *marts, first, warehouse))
        measurements.append(
            Measurement(
                f"{len(_MANIFESTS)} manifests with {threads} threads, hashes alike",
                seconds,
                peak_megabytes=megabytes,
            )
        )
    for threads in _THREADS:
        shutil.rmtree(folder / f"threads_{threads}")
    return measurements


if __name__ == "__main__":
    for measurement in thread_counts(Path(sys.argv[1]).resolve()):
        print(" | ".join(measurement.cells()))
