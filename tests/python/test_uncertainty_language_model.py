"""CertainlyUncertain: pairs that a language model writes, from its prompts to their end."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from gainsay.foundation.queries import sql_beside
from gainsay.lm import tasks
from tests.python.chat_server import serve
from tests.python.conftest import Warehouse

Json = dict[str, Any]

MODEL = "some-model"
# the open question of a category, and one of which the captions have the answer
QUESTIONS = {
    "ambiguity": ("What is the one over there like?", "What is the one in the middle like?"),
    "complexity": ("How many grains of dust are in it?", "How many words are in it?"),
    "knowledge": ("What did it cost its owner?", "What is it like for its owner?"),
    "temporal": ("What will it be tomorrow?", "What will it be right now?"),
}
NO_PAIR = {
    "is_good_question": False,
    "object": "",
    "answerable_question": "",
    "answerable_answer": "",
    "unanswerable_question": "",
}
VERDICTS = ("is_answerable", "is_answer_right", "is_open", "is_category_right")
# what the model does to the pair about knowledge of an image, and the reason that drops the pair
FATES = {
    "a good pair": None,
    "other words, confirmed": None,
    "other words, not confirmed": "answerable_not_in_captions",
    "no good question": "not_a_good_question",
    "one question twice": "sides_equal",
    "the brand": "forbidden_topic",
    "what a caption answers": "unanswerable_has_answer",
    "two unlike questions": "too_different",
    "no answer": "response_missing",
    "a refusal": "response_refused",
    "babble": "response_invalid",
} | dict.fromkeys(VERDICTS, "check_failed")


@dataclass
class Script:
    """What the model says of each image.

    A request names no image, so its captions stand for it; `images` have captions of their own.
    `asked` are the task and the captions of each request.
    """

    captions: list[str]
    images: dict[str, str]
    fates: dict[str, str]
    answered_question: str
    asked: list[tuple[str, str]] = field(default_factory=list)

    def message(self, text: str) -> tuple[int, Json]:
        """Status and message for a request, refusals and nonsense included."""
        captions = next(lines for lines in self.captions if f"picture:\n{lines}\n" in text)
        fate = self.fates.get(self.images.get(captions, ""), "no good question")
        if "Open question: " in text:
            self.asked.append(("check", captions))
            wrong = "is_answer_right" if fate == "other words, not confirmed" else fate
            # pairs by rule are right
            is_own = f"Open question: {QUESTIONS['knowledge'][0]}\n" in text
            verdicts = {name: name != wrong or not is_own for name in VERDICTS}
            return 200, {"content": json.dumps(verdicts)}
        [subject] = re.findall(r"Write a pair about (\w+)\.", text)
        category = "temporal" if subject == "time" else subject
        self.asked.append((category, captions))
        pair = self._pair(category, captions)
        if category != "knowledge":
            return 200, {"content": json.dumps(pair if fate == "a good pair" else NO_PAIR)}
        match fate:
            case "no answer":
                return 400, {"content": None}
            case "a refusal":
                return 200, {"content": None, "refusal": "I cannot"}
            case "babble":
                return 200, {"content": "A pair? Gladly."}
            case "no good question":
                pair = NO_PAIR
            case "one question twice":
                pair["answerable_question"] = pair["unanswerable_question"].upper()
            case "the brand":
                pair["unanswerable_question"] = "What brand did it cost its owner?"
            case "what a caption answers":
                pair["unanswerable_question"] = self.answered_question
            case "two unlike questions":
                pair["answerable_question"] = "Where?"
            case "other words, confirmed" | "other words, not confirmed":
                pair["answerable_answer"] = "zeppelin"
        return 200, {"content": json.dumps(pair)}

    def _pair(self, category: str, captions: str) -> Json:
        open_question, answered_question = QUESTIONS[category]
        return {
            "is_good_question": True,
            "object": "it",
            "answerable_question": answered_question,
            "answerable_answer": captions.rsplit(maxsplit=1)[-1].strip("."),
            "unanswerable_question": open_question,
        }


@pytest.fixture(scope="module")
def asked(tiny: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Script]:
    """The tiny corpus, of which a model wrote pairs and checked them."""
    warehouse = tiny.copied_to(tmp_path_factory.mktemp("asked"))
    captions = [
        (str(image), str(lines))
        for image, lines in warehouse.rows("""
            select source_image_id, captions
            from certainly_uncertain.certainly_uncertain__image_captions
            order by source_image_id
        """)
    ]
    n_images = Counter(lines for _, lines in captions)
    images = {lines: image for image, lines in captions if n_images[lines] == 1}
    [(answered_image, answered_question)] = warehouse.rows("""
        select source_image_id, answerable_question
        from certainly_uncertain.certainly_uncertain__screened
        where is_retained and category = 'knowledge' and source_image_id = open_image_id
        order by pair_id
        limit 1
    """)
    others = [image for image in images.values() if image != answered_image]
    fates = [fate for fate in FATES if fate != "what a caption answers"]
    script = Script(
        [lines for _, lines in captions],
        images,
        dict(zip(others, fates, strict=False)) | {str(answered_image): "what a caption answers"},
        str(answered_question),
    )
    with serve() as chat:
        chat.message = script.message
        for category in QUESTIONS:
            shown = ask(warehouse, f"uncertainty_{category}", chat.url)
            # who gets no answer is still open
            n_failed = 1 if category == "knowledge" else 0
            assert f", {n_failed} failed and still open\n" in shown
        screen(warehouse)
        assert ", 0 failed and still open\n" in ask(warehouse, "uncertainty_check", chat.url)
    screen(warehouse)
    return warehouse, script


def ask(warehouse: Warehouse, task: str, url: str) -> str:
    """Run a task as a user does; what it shows."""
    process = warehouse.gainsay(
        "llm", "run", "--task", task, "--model", MODEL, "--base-url", url, check=False
    )
    return process.stdout + process.stderr


def screen(warehouse: Warehouse) -> None:
    """Build what answers change, up to the pairs that are to be checked."""
    warehouse.build("--select", "llm__outcomes+,+certainly_uncertain__screened")


def test_every_image_is_asked_about_every_category(asked: tuple[Warehouse, Script]) -> None:
    _, script = asked
    pairs = [request for request in script.asked if request[0] != "check"]

    assert sorted(pairs) == sorted(
        (category, captions) for category in QUESTIONS for captions in script.captions
    )
    assert set(script.fates.values()) == set(FATES)


def test_a_pair_falls_by_what_the_model_says(asked: tuple[Warehouse, Script]) -> None:
    warehouse, script = asked
    found = {
        str(image): reason
        for image, reason in warehouse.rows(f"""
            select source_image_id, drop_reason
            from certainly_uncertain.certainly_uncertain__screened
            where category = 'knowledge' and generator = '{MODEL}'
        """)
    }

    assert {script.fates[image]: found[image] for image in script.fates} == FATES
    assert {found[image] for image in found.keys() - script.fates} <= {"not_a_good_question"}


def test_a_drop_says_what_was_found(asked: tuple[Warehouse, Script]) -> None:
    warehouse, script = asked
    words = re.findall("[a-z0-9]+", script.answered_question.lower())

    assert {
        script.fates[str(image)]: detail
        for image, detail in warehouse.rows(f"""
            select source_image_id, drop_detail
            from certainly_uncertain.certainly_uncertain__screened
            where drop_detail is not null and generator = '{MODEL}'
        """)
    } == {verdict: verdict for verdict in VERDICTS} | {
        "the brand": "brand",
        "what a caption answers": " ".join(words),
    }


def test_only_pairs_that_may_stand_are_checked(asked: tuple[Warehouse, Script]) -> None:
    """What other gates drop is not worth a verdict, but answers in other words are."""
    warehouse, script = asked
    checked = [script.images.get(captions) for task, captions in script.asked if task == "check"]
    [(n_checked, n_by_model)] = warehouse.rows(f"""
        select count(*), count(*) filter (pairs.generator = '{MODEL}')
        from ({sql_beside(tasks.__file__, "pairs_to_check")}) as asked
        inner join certainly_uncertain.certainly_uncertain__screened as pairs using (pair_id)
    """)
    good = {"a good pair", "other words, confirmed", "other words, not confirmed", *VERDICTS}

    # the pairs by rule are asked about, too
    assert len(checked) == n_checked > n_by_model  # type: ignore[operator]
    assert {image for image, fate in script.fates.items() if fate in good} <= {*checked}
    # a good pair of each of the other categories, too
    assert n_by_model == len(good) + len(QUESTIONS) - 1


def test_a_good_pair_of_every_category_is_retained(asked: tuple[Warehouse, Script]) -> None:
    warehouse, script = asked
    retained = warehouse.rows(f"""
        select
            category, source_image_id, answerable_question, unanswerable_question,
            prompt_sha256 is not null, unanswerable_answer is not null
        from certainly_uncertain.certainly_uncertain__screened
        where is_retained and generator = '{MODEL}' and answerable_answer <> 'zeppelin'
        order by category
    """)
    [image] = [image for image, fate in script.fates.items() if fate == "a good pair"]

    assert retained == [
        (category, image, answered, still_open, True, True)
        for category, (still_open, answered) in sorted(QUESTIONS.items())
    ]
