"""Every drop reason and every edge case of the specification occurs in a default corpus."""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gainsay.synth.corpus import write_corpus
from gainsay.synth.plan import order_of
from tests.benchmarks import single_pass
from tests.python.conftest import Warehouse

SCREENED = "conflict_suite.conflict_suite__screened"
BASES = "conflict_suite.conflict_suite__bases"
CAPTIONS = "images.images__captions"
DONORS = "conflict_suite.conflict_suite__donors"
EDITS = "conflict_suite.conflict_suite__text_edits"
JOINED = f"{BASES} join {DONORS} using (base_id) join {EDITS} using (base_id)"


def screened(question: str, answer: str, ending: str) -> str:
    """A candidate with such a question and answer (regular expressions) that ended so."""
    found = f"regexp_full_match(question, '{question}', 's')"
    answered = f"regexp_full_match(multiple_choice_answer, '{answer}', 's')"
    return f"select 1 from {SCREENED} where {found} and {answered} and {ending}"


def dropped(reason: str) -> str:
    """The condition for a candidate with this drop reason."""
    return f"drop_reason = '{reason}'"


def retained(gold: str) -> str:
    """The condition for a retained candidate with this gold answer."""
    return f"is_retained and gold_answer = '{gold}'"


FAMILY, NORMALIZATION = dropped("family_filtered"), dropped("answer_normalization_failed")
CONSISTENCY, CAPTION = dropped("consistency_filter_failed"), dropped("missing_caption")

EDGE_CASES = {
    # A1: families
    "is inside a word": screened("Isn.t .*", ".*", FAMILY),
    "is begins a word": screened("ISLAND .*", ".*", FAMILY),
    "are begins a word": screened("Area .*", ".*", FAMILY),
    "is alone": screened("Is", "yes", f"family = 'existence' and {CONSISTENCY}"),
    "is in capitals after a space": screened(" IS THERE .*", "yes", retained("yes")),
    "tabs and double spaces": screened("\\tAre  the\\t.*", "yes", retained("yes")),
    "a line break in the opening": screened("What\\ncolor .*", "brown", retained("brown")),
    "double space in how many": screened("how   many .*", "2", retained("2")),
    "how many in capitals": screened("HOW MANY .*", ".*", "family = 'count'"),
    "how many alone": screened("How many", "2", FAMILY),
    "how many joined to the next word": screened("How manyballs.", "2", FAMILY),
    "how much": screened("How much .*", "2", FAMILY),
    "what color alone": screened("What color", "brown", FAMILY),
    "what colour": screened("What colour .*", "brown", FAMILY),
    "what colors": screened("What colors .*", "brown", FAMILY),
    "empty question": screened("", "yes", FAMILY),
    "question of punctuation": screened("[?]", "no", FAMILY),
    # A1: answers
    "y": screened("Is .*", "y", retained("yes")),
    "true in capitals": screened("Are .*", "TRUE", retained("yes")),
    "yes with a space": screened("Is .*", "Yes ", retained("yes")),
    "n": screened("Is .*", "n", retained("no")),
    "false in capitals": screened("Is .*", "FALSE", retained("no")),
    "no after a space": screened("Is .*", " No", retained("no")),
    "yes with a full stop": screened("Is .*", "yes[.]", NORMALIZATION),
    "nope": screened("Is .*", "nope", NORMALIZATION),
    "one of two alternatives": screened("Is .* or .*", "[a-z]+", NORMALIZATION),
    "empty answer": screened(".*", "", NORMALIZATION),
    "leading zeros": screened("How many .*", "007", retained("7")),
    "a number word": screened("How many .*", "two", retained("2")),
    "a capital number word": screened("How many .*", "Twelve", retained("12")),
    "thirteen": screened("How many .*", "thirteen", NORMALIZATION),
    "ten plus": screened("How many .*", "10[+]", NORMALIZATION),
    "a decimal": screened("How many .*", "3[.]5", NORMALIZATION),
    "a digit that is not ASCII": screened("How many .*", "²", NORMALIZATION),
    "none": screened("How many .*", "none", NORMALIZATION),
    "zero": screened("How many .*", "zero", "gold_answer = '0'"),
    "grey": screened("What color .*", "grey", NORMALIZATION),
    "gray after a space": screened("What color .*", " Gray", retained("gray")),
    "a colour in capitals": screened("What color .*", "RED", retained("red")),
    "two colours": screened("What color .*", "white and black", NORMALIZATION),
    "a colour with an adjective": screened("What color .*", "light blue", NORMALIZATION),
    # A2: captions
    "no caption, existence": screened("Is .*", "yes", CAPTION),
    "no caption, count": screened("How many .*", "2", CAPTION),
    "no caption, colour": screened("What color .*", "brown", CAPTION),
    "no subject tokens, yes": screened("Is it on[?]", "yes", CONSISTENCY),
    "no subject tokens, no": screened("Are there[?]", "no", CONSISTENCY),
    "a colour in longer words only": screened("What color .*", "white", CONSISTENCY),
    "a later caption supports": f"""
        select 1 from {SCREENED} inner join {CAPTIONS} using (caption_id)
        where caption_position > 1
    """,
    "two captions support, the first is taken": f"""
        select 1 from {SCREENED} as screened
        inner join {CAPTIONS} as chosen using (caption_id)
        inner join {CAPTIONS} as other on screened.source_image_id = other.source_image_id
        where screened.gold_answer = 'red' and chosen.caption_position = 1
        and other.caption_position = 2 and contains(lower(other.caption), ' red ')
    """,
    "captions that contradict no": f"""
        select 1 from {SCREENED} where gold_answer = 'no' and {CONSISTENCY}
    """,
    "a number word in a caption": f"select 1 from {BASES} where gold_answer = '12'"
    " and contains(caption, 'twelve')",
    "digits in a caption": f"select 1 from {BASES} where gold_answer = '98'"
    " and contains(caption, '98')",
    "leading zeros in a caption": f"select 1 from {BASES} where caption = '012 tickets on a roll'",
    "a number that no integer type holds": f"""
        select 1 from {BASES} where contains(caption, '12345678901234567890')
    """,
    "a caption that ends with a space": f"select 1 from {BASES} where caption like '% '",
    "a caption without a full stop": f"select 1 from {BASES} where caption not like '%.%'",
    "a caption with a double space": "select 1 from raw.coco_captions where caption like '%  %'",
    "an emoji": f"select 1 from {BASES} where contains(caption, chr(128526))",
    "right-to-left text": f"select 1 from {BASES} where regexp_matches(caption, '\\p{{Hebrew}}')",
    # A3: donors
    "one caption on many images": f"""
        select 1 from {BASES} group by caption having count(distinct source_image_id) > 3
    """,
    "many bases of one image": f"""
        select 1 from {BASES} group by source_image_id having count(*) > 10
    """,
    "no hard donor": f"select 1 from {DONORS} where not hard_swap_flag",
    "Jaccard at the lower end": f"select 1 from {DONORS} where hard_donor_jaccard = 0.2",
    "Jaccard at the upper end": f"select 1 from {DONORS} where hard_donor_jaccard = 0.7",
    "a caption without noun tokens": f"select 1 from {BASES} where len(noun_tokens) = 0",
    "a caption with one noun token": f"select 1 from {BASES} where len(noun_tokens) = 1",
    # A3: text edits
    "not is removed": f"select 1 from {EDITS} where edit_kind = 'remove_not'",
    "not at the start": f"select 1 from {JOINED} where caption = 'Not.'",
    "not and verbs inside words only": f"""
        select 1 from {JOINED} where caption like '%cannot%island%notable knot%'
        and edit_kind = 'prepend_not'
    """,
    "NOT in capitals": "select 1 from raw.coco_captions where caption like '% NOT %'",
    "a verb in capitals": f"select 1 from {EDITS} where edited_from = 'WERE'",
    **{
        f"not after {verb}": f"select 1 from {EDITS} where lower(edited_from) = '{verb}'"
        " and edit_kind = 'insert_not'"
        for verb in ("is", "are", "was", "were", "has", "have", "do", "does", "did", "can")
    },
    **{
        f"the number {number}": f"select 1 from {EDITS} where edited_from = '{number}'"
        for number in ("0", "98", "99", "100", "zero", "Two", "TWELVE", "eleven")
    },
    "a capital colour": f"select 1 from {EDITS} where edited_from = 'Pink'",
    "a colour in capitals is edited": f"select 1 from {EDITS} where edited_from = 'GREEN'",
    "the colour edited is not the gold answer": f"""
        select 1 from {JOINED}
        where family = 'attribute_color' and lower(edited_from) <> gold_answer
    """,
}


@pytest.mark.parametrize("edge_case", EDGE_CASES)
def test_edge_case_occurs(synthetic: Warehouse, edge_case: str) -> None:
    assert synthetic.rows(EDGE_CASES[edge_case])


def test_every_drop_reason_occurs_in_every_family(synthetic: Warehouse) -> None:
    reasons = set(synthetic.rows(f"select distinct family, drop_reason from {SCREENED}"))

    families = ("existence", "count", "attribute_color")
    of_families = ("answer_normalization_failed", "missing_caption", "consistency_filter_failed")
    assert reasons == {
        (None, "missing_annotation"),
        (None, "family_filtered"),
        *((family, reason) for family in families for reason in (*of_families, None)),
    }


def test_every_way_to_reject_a_record_occurs(synthetic: Warehouse) -> None:
    rejected = synthetic.rows("""
        select distinct record_kind, reason, regexp_replace(what_failed, '[0-9]+', 'N', 'g')
        from audit.audit__rejected_inputs
    """)

    assert {reason for _, reason, _ in rejected} == {
        "layout_violation",
        "duplicate_question_id",
        "duplicate_annotation",
        "annotation_without_question",
        "caption_of_unknown_image",
    }
    violations = {str(what) for _, reason, what in rejected if reason == "layout_violation"}
    # null, an absent field, no object, below the top, a text for a number that it can't mean
    for pattern in (
        r"caption is null, expected str",
        r"question is nothing, expected required field",
        r"is array of length N, expected object",
        r"answers\[N\]\.answer_id is \"one\", expected int",
        r"category_id is \"dog\", expected int",
    ):
        assert any(re.search(pattern, violation) for violation in violations), pattern


SPLITS = ("train", "val")
N_QUESTIONS = 20_000
# the published screening of VQA v2.0: candidates, drops by stage, retained by family
PUBLISHED = {
    "family": 308_623 / 658_111,
    "normalization": 22_060 / 658_111,
    "consistency": 142_838 / 658_111,
    "retained existence": 150_582 / 658_111,
    "retained count": 15_207 / 658_111,
    "retained attribute_color": 18_801 / 658_111,
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So many questions that the hand-written images do not weigh."""
    folder = tmp_path_factory.mktemp("large") / "corpus"
    write_corpus(folder, order_of(None, N_QUESTIONS, 7, has_pictures=False, has_flaws=False))
    return folder


@pytest.mark.slow
def test_shares_of_the_screening_are_near_the_published_ones(large: Path) -> None:
    ends: Counter[str] = Counter()
    for split in SPLITS:
        questions = _records(large / f"v2_OpenEnded_mscoco_{split}2014_questions.json", "questions")
        annotations = _records(large / f"v2_mscoco_{split}2014_annotations.json", "annotations")
        captions: dict[int, list[str]] = defaultdict(list)
        for record in _records(large / f"captions_{split}2014.json", "annotations"):
            captions[record["image_id"]].append(record["caption"])
        for asked, annotation in zip(questions, annotations, strict=True):
            answer = annotation["multiple_choice_answer"]
            ends[_end_of(asked["question"], answer, captions[asked["image_id"]])] += 1

    assert ends.total() == N_QUESTIONS
    for end, share in PUBLISHED.items():
        assert ends[end] / N_QUESTIONS == pytest.approx(share, abs=0.02), end
    for family in ("existence", "count", "attribute_color"):
        share = ends[f"retained {family}"] / N_QUESTIONS
        assert share == pytest.approx(PUBLISHED[f"retained {family}"], rel=0.2), family


def _end_of(question: str, answer: str, captions: list[str]) -> str:
    """Where a candidate ends, as the specification says."""
    question = single_pass.normalized(question)
    family = single_pass.family_of(question)
    if family is None:
        return "family"
    gold = single_pass.gold_answer_of(family, single_pass.normalized(answer))
    if gold is None:
        return "normalization"
    if not captions:
        return "caption"
    if any(single_pass.supports(family, gold, question, caption) for caption in captions):
        return f"retained {family}"
    return "consistency"


def _records(path: Path, array: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(path.read_bytes())[array]
    return records


STOP_WORDS = re.compile("a|an|the|is|are|on|in|at|of|to|for|there|this|that|these|those")


def test_captions_overlap_as_real_ones_do(large: Path) -> None:
    captions = [
        record["caption"]
        for split in SPLITS
        for record in _records(large / f"captions_{split}2014.json", "annotations")
    ]
    nouns = [
        {
            word
            for word in single_pass.tokens(caption)
            if len(word) > 2 and not STOP_WORDS.fullmatch(word)
        }
        for caption in captions
    ]
    pairs = np.random.default_rng(0).integers(len(nouns), size=(40_000, 2)).tolist()
    overlaps: Counter[str] = Counter()
    for first, second in pairs:
        shared, union = len(nouns[first] & nouns[second]), len(nouns[first] | nouns[second])
        if shared == 0 < union:
            overlaps["none"] += 1
        elif union and 0.2 <= shared / union <= 0.7:
            overlaps["hard"] += 1

    # COCO's captions: 80 % of pairs share nothing, 0.64 % are fit for hard donors, a caption has
    # 6.6 noun tokens (measured on 20,000 of them)
    assert overlaps["none"] / len(pairs) == pytest.approx(0.80, abs=0.08)
    assert 0.004 < overlaps["hard"] / len(pairs) < 0.013
    assert np.mean([len(tokens) for tokens in nouns]) == pytest.approx(6.6, abs=0.7)
