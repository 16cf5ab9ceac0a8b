"""VLM Reality Check at its official size: 500,000 images to 90,000 challenges in five languages.

Images are rows without pixels: what the sources list, and what annotators would have said of the
pictures. What reads pixels is measured elsewhere (`tests/benchmarks/pixels.py`).
"""

import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import duckdb
import numpy as np

from gainsay.ingest.sinks.duckdb import ensure_raw_schema
from gainsay.python_udfs.pixels.masks import encode
from tests.benchmarks.measuring import PROJECT, Measurement, dbt, gainsay, measured, run
from tests.python.printed_gates import CONTRADICTIONS, failures, run_printed
from tests.python.real_data import PRINTED_GATES

OFFICIAL_IMAGES: Final = 500_000
_HERE: Final = Path(__file__).parent
_MODELS: Final = Path("models/benchmarks/reality_check")
_FOLDER: Final = f"path:{_MODELS}"
_WITHOUT_TESTS: Final = ("--exclude-resource-type", "test", "unit_test")
# what the benchmark's models read and no pixel is needed for
_SHARED: Final = (
    "images__source_images", "images__captions", "images__files", "images__duplicates",
    "reality_check__contents", "images__wikimedia_images",
    "images__openimages_images", "images__streetview_images",
    "images__yfcc_images", "reality_check__places_and_times", "reality_check__scenes",
    "images__annotations",
)  # fmt: skip
_EDITS: Final = "reality_check__edits"
# the work that would be quadratic if it were done naively
_TRAPS: Final = {
    "rings": tuple(
        f"{bias}_pairs"
        for bias in ("counting", "spurious_correlation", "text_in_image", "temporal_reasoning")
    ),
    "near-duplicates": ("images__duplicates", "reality_check__picture_findings"),
    "factors": ("reality_check__factors", "reality_check__measurements"),
}
_SHADOWS: Final = 64


@dataclass(frozen=True)
class Build:
    """One size: seconds from outside, the largest process, and seconds by model."""

    n_images: int
    seconds: float
    cpu_seconds: float
    megabytes: float
    by_model: dict[str, float]
    n_challenges: int
    n_questions: int
    gates: list[Measurement] = field(default_factory=list)

    def seconds_of(self, endings: tuple[str, ...]) -> float:
        """What the models take whose names end so."""
        return sum(seconds for name, seconds in self.by_model.items() if name.endswith(endings))


def reality_check(folder: Path, n_images: int = OFFICIAL_IMAGES) -> list[Measurement]:
    """Measure the official size, a half and a quarter of it.

    `folder` keeps a warehouse of empty tables, which is made once, and none of the others.
    """
    folder.mkdir(parents=True, exist_ok=True)
    empty = _empty_warehouse(folder)
    builds = [_build(folder, empty, n_images // parts) for parts in (4, 2, 1)]
    small, _, official = builds
    return [
        *official.gates,
        *(
            Measurement(
                f"Reality Check, {build.n_images:,} images", build.seconds, build.n_images,
                build.megabytes,
            )
            for build in builds[:-1]
        ),
        # dbt's own start is in all, so that the ratio stays below four
        Measurement(
            f"Reality Check, {n_images:,} images", official.seconds, n_images, official.megabytes,
            ratio=official.seconds / small.seconds, at_most=5,
            most_seconds=300, most_megabytes=6000,
        ),
        Measurement(
            f"  to {official.n_questions:,} questions, of all cores", official.cpu_seconds,
            official.n_questions, ratio=official.cpu_seconds / small.cpu_seconds, at_most=5,
        ),
        *(_growth(trap, endings, builds) for trap, endings in _TRAPS.items()),
        *(
            Measurement(f"  {name}", seconds)
            for name, seconds in sorted(official.by_model.items(), key=lambda item: -item[1])[:12]
        ),
    ]  # fmt: skip


def _growth(trap: str, endings: tuple[str, ...], builds: list[Build]) -> Measurement:
    """What could be quadratic, at each size: a ratio of four is linear, one of sixteen is not."""
    seconds = [build.seconds_of(endings) for build in builds]
    return Measurement(
        f"  {trap}: {', '.join(f'{each:.1f} s' for each in seconds)}",
        seconds[-1],
        ratio=seconds[-1] / seconds[0],
        at_most=6,
    )


def _empty_warehouse(folder: Path) -> Path:
    """A warehouse in which all tables exist and none has a row."""
    database = folder / "empty.duckdb"
    if not database.exists():
        unfinished = folder / "unfinished.duckdb"
        unfinished.unlink(missing_ok=True)
        with duckdb.connect(unfinished) as connection:
            ensure_raw_schema(connection)
        command = dbt(folder, "build", "--select", f"+{_FOLDER}")
        run([*command, *_WITHOUT_TESTS], GAINSAY_DB=str(unfinished))
        unfinished.rename(database)
    return database


def _build(folder: Path, empty: Path, n_images: int) -> Build:
    """Make the rows of a size and build from them, up to the edits and from there on."""
    database = folder / "gainsay.duckdb"
    shutil.copy(empty, database)
    environment = {"GAINSAY_DB": str(database)}
    with duckdb.connect(database) as connection:
        make_rows(connection, n_images)
    sizes = {
        "reality_check_target_images": n_images,
        "reality_check_scale": n_images / OFFICIAL_IMAGES,
        "reality_check_awaited_queues": [],
        "reality_check_named_alone": False,
    }
    options = ("--vars", json.dumps(sizes), *_WITHOUT_TESTS)
    after_edits = f"{_EDITS}+"
    rooms = (
        f"path:{_MODELS / room.name}"
        for room in sorted((PROJECT / _MODELS).iterdir())
        if room.name != "pictures"
    )
    until = (
        "--select", *_SHARED, *rooms, "--exclude", after_edits, "reality_check__renderings",
        *options,
    )  # fmt: skip
    since = ("--select", f"{after_edits},{_FOLDER}", "--exclude", _EDITS, *options)
    before = measured(dbt(folder, "build", *until), **environment)
    by_model = _seconds_by_model(folder)
    with duckdb.connect(database) as connection:
        connection.execute((_HERE / "edits.sql").read_text())
    after = measured(dbt(folder, "build", *since), **environment)
    by_model |= _seconds_by_model(folder)
    with duckdb.connect(database, read_only=True) as connection:
        counts = connection.execute("""
            select
                (select count(*) from reality_check.reality_check__challenges),
                (select count(*) from reality_check.reality_check__questions)
        """).fetchone()
    assert counts is not None
    gates = _printed_gates(database) if n_images == OFFICIAL_IMAGES else []
    database.unlink()
    return Build(
        n_images,
        before.seconds + after.seconds,
        before.cpu_seconds + after.cpu_seconds,
        max(before.megabytes, after.megabytes),
        by_model,
        *counts,
        gates,
    )


def _printed_gates(database: Path) -> list[Measurement]:
    """Export a build, and run the source protocol's printed scripts there as they are.

    Raises `RuntimeError` where one fails, but for the conditions that contradict the document.
    """
    if not PRINTED_GATES.is_dir():
        return []
    folder = database.with_name("delivery")
    with duckdb.connect(database) as connection:
        # there are no pictures to deliver
        connection.execute(
            "update reality_check.reality_check__licensed_images set is_redistributable = false"
        )
    seconds, megabytes = run(gainsay("reality-check", "export", folder), GAINSAY_DB=str(database))
    found = [Measurement("  export to the printed gates", seconds, peak_megabytes=megabytes)]
    for name in ("gate_1_1", "gate_1_2", "gate_5_3", "smoke_test"):
        started = time.perf_counter()
        process = run_printed(name, folder)
        if process.returncode != 0:
            raise RuntimeError(f"{name}: {process.stderr}")
        found.append(Measurement(f"  {name}, passed", time.perf_counter() - started))
    started = time.perf_counter()
    failed = failures("gate_4_3", folder)
    if [line for line in failed if not line.startswith(CONTRADICTIONS)]:
        raise RuntimeError(f"gate_4_3: {failed}")
    found.append(
        Measurement("  gate_4_3, but for its contradictions", time.perf_counter() - started)
    )
    shutil.rmtree(folder)
    return found


def make_rows(connection: duckdb.DuckDBPyConnection, n_images: int) -> None:
    """Fill the raw tables and those of annotators, which must be there.

    The pictures, their objects and what they are made of stay as temporary tables.
    """
    connection.execute("set variable n_images = ?", [n_images])
    connection.execute((_HERE / "rows.sql").read_text())
    _add_shadow_shapes(connection)
    connection.execute((_HERE / "annotations.sql").read_text())


def _add_shadow_shapes(connection: duckdb.DuckDBPyConnection) -> None:
    """Regions of shadows, long ellipses in all directions."""
    shapes = []
    for number in range(_SHADOWS):
        angle = 180 * number / _SHADOWS
        mask = np.zeros((768, 1024), np.uint8)
        cv2.ellipse(mask, (512, 420), (120, 25), angle, 0, 360, 1, -1)
        along = 120 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        ends = [512 - along[0], 420 - along[1], 512 + along[0], 420 + along[1]]
        shapes.append(
            (number, encode(mask), int(mask.sum()), [*map(float, ends)], [512.0, 420.0], angle)
        )
    connection.execute("""
        create temporary table shadow_shapes (
            number bigint, rle varchar, area bigint, ends double[], center double[], angle double
        )
    """)
    connection.executemany("insert into shadow_shapes values (?, ?, ?, ?, ?, ?)", shapes)


def _seconds_by_model(folder: Path) -> dict[str, float]:
    results = json.loads((folder / "target/run_results.json").read_text())["results"]
    return {
        result["unique_id"].split(".")[-1]: result["execution_time"]
        for result in results
        if result["unique_id"].startswith("model.")
    }
