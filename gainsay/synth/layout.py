"""The official layouts of VQA v2.0 and COCO, key by key and in their order."""

from typing import Any, Final, Literal

import msgspec

from gainsay.synth.categories import LICENSES, SUPERCATEGORIES

Split = Literal["train", "val"]
SPLITS: Final[tuple[Split, ...]] = ("train", "val")

# the arrays of records in a split's files; `captions` and `instances` are called annotations there
Array = Literal["questions", "annotations", "captions", "images", "instances"]
ARRAYS: Final[tuple[Array, ...]] = ("questions", "annotations", "captions", "images", "instances")

Confidence = Literal["yes", "maybe", "no"]


class Question(msgspec.Struct, frozen=True, gc=False):
    """A question of `v2_OpenEnded_mscoco_*_questions.json`."""

    image_id: int
    question: str
    question_id: int


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The answer of one of ten annotators."""

    answer: str
    answer_confidence: Confidence
    answer_id: int


class QuestionAnnotation(msgspec.Struct, frozen=True, gc=False):
    """The answers to one question, of `v2_mscoco_*_annotations.json`."""

    question_type: str
    multiple_choice_answer: str
    answers: tuple[Answer, ...]
    image_id: int
    answer_type: str
    question_id: int


class Caption(msgspec.Struct, frozen=True, gc=False):
    """A caption of `captions_*.json`."""

    image_id: int
    id: int
    caption: str


class Image(msgspec.Struct, frozen=True, gc=False):
    """An image of `captions_*.json` and `instances_*.json`."""

    license: int
    file_name: str
    coco_url: str
    height: int
    width: int
    date_captured: str
    flickr_url: str
    id: int


class Rle(msgspec.Struct, frozen=True, gc=False):
    """Uncompressed run lengths, column by column, starting with zeros; size is (height, width)."""

    counts: list[int]
    size: tuple[int, int]


class Instance(msgspec.Struct, frozen=True, gc=False):
    """An object of `instances_*.json`; the box is (x, y, width, height) in pixels."""

    segmentation: list[list[float]] | Rle
    area: float
    iscrowd: int
    image_id: int
    bbox: tuple[float, float, float, float]
    category_id: int
    id: int


def image_file_name(split: Split, image_id: int) -> str:
    """The file name of the 2014 release."""
    return f"COCO_{split}2014_{image_id:012d}.jpg"


def vqa_header(split: Split, *, questions: bool) -> dict[str, Any]:
    """All of a VQA file but its records."""
    info = {
        "description": "Synthetic corpus in the layout of VQA v2.0, made by gainsay synth.",
        "url": "http://visualqa.org",
        "version": "2.0",
        "year": 2017,
        "contributor": "gainsay",
        "date_created": "2017-04-26 17:07:13",
    }
    license_ = {
        "url": "http://creativecommons.org/licenses/by/4.0/",
        "name": "Creative Commons Attribution 4.0 International License",
    }
    subtype = f"{split}2014"
    if questions:
        return {
            "info": info,
            "task_type": "Open-Ended",
            "data_type": "mscoco",
            "license": license_,
            "data_subtype": subtype,
        }
    return {"info": info, "license": license_, "data_subtype": subtype, "data_type": "mscoco"}


def coco_header() -> dict[str, Any]:
    """The first keys of a COCO file."""
    return {
        "info": {
            "description": "Synthetic corpus in the layout of COCO 2014, made by gainsay synth.",
            "url": "http://cocodataset.org",
            "version": "1.0",
            "year": 2014,
            "contributor": "gainsay",
            "date_created": "2014/10/29",
        }
    }


def coco_licenses() -> list[dict[str, Any]]:
    """The eight licences that an image's `license` refers to."""
    return [
        {"url": f"http://{page}{'/2.0/' if number < 7 else ''}", "id": number, "name": name}
        for number, name, page in LICENSES
    ]


def coco_categories() -> list[dict[str, Any]]:
    """The 80 categories of the detection task."""
    return [
        {"supercategory": supercategory, "id": category_id, "name": name}
        for supercategory, names in SUPERCATEGORIES.items()
        for category_id, name in names.items()
    ]
