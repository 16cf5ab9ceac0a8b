"""Which images a corpus has, in which split, with how many questions each."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ingest.errors import GainsayError
from ingest.synth.dice import units
from ingest.synth.layout import SPLITS, Split
from ingest.synth.specimens import SPECIMENS, Specimen

# VQA v2.0 on COCO 2014: the proportions of a corpus of any size
_OFFICIAL_QUESTIONS: Final = {"train": 443_757, "val": 214_354}
_OFFICIAL_IMAGES: Final = {"train": 82_783, "val": 40_504}
_DEFAULT_IMAGES: Final = 200
_FEWEST_QUESTIONS: Final = 3
# of each split, when no pictures are drawn: laying out is slow beside writing texts
_LAID_OUT_WITHOUT_PICTURES: Final = 2_500

# a stride without a common divisor with the period scatters the ids, as COCO's are, and
# gives no two images the same one
_FIRST_IMAGE_ID: Final = 9
_ID_STRIDE: Final = 317_811
_ID_PERIOD: Final = 581_921
_MOST_IMAGES: Final = 500_000


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for; flawed records come on top of the questions."""

    images: int
    questions: int
    seed: int
    has_pictures: bool
    has_flaws: bool


@dataclass(frozen=True, slots=True)
class ImagePlan:
    """One image to make.

    `number` is its place in the corpus and the key of its randomness. Only images that are laid
    out have instances and a truth.
    """

    number: int
    split: Split
    questions: int
    specimen: Specimen | None
    is_laid_out: bool

    @property
    def image_id(self) -> int:
        return _FIRST_IMAGE_ID + self.number * _ID_STRIDE % _ID_PERIOD


def order_of(
    images: int | None, questions: int | None, seed: int, *, has_pictures: bool, has_flaws: bool
) -> Order:
    """Fill in what was not asked for, in the proportions of the official release."""
    all_images, all_questions = sum(_OFFICIAL_IMAGES.values()), sum(_OFFICIAL_QUESTIONS.values())
    if images is None and questions is None:
        images = _DEFAULT_IMAGES
    if images is None:
        assert questions is not None
        images = round(questions * all_images / all_questions)
    if questions is None:
        questions = round(images * all_questions / all_images)
    return Order(images, questions, seed, has_pictures, has_flaws)


def plan_images(order: Order) -> dict[Split, list[ImagePlan]]:
    """Plan each split: its specimens first, then images drawn from the seed.

    Raises `GainsayError` for sizes that cannot hold the specimens or run out of image ids.
    """
    if order.images > _MOST_IMAGES:
        raise GainsayError(f"--images {order.images:,}: expected at most {_MOST_IMAGES:,}")
    images = _shares(order.images, _OFFICIAL_IMAGES)
    questions = _shares(order.questions, _OFFICIAL_QUESTIONS)
    plans: dict[Split, list[ImagePlan]] = {}
    first = 0
    for split in SPLITS:
        plans[split] = _plan_split(order, split, first, images[split], questions[split])
        first += images[split]
    return plans


def _shares(total: int, official: dict[str, int]) -> dict[str, int]:
    train = round(total * official["train"] / sum(official.values()))
    return {"train": train, "val": total - train}


def _plan_split(
    order: Order, split: Split, first: int, images: int, questions: int
) -> list[ImagePlan]:
    specimens = [specimen for specimen in SPECIMENS if specimen.split == split]
    drawn = images - len(specimens)
    left = questions - sum(len(specimen.asked) for specimen in specimens)
    if drawn < 1 or left < drawn:
        raise GainsayError(
            f"--images {order.images:,} --questions {order.questions:,}: too few for the "
            f"hand-written edge cases and a question for every other image of the {split} "
            "split; expected at least 100 images, and 5 questions for each"
        )
    drawn_counts = _question_counts(order.seed, split, drawn, left)
    counts = [len(specimen.asked) for specimen in specimens] + drawn_counts
    return [
        ImagePlan(
            number=first + position,
            split=split,
            questions=count,
            specimen=specimens[position] if position < len(specimens) else None,
            is_laid_out=order.has_pictures or position < _LAID_OUT_WITHOUT_PICTURES,
        )
        for position, count in enumerate(counts)
    ]


def _question_counts(seed: int, split: Split, images: int, questions: int) -> list[int]:
    """Every image has the fewest questions; the rest fall on random images."""
    fewest = min(_FEWEST_QUESTIONS, questions // images)
    bits = np.random.Philox(key=[seed, SPLITS.index(split)])
    fallen = (units(bits, questions - fewest * images) * images).astype(np.int64)
    counts: list[int] = (fewest + np.bincount(fallen, minlength=images)).tolist()
    return counts
