"""A million answers matched and scored, beside the row-by-row Python way.

A synthetic CLASH test set of 50,000 samples, open-ended answers of 20 models to each.
"""

import json
import random
import sys
from pathlib import Path

import duckdb

from tests.benchmarks.measuring import Measurement, gainsay, run

_N_SAMPLES = 50_000
# the Python way takes about an hour for a million answers
_N_ROW_BY_ROW = 10_000
_WORDS = [
    *("red", "blue", "green", "white", "wooden", "metal", "sandy", "golden", "brightly", "snowy"),
    *("dog", "cats", "horses", "children", "table", "chairs", "bicycle", "buses", "plates"),
    *("oranges", "kites", "umbrella", "two", "three", "4", "riding", "running", "standing"),
]
_FRAMES = (
    "{}",
    "The answer is {}.",
    "In the image there is {}, next to a {} and several {} on the left.",
    "Conflicting information - cannot answer.",
    "The caption says {}, but the picture shows {}; they contradict each other.",
)


def scoring(n_answers: int, folder: Path) -> list[Measurement]:
    """Measure landing and scoring of `n_answers`, and the Python way on a hundredth."""
    folder = folder / "scoring"
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "gainsay.duckdb"
    database.unlink(missing_ok=True)
    environment = {
        "GAINSAY_DB": str(database),
        "GAINSAY_PARSED": str(folder / "parsed"),
        "DBT_TARGET_PATH": str(folder / "target"),
    }
    samples = _write_samples(folder / "clash_test.json")
    n_models = -(-n_answers // _N_SAMPLES)
    files = [_write_answers(folder, samples, model) for model in range(n_models)]

    run(gainsay("land", folder / "clash_test.json"), **environment)
    landing = gainsay("land-predictions", "--benchmark", "clash", *files)
    landing_seconds, landing_memory = run(landing, **environment)
    untested = ["--exclude-resource-type", "test", "unit_test"]
    # scoring reads the audit, which reads questions of scoring: parents alone can't be built
    run(gainsay("build", "--select", "+tag:evaluation", *untested), **environment)
    seconds, memory = run(gainsay("build", "--select", "tag:evaluation", *untested), **environment)
    _assert_scored(database, n_models)
    slow_seconds, slow_memory = run(
        [
            sys.executable, "-m", "tests.benchmarks.row_by_row",
            folder / "clash_test.json", files[0], str(_N_ROW_BY_ROW),
        ]
    )  # fmt: skip
    n = n_models * _N_SAMPLES
    return [
        Measurement(
            f"land answers, {n_models} files",
            landing_seconds,
            n_rows=n,
            peak_megabytes=landing_memory,
            # 100,000 answers a second
            most_seconds=n / 100_000,
        ),
        Measurement(
            "match and score, bootstrap included",
            seconds,
            n_rows=n,
            peak_megabytes=memory,
            ratio=(slow_seconds / _N_ROW_BY_ROW) / (seconds / n),
            at_least=60,
            most_seconds=30,
            most_megabytes=4096,
        ),
        Measurement(
            "  row by row in Python",
            slow_seconds,
            n_rows=_N_ROW_BY_ROW,
            peak_megabytes=slow_memory,
        ),
    ]


def _write_samples(path: Path) -> list[dict[str, object]]:
    draw = random.Random(1)
    samples: list[dict[str, object]] = []
    for image_id in range(1, _N_SAMPLES + 1):
        image_only, text_only, distractor = draw.sample(_WORDS, 3)
        samples.append(
            {
                "image_id": image_id,
                "original_caption": f"A {image_only}.",
                "conflicting_caption": f"A {text_only}.",
                "question": "What is it?",
                "change_type": draw.choice(["object", "attribute"]),
                "answers": {
                    "image_only": image_only,
                    "text_only": text_only,
                    "irrelevant_but_plausible": distractor,
                },
                "changed_words": {"original": image_only, "conflicting": text_only},
                "category": draw.choice(["animals", "colors", "food", "sports", "other"]),
            }
        )
    path.write_text(json.dumps({"samples": samples}))
    return samples


def _write_answers(folder: Path, samples: list[dict[str, object]], model: int) -> Path:
    draw = random.Random(model)
    path = folder / f"model-{model:03}.jsonl"
    with path.open("w") as file:
        for sample in samples:
            text = draw.choice(_FRAMES).format(*draw.choices(_WORDS, k=3))
            record = {"image_id": sample["image_id"], "prediction": f"{text} {draw.randrange(99)}"}
            file.write(json.dumps(record) + "\n")
    return path


def _assert_scored(database: Path, n_models: int) -> None:
    with duckdb.connect(database, read_only=True) as connection:
        counted = connection.execute("""
            select count(*), min(n), max(n), count(standard_deviation)
            from evaluation.evaluation__scores
            where slice_name = 'overall' and metric = 'image_only'
        """).fetchone()
    assert counted == (n_models, _N_SAMPLES, _N_SAMPLES, n_models), counted
