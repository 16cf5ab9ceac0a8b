"""Any JSON may stand in any field: a record lands or is rejected, and none is lost."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsay.ingest import coco, vqa
from gainsay.ingest.records import Layout, Rejection, decode, split
from tests.python.official_layout import annotation, image, question

Check = Callable[[Any], bool]
Rows = list[dict[str, Any]]


# An independent statement of the layouts, in plain Python.


def _integer(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _number(value: object) -> bool:
    # larger than any double is no number here
    return type(value) is float or (type(value) is int and abs(value) < 2**1024 - 2**970)


def _text(value: object) -> bool:
    try:
        return type(value) is str and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _list_of(check: Check, *, length: int | None = None) -> Check:
    return lambda value: (
        type(value) is list and length in (None, len(value)) and all(map(check, value))
    )


def _either(*checks: Check) -> Check:
    return lambda value: any(check(value) for check in checks)


def _object(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    return lambda value: (
        type(value) is dict
        and all(name in value and check(value[name]) for name, check in required.items())
        and all(
            value.get(name) is None or check(value[name])
            for name, check in (optional or {}).items()
        )
    )


_ANSWER = _object({"answer": _text, "answer_confidence": _text, "answer_id": _integer})
_RUN_LENGTHS = _object(
    {"counts": _either(_text, _list_of(_integer)), "size": _list_of(_integer, length=2)}
)

FITS: dict[str, Check] = {
    "vqa_questions": _object({"question_id": _integer, "image_id": _integer, "question": _text}),
    "vqa_annotations": _object(
        {
            "question_id": _integer,
            "image_id": _integer,
            "question_type": _text,
            "answer_type": _text,
            "multiple_choice_answer": _text,
            "answers": _list_of(_ANSWER, length=10),
        }
    ),
    "coco_captions": _object({"id": _integer, "image_id": _integer, "caption": _text}),
    "coco_images": _object(
        {"id": _integer, "file_name": _text},
        {
            "width": _integer,
            "height": _integer,
            "license": _integer,
            "coco_url": _text,
            "flickr_url": _text,
            "date_captured": _text,
        },
    ),
    "coco_licenses": _object({"id": _integer, "name": _text, "url": _text}),
    "coco_categories": _object({"id": _integer, "name": _text, "supercategory": _text}),
    "coco_instances": _object(
        {
            "id": _integer,
            "image_id": _integer,
            "category_id": _integer,
            "area": _number,
            "bbox": _list_of(_number, length=4),
            "iscrowd": _integer,
            "segmentation": _either(_list_of(_list_of(_number)), _RUN_LENGTHS),
        }
    ),
}

INSTANCE = {
    "id": 1,
    "image_id": 2,
    "category_id": 3,
    "area": 4.5,
    "bbox": [1, 2.5, 3, 4],
    "iscrowd": 0,
    "segmentation": [[1.5, 2, 3, 4, 5, 6]],
}
CAPTION = {"id": 1, "image_id": 2, "caption": "A cat."}
EXAMPLES: dict[str, tuple[Layout, dict[str, Any]]] = {
    "vqa_questions": (vqa.QUESTIONS, question(1, 2, "Is it?")),
    "vqa_annotations": (vqa.ANNOTATIONS, annotation(1, 2, "yes")),
    "coco_captions": (coco.CAPTIONS, CAPTION),
    "coco_images": (coco.CAPTIONS, image(1, "train")),
    "coco_licenses": (coco.CAPTIONS, {"id": 1, "name": "x", "url": "y"}),
    "coco_categories": (coco.INSTANCES, {"id": 1, "name": "cat", "supercategory": "animal"}),
    "coco_instances": (coco.INSTANCES, INSTANCE),
}

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**63) - 2, 2**63 + 2)
    | st.just(10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=11) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


def _places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value inside a JSON value, itself included."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path] + [place for key, part in inner for place in _places(part, (*path, key))]


@st.composite
def _spoilt(draw: st.DrawFn, example: object) -> object:
    """A good record with some values replaced by any JSON, or removed."""
    record = json.loads(json.dumps(example))
    for _ in range(draw(st.integers(0, 2))):
        *way, last = draw(st.sampled_from(_places(record)[1:] or [("",)]))
        holder = record
        for step in way:
            holder = holder[step]
        if draw(st.booleans()):
            holder[last] = draw(ANY_JSON)
        elif last in holder or isinstance(holder, list):
            del holder[last]
    return record


def _read(layout: Layout, content: bytes) -> dict[str, tuple[Rows, list[Rejection]]]:
    """Accepted rows and rejections of every array of a file."""
    read: dict[str, tuple[Rows, list[Rejection]]] = {}
    for array, raws in split(content, layout):
        rows: Rows = []
        rejections: list[Rejection] = []
        for batch in decode(array, raws):
            rows += batch.records.to_pylist()
            rejections += batch.rejections
        read[array.table] = rows, rejections
    return read


def _as_row(table: str, record: dict[str, Any]) -> dict[str, Any]:
    """What lands of a record that fits."""
    if table != "coco_instances":
        layout, _ = EXAMPLES[table]
        (array,) = (array for array in layout.arrays if array.table == table)
        row = {column.name: record.get(column.name) for column in array.columns}
        if table == "vqa_annotations":
            names = ("answer", "answer_confidence", "answer_id")
            row["answers"] = [{name: a[name] for name in names} for a in record["answers"]]
        return row
    mask = record["segmentation"]
    runs = mask if isinstance(mask, dict) else {"counts": None, "size": None}
    return {name: record[name] for name in INSTANCE if name != "segmentation"} | {
        "segmentation_polygons": mask if isinstance(mask, list) else None,
        "segmentation_rle_counts": runs["counts"] if isinstance(runs["counts"], list) else None,
        "segmentation_rle_string": runs["counts"] if isinstance(runs["counts"], str) else None,
        "segmentation_rle_size": runs["size"],
    }


@pytest.mark.slow
@pytest.mark.parametrize("table", EXAMPLES)
@settings(max_examples=120)
@given(data=st.data(), ascii_only=st.booleans())
def test_every_record_lands_or_is_rejected(
    table: str, data: st.DataObject, ascii_only: bool
) -> None:
    layout, example = EXAMPLES[table]
    records = data.draw(st.lists(_spoilt(example) | ANY_JSON, max_size=4))
    (name,) = (array.name for array in layout.arrays if array.table == table)
    file = {layout.main.name: []} | {name: records}
    content = json.dumps(file, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")

    rows, rejections = _read(layout, content)[table]

    fitting = [position for position, record in enumerate(records) if FITS[table](record)]
    landed = [row.pop("_position") for row in rows]
    rejected = {rejection.position for rejection in rejections}
    # what can mean one thing only is read so, and what is optional is left empty
    assert set(fitting) <= set(landed)
    assert not rejected & set(fitting)
    assert {*landed, *rejected} == set(range(len(records)))
    for row, position in zip(rows, landed, strict=True):
        if position in fitting:
            expected = _as_row(table, records[position])
            assert {name: row[name] for name in expected} == expected
    for rejection in rejections:
        assert rejection.field.startswith("$")
        assert rejection.found
        assert rejection.expected
        assert len(rejection.record) <= 2_000


def _rejection(layout: Layout, record: str) -> Rejection:
    content = f'{{"{layout.main.name}": [{record}]}}'.encode("utf-8", "surrogatepass")
    rows, (rejection,) = _read(layout, content)[layout.main.table]
    assert rows == []
    return rejection


QUESTION = '{"question_id": %s, "image_id": 2, "question": %s}'


@pytest.mark.parametrize(
    ("question_id", "text", "field", "found", "expected"),
    [
        ('"one"', '"?"', "$.question_id", '"one"', "int"),
        ("1.5", '"?"', "$.question_id", "1.5", "int"),
        ("true", '"?"', "$.question_id", "true", "int"),
        ("null", '"?"', "$.question_id", "null", "int"),
        ("[1, 2]", '"?"', "$.question_id", "array of length 2", "int"),
        (str(2**63), '"?"', "$.question_id", str(2**63), f"int <= {2**63 - 1}"),
        (str(-(2**63) - 1), '"?"', "$.question_id", str(-(2**63) - 1), f"int >= {-(2**63)}"),
        ("1e400", '"?"', "$.question_id", "1e400", "number within 64 bits"),
        ("1", '{"a": 1}', "$.question", "object", "str"),
        ("1", '"a\\ud800b"', "$.question", '"a\\ud800b"', "UTF-8, surrogates in pairs"),
        ("1", '"a\\udc00\\ud83d"', "$.question", '"a\\udc00\\ud83d"', "UTF-8, surrogates in pairs"),
        ("1", '"a\ud800b"', "$.question", '"a\\ud800b"', "UTF-8, surrogates in pairs"),
    ],
)
def test_rejection_names_field_found_and_expected(
    question_id: str, text: str, field: str, found: str, expected: str
) -> None:
    rejection = _rejection(vqa.QUESTIONS, QUESTION % (question_id, text))
    assert (rejection.field, rejection.found, rejection.expected) == (field, found, expected)


@pytest.mark.parametrize(
    ("record", "found"),
    [("[1, 2]", "array of length 2"), ("null", "null"), ("3", "3"), ('"x"', '"x"')],
)
def test_record_that_is_no_object(record: str, found: str) -> None:
    rejection = _rejection(vqa.QUESTIONS, record)
    assert (rejection.field, rejection.found, rejection.expected) == ("$", found, "object")


@pytest.mark.parametrize("count", [0, 9, 11])
def test_annotation_without_ten_answers(count: int) -> None:
    record = annotation(1, 2, "yes")
    record["answers"] = (record["answers"] * 2)[:count]
    rejection = _rejection(vqa.ANNOTATIONS, json.dumps(record))
    assert rejection.field == "$.answers"
    assert rejection.found == f"array of length {count}"
    assert rejection.expected.startswith("array of length")


@pytest.mark.parametrize("name", ["question_id", "answers", "multiple_choice_answer"])
def test_missing_field(name: str) -> None:
    record = annotation(1, 2, "yes")
    del record[name]
    rejection = _rejection(vqa.ANNOTATIONS, json.dumps(record))
    assert (rejection.field, rejection.found) == (f"$.{name}", "nothing")


def test_field_deep_in_a_record() -> None:
    record = annotation(1, 2, "yes")
    record["answers"][3]["answer_id"] = "four"
    rejection = _rejection(vqa.ANNOTATIONS, json.dumps(record))
    assert (rejection.field, rejection.found) == ("$.answers[3].answer_id", '"four"')
    assert json.loads(rejection.record) == record


def test_bytes_that_are_no_utf_8() -> None:
    content = b'{"questions": [{"question_id": 1, "image_id": 2, "question": "caf\xe9"}]}'
    rows, (rejection,) = _read(vqa.QUESTIONS, content)["vqa_questions"]
    assert rows == []
    assert (rejection.field, rejection.found) == ("$.question", '"caf\\xe9"')


def test_long_values_are_cut_in_the_report_only() -> None:
    record = {"question_id": "x" * 10_000_000, "image_id": 2, "question": "?"}
    rejection = _rejection(vqa.QUESTIONS, json.dumps(record))
    assert len(rejection.found) == 200
    assert len(rejection.record) == 2_000


@pytest.mark.parametrize(
    "text",
    [
        "nul \0 byte",
        "x" * 10_000_000,
        "\U0001f408 emoji \U0001f469\u200d\U0001f680",
        "قطة على الأريكة",
    ],
    ids=["nul", "ten megabytes", "emoji", "right to left"],
)
def test_unusual_text_is_kept_as_it_is(text: str) -> None:
    content = json.dumps({"annotations": [CAPTION | {"caption": text}]}).encode()
    rows, rejections = _read(coco.CAPTIONS, content)["coco_captions"]
    assert [row["caption"] for row in rows] == [text]
    assert rejections == []


def test_one_lone_surrogate_costs_one_record() -> None:
    texts = ["fine", "lone \ud800", "pair \U0001f3ff", r"no escape: \ud800"]
    captions = [CAPTION | {"caption": text} for text in texts]
    rows, rejections = _read(coco.CAPTIONS, json.dumps({"annotations": captions}).encode())[
        "coco_captions"
    ]
    assert [row["caption"] for row in rows] == [texts[0], texts[2], texts[3]]
    assert [rejection.position for rejection in rejections] == [1]


@pytest.mark.parametrize("position", [0, 511, 512, 1023, 1024])
def test_positions_hold_across_batches(position: int) -> None:
    questions: list[Any] = [question(n, n, "?") for n in range(1_025)]
    questions[position] = "no question"
    content = json.dumps({"questions": questions}).encode()
    rows, rejections = _read(vqa.QUESTIONS, content)["vqa_questions"]
    assert [row["question_id"] for row in rows] == [row["_position"] for row in rows]
    assert len(rows) == 1_024
    assert [rejection.position for rejection in rejections] == [position]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", msgspec.DecodeError),
        ("no JSON", msgspec.DecodeError),
        ('{"questions": [', msgspec.DecodeError),
        ('{"questions": []} {}', msgspec.DecodeError),
        ('{"questions": [{"question_id": NaN}]}', msgspec.DecodeError),
        ("[]", msgspec.ValidationError),
        ("{}", msgspec.ValidationError),
        ('{"questions": {}}', msgspec.ValidationError),
        ('{"annotations": []}', msgspec.ValidationError),
        ('{"questions": ' + "[" * 100_000, RecursionError),
    ],
)
def test_files_that_are_no_layout(content: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        split(content.encode(), vqa.QUESTIONS)


@settings(max_examples=200)
@given(content=st.binary(max_size=60) | ANY_JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_file_or_an_error(content: bytes) -> None:
    try:
        arrays = split(content, vqa.QUESTIONS)
    except (msgspec.DecodeError, RecursionError):
        return
    assert [array.name for array, _ in arrays] == ["questions"]
