"""Records that no clean release would have, in the ways that real files go wrong."""

from typing import Any, Final, NamedTuple

import msgspec

from gainsay.synth.layout import Array, Caption, Image, Instance, Question, QuestionAnnotation

UNKNOWN_IMAGE: Final = 999_983
FEWEST_QUESTIONS: Final = 4


class Flaw(NamedTuple):
    """A flawed record: what is wrong in a few words, the array it goes to, and its JSON value."""

    what: str
    array: Array
    record: Any


def flaws_after(
    questions: list[Question],
    annotations: list[QuestionAnnotation],
    captions: list[Caption],
    images: list[Image],
    instances: list[Instance],
) -> list[Flaw]:
    """The flawed records of one split, made from the last good records of its first chunk.

    There must be `FEWEST_QUESTIONS` questions, as many annotations, and a caption. No flaw
    changes a good record, but two question ids and two annotations of good records come twice:
    once repeated as they are, once with another content.
    """
    image_id = questions[-1].image_id
    question, other_question = map(msgspec.to_builtins, questions[-2:])
    annotation, other_annotation = map(msgspec.to_builtins, annotations[-2:])
    caption = msgspec.to_builtins(captions[-1])
    image = msgspec.to_builtins(images[-1])
    new_id = image_id * 1000 + 900
    found = [
        Flaw("question repeated as it is", "questions", questions[-3]),
        Flaw(
            "question id repeated with another text",
            "questions",
            question | {"question": "What happened before this?"},
        ),
        Flaw(
            "question without annotation",
            "questions",
            Question(image_id, "Is there a question here?", new_id),
        ),
        Flaw(
            "question without annotation",
            "questions",
            Question(image_id, "What color is the answer?", new_id + 1),
        ),
        Flaw(
            "question id is a text",
            "questions",
            other_question | {"question_id": str(new_id + 2)},
        ),
        Flaw(
            "image id is null",
            "questions",
            other_question | {"image_id": None, "question_id": new_id + 3},
        ),
        Flaw(
            "question is missing",
            "questions",
            {"image_id": image_id, "question_id": new_id + 4},
        ),
        Flaw(
            "question is a number",
            "questions",
            question | {"question": 7, "question_id": new_id + 5},
        ),
        Flaw("record is a list", "questions", [image_id, "Is this a record?", new_id + 6]),
        Flaw("annotation repeated as it is", "annotations", annotations[-4]),
        Flaw(
            "annotation repeated with another answer",
            "annotations",
            annotation | {"multiple_choice_answer": "something else"},
        ),
        Flaw(
            "annotation without question",
            "annotations",
            other_annotation | {"question_id": new_id + 7},
        ),
        Flaw(
            "annotation without question",
            "annotations",
            annotation | {"question_id": new_id + 8},
        ),
        Flaw(
            "question id is a text",
            "annotations",
            annotation | {"question_id": f"{new_id + 9}"},
        ),
        Flaw(
            "multiple choice answer is null",
            "annotations",
            annotation | {"multiple_choice_answer": None, "question_id": new_id + 10},
        ),
        Flaw(
            "answers is a text",
            "annotations",
            annotation | {"answers": "yes", "question_id": new_id + 11},
        ),
        Flaw(
            "answer type is missing",
            "annotations",
            _without(annotation, "answer_type") | {"question_id": new_id + 12},
        ),
        Flaw(
            "answer id is a text",
            "annotations",
            annotation
            | {
                "answers": [answer | {"answer_id": "one"} for answer in annotation["answers"]],
                "question_id": new_id + 13,
            },
        ),
        Flaw(
            "caption of an unknown image",
            "captions",
            Caption(UNKNOWN_IMAGE, captions[-1].id + 1, "A caption of nothing."),
        ),
        Flaw("caption is null", "captions", caption | {"caption": None, "id": captions[-1].id + 2}),
        Flaw("caption id is a text", "captions", caption | {"id": "twelve"}),
        Flaw("caption is missing", "captions", {"image_id": image_id, "id": captions[-1].id + 3}),
        Flaw("image width is a text", "images", image | {"width": "640", "id": UNKNOWN_IMAGE + 1}),
    ]
    if instances:
        instance = msgspec.to_builtins(instances[-1])
        found += [
            Flaw(
                "category id is a text",
                "instances",
                instance | {"category_id": "dog", "id": instances[-1].id + 20},
            ),
            Flaw(
                "area is missing",
                "instances",
                _without(instance, "area") | {"id": instances[-1].id + 21},
            ),
        ]
    return found


def _without(record: dict[str, Any], field: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != field}
