"""Pictures for CertainlyUncertain: one for each way of its questions about an object to end.

A picture shows a lawn and boxes on it, one box an object. Its captions, its outlines and its one
question are given, and `reason` says what drops the question; null where it makes a pair.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np

from gainsay.synth.categories import CATEGORY_IDS
from gainsay.synth.corpus import file_names
from gainsay.synth.instances import run_lengths
from gainsay.synth.layout import (
    Answer,
    Caption,
    Image,
    Instance,
    Question,
    QuestionAnnotation,
    Split,
    coco_categories,
    coco_header,
    coco_licenses,
    image_file_name,
    vqa_header,
)

Box = tuple[int, int, int, int]

SPLIT: Final[Split] = "train"
FIRST_IMAGE: Final = 700_001
WIDTH: Final = 320
HEIGHT: Final = 240
_MIDDLE: Final[Box] = (100, 80, 120, 120)
_LEFT: Final[Box] = (20, 80, 80, 100)
_LAWN: Final = (60, 140, 70)
_OBJECT: Final = (30, 60, 120)


@dataclass(frozen=True, slots=True)
class Removal:
    """A picture and its question; objects are (category, box as x, y, width, height)."""

    reason: str | None
    question: str
    answer: str
    captions: tuple[str, ...]
    objects: tuple[tuple[str, Box], ...]
    agreeing: int = 10
    is_crowd: bool = False
    has_outlines: bool = True
    file_scale: float | None = 1.0


def _of(name: str, box: Box = _MIDDLE) -> tuple[tuple[str, Box], ...]:
    return ((name, box),)


REMOVALS: Final = (
    Removal(None, "What color is the dog?", "brown", ("A dog on a lawn.",), _of("dog")),
    Removal("question_of_presence", "Is the cat awake?", "yes", ("A cat on a lawn.",), _of("cat")),
    Removal(
        "question_of_number",
        "How many cats are on the lawn?",
        "1",
        ("A cat on a lawn.",),
        _of("cat"),
    ),
    Removal("whole_picture", "What season is it?", "summer", ("A cat on a lawn.",), _of("cat")),
    Removal(
        "world_knowledge",
        "What color are the bananas?",
        "yellow",
        ("A banana on a lawn.",),
        _of("banana"),
    ),
    Removal(
        "no_question_object", "What is over there?", "fence", ("A cat on a lawn.",), _of("cat")
    ),
    Removal(
        "several_categories",
        "What color is the horse and what color is the cat?",
        "brown",
        ("A horse and a cat on a lawn.",),
        (*_of("horse", _LEFT), *_of("cat")),
    ),
    Removal("object_not_asked", "What is behind the cat?", "tree", ("A cat.",), _of("cat")),
    Removal(
        "object_is_crowd",
        "What color is the sheep?",
        "white",
        ("A sheep on a lawn.",),
        _of("sheep"),
        is_crowd=True,
    ),
    Removal(
        "mask_unusable",
        "What color is the cow?",
        "black",
        ("A cow on a lawn.",),
        _of("cow"),
        has_outlines=False,
    ),
    Removal(
        "object_too_small",
        "What color is the bird?",
        "red",
        ("A bird on a lawn.",),
        _of("bird", (100, 80, 5, 5)),
    ),
    Removal(
        "object_too_large",
        "What color is the bus?",
        "red",
        ("A bus on a lawn.",),
        _of("bus", (5, 5, 310, 230)),
    ),
    Removal(
        "object_not_outlined",
        "What color is the bear?",
        "black",
        ("A bear on a lawn.", "Two bears on a lawn."),
        _of("bear"),
    ),
    Removal("answer_is_open", "How old is the truck?", "unknown", ("A truck.",), _of("truck")),
    Removal(
        "still_answerable",
        "What color is the car?",
        "brown",
        ("A car on a lawn.", "All that is on this lawn is brown."),
        _of("car"),
    ),
    Removal(
        "annotators_disagree",
        "What color is the couch?",
        "gray",
        ("A couch on a lawn.",),
        _of("couch"),
        agreeing=2,
    ),
    Removal(
        "picture_missing",
        "What color is the chair?",
        "gray",
        ("A chair on a lawn.",),
        _of("chair"),
        file_scale=None,
    ),
    # the file has another size than the outlines speak of
    Removal(
        "render_failed",
        "What color is the boat?",
        "gray",
        ("A boat on a lawn.",),
        _of("boat"),
        file_scale=0.5,
    ),
)


def write_removals(folder: Path) -> None:
    """Write the pictures and their annotations into the new `folder`."""
    pictures = folder / f"{SPLIT}2014"
    pictures.mkdir(parents=True)
    numbered = list(enumerate(REMOVALS, start=FIRST_IMAGE))
    for image_id, removal in numbered:
        if removal.file_scale is not None:
            (pictures / image_file_name(SPLIT, image_id)).write_bytes(_picture(removal))
    questions, annotations, captions, instances = (folder / name for name in file_names(SPLIT))
    _write_json(
        questions,
        vqa_header(SPLIT, questions=True)
        | {"questions": [Question(image, one.question, image * 1000) for image, one in numbered]},
    )
    _write_json(
        annotations,
        vqa_header(SPLIT, questions=False)
        | {"annotations": [_annotation(image, one) for image, one in numbered]},
    )
    header = coco_header() | {
        "images": [_image(image) for image, _ in numbered],
        "licenses": coco_licenses(),
    }
    _write_json(
        captions,
        header
        | {
            "annotations": [
                Caption(image, image * 10 + position, text)
                for image, one in numbered
                for position, text in enumerate(one.captions)
            ]
        },
    )
    _write_json(
        instances,
        header
        | {
            "annotations": [
                _instance(image, position, one)
                for image, one in numbered
                for position in range(len(one.objects))
            ],
            "categories": coco_categories(),
        },
    )


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_bytes(msgspec.json.encode(content))


def _picture(removal: Removal) -> bytes:
    """The lawn with a box for each object, as JPEG, in the size that the file is to have."""
    assert removal.file_scale is not None
    pixels = np.full((HEIGHT, WIDTH, 3), _LAWN, np.uint8)
    for _, (left, top, width, height) in removal.objects:
        cv2.rectangle(pixels, (left, top), (left + width - 1, top + height - 1), _OBJECT, -1)
    scale = removal.file_scale
    resized = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    _, encoded = cv2.imencode(".jpg", resized)
    return encoded.tobytes()


def _annotation(image_id: int, removal: Removal) -> QuestionAnnotation:
    others = (f"something else {number}" for number in range(10))
    texts = [removal.answer] * removal.agreeing
    texts += [next(others) for _ in range(10 - removal.agreeing)]
    return QuestionAnnotation(
        question_type="none of the above",
        multiple_choice_answer=removal.answer,
        answers=tuple(Answer(text, "yes", place) for place, text in enumerate(texts, start=1)),
        image_id=image_id,
        answer_type="other",
        question_id=image_id * 1000,
    )


def _image(image_id: int) -> Image:
    name = image_file_name(SPLIT, image_id)
    return Image(
        license=4,
        file_name=name,
        coco_url=f"http://images.cocodataset.org/{SPLIT}2014/{name}",
        height=HEIGHT,
        width=WIDTH,
        date_captured="2013-11-14 17:02:52",
        flickr_url=f"http://farm1.staticflickr.com/1/{image_id}_z.jpg",
        id=image_id,
    )


def _instance(image_id: int, position: int, removal: Removal) -> Instance:
    category, box = removal.objects[position]
    left, top, width, height = box
    right, bottom = left + width, top + height
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[top:bottom, left:right] = 1
    # a polygon of two points encloses nothing
    outline = [[left, top, right, top, right, bottom, left, bottom]]
    outline = outline if removal.has_outlines else [[left, top, right, bottom]]
    return Instance(
        segmentation=run_lengths(mask)
        if removal.is_crowd
        else [[float(number) for number in points] for points in outline],
        area=float(width * height),
        iscrowd=int(removal.is_crowd),
        image_id=image_id,
        bbox=(float(left), float(top), float(width), float(height)),
        category_id=CATEGORY_IDS[category],
        id=image_id * 10 + position,
    )
