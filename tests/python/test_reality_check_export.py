"""The files of VLM Reality Check that the source protocol's own scripts read, and their checks."""

import ast
import base64
import csv
import hashlib
import importlib.util
import json
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pandas as pd
import pytest

from gainsay.exports.reality_check import export_reality_check
from gainsay.foundation.errors import GainsayError
from gainsay.lm.predicting import Question, examples
from tests.python import image_specimens as specimens
from tests.python.conftest import Warehouse
from tests.python.hugging_face import load_dataset
from tests.python.printed_gates import CONTRADICTIONS, failures, run_printed
from tests.python.protocol_checks import LANGUAGES, failed_checks
from tests.python.real_data import needs_printed_gates

SCALE = 0.002
N_IMAGES = 6
LEVELS = {"easy": 6, "medium": 10, "hard": 4}
ORDERS = ["A,B,C", "A,C,B", "B,A,C", "B,C,A", "C,A,B", "C,B,A"]
DESCRIPTIONS = {
    "A": "a red car and a red bench", "B": "a blue car and a red bench",
    "C": "a blue car and a blue bench", "D": "a red car and a blue bench",
}  # fmt: skip
PAIRS = {"A": "Yes; No", "B": "Yes; Yes", "C": "No; No", "D": "No; Yes"}
SLOTS = {
    "counting": {"object_category": "sheep"},
    "spurious_correlation": {"supercategory": "animal"},
    "compositional_binding": {
        "color_1": "red", "object_1": "car", "color_2": "blue", "object_2": "bench",
    },
}  # fmt: skip
ANSWERS = {
    "yes_no": ("Yes", ["No"]),
    "order": ("A,C,B", [order for order in ORDERS if order != "A,C,B"]),
    "label": ("cow", ["dog", "bird", "horse"]),
    "letter": ("B", ["A"]),
}
OF_OPTIONS = ("D", ["A", "B", "C"])
QUESTIONS = [
    "reality_check__record_questions",
    "reality_check__slot_texts", "reality_check__option_texts",
    "reality_check__questions", "reality_check__multilingual", "reality_check__translation_sample",
    "reality_check__examples",
]  # fmt: skip


@pytest.fixture(scope="module")
def warehouse(tiny: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse of five images and as many challenges as the small corpus aims at."""
    warehouse = tiny.copied_to(tmp_path_factory.mktemp("challenges"))
    with duckdb.connect(warehouse.path) as connection:
        templates = connection.execute("""
            select bias_type, min_by(template_id, template_id), min_by(answer_format, template_id)
            from vocabulary.reality_check_question_templates
            where is_in_use and bias_type <> 'description'
            group by bias_type
            order by bias_type
        """).fetchall()
        for row in _challenges(templates):
            connection.execute(
                "insert into reality_check.reality_check__challenges by name select "
                + ", ".join(f"${name} as {name}" for name in row),
                row,
            )
        for number in range(1, 6):
            _add_image(connection, warehouse.folder, number)
    return warehouse.build("--select", *QUESTIONS)


def _challenges(templates: list[tuple[str, str, str]]) -> Iterator[dict[str, Any]]:
    """Twenty challenges of each bias in the wanted mix, and of each combination."""
    numbers = count()
    for bias, template, answer_format in templates:
        is_compound = "+" in bias
        texts = DESCRIPTIONS if bias == "compositional_binding" else PAIRS if is_compound else None
        correct, others = OF_OPTIONS if texts else ANSWERS[answer_format]
        options = [
            {"letter": letter, "key": f"key_{letter}", "text": text}
            for letter, text in (texts or {}).items()
        ]
        slots = SLOTS.get(bias)
        for level, n in ({"hard": 20} if is_compound else LEVELS).items():
            for number in (next(numbers) for _ in range(n)):
                yield {
                    "challenge_id": f"{bias}::{number}", "pair_id": f"{bias}::{number}",
                    "bias_type": "compound" if is_compound else bias,
                    "bias_types_combined": bias.split("+"), "question_role": "pair",
                    "difficulty": level, "split": "test", "image_a_id": "coco-1",
                    "image_b_id": "coco-2", "image_a_file": "a.jpg", "image_b_file": "b.jpg",
                    "asked_images": "ab", "template_id": template,
                    "slots": json.dumps(slots) if slots else None,
                    "options": json.dumps(options) if options else None,
                    "answer_format": answer_format, "correct_answer": correct,
                    "correct_text": (texts or {}).get(correct, correct),
                    "distractor_answers": others, "ground_truth_method": "method",
                    "confound_check_passed": True, "is_redistributable": True,
                }  # fmt: skip


def _add_image(connection: duckdb.DuckDBPyConnection, folder: Path, number: int) -> None:
    """An image among those that challenges are made of, with its picture."""
    picture = folder / f"{number}.jpg"
    picture.write_bytes(specimens.jpeg(seed=number))
    connection.execute(
        "insert into reality_check.reality_check__images by name select"
        " $id as image_id, 'coco' as source, $file as image_file, '{}' as metadata",
        {"id": f"coco-{number}", "file": picture.name},
    )
    connection.execute(
        "insert into images.images__files by name select"
        " $id as source_image_id, $path as path, $sha256 as sha256",
        {
            "id": f"coco-{number}", "path": str(picture),
            "sha256": hashlib.sha256(picture.read_bytes()).hexdigest(),
        },
    )  # fmt: skip
    connection.execute(
        "insert into reality_check.reality_check__licensed_images by name"
        " select $id as image_id, true as is_redistributable, true as is_delivered",
        {"id": f"coco-{number}"},
    )
    # under a licence that lets it travel
    connection.execute(
        "insert into images.images__source_images by name select"
        " $id as source_image_id, $file as file_name, min(licenses.license_id) as license_id"
        " from staging.stg_coco__licenses as licenses"
        " inner join vocabulary.license_terms as terms using (license_url)"
        " where terms.allows_copies and terms.allows_derivatives",
        {"id": f"coco-{number}", "file": picture.name},
    )


@pytest.fixture(scope="module")
def exported(warehouse: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reality_check")
    warehouse.gainsay("reality-check", "export", folder)
    return folder


def test_an_export_passes_the_checks_of_the_source_protocol(exported: Path) -> None:
    files = {str(path.relative_to(exported)) for path in exported.rglob("*") if path.is_file()}
    assert files == {
        ".gainsay-written",
        "configs/biases.yaml",
        "configs/languages.yaml",
        "configs/pipeline.yaml",
        "data/challenges/challenges.jsonl",
        "data/challenges/challenges_multilingual.jsonl",
        "data/challenges/controls.jsonl",
        "data/processed/annotations.jsonl",
        *(f"data/questions/{language}.jsonl" for language in LANGUAGES),
        "data/raw/manifest.jsonl",
        *(f"data/raw/images/coco/coco-{number}.jpg" for number in range(1, 6)),
        "data/validation/human_validation_sample.csv",
    }
    assert failed_checks(exported, SCALE, N_IMAGES) == []


def test_keys_of_the_source_protocol_stand_beside_ours(exported: Path) -> None:
    lines = (exported / "data/processed/annotations.jsonl").read_text().splitlines()
    assert lines
    for line in map(json.loads, lines):
        for part, key, ours in (
            ("texture", "dominant_texture_freq", "dominant_texture_frequency"),
            ("texture", "silhouette_extractable", "is_silhouette_extractable"),
            ("ocr", "text_is_location_relevant", "is_location_relevant"),
            ("temporal", "timestamp", "taken_at"),
            ("shadow", "skippable", "is_skippable"),
        ):
            assert line[part][key] == line[part][ours]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("insert into {schema}__licensed_images from {schema}__licensed_images limit 1",
         "manifest.jsonl: .*: all: 6 records where 5 are expected"),
        ("delete from {schema}__multilingual where challenge_id like '%::0'",
         "challenges_multilingual.jsonl: .*: test: 259 records where 260 are expected"),
        ("insert into {schema}__questions from {schema}__questions"
         " where challenge_id like '%::0' and language = 'zh'",
         "zh.jsonl: .*: test, zh: 261 records where 260 are expected"),
    ],
)  # fmt: skip
def test_a_delivery_that_is_not_its_marts_is_stopped(
    warehouse: Warehouse, tmp_path: Path, wrong: str, message: str
) -> None:
    spoilt = warehouse.copied_to(tmp_path)
    with duckdb.connect(spoilt.path) as connection:
        connection.execute(wrong.format(schema="reality_check.reality_check"))
        with pytest.raises(GainsayError, match=message):
            export_reality_check(connection, tmp_path / "out")


@needs_printed_gates
@pytest.mark.parametrize("gate", ["gate_1_1", "gate_1_2"])
def test_printed_gates_run_as_they_are(exported: Path, gate: str) -> None:
    process = run_printed(gate, exported)
    assert "PASSED" in process.stdout, process.stderr


@needs_printed_gates
def test_printed_gates_of_challenges_hold_in_small(exported: Path) -> None:
    """Their counts are those of the full size, where `make bench` runs them as they are."""
    assert failures("gate_5_3", exported, SCALE) == []
    # five images beside challenges for half a thousand
    assert failures("smoke_test", exported, 1e-5) == []
    assert failures("smoke_test", exported, SCALE) == ["Only 5 images collected (target 500K)"]
    found = failures("gate_4_3", exported, SCALE)
    assert [line for line in found if not line.startswith(CONTRADICTIONS)] == []
    # the document's own numbers fail four of its assertions
    assert len(found) == len(CONTRADICTIONS)


@needs_printed_gates
def test_printed_gates_find_what_is_wrong(exported: Path, tmp_path: Path) -> None:
    folder = tmp_path / "spoilt"
    shutil.copytree(exported, folder)
    _edit_lines(folder / MULTILINGUAL, lambda line: line["questions"].update(ar=" "))
    _edit_lines(folder / CHALLENGES, lambda line: line.update(bias_type="texture"), 60)
    assert [line[:22] for line in failures("gate_5_3", folder, SCALE)] == ["1 translation issues:"]
    assert failures("smoke_test", folder, 1e-5)[0].startswith("Missing ar in challenge")
    assert [line for line in failures("gate_4_3", folder, SCALE) if "texture is" in line]
    (folder / SAMPLE).unlink()
    process = run_printed("smoke_test", folder)
    assert process.stderr.endswith("AssertionError: validation sample missing\n")


def test_a_record_in_five_languages_is_the_original_and_its_questions(exported: Path) -> None:
    records = [
        {line["challenge_id"]: line for line in map(json.loads, (exported / name).open())}
        for name in (CHALLENGES, MULTILINGUAL)
    ]
    for name, original in records[0].items():
        added = {key: value for key, value in records[1][name].items() if key not in original}
        assert added.keys() == {"questions", "answers", "options_by_language"}
        assert original == {key: records[1][name][key] for key in original}
        assert original["image_a_path"] == "data/raw/images/coco/coco-1.jpg"


def test_a_stage_writes_its_files_alone(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.gainsay("reality-check", "export", tmp_path, "--stage", "process")
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    listed = {ANNOTATIONS, ".gainsay-written"}
    assert {name for name in files if not name.startswith("configs/")} == listed


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_its_questions_in_a_file(exported: Path, language: str) -> None:
    lines = (exported / f"data/questions/{language}.jsonl").read_text().splitlines()
    asked = {line["challenge_id"]: line for line in map(json.loads, lines)}
    multilingual = map(json.loads, (exported / MULTILINGUAL).read_text().splitlines())
    assert {
        name: (line["question"], line["answer"], line["options"]) for name, line in asked.items()
    } == {
        each["challenge_id"]: tuple(
            each[key][language] for key in ("questions", "answers", "options_by_language")
        )
        for each in multilingual
    }
    assert {tuple(line["images"]) for line in asked.values()} == {("a.jpg", "b.jpg")}


# sentences that begin with a word for Yes or No
YES = {
    "en": "Yes, they are.", "es": "Sí, lo son.", "zh": "是的。",
    "hi": "हाँ, दोनों एक ही हैं।", "ar": "نعم، إنهما من النوع نفسه.",
}  # fmt: skip
NO = {"en": "No.", "es": "No lo son.", "zh": "不是。", "hi": "नहीं।", "ar": "لا، ليس كذلك."}


@pytest.fixture(scope="module")
def evaluators(warehouse: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exports that evaluators and trainers read, a folder for each format."""
    folder = tmp_path_factory.mktemp("evaluators")
    for kind in ("hugging-face", "lmms-eval", "vlmevalkit", "llava"):
        warehouse.gainsay("export", kind, folder / kind, "--benchmark", "reality_check")
    return folder


@pytest.fixture(scope="module")
def lmms_utils(evaluators: Path) -> ModuleType:
    """The functions of the exported task."""
    path = evaluators / "lmms-eval/utils.py"
    spec = importlib.util.spec_from_file_location("reality_check_utils", path)
    assert spec is not None
    assert spec.loader is not None
    utils = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(utils)
    return utils


def _asked(warehouse: Warehouse, language: str) -> dict[str, tuple[str, str, str]]:
    """Question, answer and what a model is asked, by example."""
    rows = warehouse.rows(f"""
        select example_id, question, target, prompt
        from exports.exports__reality_check_questions where language = '{language}'
    """)
    assert len(rows) == 260
    return {
        str(key): (str(question), str(target), str(prompt))
        for key, question, target, prompt in rows
    }


def _table(path: Path) -> list[dict[str, str]]:
    # a cell holds whole pictures
    csv.field_size_limit(2**24)
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_evaluators_get_a_file_of_each_language(
    warehouse: Warehouse, evaluators: Path, tmp_path: Path, language: str
) -> None:
    import datasets

    asked = _asked(warehouse, language)
    with warehouse.connect() as connection:
        question = Question("reality_check", "open_ended", language)
        predicted = examples(connection, question, "model")
    assert {one.example_id: one.prompt for one in predicted} == {
        key: prompt for key, (_, _, prompt) in asked.items()
    }
    pictures = [(warehouse.folder / f"{number}.jpg").read_bytes() for number in (1, 2)]

    loaded = load_dataset(
        str(evaluators / "hugging-face"), language, cache_dir=str(tmp_path), split="test"
    )
    assert {
        row: tuple(told)
        for row, *told in zip(
            loaded["example_id"],
            loaded["question"],
            loaded["target"],
            loaded["prompt"],
            strict=True,
        )
    } == asked
    assert isinstance(loaded.features["image_c"], datasets.Image)
    stored = loaded.cast_column("image_a", datasets.Image(decode=False))
    stored = stored.cast_column("image_b", datasets.Image(decode=False))
    assert [stored[0][name]["bytes"] for name in ("image_a", "image_b")] == pictures
    assert stored[0]["image_c"] is None

    rows = _table(evaluators / f"vlmevalkit/GainsayRealityCheck_{language}.tsv")
    assert {row["example_id"]: (row["question"], row["answer"]) for row in rows} == {
        key: (prompt, target) for key, (_, target, prompt) in asked.items()
    }
    # VLMEvalKit evaluates a cell in brackets, and unpacks its pictures into files of these names
    assert [base64.b64decode(each) for each in ast.literal_eval(rows[0]["image"])] == pictures
    assert ast.literal_eval(rows[0]["image_path"]) == ["coco-1.jpg", "coco-2.jpg"]

    conversations = json.loads((evaluators / f"llava/llava_sft_{language}.json").read_text())
    assert {record["id"]: record["conversations"][1]["value"] for record in conversations} == {
        key: target for key, (_, target, _) in asked.items()
    }
    for record in conversations:
        assert record["image"] == ["images/coco-1.jpg", "images/coco-2.jpg"]
        assert record["conversations"][0]["value"] == "<image>\n<image>\n" + asked[record["id"]][2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_task_of_lmms_eval_tells_right_from_wrong(
    evaluators: Path, lmms_utils: ModuleType, language: str
) -> None:
    import datasets

    group = (evaluators / "lmms-eval/gainsay_reality_check.yaml").read_text()
    assert f"- gainsay_reality_check_{language}\n" in group
    task = (evaluators / f"lmms-eval/gainsay_reality_check_{language}.yaml").read_text()
    shard = evaluators / f"lmms-eval/data/{language}/test-00000-of-00001.parquet"
    assert f'["data/{language}/test-00000-of-00001.parquet"]' in task

    loaded = datasets.Dataset.from_parquet(str(shard), cache_dir=str(evaluators / "cache"))
    assert [image.mode for image in lmms_utils.doc_to_visual(loaded[0])] == ["RGB", "RGB"]
    for doc in loaded.remove_columns(["image_a", "image_b", "image_c"]):
        is_yes_no = doc["answer_format"] == "yes_no"
        right = YES[language] if is_yes_no else f"{doc['target']}."
        wrong = NO[language] if is_yes_no else doc["distractors"].split("; ")[0]
        assert lmms_utils.process_results(doc, [right])["accuracy"] == 1, (doc, right)
        assert lmms_utils.process_results(doc, [wrong])["accuracy"] == 0, (doc, wrong)
        assert lmms_utils.process_results(doc, [""])["accuracy"] == 0
    assert "control_accuracy" in lmms_utils.process_results(doc | {"split": "control"}, ["?"])


def test_answers_of_evaluators_come_back_in_five_languages(
    warehouse: Warehouse, evaluators: Path, lmms_utils: ModuleType, tmp_path: Path
) -> None:
    for language in LANGUAGES:
        shard = evaluators / f"lmms-eval/data/{language}/test-00000-of-00001.parquet"
        docs = pd.read_parquet(shard).to_dict("records")
        # as lmms-eval logs samples: the metrics and no document
        samples = tmp_path / f"samples_gainsay_reality_check_{language}.jsonl"
        samples.write_text("".join(
            json.dumps({"doc_id": number, "target": doc["target"], "filtered_resps": [said]}
                | lmms_utils.process_results(doc, [said]), ensure_ascii=False) + "\n"
            for number, doc in enumerate(docs)
            for said in [YES[language] if doc["answer_format"] == "yes_no" else doc["target"]]
        ))  # fmt: skip
        _land(warehouse, samples, "lmms", language)
        # as VLMEvalKit adds answers to the table, without the pictures
        rows = _table(evaluators / f"vlmevalkit/GainsayRealityCheck_{language}.tsv")
        for row in rows:
            del row["image"]
            row["prediction"] = NO[language] if row["answer_format"] == "yes_no" else row["answer"]
        table = tmp_path / f"model_GainsayRealityCheck_{language}.tsv"
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter="\t", quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(rows)
        _land(warehouse, table, "vlmevalkit", language)

    warehouse.build(
        "--select", "stg_gainsay__predictions+1", "evaluation__example_names",
        "path:models/evaluation/matchers/reality_check",
    )  # fmt: skip
    scored = warehouse.rows("""
        select
            predictions.model, predictions.condition, questions.answer_format,
            count(*), sum(outcomes.credit)
        from evaluation.reality_check__outcomes as outcomes
        inner join evaluation.evaluation__predictions as predictions
            using (source_file, file_position)
        inner join exports.exports__reality_check_questions as questions
            on outcomes.example_id = questions.example_id
        group by all
    """)
    n_of = {"yes_no": 100, "letter": 120, "order": 20, "label": 20}
    assert {tuple(row[:3]): tuple(row[3:]) for row in scored} == {
        (model, language, answer_format): (
            n, 0 if (model, answer_format) == ("vlmevalkit", "yes_no") else n
        )
        for model in ("lmms", "vlmevalkit")
        for language in LANGUAGES
        for answer_format, n in n_of.items()
    }  # fmt: skip


def _land(warehouse: Warehouse, file: Path, model: str, language: str) -> None:
    warehouse.gainsay(
        "land-predictions", "--benchmark", "reality_check", "--condition", language,
        "--model", model, file,
    )  # fmt: skip


def test_a_format_of_one_picture_refuses_questions_about_two(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    for kind in ("dpo", "image-folder"):
        process = warehouse.gainsay(
            "export", kind, tmp_path / kind, "--benchmark", "reality_check", check=False
        )
        assert process.returncode == 1
        assert f"{kind} holds one picture a record, and reality_check asks" in process.stderr
        assert not (tmp_path / kind).exists()
    process = warehouse.gainsay(
        "export", "llava", tmp_path / "llava", "--language", "es", check=False
    )
    assert "llava of conflict_suite has no languages" in process.stderr
    spanish = tmp_path / "spanish"
    warehouse.gainsay(
        "export", "llava", spanish, "--benchmark", "reality_check", "--language", "es"
    )
    assert [path.name for path in spanish.glob("*.json")] == ["llava_sft_es.json"]
    process = warehouse.gainsay(
        "export", "llava", spanish, "--benchmark", "reality_check", "--language", "de", check=False
    )
    assert "no language 'de'; there are ar, en, es, hi, zh" in process.stderr


def _edit_lines(path: Path, change: Callable[[dict[str, Any]], object], n_lines: int = 1) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines[:n_lines]:
        change(line)
    path.write_text("\n".join(json.dumps(line) for line in lines))


def _cut(path: Path, n_lines: int) -> None:
    path.write_text("\n".join(path.read_text().splitlines()[:n_lines]))


CONFIGS, CHALLENGES = "configs", "data/challenges/challenges.jsonl"
BIASES, TARGET = "configs/biases.yaml", "target_challenge_count: 10000"
MULTILINGUAL = "data/challenges/challenges_multilingual.jsonl"
ANNOTATIONS, MANIFEST = "data/processed/annotations.jsonl", "data/raw/manifest.jsonl"
SAMPLE = "data/validation/human_validation_sample.csv"
DETECTION = {"label": "cat", "bbox": [0, 0, 1, 1], "confidence": 0.5, "area_fraction": 0.1}


def _replace(name: str, old: str, new: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))

    return spoil


def _line(name: str, change: Callable[[dict[str, Any]], object], n: int = 1) -> Any:
    return lambda folder: _edit_lines(folder / name, change, n)


@pytest.mark.parametrize(
    ("spoil", "failure"),
    [
        (lambda folder: (folder / MANIFEST).unlink(), "smoke: files missing"),
        (_replace("configs/biases.yaml", "texture:", "textures:"), "1.1: biases are"),
        (_replace("configs/biases.yaml", "easy: 0.3", "easy: 0.4"), "1.1: shares of"),
        (_replace(BIASES, TARGET, "target_challenge_count: 0"), "1.1: texture"),
        (_replace(BIASES, TARGET, "target_challenge_count: 9"), "1.1: sum of"),
        (_replace("configs/pipeline.yaml", "130000", "13000"), "1.2: target_dataset_size"),
        (_replace("configs/pipeline.yaml", "seed: 42", "seed: 7"), "1.2: random_seed"),
        (_replace("configs/pipeline.yaml", "image_sources", "sources"), "1.2: image_sources"),
        (_line(MANIFEST, lambda line: line.pop("license")), "2.1: a record"),
        (_line(MANIFEST, lambda line: line.update(local_path="a.jpg")), "2.1: no picture at"),
        (lambda folder: _cut(folder / MANIFEST, 4), "smoke: 4 images"),
        (_line(MANIFEST, lambda line: line.update(image_id="coco-5")), "2.3: an image stands"),
        (lambda folder: _cut(folder / ANNOTATIONS, 4), "3.3: images and annotations differ"),
        (_line(ANNOTATIONS, lambda line: line.pop("ocr")), "3.3: a line of annotations"),
        (_line(ANNOTATIONS, lambda line: line["detections"]["detections"].append(DETECTION)),
         "3.2: confidence or area"),
        (_line(ANNOTATIONS, lambda line: line["detections"]["detections"].append(
            DETECTION | {"label": None})), "3.2: an object of"),
        (lambda folder: _cut(folder / CHALLENGES, 249), "4.3: 249 challenges"),
        (_line(CHALLENGES, lambda line: line.update(bias_type="x"), 200), "4.3: 20 compounds"),
        (_line(CHALLENGES, lambda line: line.update(bias_type="x"), 90), "4.3: the largest"),
        (_line(CHALLENGES, lambda line: line.update(difficulty="easy"), 60), "4.3: share of easy"),
        (_line(CHALLENGES, lambda line: line.update(ground_truth_method=None)), "smoke: "),
        (_line(CHALLENGES, lambda line: line.update(confound_check_passed=None)), "smoke: "),
        (_line(CHALLENGES, lambda line: line["distractor_answers"].append(line["correct_answer"])),
         "smoke: "),
        (lambda folder: _cut(folder / MULTILINGUAL, 249), "5.3: 249 records"),
        (_line(MULTILINGUAL, lambda line: line["questions"].pop("hi")), "5.3: "),
        (_line(MULTILINGUAL, lambda line: line["questions"].update(ar="[ slot_0 ]")), "5.1: "),
        (_line(MULTILINGUAL, lambda line: line["questions"].update(zh="Which? {x}")), "5.1: "),
        (_line(MULTILINGUAL, lambda line: line["questions"].update(zh="Which one?")), "5.2: "),
        (_line(MULTILINGUAL, lambda line: line["questions"].update(
            es=line["questions"]["en"])), "5.2: "),
        (_line(MULTILINGUAL, lambda line: line["answers"].update(es=None)), "5.3: "),
        (lambda folder: _cut(folder / SAMPLE, 400), "sample: "),
        (_replace(SAMPLE, ",,,", ",yes,,"), "sample: "),
    ],
)  # fmt: skip
def test_each_check_finds_what_is_wrong(
    exported: Path, tmp_path: Path, spoil: Callable[[Path], None], failure: str
) -> None:
    folder = tmp_path / "spoilt"
    shutil.copytree(exported, folder)
    spoil(folder)
    failures = failed_checks(folder, SCALE, N_IMAGES)
    assert [line for line in failures if line.startswith(failure)], failures[:3]
