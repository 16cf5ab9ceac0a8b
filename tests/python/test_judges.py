"""What language models say of CLASH answers counts beside the labels that came with them."""

import json
from pathlib import Path

import pytest

from tests.python.batch_output import answer_line
from tests.python.conftest import Warehouse

pytestmark = pytest.mark.xdist_group("judges")

CONFLICT, IMAGE, TEXT = "They disagree.", "What I see.", "What I read."


def _write(path: Path, records: list[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _land(warehouse: Warehouse, model: str, records: list[dict[str, str]]) -> None:
    file = _write(warehouse.folder / f"{model}.jsonl", records)
    warehouse.gainsay(
        "land-predictions", "--benchmark", "clash", "--task", "open_ended", "--condition",
        "conflicting", "--id-column", "id", "--model", model, file,
    )  # fmt: skip


@pytest.fixture(scope="module")
def samples(synthetic: Warehouse) -> list[str]:
    """Five samples that answers may be of."""
    rows = synthetic.rows("""
        select sample_id from evaluation.evaluation__clash_samples
        where origin = 'generated' order by sample_id limit 5
    """)
    return [str(name) for (name,) in rows]


@pytest.fixture(scope="module")
def asked(
    synthetic: Warehouse, samples: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Warehouse:
    """Two models' answers that a language model judged, and of which one was changed since."""
    warehouse = Warehouse(tmp_path_factory.mktemp("asked"))
    warehouse.path.write_bytes(synthetic.path.read_bytes())
    delivered = ["CONFLICT", "TEXT", "IMAGE", "NONE", "TEXT"]
    _land(warehouse, "mine", [
        {"id": sample, "prediction": prediction, "evaluation_person_prediction": label}
        for sample, prediction, label in zip(
            samples, (CONFLICT, IMAGE, IMAGE, TEXT, TEXT), delivered, strict=True
        )
    ])  # fmt: skip
    same, other = {"id": samples[0], "prediction": CONFLICT}, {"id": samples[1]}
    _land(warehouse, "theirs", [same, other | {"prediction": TEXT}])
    warehouse.build("--select", "evaluation__predictions")

    batches = warehouse.folder / "batches"
    warehouse.gainsay("llm", "export", "--task", "judge", "--model", "some-model", batches)
    [batch] = batches.iterdir()
    replies: dict[tuple[str, str], tuple[str | None, str | None]] = {
        (samples[0], CONFLICT): ('{"label": "CONFLICT"}', None),
        (samples[1], IMAGE): ('{"label": "IMAGE"}', None),
        (samples[1], TEXT): ('{"label": "TEXT"}', None),
        (samples[2], IMAGE): (None, "I cannot"),
        (samples[3], TEXT): ('{"label": "MAYBE"}', None),
    }
    output = []
    for request in map(json.loads, batch.read_text().splitlines()):
        text = request["body"]["messages"][1]["content"]
        inputs = warehouse.rows(f"""
            select input_id from raw.llm_requests where custom_id = '{request["custom_id"]}'
        """)
        sample = str(inputs[0][0]).split(":")[0]
        said = next(words for words in (CONFLICT, IMAGE, TEXT) if words in text)
        if (sample, said) in replies:
            output.append(answer_line(request["custom_id"], *replies.pop((sample, said))))
    assert not replies
    # what both models answer to the first sample is one question
    assert len(output) == len(batch.read_text().splitlines()) - 1 == 5
    (warehouse.folder / "output.jsonl").write_text("\n".join(output))
    warehouse.gainsay("llm", "import", warehouse.folder / "output.jsonl")

    _land(warehouse, "theirs", [same, other | {"prediction": "Something else."}])
    warehouse.dbt(
        "build", "--exclude-resource-type", "unit_test", "--select", "llm__outcomes",
        "evaluation__predictions", "evaluation__judge_inputs", "evaluation__judge_labels",
        "evaluation__judge_agreement",
    )  # fmt: skip
    return warehouse


def test_every_answer_has_a_label_or_a_reason(asked: Warehouse, samples: list[str]) -> None:
    labels = asked.rows("""
        select model, judge, example_id, label, reason
        from evaluation.evaluation__judge_labels
        where origin = 'asked'
        order by model, example_id
    """)
    assert labels == [
        ("mine", "some-model", samples[0], "CONFLICT", None),
        ("mine", "some-model", samples[1], "IMAGE", None),
        ("mine", "some-model", samples[2], None, "response_refused"),
        ("mine", "some-model", samples[3], None, "response_invalid"),
        ("mine", "some-model", samples[4], None, "response_missing"),
        # of its second answer nobody said anything since it was changed
        ("theirs", "some-model", samples[0], "CONFLICT", None),
    ]


def test_judges_agree_where_all_of_them_gave_a_label(asked: Warehouse) -> None:
    rows = asked.rows("""
        select model, judges, metric, value, n
        from evaluation.evaluation__judge_agreement
        where value > 0
        order by model, judges, metric
    """)
    assert rows == [
        ("mine", "all", "agreement", 50.0, 2),
        ("mine", "all", "contradiction", 50.0, 2),
        ("mine", "at least one", "contradiction", 50.0, 2),
        ("mine", "at least one", "image_only", 50.0, 2),
        ("mine", "at least one", "text_only", 50.0, 2),
        ("mine", "person", "contradiction", 20.0, 5),
        ("mine", "person", "image_only", 20.0, 5),
        ("mine", "person", "none", 20.0, 5),
        ("mine", "person", "text_only", 40.0, 5),
        ("mine", "some-model", "contradiction", 50.0, 2),
        ("mine", "some-model", "image_only", 50.0, 2),
        ("theirs", "some-model", "contradiction", 100.0, 1),
    ]
