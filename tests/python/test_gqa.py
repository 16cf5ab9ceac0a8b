"""GQA files: keyed by ids, and records that do not fit are rejected one by one."""

import json
from typing import Any

import pytest

from gainsay.ingest import gqa
from gainsay.ingest.records import Layout, Rejection, decode, split

GRAPH: dict[str, Any] = {
    "width": 640,
    "height": 480,
    "objects": {
        "11": {
            "name": "bus",
            "x": 10, "y": 20, "w": 300, "h": 200,
            "attributes": ["red"],
            "relations": [{"name": "on", "object": "12"}],
        },
        "12": {"name": "street", "x": 0, "y": 200, "w": 640, "h": 280},
    },
}  # fmt: skip
QUESTION: dict[str, Any] = {
    "imageId": "77",
    "question": "What color is the bus on the street?",
    "answer": "red",
    "fullAnswer": "The bus is red.",
    "isBalanced": True,
    "types": {"structural": "query", "semantic": "attr", "detailed": "activity"},
    "annotations": {"answer": {}, "question": {"4": "11", "7:8": "12"}, "fullAnswer": {"1": "11"}},
    "semantic": [
        {"operation": "select", "dependencies": [], "argument": "street (12)"},
        {"operation": "relate", "dependencies": [0], "argument": "bus,on,s (11)"},
        {"operation": "query", "dependencies": [1], "argument": "color"},
    ],
}


def _read(layout: Layout, file: object) -> tuple[list[dict[str, Any]], list[Rejection]]:
    [(array, raws)] = split(json.dumps(file).encode(), layout)
    rows: list[dict[str, Any]] = []
    rejections: list[Rejection] = []
    for batch in decode(array, raws):
        rows += batch.records.to_pylist()
        rejections += batch.rejections
    return rows, rejections


def test_a_scene_graph_lands_with_its_objects() -> None:
    [row], rejections = _read(gqa.SCENE_GRAPHS, {"77": GRAPH})
    assert rejections == []
    assert (row["image_id"], row["width"], row["location"]) == ("77", 640, None)
    assert row["objects"] == [
        {
            "object_id": "11", "name": "bus", "x": 10, "y": 20, "w": 300, "h": 200,
            "attributes": ["red"], "relation_names": ["on"], "relation_objects": ["12"],
        },
        {
            "object_id": "12", "name": "street", "x": 0, "y": 200, "w": 640, "h": 280,
            "attributes": [], "relation_names": [], "relation_objects": [],
        },
    ]  # fmt: skip


def test_a_question_lands_with_its_program() -> None:
    bare = {"imageId": "78", "question": "Is it?"}
    rows, rejections = _read(gqa.QUESTIONS, {"001": QUESTION, 'a "b"\\': bare})
    assert rejections == []
    assert [row["question_id"] for row in rows] == ["001", 'a "b"\\']
    assert rows[0]["question_objects"] == [
        {"place": "4", "object_id": "11"},
        {"place": "7:8", "object_id": "12"},
    ]
    assert rows[0]["program"][-1] == {
        "operation": "query", "argument": "color", "dependencies": [1],
    }  # fmt: skip
    assert rows[0]["structural_type"] == "query"
    assert rows[1]["program"] == rows[1]["question_objects"] == []
    assert rows[1]["answer"] is rows[1]["structural_type"] is None


@pytest.mark.parametrize(
    ("graph", "field", "found"),
    [
        ({}, "$.width", "nothing"),
        ([1], "$", "array of length 1"),
        ("bus", "$", '"bus"'),
        (GRAPH | {"width": "wide"}, "$.width", '"wide"'),
        (GRAPH | {"objects": {"1": {"name": "bus", "x": 0.5}}}, "$.objects[...].x", "object"),
    ],
)
def test_what_is_no_scene_graph_is_rejected(graph: object, field: str, found: str) -> None:
    rows, [rejection] = _read(gqa.SCENE_GRAPHS, {"76": GRAPH, "77": graph, "78": GRAPH})
    assert [row["image_id"] for row in rows] == ["76", "78"]
    assert (rejection.position, rejection.field, rejection.found) == (1, field, found)
