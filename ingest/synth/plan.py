"""Which images a corpus has, in which split, with how many questions each."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gainsay.errors import GainsayError
from ingest.synth.dice import units
from ingest.synth.layout import SPLITS, Split
from ingest.synth.specimens import SPECIMENS, Specimen

# VQA v2.0 on COCO 2014: the proportions of a corpus of any size
_OFFICIAL_QUESTIONS: Final[dict[Split, int]] = {"train": 443_757, "val": 214_354}
_OFFICIAL_IMAGES: Final[dict[Split, int]] = {"train": 82_783, "val": 40_504}
_QUESTIONS_PER_IMAGE: Final = sum(_OFFICIAL_QUESTIONS.values()) / sum(_OFFICIAL_IMAGES.values())
_DEFAULT_IMAGES: Final = 200
_FEWEST_QUESTIONS: Final = 3

# a stride without a common divisor with the period scatters the ids, as COCO's are, and
# gives no two images the same one
_FIRST_IMAGE_ID: Final = 9
_ID_STRIDE: Final = 317_811
_ID_PERIOD: Final = 581_921
_MOST_IMAGES: Final = 400_000


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for; flawed records come on top of the questions.

    Without a number of questions, each image has as many as in the official release.
    """

    images: int
    questions: int | None
    seed: int
    has_pictures: bool
    has_flaws: bool


@dataclass(frozen=True, slots=True)
class ImagePlan:
    """One image to make; `number` is its place in the corpus and the key of its randomness."""

    number: int
    split: Split
    questions: int
    specimen: Specimen | None

    @property
    def image_id(self) -> int:
        return _FIRST_IMAGE_ID + self.number * _ID_STRIDE % _ID_PERIOD


def order_of(
    images: int | None, questions: int | None, seed: int, *, has_pictures: bool, has_flaws: bool
) -> Order:
    """Fill in how many images, in the proportions of the official release.

    Raises `GainsayError` for more images than there are ids.
    """
    if images is None:
        images = _DEFAULT_IMAGES
        if questions is not None:
            images = max(1, round(questions / _QUESTIONS_PER_IMAGE))
    if images > _MOST_IMAGES:
        raise GainsayError(f"--images {images:,}: expected at most {_MOST_IMAGES:,}")
    return Order(images, questions, seed, has_pictures, has_flaws)


def plan_images(order: Order) -> dict[Split, list[ImagePlan]]:
    """Plan the images of each split.

    Every second one is a specimen as long as there are any. Image `n` of a split is the same in
    a corpus of any size, but for the number of its questions. Raises `GainsayError` when there
    are fewer questions than the specimens ask and the other images need.
    """
    images = _shares(order.images, _OFFICIAL_IMAGES)
    if order.questions is None:
        return {split: _plan_split(order, split, images[split], None) for split in SPLITS}
    questions = _shares(order.questions, _OFFICIAL_QUESTIONS)
    if not images["val"]:
        questions = {"train": order.questions, "val": 0}
    return {split: _plan_split(order, split, images[split], questions[split]) for split in SPLITS}


def _shares(total: int, official: dict[Split, int]) -> dict[Split, int]:
    train = round(total * official["train"] / sum(official.values()))
    return {"train": train, "val": total - train}


def _plan_split(order: Order, split: Split, images: int, questions: int | None) -> list[ImagePlan]:
    waiting = iter([specimen for specimen in SPECIMENS if specimen.split == split])
    specimens = [next(waiting, None) if place % 2 else None for place in range(images)]
    asked = sum(len(specimen.asked) for specimen in specimens if specimen)
    drawn = specimens.count(None)
    if questions is None:
        usual = round(images * _QUESTIONS_PER_IMAGE)
        questions = max(usual, asked + _FEWEST_QUESTIONS * drawn)
    if questions < asked + drawn:
        raise GainsayError(
            f"--images {order.images:,} --questions {order.questions:,}: expected at least "
            f"{asked + drawn:,} questions in the {split} split, found {questions:,}; "
            "ask for more questions or fewer images"
        )
    counts = iter(_question_counts(order.seed, split, drawn, questions - asked))
    return [
        ImagePlan(
            number=place * len(SPLITS) + SPLITS.index(split),
            split=split,
            questions=len(specimen.asked) if specimen else next(counts),
            specimen=specimen,
        )
        for place, specimen in enumerate(specimens)
    ]


def _question_counts(seed: int, split: Split, images: int, questions: int) -> list[int]:
    """Every image has the fewest questions; the rest fall on random images."""
    if not images:
        return []
    fewest = min(_FEWEST_QUESTIONS, questions // images)
    bits = np.random.Philox(key=[seed, SPLITS.index(split)])
    fallen = (units(bits, questions - fewest * images) * images).astype(np.int64)
    counts: list[int] = (fewest + np.bincount(fallen, minlength=images)).tolist()
    return counts
