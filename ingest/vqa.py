"""VQA v2.0 questions and annotations, as published at https://visualqa.org/download.html."""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Annotated

import pyarrow as pa
from msgspec import Meta, Struct

from gainsay.ingest.records import TEXT, Column, Int64, Layout, RecordArray, bigint, varchar


class Question(Struct, gc=False):
    """One open-ended question about one image."""

    question_id: Int64
    image_id: Int64
    question: str


class Answer(Struct, gc=False):
    """The answer of one of the ten annotators, and how sure that person was."""

    answer: str
    answer_confidence: str
    answer_id: Int64


class Annotation(Struct, gc=False):
    """The ten answers to one question, and the most frequent of them.

    Every official record has exactly ten; accuracy is defined over ten, so that any other
    number is a violation of the layout.
    """

    question_id: Int64
    image_id: Int64
    question_type: str
    answer_type: str
    multiple_choice_answer: str
    answers: Annotated[list[Answer], Meta(min_length=10, max_length=10)]


_ANSWER = pa.struct([("answer", TEXT), ("answer_confidence", TEXT), ("answer_id", pa.int64())])


def _answers(annotations: Sequence[Annotation]) -> pa.Array:
    # flat lists of the fields: pyarrow takes ten times as long over nested objects
    answers = list(chain.from_iterable([annotation.answers for annotation in annotations]))
    fields = [
        pa.array([answer.answer for answer in answers], TEXT),
        pa.array([answer.answer_confidence for answer in answers], TEXT),
        pa.array([answer.answer_id for answer in answers], pa.int64()),
    ]
    starts = accumulate([len(annotation.answers) for annotation in annotations], initial=0)
    return pa.ListArray.from_arrays(
        pa.array(starts, pa.int32()), pa.StructArray.from_arrays(fields, fields=list(_ANSWER))
    )


QUESTIONS = Layout(
    kind="vqa_questions",
    main=RecordArray(
        name="questions",
        table="vqa_questions",
        record=Question,
        columns=(bigint("question_id"), bigint("image_id"), varchar("question")),
        single=("question", "question_id"),
    ),
)

ANNOTATIONS = Layout(
    kind="vqa_annotations",
    main=RecordArray(
        name="annotations",
        table="vqa_annotations",
        record=Annotation,
        columns=(
            bigint("question_id"),
            bigint("image_id"),
            varchar("question_type"),
            varchar("answer_type"),
            varchar("multiple_choice_answer"),
            Column(
                "answers",
                "struct(answer varchar, answer_confidence varchar, answer_id bigint)[]",
                pa.list_(_ANSWER),
                _answers,
            ),
        ),
        single=("question_id", "multiple_choice_answer"),
    ),
)
