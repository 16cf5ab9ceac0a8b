"""The demo in its own folder: the pages that its last lines open, as they say it."""

import json
import re
import runpy
from urllib.request import urlopen

import pytest
from PIL import Image

from gainsay.synth.categories import KINDS
from tests.python.conftest import PROJECT, Warehouse
from tests.python.demos import Demo
from tests.python.review_server import Reader

VALIDATION = ("clash", "validation")

# one after the other: while votes land in the demo's warehouse, nobody else can open it
pytestmark = pytest.mark.xdist_group("demo")


def test_every_candidate_is_shown_as_the_demo_says(demo: Demo) -> None:
    with demo.served(demo.line("browse")) as (address, _), urlopen(f"{address}/") as answer:
        assert re.search(r"<h2 id=\"count\">[\d,]+ candidates", answer.read().decode())


def test_the_picture_of_the_docs_has_the_numbers_of_the_demo(demo: Demo) -> None:
    """Where this fails: `make demo`, and `python docs/picture.py data/demo/report.html`."""
    picture = runpy.run_path(str(PROJECT / "docs" / "picture.py"))
    said = picture["sentences"](demo.folder / "data/demo/report.html")
    assert len(said) == 3
    with Image.open(picture["PICTURE"]) as drawn:
        assert drawn.text[picture["SAYS"]].split("\n") == said  # type: ignore[attr-defined]


def test_people_judge_samples_as_the_demo_says(demo: Demo) -> None:
    """What they say lands when the page ends."""
    with demo.served(demo.line("review")) as (address, process):
        ann = Reader(int(address.rpartition(":")[2]), "ann")
        record = ann.next(VALIDATION)["record"]
        question = record["questions"][0]
        status, _ = ann.send(ann.vote(VALIDATION, record, "yes", question))
        assert status == 200
        process.send_signal(2)
        said, _ = process.communicate()
    assert "1 votes" in said
    assert "next: gainsay build --select stg_gainsay__votes+" in said
    query = "select reader, answer from raw.votes where benchmark = 'clash'"
    assert demo.run(f'gainsay sql --csv "{query}"').split() == ["reader,answer", "ann,yes"]


def test_every_reason_to_drop_that_needs_no_more_than_files_occurs(demo: Demo) -> None:
    reasons = Warehouse(demo.folder, demo.warehouse).rows(
        "select distinct benchmark, reason from audit.audit__drops"
    )
    assert set(reasons) >= {
        ("clash", "no_natural_question"),
        ("clash", "word_out_of_balance"),
        ("conflict_suite", "missing_annotation"),
        ("conflict_suite", "family_filtered"),
        ("conflict_suite", "answer_normalization_failed"),
        ("conflict_suite", "missing_caption"),
        ("conflict_suite", "consistency_filter_failed"),
        ("occlusions", "evidence_not_strict"),
        ("occlusions", "no_question_object"),
        ("occlusions", "object_is_crowd"),
        ("occlusions", "count_not_borne_out"),
        ("occlusions", "answerability_uncontrolled"),
    }


def test_what_the_demo_retains_is_said_of_its_picture(demo: Demo) -> None:
    """Its corpus is a faithful one, with no picture whose texts were written for an edge case."""
    truth = demo.warehouse.parent / "corpus" / "synthetic_truth.jsonl"
    pictures = [json.loads(line) for line in truth.read_text().splitlines()]
    assert len(pictures) == 200
    assert not any(picture["is_specimen"] for picture in pictures)
    shown = {
        picture["image_id"]: {thing["category"] for thing in picture["objects"]}
        for picture in pictures
    }
    rows = Warehouse(demo.folder, demo.warehouse).rows("""
        select image_id, question, gold_answer from conflict_suite.conflict_suite__bases
        where question like 'Is there a%'
    """)
    nouns = {noun: kind.name for kind in KINDS.values() for noun in kind.singulars}
    asked = 0
    for image_id, question, answer in rows:
        noun = re.sub(r"^Is there an? | in (this|the) \w+|\?", "", str(question))
        if noun in nouns:
            assert (nouns[noun] in shown[image_id]) == (answer == "yes"), question
            asked += 1
    assert asked > 50


def test_the_first_sample_to_judge_is_of_what_its_picture_shows(demo: Demo) -> None:
    """The first look at a record is not at a riddle."""
    [(caption, categories)] = Warehouse(demo.folder, demo.warehouse).rows("""
        select samples.original_caption, list(distinct instances.category)
        from review.review__records as records
        inner join clash.clash__screened as samples on records.record_id = samples.sample_id
        inner join images.images__instances as instances
            on samples.source_image_id = instances.source_image_id
        where records.benchmark = 'clash' and records.queue = 'validation' and records.draw = 1
        group by samples.original_caption
    """)
    assert isinstance(categories, list)
    names = {
        name
        for category in categories
        for name in (*KINDS[category].singulars, *KINDS[category].plurals)
    }
    assert names & set(re.findall(r"\w+", str(caption).lower())), (caption, categories)
