"""How an answer is read and scored, as gainsay's own board does it. Needs Python alone.

Answers to CLASH are stemmed, for which NLTK has to be there.

`gainsay_rules.json` beside this file holds the words that the rules go by. A record is a mapping
with the columns of the exported files; `measures` scores one answer, `score` sums a metric up.
"""

import json
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]

# metrics by matcher, in the board's order
METRICS = {
    "extracted": ("group_accuracy", "task_success", "accuracy", "coverage"),
    "lave_idk": ("group_accuracy", "lave_idk", "f1_idk", "rated"),
    "relaxed": ("group_accuracy", "contradiction", "image_only"),
    # no matcher of the board: the right answer to the letter
    "plain": ("accuracy", "abstention"),
}
# metrics that the board shows in per cent
PERCENT = ("contradiction", "image_only")
_SPACES = r"[\t\n\x0b\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
_IDK_WORD = r"[\w']+"


@cache
def rules() -> Any:
    """The matcher and the lists of words, from the file beside this one."""
    return json.loads(Path(__file__).with_name("gainsay_rules.json").read_text("utf-8"))


def metrics() -> list[str]:
    """The metrics of these records, the board's first one first, then those of each split."""
    named = METRICS[rules()["matcher"]]
    return [*named, *(f"{metric}_{split}" for split in rules()["splits"] for metric in named)]


def measures(record: Record, answer: str | None) -> dict[str, list[Any]]:
    """What an answer adds to each metric: numerator and denominator, or of a group three things.

    These are whether the answer is right, the group's id and its size. A metric that the answer
    says nothing of is left out.
    """
    measure = {
        "extracted": _extracted, "lave_idk": _lave_idk, "relaxed": _relaxed, "plain": _plain,
    }[rules()["matcher"]]  # fmt: skip
    measured = measure(record, answer or "")
    if record["split"] in rules()["splits"]:
        measured |= {f"{metric}_{record['split']}": value for metric, value in measured.items()}
    return measured


def score(metric: str, values: Iterable[list[Any]]) -> float:
    """A metric over what answers add to it, to nine places; not a number without any."""
    if metric.startswith("group_accuracy"):
        values = _groups(values)
    sums = [sum(column) for column in zip(*values, strict=True)] or [0, 0]
    whole = 100 if metric.startswith(PERCENT) else 1
    return round(whole * sums[0] / sums[1] + 1e-13, 9) if sums[1] else float("nan")


def scores(answered: Iterable[tuple[Record, str | None]]) -> dict[str, float]:
    """Every metric over pairs of a record and its answer."""
    values: dict[str, list[list[Any]]] = {}
    for record, answer in answered:
        for metric, value in measures(record, answer).items():
            values.setdefault(metric, []).append(value)
    return {name: score(name, values[name]) for name in metrics() if name in values}


def _groups(values: Iterable[list[Any]]) -> list[list[Any]]:
    """Of each group that has an answer whether it has all, and all of them are right."""
    groups: dict[str, list[bool]] = {}
    sizes = {}
    for is_right, group, size in values:
        groups.setdefault(group, []).append(is_right)
        sizes[group] = size
    return [[len(right) == sizes[group] and all(right), 1] for group, right in groups.items()]


def _group(record: Record, is_right: bool) -> dict[str, list[Any]]:
    group = _text(record, "scoring_group_id")
    return {"group_accuracy": [is_right, group, int(record["scoring_group_size"])]} if group else {}


def _text(record: Record, name: str) -> str | None:
    """A field that may be empty; a table read by pandas has no null but a number that is none."""
    value = record.get(name)
    return value if isinstance(value, str) and value else None


# answers in whatever words, to questions for yes or no, a number or a colour


def _extracted(record: Record, said: str) -> dict[str, list[Any]]:
    answer, is_abstained = extract(said, record["answer_type"])
    is_correct = not is_abstained and answer == str(record["gold_answer"])
    measured = {"accuracy": [is_correct, 1], "coverage": [not is_abstained, 1]}
    is_success = is_correct
    if _text(record, "oracle_action"):
        may_abstain = str(record["is_abstention_right"]) in ("True", "true")
        is_success = is_abstained if may_abstain else is_correct
        measured["task_success"] = [is_success, 1]
    return _group(record, is_success) | measured


def extract(said: str, answer_type: str) -> tuple[str | None, bool]:
    """The one answer that a text gives, in the benchmark's words, and whether it abstains."""
    plain = _without_markup(said)
    whole = _Scope(re.sub("<[^>]*>", " ", plain), answer_type)
    marked_text = _behind_marker(plain)
    marked = None if marked_text is None else _Scope(marked_text, answer_type)
    if marked and not marked.bare:
        marked = None
    is_abstention = (
        _has_abstention(said) or whole.is_abstention or bool(marked and marked.is_abstention)
    )
    if marked:
        if marked.whole or marked.first:
            return marked.whole or marked.first, False
    elif whole.whole or whole.first:
        return whole.whole or whole.first, False
    if is_abstention:
        return None, True
    if marked and marked.anywhere:
        return _only(marked.anywhere), False
    return whole.first or _only(whole.anywhere), False


def _only(answers: set[str]) -> str | None:
    """The one answer that is given; several are none."""
    return next(iter(answers)) if len(answers) == 1 else None


def _without_markup(said: str) -> str:
    """In small letters, without markup and thoughts, each line a sentence of its own."""
    text = re.sub(r"[*`#~_$]+", "", said.replace("\u2019", "'").lower())
    text = re.sub(r"[\n\r]+", " . ", text)
    text = re.sub(r"^.*</think>", "", text)
    text = re.sub(r"\\(text|textbf|mathrm|mathbf)\{", " ", text)
    return re.sub(_SPACES, " ", text).strip(" ")


def _behind_marker(text: str) -> str | None:
    """What stands behind the last marker such as "answer:"; "answer isn't" is none."""
    behind = []
    for marker in rules()["markers"]:
        if marker in text:
            rest = text.rpartition(marker)[2]
            if not (marker[-1].isalpha() and re.match(f"{_letter()}|'", rest)):
                behind.append(rest)
    return re.sub(r"[}<].*", "", min(behind, key=len)) if behind else None


class _Scope:
    """What a part of a text answers: as a whole, by its first word, and anywhere in it."""

    def __init__(self, text: str, answer_type: str) -> None:
        sign = rf"(?:(?!{_letter()}|{_number()})[\s\S])"
        self.bare = re.sub(rf"^{sign}+|(?:(?!%){sign})+\Z", "", text)
        self.whole = _form(self.bare, answer_type)
        self.is_abstention = _phrase(self.bare) in _abstentions("whole_answer")
        self.first: str | None = None
        self.anywhere: set[str] = set()
        if self.whole is None and not self.is_abstention:
            self._read(text.replace("-", " ") if answer_type == "color" else text, answer_type)

    def _read(self, text: str, answer_type: str) -> None:
        letter = _letter()
        words = re.findall(
            rf"[0-9]+(?:[.,:/-][0-9]+)*(?:{letter}|%)*|{letter}+(?:['-]{letter}+)*|[.,;:!?]", text
        )
        known, negations = (
            rules()["words"].get(answer_type, {}),
            rules()["negations"].get(answer_type, ()),
        )
        for place, word in enumerate(words):
            pair = " ".join(words[place : place + 2])
            # the longer phrase counts: "no way" is no "no"
            if place and f"{words[place - 1]} {word}" in known:
                continue
            is_pair = place + 1 < len(words) and pair in known
            answer, where = known.get(pair if is_pair else word, (None, None))
            if answer is None and not is_pair and word not in known and answer_type == "integer":
                answer = _digits(word)
            if answer is None:
                continue
            start = place - (place > 0 and words[place - 1] in rules()["articles"])
            before = words[max(start - 2, 0) : start]
            if before and (before[-1] in negations or " ".join(before) in negations):
                continue
            if where != "first":
                self.anywhere.add(answer)
            behind = words[place + 1 + is_pair : place + 2 + is_pair]
            # a number or a colour answers as the first word where it is a sentence of its own
            if place == 0 and (answer_type == "boolean" or behind in ([one] for one in ".!;:")):
                self.first = answer


def _form(text: str, answer_type: str) -> str | None:
    """A whole text in the benchmark's words."""
    form: str | None = rules()["forms"].get(answer_type, {}).get(text)
    if form is None and answer_type == "integer" and re.fullmatch("[0-9]+", text):
        return text.lstrip("0") or "0"
    return form


def _digits(word: str) -> str | None:
    if re.fullmatch("[0-9]+|[0-9]{1,3}(,[0-9]{3})+", word):
        return word.replace(",", "").lstrip("0") or "0"
    return None


def _phrase(text: str) -> str:
    """The words of a text, apostrophes kept, with a space before, between and behind them."""
    return f" {' '.join(re.findall(_IDK_WORD, text.lower().replace(chr(0x2019), chr(39))))} "


@cache
def _abstentions(place: str) -> frozenset[str]:
    return frozenset(_phrase(text) for text, where in rules()["abstentions"] if where == place)


def _has_abstention(said: str) -> bool:
    words = _phrase(said)
    return words in _abstentions("whole_answer") or any(
        phrase in words for phrase in _abstentions("anywhere")
    )


@cache
def _number() -> str:
    """Of digits and all other signs of numbers, such as a half."""
    others = "".join(
        chr(code)
        for code in range(sys.maxunicode)
        if unicodedata.category(chr(code)) in ("Nl", "No")
    )
    return rf"[\d{others}]"


@cache
def _letter() -> str:
    """Of a letter of any script, which a sign of numbers is not."""
    return rf"[^\W_{_number()[1:-1]}]"


# answers to questions of which some cannot be answered


def _lave_idk(record: Record, said: str) -> dict[str, list[Any]]:
    is_open = record["operator"] == "unanswerable"
    is_idk = says_idk(said)
    rated = _lave(record, said)
    credit = float(is_open and is_idk) if is_open or is_idk else rated or 0.0
    return _group(record, credit == 1) | {
        "lave_idk": [credit, 1],
        "f1_idk": [2 * (is_idk and is_open), is_idk + is_open],
        "rated": [is_open or is_idk or rated is not None, 1],
    }


@cache
def ratings(path: str | None) -> dict[str, int]:
    """A judge's ratings by example, of lines {"example_id": ..., "rating": 1 to 3}."""
    if not path:
        return {}
    with Path(path).open(encoding="utf-8") as file:
        rated = [json.loads(line) for line in file if line.strip()]
    return {record["example_id"]: record["rating"] for record in rated}


def _lave(record: Record, said: str) -> float | None:
    """A judge's rating of an answer as 0, 1/2 or 1; null without one."""
    if not said.strip(" "):
        return 0.0
    rating = ratings(os.environ.get("GAINSAY_LAVE_RATINGS")).get(record["example_id"])
    if rating is not None:
        return (rating - 1) / 2
    answer, right = (
        re.sub(r"^(a|an|the) ", "", " ".join(re.findall("[a-z0-9]+", text.lower())))
        for text in (said, record["target"])
    )
    return 1.0 if answer == right else None


def _clauses(said: str) -> list[tuple[int, bool, str]]:
    """The clauses that say something: sentence, whether it asks, and words."""
    fillers = {tuple(filler) for filler in rules()["idk_fillers"]}
    unquoted = re.sub(r'["\u201c\u201d][^"\u201c\u201d]*["\u201c\u201d]', " ", said)
    text = unquoted if re.search(_IDK_WORD, unquoted) else said
    clauses = []
    for number, sentence in enumerate(re.findall(r"[^.!?;\n]+[.!?;\n]*", text)):
        for clause in re.split("[,:()\u2014\u2013]+", sentence):
            words = _phrase(clause)
            if not words.strip() or (words.strip(), "clause") in fillers:
                continue
            first, _, others = words.strip().partition(" ")
            if (first, "start") in fillers:
                words = f" {others} "
            clauses.append((number, "?" in sentence, words))
    return clauses


def _stands(phrase: str, place: str, clauses: list[tuple[int, bool, str]], number: int) -> bool:
    """Whether a phrase stands in one of the clauses where it must."""
    sentence, is_question, words = clauses[number]
    start, _, later = phrase.partition(" * ")
    found = words.find(f" {start} ")
    if found < 0 or (later and f" {later} " not in words[found + len(start) + 1 :]):
        return False
    is_alone, n_words = len(clauses) == 1, len(words.split())
    return {
        "anywhere": True,
        "first_clause": number == 0,
        "clause": words == f" {phrase} ",
        "text": is_alone and words == f" {phrase} ",
        "clause_start": found == 0,
        "sentence_start": found == 0 and (number == 0 or clauses[number - 1][0] != sentence),
        "short_answer": found == 0 and number == 0 and 2 <= n_words <= 3,
        "short_question": found == 0 and is_alone and is_question and n_words <= 3,
        "question_start": found == 0 and is_alone and is_question,
    }[place]


def says_idk(said: str) -> bool:
    """Whether an answer says that one does not know, in one of the forms that count as that."""
    clauses = _clauses(said)
    if not clauses or clauses[0][2].startswith(" yes "):
        return False
    # behind "no" an absence is no news, and neither is one from which something follows
    denies = clauses[0][2] == " no " or any(words.startswith(" so ") for *_, words in clauses)
    lengths: Counter[int] = Counter()
    for sentence, _, words in clauses:
        lengths[sentence] += len(words.split())
    # one or two words are an answer, and what follows them its ground
    answered = min((sentence for sentence, n in lengths.items() if n <= 2), default=len(said))
    for number, (sentence, _, words) in enumerate(clauses):
        if any(f" {exception} " in words for exception in rules()["idk_exceptions"]):
            continue
        for phrase, form, place in rules()["idk_phrases"]:
            if form == "absent" and (denies or sentence > answered):
                continue
            if _stands(phrase, place, clauses, number):
                return True
    return False


# answers beside a caption that contradicts the picture, or not


def _relaxed(record: Record, said: str) -> dict[str, list[Any]]:
    stems = _stems(said)
    is_contradiction = " conflict " in stems or " contradict " in stems
    # a sample counts once: under its original caption and under the one that contradicts
    group = [record["example_id"].rpartition("::")[0], 2]
    if record["operator"] == "conflicting":
        return {
            "group_accuracy": [is_contradiction, *group],
            "contradiction": [is_contradiction, 1],
        }
    answer = _stems(record["target"])
    is_image_only = bool(answer.strip()) and answer in stems
    return {
        "group_accuracy": [is_image_only and not is_contradiction, *group],
        "image_only": [is_image_only, 1],
    }


def _stems(text: str) -> str:
    """The stems of the words but articles, numbers in words, with a space around each."""
    stem = _stemmer()
    numbers, articles = rules()["token_rules"], rules()["articles"]
    words = [word for word in re.findall(r"\w+", text.lower()) if word not in articles]
    return f" {' '.join(stem(numbers.get(word, word)) for word in words)} "


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer().stem


# what the board scores otherwise, to the letter


def _plain(record: Record, said: str) -> dict[str, list[Any]]:
    def words(text: str) -> str:
        return " ".join(text.lower().split()).strip(" .")

    return {
        "accuracy": [words(said) == words(record["target"]), 1],
        "abstention": [words(said) == words(record["abstention"]), 1],
    }
