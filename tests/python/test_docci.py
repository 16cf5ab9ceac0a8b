"""DOCCI's paragraphs: a JSON object a line, and what happens to lines that are none."""

import msgspec

from gainsay.ingest import docci
from gainsay.ingest.files import OFFICIAL_NAMES
from gainsay.ingest.records import decode, split

LINE = {
    "example_id": "train_00000",
    "split": "train",
    "image_file": "train_00000.jpg",
    "description": "A red couch. A dog sits on it.",
}


def test_a_line_is_a_record() -> None:
    data = msgspec.json.encode(LINE) + b"\n\n" + msgspec.json.encode(LINE | {"extra": 1}) + b"\r\n"
    [(array, records)] = split(data, docci.DESCRIPTIONS)

    [batch] = decode(array, records)
    assert batch.records.to_pylist() == [LINE | {"_position": 0}, LINE | {"_position": 1}]
    assert batch.rejections == []


def test_a_line_without_its_fields_is_rejected_alone() -> None:
    data = b'{"example_id": "a", "split": "b"}\n' + msgspec.json.encode(LINE)
    [(array, records)] = split(data, docci.DESCRIPTIONS)

    [batch] = decode(array, records)
    assert [(rejection.position, rejection.field) for rejection in batch.rejections] == [
        (0, "$.image_file")
    ]
    assert batch.records.to_pylist() == [LINE | {"_position": 1}]


def test_the_published_name_is_known() -> None:
    assert OFFICIAL_NAMES["docci_descriptions.jsonlines"].layout is docci.DESCRIPTIONS
