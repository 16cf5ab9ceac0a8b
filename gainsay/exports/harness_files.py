"""The files beside exported records by which other tools ask and score them as the board does."""

from pathlib import Path

import msgspec

from gainsay.exports.harness.gainsay_scoring import METRICS
from gainsay.exports.records import Record, Records
from gainsay.foundation.queries import sql_beside

SCORING = "gainsay_scoring.py"
RULES = "gainsay_rules.json"
_HARNESS = Path(__file__).parent / "harness"
# the first matcher of a benchmark's board; any other benchmark is scored to the letter
_MATCHERS = {
    "conflict_suite": "extracted",
    "conflict_suite_refined": "extracted",
    "occlusions": "extracted",
    "certainly_uncertain": "lave_idk",
    "clash": "relaxed",
}


def harness_file(name: str) -> bytes:
    """A file that is the same beside the records of every benchmark."""
    return (_HARNESS / name).read_bytes()


def scoring_files(records: Records, benchmark: str) -> dict[str, bytes]:
    """How answers are scored, and the words that the rules of the benchmark's matcher go by."""
    rows = list(records.rows(sql_beside(__file__, "scoring_rules")))
    if benchmark == "clash":
        rows += records.rows(sql_beside(__file__, "scoring_numbers"))
    rules = scoring_rules(rows, benchmark, _parts(records))
    return {SCORING: harness_file(SCORING), RULES: rules}


def metrics_of(records: Records, benchmark: str) -> list[str]:
    """The metrics that the files give, of all records and, where there are several, of a split."""
    named = METRICS[_MATCHERS.get(benchmark, "plain")]
    return [*named, *(f"{metric}_{split}" for split in _parts(records) for metric in named)]


def _parts(records: Records) -> list[str]:
    splits = records.splits()
    return splits if len(splits) > 1 else []


def scoring_rules(rows: list[Record], benchmark: str, splits: list[str]) -> bytes:
    """The rows of `scoring_rules.sql` as `gainsay_scoring.py` reads them: lists by their names.

    `splits` are those that have scores of their own.
    """
    forms: dict[str, dict[str, str]] = {}
    words: dict[str, dict[str, tuple[str | None, str]]] = {}
    negations: dict[str, list[str]] = {}
    lists: dict[str, list[Record]] = {}
    for row in rows:
        answer_type, phrase, meaning = row["answer_type"], row["phrase"], row["meaning"]
        lists.setdefault(row["list_name"], []).append(row)
        if row["list_name"] == "negations":
            negations.setdefault(answer_type, []).append(phrase)
        if row["list_name"] == "words":
            words.setdefault(answer_type, {})[phrase] = (meaning, row["place"])
        # a word that stands for an answer within a text stands for it as the whole text, too
        if row["list_name"] in ("forms", "words") and meaning:
            forms.setdefault(answer_type, {})[phrase] = meaning
    rules = {
        "matcher": _MATCHERS.get(benchmark, "plain"),
        "splits": splits,
        "forms": forms,
        "words": words,
        "negations": negations,
        "markers": [row["phrase"] for row in lists["markers"]],
        "token_rules": {row["phrase"]: row["meaning"] for row in lists.get("token_rules", [])},
        "articles": [row["phrase"] for row in lists["articles"]],
        "abstentions": [(row["phrase"], row["place"]) for row in lists["abstention_phrases"]],
        "idk_phrases": [(row["phrase"], row["meaning"], row["place"]) for row in lists["phrase"]],
        "idk_fillers": [(row["phrase"], row["place"]) for row in lists["filler"]],
        "idk_exceptions": [row["phrase"] for row in lists["exception"]],
    }
    return msgspec.json.format(msgspec.json.encode(rules), indent=1) + b"\n"
