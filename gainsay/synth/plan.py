"""Which images a corpus has, in which split, with how many questions each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gainsay.foundation.errors import GainsayError
from gainsay.synth.dice import units
from gainsay.synth.layout import SPLITS, Split
from gainsay.synth.specimens import SPECIMENS, Specimen

# VQA v2.0 on COCO 2014: the proportions of a corpus of any size
_OFFICIAL_QUESTIONS: Final[dict[Split, int]] = {"train": 443_757, "val": 214_354}
_OFFICIAL_IMAGES: Final[dict[Split, int]] = {"train": 82_783, "val": 40_504}
_QUESTIONS_PER_IMAGE: Final = sum(_OFFICIAL_QUESTIONS.values()) / sum(_OFFICIAL_IMAGES.values())
_DEFAULT_IMAGES: Final = 200
_FEWEST_QUESTIONS: Final = 3

# a stride without a common divisor with the period scatters the ids, as COCO's are, and
# gives no two images the same one; what comes after a whole period has ids of another million
_FIRST_IMAGE_ID: Final = 9
_ID_STRIDE: Final = 317_811
_ID_PERIOD: Final = 581_921
_IDS_PER_PERIOD: Final = 1_000_000
# the plan takes four bytes an image and stays well within memory
_MOST_IMAGES: Final = 100_000_000
_DRAWN_AT_ONCE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Order:
    """The corpus that is asked for; flawed records come on top of the questions.

    Without a number of questions, each image has as many as in the official release. A faithful
    corpus says only what its pictures show, and has none of the images written by hand.
    """

    images: int
    questions: int | None
    seed: int
    has_pictures: bool
    has_flaws: bool
    is_faithful: bool = False


@dataclass(frozen=True, slots=True)
class ImagePlan:
    """One image to make; `number` is its place in the corpus and the key of its randomness."""

    number: int
    split: Split
    questions: int
    specimen: Specimen | None

    @property
    def image_id(self) -> int:
        period, place = divmod(self.number, _ID_PERIOD)
        return period * _IDS_PER_PERIOD + _FIRST_IMAGE_ID + place * _ID_STRIDE % _ID_PERIOD


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """The images of one split in their order, made as they are asked for.

    Every second one is a specimen as long as there are any; `n_questions` is of the others.
    """

    split: Split
    n_images: int
    specimens: Sequence[Specimen]
    n_questions: NDArray[np.int32]

    def __iter__(self) -> Iterator[ImagePlan]:
        n_questions = iter(self.n_questions)
        for place in range(self.n_images):
            is_given = place % 2 == 1 and place // 2 < len(self.specimens)
            specimen = self.specimens[place // 2] if is_given else None
            yield ImagePlan(
                number=place * len(SPLITS) + SPLITS.index(self.split),
                split=self.split,
                questions=len(specimen.asked) if specimen else int(next(n_questions)),
                specimen=specimen,
            )


def order_of(
    images: int | None,
    questions: int | None,
    seed: int,
    *,
    has_pictures: bool,
    has_flaws: bool,
    is_faithful: bool = False,
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
    return Order(images, questions, seed, has_pictures, has_flaws, is_faithful)


def plan_images(order: Order) -> dict[Split, SplitPlan]:
    """Plan the images of each split.

    Image `n` of a split is the same in a corpus of any size, but for the number of its
    questions. Raises `GainsayError` when there are fewer questions than the specimens ask and
    the other images need.
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


def _plan_split(order: Order, split: Split, images: int, questions: int | None) -> SplitPlan:
    given = () if order.is_faithful else SPECIMENS
    specimens = [specimen for specimen in given if specimen.split == split][: images // 2]
    asked = sum(len(specimen.asked) for specimen in specimens)
    drawn = images - len(specimens)
    if questions is None:
        usual = round(images * _QUESTIONS_PER_IMAGE)
        questions = max(usual, asked + _FEWEST_QUESTIONS * drawn)
    if questions < asked + drawn:
        raise GainsayError(
            f"--images {order.images:,} --questions {order.questions:,}: expected at least "
            f"{asked + drawn:,} questions in the {split} split, found {questions:,}; "
            "ask for more questions or fewer images"
        )
    counts = _question_counts(order.seed, split, drawn, questions - asked)
    return SplitPlan(split, images, specimens, counts)


def _question_counts(seed: int, split: Split, images: int, questions: int) -> NDArray[np.int32]:
    """Every image has the fewest questions; the rest fall on random images."""
    fewest = min(_FEWEST_QUESTIONS, questions // images) if images else 0
    counts = np.full(images, fewest, np.int32)
    bits = np.random.Philox(key=[seed, SPLITS.index(split)])
    remaining = questions - fewest * images if images else 0
    while remaining:
        size = min(remaining, _DRAWN_AT_ONCE)
        fallen = (units(bits, size) * images).astype(np.int64)
        counts += np.bincount(fallen, minlength=images).astype(np.int32)
        remaining -= size
    return counts
