"""People of the synthetic corpus doubt what pictures leave open, and agree on what they tell."""

from collections import Counter

from gainsay.synth.answers import agreeing_answers, doubting_answers
from gainsay.synth.dice import Dice
from gainsay.synth.questions import Asked, ask
from gainsay.synth.scenes import sample_scene

DOUBTS = {"unknown", "can't tell", "not sure", "i don't know", "unreadable", "no idea"}
GUESSES = ("bus", "dog", "hat", "sign", "cake", "kite")


def test_who_sees_it_agrees_and_is_sure() -> None:
    for number in range(200):
        answers = agreeing_answers(Dice(1, "told", number), "stop here")
        assert len(answers) == 10
        assert Counter(answer.answer for answer in answers)["stop here"] >= 9
        assert sum(answer.answer_confidence == "yes" for answer in answers) >= 8


def test_who_cannot_see_it_doubts_or_guesses() -> None:
    for number in range(200):
        answers = doubting_answers(Dice(1, "doubt", number), GUESSES)
        said = Counter(answer.answer for answer in answers)
        assert sum(said.values()) == 10
        assert sum(said[doubt] for doubt in DOUBTS) >= 2
        assert max(said[guess] for guess in GUESSES) <= 2
        assert sum(answer.answer_confidence == "yes" for answer in answers) <= 2


def _asked(seed: int) -> list[tuple[bool, Asked]]:
    asked = []
    for number in range(400):
        scene = sample_scene(seed, number)
        dice = Dice(seed, "question", number)
        asked += [(scene.sign is not None, ask(dice, scene)) for _ in range(10)]
    return asked


def test_only_a_picture_with_a_sign_tells_what_it_says() -> None:
    found = [
        (has_sign, one)
        for has_sign, one in _asked(7)
        if one.question.startswith("What does the") and one.question.endswith("say?")
    ]
    assert {one.is_told for has_sign, one in found if has_sign} == {True}
    assert {one.is_told for has_sign, one in found if not has_sign} == {False}


def test_other_questions_say_nothing_about_it() -> None:
    others = {one.is_told for _, one in _asked(7) if "say?" not in one.question}
    assert others == {None}
