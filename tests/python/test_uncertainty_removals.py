"""CertainlyUncertain: every way of a question about an object, by rules and by a language model."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gainsay.foundation.queries import sql_beside
from gainsay.lm import tasks
from tests.python.chat_server import Chat, serve
from tests.python.conftest import Warehouse
from tests.python.removal_corpus import FIRST_IMAGE, REMOVALS, write_removals

Json = dict[str, Any]

MODEL = "some-model"
# what a language model says of the object of a question, and the reason that drops the pair then
SAYINGS: dict[str, tuple[tuple[int, Json], str | None]] = {
    "What color is the dog?": ((200, {"content": '{"object": "the dog"}'}), None),
    # without an object of COCO nothing can be taken out
    "What color is the bus?": ((200, {"content": '{"object": "lawn"}'}), "no_question_object"),
    "What color is the cow?": ((400, {"content": None}), "response_missing"),
    "What color is the sheep?": (
        (200, {"content": None, "refusal": "I cannot"}),
        "response_refused",
    ),
    "What color is the bird?": ((200, {"content": "A bird."}), "response_invalid"),
}


def written(question: str, answer: str, second_answer: str) -> tuple[int, Json]:
    """A response with a question for a picture with and without an object."""
    fields = {"question": question, "answer": answer, "answer_without_object": second_answer}
    return 200, {"content": json.dumps(fields)}


UNSEEN = "I don't see any puppy."
# what a language model of each name writes, and the reason that drops the pair then
WRITERS: dict[str, tuple[tuple[int, Json], str | None]] = {
    "good": (written("What shape is the puppy?", "square", UNSEEN), None),
    "failing": ((400, {"content": None}), "response_missing"),
    "refusing": ((200, {"content": None, "refusal": "I cannot"}), "response_refused"),
    "babbling": ((200, {"content": "A dog."}), "response_invalid"),
    "without-question": (written("na", "na", "na"), "not_a_good_question"),
    "of-presence": (written("Is the dog square?", "yes", UNSEEN), "question_of_presence"),
    "of-number": (written("How many dogs lie there?", "1", UNSEEN), "question_of_number"),
    "seeing": (written("What shape is the dog?", "square", "Round."), "answered_without_object"),
    "of-surroundings": (written("What is the dog sitting on?", "sand", UNSEEN), "whole_picture"),
    "of-nothing": (written("What shape is it?", "square", UNSEEN), "no_question_object"),
    "unknowing": (written("What breed is the dog?", "not sure", UNSEEN), "answer_is_open"),
    "of-absence": (written("What is the dog wearing?", "nothing", UNSEEN), "still_answerable"),
}
# pairs with this word are wrong, the model says
DENIED = "phone number"
NO_OBJECT: Json = {"content": '{"object": "na"}'}
# only people and language models give these reasons
NOT_BY_RULE = {
    "response_missing", "response_refused", "response_invalid", "not_a_good_question",
    "verification_failed", "undecided", "retained", "sides_equal", "forbidden_topic",
    "answerable_not_in_captions", "guessed_without_looking", "check_failed",
    "answered_without_object", "picture_withdrawn",
}  # fmt: skip
CHANGED_BY_FILES = (
    "path:models/shared/images", "path:models/shared/language",
    "path:models/benchmarks/certainly_uncertain",
)  # fmt: skip
WITH_MODEL = "{certainly_uncertain_object_chooser: llm, certainly_uncertain_needs_check: true}"


@pytest.fixture(scope="module")
def removals(tiny: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The tiny corpus, and beside it a picture for each reason."""
    folder = tmp_path_factory.mktemp("removals")
    warehouse = tiny.copied_to(folder, GAINSAY_RENDERINGS=str(folder / "renderings"))
    write_removals(folder / "files")
    warehouse.gainsay("land", folder / "files")
    warehouse.gainsay("land-images", folder / "files" / "train2014")
    return warehouse.build("--select", *CHANGED_BY_FILES)


@dataclass(frozen=True)
class Chosen:
    """A warehouse with a model's objects and verdicts; pairs retained before it had verdicts.

    `pictures` are the hashes of those that a question was written for.
    """

    warehouse: Warehouse
    n_without_verdicts: int
    pictures: frozenset[str]


@pytest.fixture(scope="module")
def chosen(removals: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Chosen:
    """The same, with objects that a language model chose, and with its verdicts on pairs."""
    renderings = removals.environment["GAINSAY_RENDERINGS"]
    warehouse = removals.copied_to(tmp_path_factory.mktemp("chosen"), GAINSAY_RENDERINGS=renderings)
    with serve() as chat:
        chat.message = say
        assert ", 1 failed and still open\n" in ask(warehouse, "salient_object", chat.url)
        pictures = write(warehouse, chat)
        screen(warehouse)
        [(n_retained,)] = warehouse.rows("""
            select count(*)
            from certainly_uncertain.certainly_uncertain__screened
            where source = 'caption' and is_retained and source_image_id = open_image_id
        """)
        assert ", 0 failed and still open\n" in ask(warehouse, "uncertainty_check", chat.url)
    screen(warehouse)
    return Chosen(warehouse, int(str(n_retained)), pictures)


def write(warehouse: Warehouse, chat: Chat) -> frozenset[str]:
    """Let every writer ask of the picture of the dog; the hashes of the pictures that it sees."""
    for writer, (response, _) in WRITERS.items():
        chat.message = partial(answer_about_dog, response)
        ask(warehouse, "extraneous_question", chat.url, writer)
    chat.message = say
    return frozenset(chat.images)


def say(text: str) -> tuple[int, Json]:
    """Name the object of a question; deny a pair of some words."""
    if "Open question: " in text:
        is_right = DENIED not in text
        names = ("is_answerable", "is_answer_right", "is_open", "is_category_right")
        return 200, {"content": json.dumps(dict.fromkeys(names, is_right))}
    [question] = re.findall(r"Question: (.*)\nAnswer: .*\n\nName the object", text)
    saying, _ = SAYINGS.get(question, ((200, NO_OBJECT), None))
    return saying


def answer_about_dog(response: tuple[int, Json], text: str) -> tuple[int, Json]:
    """The response, if it is the dog that was taken out."""
    assert text.startswith("Taken out: dog\n")
    return response


def ask(warehouse: Warehouse, task: str, url: str, model: str = MODEL) -> str:
    """Run a task as a user does; what it shows."""
    process = warehouse.gainsay(
        "llm", "run", "--task", task, "--model", model, "--base-url", url, check=False
    )
    return process.stdout + process.stderr


def screen(warehouse: Warehouse) -> None:
    """Build what answers change."""
    selected = "llm__outcomes+,+certainly_uncertain__screened"
    warehouse.build("--vars", WITH_MODEL, "--select", selected)


def reasons(warehouse: Warehouse) -> dict[object, object]:
    """How the question of each picture ended."""
    rows = warehouse.rows(f"""
        select question, drop_reason
        from certainly_uncertain.certainly_uncertain__screened
        where screening = 'pairs_from_images' and image_id >= {FIRST_IMAGE}
    """)
    return dict(rows)  # type: ignore[arg-type]


def test_each_picture_ends_as_it_was_made_to(removals: Warehouse) -> None:
    assert reasons(removals) == {removal.question: removal.reason for removal in REMOVALS}


def test_every_rule_about_pictures_drops_something(removals: Warehouse) -> None:
    rows = removals.rows("""
        select reason from vocabulary.certainly_uncertain__gates
        where screening = 'pairs_from_images'
    """)

    assert {reason for (reason,) in rows} - NOT_BY_RULE <= {one.reason for one in REMOVALS}


def test_every_rule_about_captions_drops_something(synthetic: Warehouse) -> None:
    rows = synthetic.rows("""
        select gates.reason, count(screened.candidate_id)
        from vocabulary.certainly_uncertain__gates as gates
        left join certainly_uncertain.certainly_uncertain__screened as screened
            on gates.screening = screened.screening and gates.reason = screened.drop_reason
        where gates.screening = 'pairs_from_captions'
        group by gates.reason
    """)

    assert {reason for reason, n_dropped in rows if not n_dropped} <= NOT_BY_RULE
    assert {reason for reason, n_dropped in rows if n_dropped}.isdisjoint(NOT_BY_RULE)


def test_the_object_goes_and_a_picture_that_cannot_be_changed_says_why(
    removals: Warehouse,
) -> None:
    rows = removals.rows(f"""
        select examples.is_answerable, examples.question, renderings.error
        from certainly_uncertain.certainly_uncertain__examples as examples
        left join images.images__recipes as recipes using (recipe_id)
        left join images.images__renderings as renderings using (render_key)
        where examples.image_id >= {FIRST_IMAGE} and examples.source = 'image'
        order by examples.is_answerable
    """)
    details = removals.rows(f"""
        select drop_detail
        from certainly_uncertain.certainly_uncertain__screened
        where image_id >= {FIRST_IMAGE} and drop_reason = 'render_failed'
    """)

    assert rows == [(False, "What color is the dog?", None), (True, "What color is the dog?", None)]
    assert [bool(detail) for (detail,) in details] == [True]


def test_a_language_model_chooses_the_object(chosen: Chosen) -> None:
    found = reasons(chosen.warehouse)

    assert {question: found[question] for question in SAYINGS} == {
        question: reason for question, (_, reason) in SAYINGS.items()
    }
    assert found["What color is the couch?"] == "not_a_good_question"
    [(object_words, generator)] = chosen.warehouse.rows(f"""
        select object_words, generator
        from certainly_uncertain.certainly_uncertain__screened
        where
            is_retained and screening = 'pairs_from_images' and image_id >= {FIRST_IMAGE}
            and generator = '{MODEL}'
    """)
    assert (object_words, generator) == ("dog", MODEL)


def test_a_language_model_writes_the_question_of_two_pictures(chosen: Chosen) -> None:
    rows = chosen.warehouse.rows(f"""
        select generator, drop_reason
        from certainly_uncertain.certainly_uncertain__screened
        where screening = 'pairs_from_images' and generator not in ('rules', '{MODEL}')
    """)

    assert sorted(rows, key=str) == sorted(
        ((writer, reason) for writer, (_, reason) in WRITERS.items()), key=str
    )


def test_a_written_question_is_asked_of_the_pictures_that_the_model_saw(chosen: Chosen) -> None:
    [pair] = chosen.warehouse.rows("""
        select question, gold_answer, answer, recipe_family
        from certainly_uncertain.certainly_uncertain__screened
        where generator = 'good' and is_retained
    """)
    [(photograph, picture)] = chosen.warehouse.rows(f"""
        select pairs.photograph, pairs.picture
        from certainly_uncertain.certainly_uncertain__screened as screened
        inner join ({sql_beside(tasks.__file__, "picture_pairs")}) as pairs
            on screened.source_image_id || '::dog' = pairs.input_id
        where screened.generator = 'good'
    """)
    renderings = Path(chosen.warehouse.environment["GAINSAY_RENDERINGS"])
    files = (Path(str(photograph)), renderings / str(picture))

    assert pair == ("What shape is the puppy?", "square", UNSEEN, "inpaint_remove")
    assert chosen.pictures == {hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_a_pair_that_needs_a_verdict_waits_for_it(removals: Warehouse, chosen: Chosen) -> None:
    def questions(state: str, warehouse: Warehouse) -> dict[str, str]:
        rows = warehouse.rows(f"""
            select pair_id, answerable_question || unanswerable_question
            from certainly_uncertain.certainly_uncertain__screened
            where source = 'caption' and {state}
        """)
        return {str(pair): str(both) for pair, both in rows}

    retained = questions("is_retained", chosen.warehouse)
    denied = questions("drop_reason = 'check_failed'", chosen.warehouse)
    without_check = questions("is_retained", removals)

    assert chosen.n_without_verdicts == 0
    assert not any(DENIED in both for both in retained.values())
    assert denied
    assert all(DENIED in both for both in denied.values())
    # a denied pair makes room for another one about its picture
    assert {pair for pair, both in without_check.items() if DENIED not in both} <= set(retained)
