"""The Conflict Suite from official files to the manifest, beside the obvious other ways."""

import json
import os
import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import msgspec

from tests.benchmarks.measuring import Measurement, dbt, gainsay, run

_DONOR_MODELS = ("easy_ring", "easy_donors", "hard_ring", "hard_donors", "donors")
_ANNOTATION_FILES = ("v2_*.json", "captions_*.json")


def conflict_suite(n_questions: int, folder: Path) -> list[Measurement]:
    """Measure every stage at `n_questions`, and donor selection at a quarter as well."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus, made = _corpus(folder, n_questions)
    # the landing is measured on the files that its contenders read
    files = _without_instances(corpus)
    database = folder / "gainsay.duckdb"
    environment = {
        "GAINSAY_DB": str(database),
        "GAINSAY_PARSED": str(folder / "parsed"),
        "DBT_TARGET_PATH": str(folder / "target"),
    }

    bare_seconds, bare_memory = run([sys.executable, "-m", "tests.benchmarks.bare_decode", files])
    json_seconds, json_memory = run(
        [sys.executable, "-m", "tests.benchmarks.read_json", files, folder / "read_json.duckdb"]
    )
    database.unlink(missing_ok=True)
    land_seconds, land_memory = run(gainsay("land", files), **environment)
    again_seconds, again_memory = run(gainsay("land", files), **environment)
    n_records = _count(database, "select sum(n_records) from raw.landed_files")

    landed = folder / "landed.duckdb"
    shutil.copyfile(database, landed)
    shutil.rmtree(folder / "parsed", ignore_errors=True)
    screening = gainsay(
        "build", "--select", "+conflict_suite__screened",
        "--exclude-resource-type", "test", "unit_test",
    )  # fmt: skip
    first_seconds, _ = run(screening, **environment)
    shutil.copyfile(landed, database)
    screen_seconds, screen_memory = run(screening, **environment)
    # dbt's account of its nodes takes a while to write, so it is made in a run of its own
    shutil.copyfile(landed, database)
    run([*screening, "--write-json"], **environment)
    node_seconds = _seconds_of_nodes(folder)
    single_pass = folder / "single_pass.jsonl"
    single_seconds, single_memory = run(
        [sys.executable, "-m", "tests.benchmarks.single_pass", files, single_pass]
    )
    _assert_same_screening(single_pass, database)

    shutil.move(landed, database)
    whole = "build", "--select", "+conflict_suite__manifest", "+audit__rejected_inputs"
    whole_seconds, whole_memory = run(gainsay(*whole), **environment)
    build_seconds, build_memory = run(dbt(folder, *whole, "+conflict_suite__pilot"), **environment)
    stages = _seconds_by_node(folder)
    n_bases = _count(database, "select count(*) from conflict_suite.conflict_suite__bases")
    donor_seconds = _donor_seconds(stages)
    small_bases, small_seconds = _donors_of(folder, n_questions // 4)

    models = {name: seconds for name, seconds in stages.items() if name.startswith("model.")}
    tests = sum(seconds for name, seconds in stages.items() if "test." in name)
    return [
        made,
        Measurement("bare msgspec decode", bare_seconds, n_records, bare_memory),
        Measurement("DuckDB read_json", json_seconds, n_records, json_memory),
        Measurement(
            "gainsay land, against read_json", land_seconds, n_records, land_memory,
            ratio=json_seconds / land_seconds, at_least=4, most_megabytes=3000,
        ),
        Measurement(
            "gainsay land, against bare decode", land_seconds, n_records, land_memory,
            ratio=land_seconds / bare_seconds, at_most=1.5,
        ),
        Measurement("gainsay land again, unchanged", again_seconds, n_records, again_memory),
        Measurement(
            "single-pass Python: base construction", single_seconds, n_questions, single_memory,
        ),
        Measurement(
            "gainsay land + screening", land_seconds + node_seconds, n_questions,
            max(land_memory, screen_memory),
            ratio=single_seconds / (land_seconds + node_seconds), at_least=2,
        ),
        # what dbt takes to start, whatever the size
        Measurement(
            "  the same with dbt's start", land_seconds + screen_seconds, n_questions,
            ratio=single_seconds / (land_seconds + screen_seconds), at_least=2,
        ),
        Measurement(
            "  the same, the project parsed anew", land_seconds + first_seconds, n_questions,
            ratio=single_seconds / (land_seconds + first_seconds),
        ),
        Measurement(
            "gainsay land + build to the manifest, data tests and dbt's start included",
            land_seconds + whole_seconds, n_questions, max(land_memory, whole_memory),
            ratio=(land_seconds + whole_seconds) / single_seconds, at_most=1.2,
        ),
        *(
            Measurement(f"  {name.split('.')[-1]}", seconds)
            for name, seconds in sorted(models.items(), key=lambda item: -item[1])[:12]
        ),
        Measurement("  all data tests and unit tests", tests),
        Measurement(
            "dbt build, tests included", build_seconds, n_questions, build_memory,
            most_seconds=60, most_megabytes=6000,
        ),
        Measurement(f"donors of {small_bases:,} bases", small_seconds, small_bases),
        Measurement(
            f"donors of {n_bases:,} bases", donor_seconds, n_bases,
            ratio=(donor_seconds / small_seconds) / (n_bases / small_bases / 4),
            at_most=5, most_seconds=30,
        ),
    ]  # fmt: skip


def _corpus(folder: Path, n_questions: int) -> tuple[Path, Measurement]:
    """The corpus of a size, made unless an earlier run left it."""
    corpus = folder / f"corpus_{n_questions}"
    note = corpus / "seconds.txt"
    if not note.exists():
        # like the official files: every contender must be able to read all of it
        size = ("--questions", str(n_questions), "--no-images", "--no-flaws")
        seconds, _ = run(gainsay("synth", corpus, *size))
        note.write_text(str(seconds))
    return corpus, Measurement(
        "gainsay synth (once)", float(note.read_text()), n_questions, most_seconds=120
    )


def _without_instances(corpus: Path) -> Path:
    """The four VQA files and two caption files of a corpus, as a folder of links."""
    files = corpus / "annotations_only"
    files.mkdir(exist_ok=True)
    for pattern in _ANNOTATION_FILES:
        for path in corpus.glob(pattern):
            link = files / path.name
            link.unlink(missing_ok=True)
            os.link(path, link)
    return files


def _count(database: Path, query: str) -> int:
    with duckdb.connect(database, read_only=True) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


class _Screened(msgspec.Struct, frozen=True):
    """What decides a question's fate, in a line of the single-pass program."""

    question_id: int
    drop_stage: str | None
    caption_id: int | None


def _assert_same_screening(single_pass: Path, database: Path) -> None:
    """The contender must do the same work: every question ends alike."""
    expected = {
        (screened.question_id, screened.drop_stage, screened.caption_id)
        for screened in msgspec.json.Decoder(_Screened).decode_lines(single_pass.read_bytes())
    }
    with duckdb.connect(database, read_only=True) as connection:
        built = set(
            connection.execute("""
                select question_id, drop_stage, caption_id
                from conflict_suite.conflict_suite__screened
            """).fetchall()
        )
    if built != expected:
        raise RuntimeError(
            f"the single-pass program screens {len(built ^ expected):,} questions otherwise: "
            f"{sorted(built ^ expected, key=repr)[:10]}"
        )


def _seconds_by_node(folder: Path) -> dict[str, float]:
    return {result["unique_id"]: result["execution_time"] for result in _results(folder)}


def _seconds_of_nodes(folder: Path) -> float:
    """From the start of the first node to the end of the last: without dbt's own start."""
    times = [
        datetime.fromisoformat(step[end])
        for result in _results(folder)
        for step in result["timing"]
        for end in ("started_at", "completed_at")
    ]
    return (max(times) - min(times)).total_seconds()


def _results(folder: Path) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = json.loads(
        (folder / "target" / "run_results.json").read_text()
    )["results"]
    return results


def _donor_seconds(stages: dict[str, float]) -> float:
    prefixes = tuple(f"model.gainsay.conflict_suite__{name}" for name in _DONOR_MODELS)
    return sum(seconds for name, seconds in stages.items() if name.startswith(prefixes))


def _donors_of(folder: Path, n_questions: int) -> tuple[int, float]:
    """The number of bases and the seconds of donor selection at another size."""
    corpus, _ = _corpus(folder, n_questions)
    small = folder / "small"
    small.mkdir(exist_ok=True)
    database = small / "gainsay.duckdb"
    database.unlink(missing_ok=True)
    environment = {"GAINSAY_DB": str(database)}
    run(gainsay("land", corpus), **environment)
    run(dbt(small, "build", "--select", "+conflict_suite__donors"), **environment)
    bases = _count(database, "select count(*) from conflict_suite.conflict_suite__bases")
    return bases, _donor_seconds(_seconds_by_node(small))
