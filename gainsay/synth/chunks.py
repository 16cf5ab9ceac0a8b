"""Making the records and pictures of a run of images; the unit of work of one process."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from gainsay.synth import words
from gainsay.synth.answers import (
    agreeing_answers,
    answer_type,
    doubting_answers,
    most_frequent,
    question_type,
    ten_answers,
)
from gainsay.synth.captions import write_caption
from gainsay.synth.compositions import lay_out, light, picture_size
from gainsay.synth.dice import Dice, Table
from gainsay.synth.faithful import Seen, ask_truly, certain_scene, outlined, write_captions
from gainsay.synth.flaws import FEWEST_QUESTIONS, Flaw, flaws_after
from gainsay.synth.instances import instances_of
from gainsay.synth.layout import (
    SPLITS,
    Array,
    Caption,
    Image,
    Instance,
    Question,
    QuestionAnnotation,
    Split,
    image_file_name,
)
from gainsay.synth.pictures import render
from gainsay.synth.plan import ImagePlan, Order
from gainsay.synth.questions import Asked, ask
from gainsay.synth.scenes import Scene, sample_scene
from gainsay.synth.truth import Truth, truth_of

_CAPTION_COUNTS: Final = Table({4: 1, 5: 9970, 6: 26, 7: 3})
# more than a job's images have captions, so that no two captions have the same id
_CAPTION_IDS_PER_JOB: Final = 2_000
_JSON: Final = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Job:
    """Images of one split to make; the first job of a split also makes its flawed records."""

    order: Order
    folder: Path
    split: Split
    number: int
    images: Sequence[ImagePlan]
    has_flaws: bool


@dataclass(frozen=True, slots=True)
class Chunk:
    """The results of a job: JSON records joined by commas, truth as lines, and counts."""

    split: Split
    images: int
    records: dict[Array, bytes]
    truth: bytes
    counts: Counter[Array]
    flaws: Counter[str]


def make_chunk(job: Job) -> Chunk:
    """Make a job's records, and write its pictures if they are wanted."""
    order = job.order
    questions: list[Question] = []
    annotations: list[QuestionAnnotation] = []
    captions: list[tuple[int, str]] = []
    images: list[Image] = []
    instances: list[Instance] = []
    truths: list[Truth] = []
    for plan in job.images:
        scene = sample_scene(order.seed, plan.number)
        if order.is_faithful:
            scene = certain_scene(scene)
        layout = lay_out(order.seed, scene)
        if order.has_pictures or order.is_faithful:
            composition = light(order.seed, layout)
        asked_by = Dice(order.seed, "question", plan.number)
        if order.is_faithful:
            seen = Seen(composition)
            asked = ask_truly(asked_by, seen, plan.questions)
            texts = write_captions(order.seed, seen)
            layout = outlined(order.seed, layout)
        else:
            asked = _asked(asked_by, plan, scene)
            texts = _caption_texts(order.seed, plan, scene)
        for question, annotation in _answered(order.seed, asked_by, plan, asked):
            questions.append(question)
            annotations.append(annotation)
        captions += [(plan.image_id, text) for text in texts]
        images.append(_image(order.seed, plan))
        instances += instances_of(layout, plan.image_id)
        if order.has_pictures:
            truths.append(truth_of(composition, plan))
            name = image_file_name(plan.split, plan.image_id)
            (job.folder / f"{plan.split}2014" / name).write_bytes(render(order.seed, composition))
    numbered = _numbered(job, captions)
    flaws: list[Flaw] = []
    if job.has_flaws and len(questions) >= FEWEST_QUESTIONS:
        flaws = flaws_after(questions, annotations, numbered, images, instances)
    made: dict[Array, list[Any]] = {
        "questions": list(questions),
        "annotations": list(annotations),
        "captions": list(numbered),
        "images": list(images),
        "instances": list(instances),
    }
    for flaw in flaws:
        made[flaw.array].append(flaw.record)
    return Chunk(
        split=job.split,
        images=len(images),
        records={array: _JSON.encode(records)[1:-1] for array, records in made.items()},
        truth=b"".join(_JSON.encode(truth) + b"\n" for truth in truths),
        counts=Counter({array: len(records) for array, records in made.items()}),
        flaws=Counter(f"{flaw.array}: {flaw.what}" for flaw in flaws),
    )


def _asked(dice: Dice, plan: ImagePlan, scene: Scene) -> list[Asked]:
    if plan.specimen is None:
        return [ask(dice, scene) for _ in range(plan.questions)]
    return [Asked(question, gold) for question, gold in plan.specimen.asked]


def _answered(
    seed: int, dice: Dice, plan: ImagePlan, asked: list[Asked]
) -> list[tuple[Question, QuestionAnnotation]]:
    return [
        _question_and_annotation(seed, dice, plan.image_id, plan.image_id * 1000 + position, one)
        for position, one in enumerate(asked)
    ]


def _question_and_annotation(
    seed: int, dice: Dice, image_id: int, question_id: int, asked: Asked
) -> tuple[Question, QuestionAnnotation]:
    kind = question_type(asked.question)
    answers = ten_answers(dice, asked.gold, answer_type(kind, asked.gold), asked.others)
    # who doubts draws from a stream of their own, so that nothing else of a corpus changes
    if asked.is_told:
        answers = agreeing_answers(Dice(seed, "told", question_id), asked.gold)
    elif asked.is_told is not None:
        doubt = Dice(seed, "doubt", question_id)
        guesses = tuple(doubt.zipf(words.NOUNS) for _ in range(12))
        answers = doubting_answers(doubt, guesses)
    gold = most_frequent(answers)
    return (
        Question(image_id=image_id, question=asked.question, question_id=question_id),
        QuestionAnnotation(
            question_type=kind,
            multiple_choice_answer=gold,
            answers=answers,
            image_id=image_id,
            answer_type=answer_type(kind, gold),
            question_id=question_id,
        ),
    )


def _caption_texts(seed: int, plan: ImagePlan, scene: Scene) -> list[str]:
    if plan.specimen is not None:
        return [*plan.specimen.captions]
    dice = Dice(seed, "caption", plan.number)
    return [write_caption(dice, scene) for _ in range(dice.weighted(_CAPTION_COUNTS))]


def _numbered(job: Job, captions: list[tuple[int, str]]) -> list[Caption]:
    """Captions of several images in mixed order, with ascending ids, as COCO has them.

    The captions of one image keep their order.
    """
    dice = Dice(job.order.seed, f"mix-{job.split}", job.number)
    keyed = sorted((dice.unit(), position) for position in range(len(captions)))
    waiting: dict[int, list[str]] = {}
    for image_id, text in reversed(captions):
        waiting.setdefault(image_id, []).append(text)
    first = (job.number * len(SPLITS) + SPLITS.index(job.split)) * _CAPTION_IDS_PER_JOB + 1
    mixed = [captions[position][0] for _, position in keyed]
    return [
        Caption(image_id=image_id, id=caption_id, caption=waiting[image_id].pop())
        for caption_id, image_id in enumerate(mixed, start=first)
    ]


def _image(seed: int, plan: ImagePlan) -> Image:
    width, height = picture_size(seed, plan.number)
    dice = Dice(seed, "image", plan.number)
    name = image_file_name(plan.split, plan.image_id)
    farm, server, secret = dice.below(9) + 1, dice.below(9000) + 1, dice.below(2**40)
    second = dice.below(60)
    return Image(
        license=dice.below(8) + 1,
        file_name=name,
        coco_url=f"http://images.cocodataset.org/{plan.split}2014/{name}",
        height=height,
        width=width,
        date_captured=f"2013-11-{14 + dice.below(11)} {dice.below(24):02d}:{dice.below(60):02d}"
        f":{second:02d}",
        flickr_url=f"http://farm{farm}.staticflickr.com/{server}/{plan.image_id}_{secret:010x}_z.jpg",
        id=plan.image_id,
    )
