"""Questions of others land in their authors' layouts and are scored by their own rules."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.ingest.question_sets import UNK_VQA as UNK_VQA_LAYOUT
from gainsay.ingest.records import decode, split
from tests.python.batch_output import answer_line
from tests.python.conftest import Warehouse
from tests.python.scored_corpus import scored_corpus

pytestmark = pytest.mark.xdist_group("plots")


@pytest.fixture(scope="module")
def scored(shared_folder: Path, synthetic: Warehouse) -> Warehouse:
    """A corpus with small question sets, and answers to them."""
    return scored_corpus(shared_folder, synthetic)


@pytest.mark.parametrize(
    ("benchmark", "condition", "scores"),
    [
        # one yes of two is right, and the answer that is null finds none of the two
        ("pope", "random", {"accuracy": 0.5, "precision": 0.5, "recall": 0.5, "f1": 0.5,
                            "yes_ratio": 0.5}),
        # by the numbers of POPE's own files
        ("pope", "popular", {"accuracy": 1.0, "precision": 1.0, "recall": 1.0, "f1": 1.0,
                             "yes_ratio": 1.0}),
        # eight of ten agree; then two of ten do, which is 0.6
        ("okvqa", "default", {"vqa_accuracy": 0.8}),
        ("vizwiz", "default", {"vqa_accuracy": 0.5}),
        ("gqa", "default", {"accuracy": 0.5}),
        ("unk_vqa", "default", {"lave_idk": 0.5, "f1_idk": 0.5}),
        ("mmhal", "default", {"mean_rating": 0.0, "hallucination_rate": 1.0}),
        ("tdiuc", "default", {"lave_idk": 1.0, "f1_idk": 1.0}),
    ],
)  # fmt: skip
def test_each_set_is_scored_by_its_own_rule(
    scored: Warehouse, benchmark: str, condition: str, scores: dict[str, float]
) -> None:
    rows = scored.rows(f"""
        select metric, value from evaluation.evaluation__scores
        where benchmark = '{benchmark}' and condition = '{condition}'
            and slice_name = 'overall' and model = 'mine'
    """)
    assert dict(rows) == {metric: pytest.approx(value) for metric, value in scores.items()}


def test_a_judge_rates_answers_of_mmhal_bench(scored: Warehouse, tmp_path: Path) -> None:
    warehouse = scored.copied_to(tmp_path)
    batches = tmp_path / "batches"
    warehouse.gainsay("llm", "export", "--task", "hallucination", "--model", "j", batches)
    [batch] = batches.iterdir()
    # the empty answer is shown to no judge
    [request] = map(json.loads, batch.read_text().splitlines())
    asked = request["body"]["messages"][1]["content"]
    assert "Objects in the picture: cup\n" in asked
    assert "A person's answer: A red cup.\nCandidate answer: A cup.\n" in asked
    (tmp_path / "output.jsonl").write_text(answer_line(request["custom_id"], '{"rating": "4"}'))
    warehouse.gainsay("llm", "import", tmp_path / "output.jsonl")

    warehouse.gainsay(
        "build", "--select", "+llm__outcomes", "question_sets__outcomes",
        "--exclude-resource-type", "test", "unit_test",
        "--vars", '{"evaluation_hallucination_judge": "j"}',
    )  # fmt: skip
    assert warehouse.rows("""
        select metric, sum(numerator) / sum(denominator)
        from evaluation.evaluation__flag_measures
        where benchmark = 'mmhal' and metric in ('mean_rating', 'hallucination_rate')
        group by all order by all
    """) == [("hallucination_rate", 0.5), ("mean_rating", 2.0)]
    assert warehouse.rows("""
        select example_id, is_rated from evaluation.question_sets__outcomes
        where benchmark = 'mmhal' order by all
    """) == [("mmhal-e1", True), ("mmhal-e2", True)]


def test_every_setting_of_pope_is_asked_apart(scored: Warehouse) -> None:
    asked = scored.rows("""
        select example_id, condition, source_image_id, question from vqa.question_sets__prompts
        where benchmark = 'pope' order by example_id
    """)
    assert asked == [
        ("pope-aokvqa-adversarial-1", "adversarial", "coco-42", "Is there a pen in the image?"),
        ("pope-aokvqa-adversarial-2", "adversarial", "coco-42", "Is there a fork in the image?"),
        ("pope-aokvqa-popular-1", "popular", "coco-42", "Is there a cat in the image?"),
        ("pope-coco-adversarial-1", "adversarial", "coco-42", "Is there a cup in the image?"),
        ("pope-coco-adversarial-2", "adversarial", "coco-42", "Is there a fork in the image?"),
        ("pope-coco-random-1", "random", "coco-42", "Is there a cat in the image?"),
        ("pope-coco-random-2", "random", "coco-42", "Is there a dog in the image?"),
        ("pope-coco-random-3", "random", "coco-42", "Is there a bus in the image?"),
        ("pope-coco-random-4", "random", "coco-42", "Is there a car in the image?"),
    ]


def test_a_record_of_another_shape_is_kept_with_what_is_wrong(scored: Warehouse) -> None:
    assert scored.rows("""
        select _source_file, field, found, expected from raw.rejected_records
        where _source_file like 'pope/%'
    """) == [("pope/coco_pope_random.json", "$.label", '"?"', "known value")]


def test_answers_to_other_questions_are_not_scored(scored: Warehouse) -> None:
    assert scored.rows("""
        select benchmark, example_key, reason from evaluation.evaluation__predictions
        where benchmark <> 'vqa' and model = 'mine' and reason is not null order by all
    """) == [("pope", "2", "ambiguous_id"), ("tdiuc", "8", "unknown_id")]


def test_a_bare_number_of_pope_is_that_of_the_answers_setting(scored: Warehouse) -> None:
    assert scored.rows("""
        select condition, example_id from evaluation.evaluation__predictions
        where benchmark = 'pope' and length(example_key) = 1 order by all
    """) == [
        # two sets of pictures are landed; the first answer quotes its question
        ("adversarial", "pope-coco-adversarial-1"), ("adversarial", None),
        ("popular", "pope-aokvqa-popular-1"),
    ]  # fmt: skip


def test_answers_of_pope_without_ids_are_those_of_their_lines(scored: Warehouse) -> None:
    assert scored.rows("""
        select model, example_key, example_id, image_id, reason
        from evaluation.evaluation__predictions
        where benchmark = 'pope' and model <> 'mine' order by all
    """) == [
        *(("in_order", f"line {n}", f"pope-coco-random-{n}", 42, None) for n in range(1, 5)),
        *(("reversed", f"line {n}", None, None, "other_questions") for n in range(1, 5)),
    ]
    # two of the three that say yes are right
    assert dict(scored.rows("""
        select metric, value from evaluation.evaluation__scores
        where model = 'in_order' and slice_name = 'overall'
    """)) == {
        "accuracy": pytest.approx(3 / 4), "precision": pytest.approx(2 / 3), "recall": 1.0,
        "f1": pytest.approx(4 / 5), "yes_ratio": pytest.approx(3 / 4),
    }  # fmt: skip


def test_a_line_that_was_cut_is_a_rejected_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = '{"question_id": 1, "image": "a.jpg", "text": "Is it?", "label": "no"}'
    (tmp_path / "coco_pope_popular.json").write_text(f"{whole}\n{whole[:30]}")
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    land = ["land", "--question-set", "pope", str(tmp_path)]
    result = CliRunner().invoke(main, land)
    assert result.exit_code == 0, result.output
    assert Warehouse(tmp_path).rows("""
        select field, found, expected, _position from raw.rejected_records
    """) == [("$", whole[:30], "one whole object", 1)]
    assert "unchanged" in CliRunner().invoke(main, land).output


def test_files_of_another_set_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "val.json").write_text("[]")
    result = CliRunner().invoke(main, ["land", "--question-set", "pope", str(tmp_path)])
    assert result.exit_code == 1
    assert "no official file here" in result.output
    assert "aokvqa_pope_seem_adversarial.json" in result.output


UNK_VQA = {
    "answer_map": {"1": "I don't know (e.g., beyond my knowledge)"},
    "reason_map": {"1": "It has multiple plausible answers"},
    "annotation": [
        {
            "question_id": 1,
            "question": "What is the man wearing on his lips?",
            "image_name": "COCO_val2014_000000549683.jpg",
            "answerability": {"binary": True, "other": {"answer": "nothing", "options": {}}},
            "alter_type": "T-1",
            "misc": {"question_id_origin": 549683002},
        },
        {
            "question_id": 2,
            "question": "What color is the cat?",
            "image_name": "COCO_val2014_000000549683.jpg",
            "answerability": {"binary": False, "other": {"answer": "1", "reason": "3"}},
            "alter_type": "I-2",
        },
        {
            "question_id": 3,
            "question": "Which one is best?",
            "image_name": "COCO_val2014_000000000042.jpg",
            "answerability": {"binary": False, "other": {"answer": "2", "reason": 1}},
            "alter_type": "T-2",
        },
        {
            "question_id": 4,
            "question": "What is next to the cat?",
            "image_name": "COCO_val2014_000000000042.jpg",
            "answerability": {"binary": False},
            "alter_type": "I-1",
        },
    ],
}


def test_unk_vqa_is_read_as_its_authors_publish_it() -> None:
    """What is printed of the layout; codes of what people said are no answers."""
    [(array, raws)] = split(msgspec.json.encode(UNK_VQA), UNK_VQA_LAYOUT)
    [batch] = decode(array, raws)
    assert not batch.rejections
    rows = batch.records.select(
        ["question_id", "image", "category", "is_answerable", "answers"]
    ).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("1", "COCO_val2014_000000549683.jpg", "T-1", True, ["nothing"]),
        ("2", "COCO_val2014_000000549683.jpg", "I-2", False, []),
        ("3", "COCO_val2014_000000000042.jpg", "ambiguous", False, []),
        ("4", "COCO_val2014_000000000042.jpg", "I-1", False, []),
    ]
