"""Small corpora written by hand, in the official layouts."""

import json
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]


class Asked(NamedTuple):
    """A question with its annotation and the captions of its image."""

    question_id: int
    question: str
    answer: str
    captions: list[str]


def write_corpus(folder: Path, asked: list[Asked], split: str = "train") -> Path:
    """Write the VQA and COCO caption files of one split; every question has its own image."""
    folder.mkdir(parents=True, exist_ok=True)
    questions, annotations, images, captions = [], [], [], []
    for image_id, record in enumerate(asked, start=1):
        questions.append(question(record.question_id, image_id, record.question))
        annotations.append(annotation(record.question_id, image_id, record.answer))
        images.append(image(image_id, split))
        for caption in record.captions:
            captions.append({"id": len(captions) + 1, "image_id": image_id, "caption": caption})
    write(folder / f"v2_OpenEnded_mscoco_{split}2014_questions.json", {"questions": questions})
    write(folder / f"v2_mscoco_{split}2014_annotations.json", {"annotations": annotations})
    write(
        folder / f"captions_{split}2014.json",
        {"licenses": [], "images": images, "annotations": captions},
    )
    return folder


def question(question_id: int, image_id: int, text: str) -> Json:
    """One record of a question file."""
    return {"question_id": question_id, "image_id": image_id, "question": text}


def annotation(question_id: int, image_id: int, answer: str) -> Json:
    """One record of an annotation file; the ten answers agree."""
    answers = [
        {"answer": answer, "answer_confidence": "yes", "answer_id": position}
        for position in range(1, 11)
    ]
    return {
        "question_id": question_id,
        "image_id": image_id,
        "question_type": "none of the above",
        "answer_type": "other",
        "multiple_choice_answer": answer,
        "answers": answers,
    }


def image(image_id: int, split: str) -> Json:
    """One record of an `images` array."""
    return {
        "id": image_id,
        "file_name": f"COCO_{split}2014_{image_id:012}.jpg",
        "width": 640,
        "height": 480,
        "license": 4,
        "coco_url": "",
        "flickr_url": "",
        "date_captured": "2013-11-14 17:02:52",
    }


def write(path: Path, content: Json) -> None:
    """Write one JSON file."""
    path.write_text(json.dumps(content))
