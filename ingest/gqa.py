"""GQA scene graphs and questions, as published at https://cs.stanford.edu/people/dorarad/gqa.

Hudson and Manning, GQA, CVPR 2019. Each file is one object whose keys are ids: of images in the
scene graphs, of questions in the questions.
"""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from msgspec import Struct, field

from gainsay.ingest.records import (
    KEY,
    TEXT,
    Column,
    Int64,
    Layout,
    RecordArray,
    bigint,
    column,
    varchar,
)


class Relation(Struct, gc=False):
    """How an object stands to another one of its picture, such as `on`."""

    name: str
    object: str


class Object(Struct, gc=False):
    """One object of a picture; its box is the upper left corner, width and height in pixels."""

    name: str
    x: Int64
    y: Int64
    w: Int64
    h: Int64
    attributes: list[str] = []
    relations: list[Relation] = []


class SceneGraph(Struct, gc=False):
    """The objects of one picture, with its width and height in pixels."""

    image_id: str = field(name=KEY)
    width: Int64
    height: Int64
    objects: dict[str, Object]
    location: str | None = None
    weather: str | None = None


class Step(Struct, gc=False):
    """One step of a question's program; an id in brackets ends the argument that points at it."""

    operation: str
    argument: str
    dependencies: list[Int64] = []


class Annotations(Struct, gc=False):
    """The objects that words of the question mean: ids by the words' places, `4` or `4:6`."""

    question: dict[str, str] = {}


class Types(Struct, gc=False):
    """The kind of a question, such as `query` of an `attr`."""

    structural: str | None = None
    semantic: str | None = None
    detailed: str | None = None


class Question(Struct, gc=False):
    """One question about one picture; test files keep no more than picture and text."""

    question_id: str = field(name=KEY)
    image_id: str = field(name="imageId")
    question: str
    answer: str | None = None
    full_answer: str | None = field(name="fullAnswer", default=None)
    is_balanced: bool | None = field(name="isBalanced", default=None)
    types: Types = field(default_factory=Types)
    annotations: Annotations = field(default_factory=Annotations)
    semantic: list[Step] = []


_OBJECT = pa.struct(
    [
        ("object_id", TEXT),
        ("name", TEXT),
        ("x", pa.int64()),
        ("y", pa.int64()),
        ("w", pa.int64()),
        ("h", pa.int64()),
        ("attributes", pa.list_(TEXT)),
        ("relation_names", pa.list_(TEXT)),
        ("relation_objects", pa.list_(TEXT)),
    ]
)
_MENTION = pa.struct([("place", TEXT), ("object_id", TEXT)])
_STEP = pa.struct([("operation", TEXT), ("argument", TEXT), ("dependencies", pa.list_(pa.int64()))])


def _objects(graphs: Sequence[SceneGraph]) -> pa.Array:
    return pa.array(
        [
            [
                {
                    "object_id": object_id,
                    "name": seen.name,
                    "x": seen.x,
                    "y": seen.y,
                    "w": seen.w,
                    "h": seen.h,
                    "attributes": seen.attributes,
                    "relation_names": [relation.name for relation in seen.relations],
                    "relation_objects": [relation.object for relation in seen.relations],
                }
                for object_id, seen in graph.objects.items()
            ]
            for graph in graphs
        ],
        pa.list_(_OBJECT),
    )


def _mentions(questions: Sequence[Question]) -> pa.Array:
    return pa.array(
        [
            [
                {"place": place, "object_id": object_id}
                for place, object_id in question.annotations.question.items()
            ]
            for question in questions
        ],
        pa.list_(_MENTION),
    )


def _steps(questions: Sequence[Question]) -> pa.Array:
    return pa.array(
        [
            [
                {
                    "operation": step.operation,
                    "argument": step.argument,
                    "dependencies": step.dependencies,
                }
                for step in question.semantic
            ]
            for question in questions
        ],
        pa.list_(_STEP),
    )


def _type(name: str) -> Column:
    def value(question: Question) -> Any:
        return getattr(question.types, name)

    return column(f"{name}_type", "varchar", TEXT, value)


SCENE_GRAPHS = Layout(
    kind="gqa_scene_graphs",
    main=RecordArray(
        name="scene_graphs",
        table="gqa_scene_graphs",
        record=SceneGraph,
        columns=(
            varchar("image_id"),
            bigint("width"),
            bigint("height"),
            varchar("location"),
            varchar("weather"),
            Column(
                "objects",
                "struct(object_id varchar, name varchar, x bigint, y bigint, w bigint, h bigint,"
                " attributes varchar[], relation_names varchar[], relation_objects varchar[])[]",
                pa.list_(_OBJECT),
                _objects,
            ),
        ),
    ),
    shape="keyed",
)

QUESTIONS = Layout(
    kind="gqa_questions",
    main=RecordArray(
        name="questions",
        table="gqa_questions",
        record=Question,
        columns=(
            varchar("question_id"),
            varchar("image_id"),
            varchar("question"),
            varchar("answer"),
            varchar("full_answer"),
            column("is_balanced", "boolean", pa.bool_()),
            _type("structural"),
            _type("semantic"),
            _type("detailed"),
            Column(
                "question_objects",
                "struct(place varchar, object_id varchar)[]",
                pa.list_(_MENTION),
                _mentions,
            ),
            Column(
                "program",
                "struct(operation varchar, argument varchar, dependencies bigint[])[]",
                pa.list_(_STEP),
                _steps,
            ),
        ),
    ),
    shape="keyed",
)
