"""A warehouse that has what the review page reads, and nothing else."""

import json
from hashlib import md5
from pathlib import Path

import duckdb

from gainsay.ingest.sinks.duckdb import ensure_raw_schema
from tests.python import image_specimens as specimens

VALIDATION = ("clash", "validation")
VERIFICATION = ("certainly_uncertain", "verification")
ARABIC = "القطة السوداء تجلس على الأريكة"
JAPANESE = "黒い猫がソファの上に座っています。"
HOSTILE = "</script><img src=x onerror=alert(1)> \u202eabc\u2066 {{ 7 * 7 }}"
_QUEUES = [
    (*VALIDATION, "CLASH: validate samples", "Look at the picture, then at both captions.", 3),
    (*VERIFICATION, "CertainlyUncertain: verify pairs", "Keep the pair where it is right.", 1),
]
_YES_OR_NO = [("yes", "a", "Yes", False), ("no", "x", "No", True)]
_QUESTIONS = {
    VALIDATION: {
        "is_contradicted": ("Does the picture contradict the changed caption?", _YES_OR_NO),
        "is_plausible": ("Is the change plausible and objective?", _YES_OR_NO),
        "is_question_clear": ("Is the question clear?", _YES_OR_NO),
    },
    VERIFICATION: {
        "verdict": (
            "Is the pair as it says?",
            [
                ("keep", "a", "Keep", False),
                ("drop", "x", "Drop", False),
                ("wrong_category", "1", "Wrong category", False),
                ("wrong_answer", "2", "Wrong answer", True),
            ],
        )
    },
}


def write_review_warehouse(
    path: Path, n_records: int = 12, *, gold: tuple[int, ...] = (), pictures: bool = True
) -> Path:
    """Make a warehouse with both queues; `gold` are places of records in them, from 0."""
    folder = path.parent
    photograph = folder / "photograph.jpg"
    photograph.write_bytes(specimens.jpeg())
    with duckdb.connect(path) as connection:
        ensure_raw_schema(connection)
        connection.execute("""
            create schema vocabulary; create schema review;
            create table vocabulary.review_queues (
                benchmark varchar, queue varchar, title varchar, task varchar,
                votes_per_record integer
            );
            create table vocabulary.review_questions (
                benchmark varchar, queue varchar, question varchar, position integer,
                text varchar, answer varchar, answer_key varchar, answer_label varchar,
                is_accepting boolean, is_note_wanted boolean
            );
            create table review.review__records (
                benchmark varchar, queue varchar, record_id varchar, record_md5 varchar,
                image_id varchar, split varchar, draw integer, is_gold boolean,
                gold_answers varchar, asked_questions varchar[], shown varchar
            );
        """)
        connection.executemany(
            "insert into vocabulary.review_queues values (?, ?, ?, ?, ?)", _QUEUES
        )
        connection.execute(
            "create table review.review__progress as"
            " select benchmark, queue, 'all' as reader, votes_per_record"
            " from vocabulary.review_queues"
        )
        for queue, questions in _QUESTIONS.items():
            for position, (name, (text, answers)) in enumerate(questions.items(), start=1):
                for answer, key, label, is_note_wanted in answers:
                    connection.execute(
                        "insert into vocabulary.review_questions"
                        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        [*queue, name, position, text, answer, key, label, key == "a",
                         is_note_wanted],
                    )  # fmt: skip
        for queue in (VALIDATION, VERIFICATION):
            for place in range(n_records):
                shown = shown_record(queue, place, str(photograph) if pictures else None)
                connection.execute(
                    "insert into review.review__records"
                    " values (?, ?, ?, ?, ?, 'test', ?, ?, ?, null, ?)",
                    [*queue, f"{queue[1]}-{place}", md5_of(shown), f"image-{place}", place,
                     place in gold, '{"verdict": "keep"}' if place in gold else None, shown],
                )  # fmt: skip
    return path


def md5_of(shown: str) -> str:
    return md5(shown.encode()).hexdigest()


def shown_record(queue: tuple[str, str], place: int, picture: str | None) -> str:
    """What is displayed of a record: texts of several scripts, marked, and one that is hostile."""
    caption = "A black cat sits on the sofa."
    changed = "A white cat sits on the sofa."
    texts = [
        {"label": "Caption", "text": caption, "marks": [[2, 7]], "language": "en",
         "direction": "ltr"},
        {"label": "Changed caption", "text": changed, "marks": [[2, 7]], "language": "en",
         "direction": "ltr"},
    ]  # fmt: skip
    if place % 4 == 1:
        texts.append({"label": "Arabic", "text": ARABIC, "marks": [[6, 13]], "language": "ar",
                      "direction": "rtl"})  # fmt: skip
    if place % 4 == 2:
        texts.append({"label": "Japanese", "text": JAPANESE, "marks": [[0, 2]], "language": "ja",
                      "direction": "ltr"})  # fmt: skip
    if place % 4 == 3:
        texts.append({"label": HOSTILE, "text": HOSTILE, "marks": [], "language": None,
                      "direction": None})  # fmt: skip
    choices = [
        {"letter": letter, "text": text}
        for letter, text in zip("ABCD", ["black", "white", "grey", "none of these"], strict=True)
    ]
    pictures = [{"role": "The picture", "file": picture}] if picture else []
    if picture and queue == VERIFICATION:
        pictures.append({"role": "Without the object", "file": None})
    return json.dumps(
        {"pictures": pictures, "texts": texts, "choices": choices if queue == VALIDATION else []}
    )
