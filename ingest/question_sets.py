"""Questions of others, each set in the layout that its authors publish.

- POPE (Li et al., EMNLP 2023): one JSON object a line, a file for each set and setting.
- OK-VQA (Marino et al., CVPR 2019) and TDIUC (Kafle and Kanan, ICCV 2017): questions and
  annotations in two files, as in VQA v1, whose names they share.
- AMBER (Wang et al., 2023), its discriminative part: questions in one file, what is true of all
  its questions in another, whose generative records land as they are.
- MMHal-Bench (Sun et al., 2023): one array of questions, each with the right answer and the objects
  that its picture shows.
- VizWiz (Gurari et al., CVPR 2018): one array of questions with their ten answers.
- UNK-VQA (Guo et al., TPAMI 2024): an object a split, whose array `annotation` has the questions.
- Any other set of questions that may have no answer: one JSON object a line, with `is_answerable`.

File names alone don't tell the sets apart, so a landing says which one it reads.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, Literal

import pyarrow as pa
from msgspec import Meta, Struct

from gainsay.ingest.records import TEXT, Column, Int64, Layout, RecordArray, Shape, bigint, varchar

QuestionId = str | Int64


class PopeQuestion(Struct, gc=False):
    """Whether an object is in a COCO or GQA picture, with the right answer."""

    question_id: QuestionId
    image: str
    text: str
    label: Literal["yes", "no"]


class Question(Struct, gc=False):
    """One question about one COCO picture."""

    question_id: QuestionId
    image_id: Int64
    question: str


class Answer(Struct, gc=False):
    """The answer of one person."""

    answer: str


class SureAnswer(Answer, gc=False):
    """The answer of one person who said how sure: yes, maybe or no."""

    answer_confidence: str | None = None


class Annotation(Struct, gc=False):
    """The answers to one question."""

    question_id: QuestionId
    image_id: Int64
    answers: Annotated[list[Answer], Meta(min_length=1)]
    question_type: str | None = None
    answer_type: str | None = None


class AmberQuestion(Struct, gc=False):
    """Whether something is true of a picture."""

    id: Int64
    image: str
    query: str


class AmberTruth(Struct, gc=False):
    """The right answer to a question, by its kind; of a description the objects that are there."""

    id: Int64
    type: str
    truth: str | list[str]


class MmhalQuestion(Struct, gc=False):
    """A question about a picture, and what a judge of answers to it is told.

    Its authors' template has an empty `model_answer`, which answers fill in: see `answer_files`.
    """

    image_id: str
    image_src: str
    question: str
    gt_answer: str
    question_type: str
    image_content: list[str] = []


class VizWizQuestion(Struct, gc=False):
    """A question that a blind person asked about a picture, and ten answers to it.

    Test files have no answers.
    """

    image: str
    question: str
    answers: list[SureAnswer] = []
    answer_type: str | None = None
    answerable: Literal[0, 1] | None = None


class RefusalQuestion(Struct, gc=False):
    """A question that may have no answer, and the answers to it."""

    question_id: QuestionId
    question: str
    is_answerable: bool
    answers: list[str] = []
    image: str | None = None
    image_id: Int64 | None = None
    category: str | None = None


class UnkVqaAnswerability(Struct, gc=False):
    """Whether a picture answers a question; `other` is its answer, or why there is none."""

    binary: bool
    other: dict[str, Any] | None = None


class UnkVqaQuestion(Struct, gc=False):
    """A question of VQA v2.0 whose words or whose picture were altered, in a way that is named."""

    question_id: QuestionId
    question: str
    image_name: str
    answerability: UnkVqaAnswerability
    alter_type: str | None = None


@dataclass(frozen=True)
class QuestionFile:
    """One file of a question set, by the name that its authors gave it."""

    name: str
    layout: Layout
    split: str
    year: int


Value = Callable[[Any], object]


def _text_of(name: str) -> Value:
    return lambda record: str(getattr(record, name))


def _answer_texts(record: Any) -> list[str]:
    return [answer.answer for answer in record.answers]


def _truths(record: Any) -> list[str]:
    return [record.truth] if isinstance(record.truth, str) else list(record.truth)


def _column(name: str, sql_type: str, arrow_type: pa.DataType, value: Value | None) -> Column:
    """A column of one value per record; of nulls where its set has no such field."""

    def build(records: Sequence[Any]) -> pa.Array:
        if value is None:
            return pa.nulls(len(records), arrow_type)
        return pa.array([value(record) for record in records], arrow_type)

    return Column(name, sql_type, arrow_type, build)


def _named(question_set: str) -> Column:
    def build(records: Sequence[Any]) -> pa.Array:
        return pa.array([question_set] * len(records), TEXT)

    return Column("question_set", "varchar", TEXT, build)


def _questions(
    question_set: str,
    record: type[Struct],
    shape: Shape,
    values: dict[str, Value],
    name: str = "questions",
) -> Layout:
    """A layout whose records land in `raw.question_set_questions`: `values` by its columns.

    `name` is that of their array, where the file is an object.
    """
    main = RecordArray(
        name=name,
        table="question_set_questions",
        record=record,
        columns=(
            _named(question_set),
            _column("question_id", "varchar", TEXT, values["question_id"]),
            _column("image", "varchar", TEXT, values.get("image")),
            _column("image_id", "bigint", pa.int64(), values.get("image_id")),
            _column("question", "varchar", TEXT, values["question"]),
            _column("label", "varchar", TEXT, values.get("label")),
            _column("category", "varchar", TEXT, values.get("category")),
            _column("is_answerable", "boolean", pa.bool_(), values.get("is_answerable")),
            _column("answers", "varchar[]", pa.list_(TEXT), values.get("answers")),
            _column(
                "answer_confidences", "varchar[]", pa.list_(TEXT), values.get("answer_confidences")
            ),
            _column("objects", "varchar[]", pa.list_(TEXT), values.get("objects")),
        ),
    )
    return Layout(f"{question_set}_questions", main, shape=shape)


def _annotations(question_set: str) -> Layout:
    """A layout whose records land in `raw.question_set_annotations`."""
    main = RecordArray(
        name="annotations",
        table="question_set_annotations",
        record=Annotation,
        columns=(
            _named(question_set),
            _column("question_id", "varchar", TEXT, _text_of("question_id")),
            bigint("image_id"),
            varchar("question_type"),
            varchar("answer_type"),
            _column("answers", "varchar[]", pa.list_(TEXT), _answer_texts),
        ),
    )
    return Layout(f"{question_set}_annotations", main)


def _refusals(question_set: str) -> Layout:
    names = ("image", "image_id", "question", "category", "is_answerable", "answers")
    fields: dict[str, Value] = {name: attrgetter(name) for name in names}
    return _questions(
        question_set, RefusalQuestion, "lines", {"question_id": _text_of("question_id"), **fields}
    )


# the code of the reason that its authors call "multiple plausible answers"
_SEVERAL_ANSWERS = "1"


def _unk_vqa_category(record: UnkVqaQuestion) -> str | None:
    """How it was altered; `ambiguous` where several answers are plausible."""
    other = record.answerability.other or {}
    is_ambiguous = str(other.get("reason")) == _SEVERAL_ANSWERS
    return "ambiguous" if is_ambiguous and not record.answerability.binary else record.alter_type


def _unk_vqa_answers(record: UnkVqaQuestion) -> list[str]:
    """The answer to a question that has one; of others there is only a code of what was said."""
    answer = (record.answerability.other or {}).get("answer")
    return [answer] if record.answerability.binary and isinstance(answer, str) else []


POPE = _questions(
    "pope",
    PopeQuestion,
    "lines",
    {
        "question_id": _text_of("question_id"),
        "image": attrgetter("image"),
        "question": attrgetter("text"),
        "label": attrgetter("label"),
    },
)
VIZWIZ = _questions(
    "vizwiz",
    VizWizQuestion,
    "list",
    {
        # a picture has one question
        "question_id": attrgetter("image"),
        "image": attrgetter("image"),
        "question": attrgetter("question"),
        "category": attrgetter("answer_type"),
        "is_answerable": lambda record: (
            None if record.answerable is None else record.answerable == 1
        ),
        "answers": _answer_texts,
        "answer_confidences": lambda record: [
            answer.answer_confidence for answer in record.answers
        ],
    },
)


UNK_VQA = _questions(
    "unk_vqa",
    UnkVqaQuestion,
    "object",
    {
        "question_id": _text_of("question_id"),
        "image": attrgetter("image_name"),
        "question": attrgetter("question"),
        "category": _unk_vqa_category,
        "is_answerable": attrgetter("answerability.binary"),
        "answers": _unk_vqa_answers,
    },
    name="annotation",
)


AMBER = _questions(
    "amber",
    AmberQuestion,
    "list",
    {
        "question_id": _text_of("id"),
        "image": attrgetter("image"),
        "question": attrgetter("query"),
    },
)
AMBER_TRUTHS = Layout(
    "amber_annotations",
    RecordArray(
        name="annotations",
        table="question_set_annotations",
        record=AmberTruth,
        columns=(
            _named("amber"),
            _column("question_id", "varchar", TEXT, _text_of("id")),
            _column("image_id", "bigint", pa.int64(), None),
            _column("question_type", "varchar", TEXT, attrgetter("type")),
            _column("answer_type", "varchar", TEXT, None),
            _column("answers", "varchar[]", pa.list_(TEXT), _truths),
        ),
    ),
    shape="list",
)


MMHAL = _questions(
    "mmhal",
    MmhalQuestion,
    "list",
    {
        # a picture has one question
        "question_id": attrgetter("image_id"),
        # the last part of the address, as people who fetch the pictures call the files
        "image": lambda record: record.image_src.rsplit("/", 1)[-1],
        "question": attrgetter("question"),
        "category": attrgetter("question_type"),
        "answers": lambda record: [record.gt_answer],
        "objects": attrgetter("image_content"),
    },
)


def _files_with_the_names_of_vqa_v1(question_set: str) -> Iterator[QuestionFile]:
    questions = _questions(
        question_set,
        Question,
        "object",
        {
            "question_id": _text_of("question_id"),
            "image_id": attrgetter("image_id"),
            "question": attrgetter("question"),
        },
    )
    annotations = _annotations(question_set)
    for split in ("train", "val"):
        name = f"OpenEnded_mscoco_{split}2014_questions.json"
        yield QuestionFile(name, questions, split, 2014)
        yield QuestionFile(f"mscoco_{split}2014_annotations.json", annotations, split, 2014)


def _pope_files() -> Iterator[QuestionFile]:
    for setting in ("random", "popular", "adversarial"):
        yield QuestionFile(f"coco_pope_{setting}.json", POPE, setting, 2023)
        for pictures in ("coco", "aokvqa", "gqa"):
            yield QuestionFile(f"{pictures}_pope_seem_{setting}.json", POPE, setting, 2023)


# per set its files, by their authors' names
QUESTION_SETS: dict[str, tuple[QuestionFile, ...]] = {
    "amber": (
        QuestionFile("query_discriminative.json", AMBER, "test", 2023),
        QuestionFile("annotations.json", AMBER_TRUTHS, "test", 2023),
    ),
    "mmhal": (QuestionFile("response_template.json", MMHAL, "test", 2023),),
    "okvqa": tuple(_files_with_the_names_of_vqa_v1("okvqa")),
    "pope": tuple(_pope_files()),
    "tdiuc": (
        *_files_with_the_names_of_vqa_v1("tdiuc"),
        QuestionFile("tdiuc_absurd.jsonl", _refusals("tdiuc"), "val", 2017),
    ),
    "unk_vqa": (
        # the other splits of its authors are for tuning, and nobody is asked them
        QuestionFile("annt_test.json", UNK_VQA, "test", 2024),
        QuestionFile("unk_vqa.jsonl", _refusals("unk_vqa"), "test", 2024),
    ),
    "vizwiz": tuple(
        QuestionFile(f"{split}.json", VIZWIZ, split, 2020) for split in ("train", "val", "test")
    ),
}
# the two shapes of table that they land in
LAYOUTS = (POPE, _annotations("okvqa"))
