"""`gainsay synth`: reproducible, in the official layouts, written whole or not at all."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gainsay.cli import main
from gainsay.foundation import atomic
from gainsay.foundation.errors import GainsayError
from gainsay.synth.captions import NUMBER_WORDS
from gainsay.synth.categories import COLOURS, KINDS
from gainsay.synth.corpus import write_corpus
from gainsay.synth.flaws import UNKNOWN_IMAGE
from gainsay.synth.plan import ImagePlan, order_of, plan_images
from gainsay.synth.specimens import SPECIMENS
from tests.python.conftest import PATIENCE, PROJECT
from tests.python.disks import mounted, needs_mount
from tests.python.real_data import needs_real_sample

QUESTIONS = "v2_OpenEnded_mscoco_{}2014_questions.json"
ANNOTATIONS = "v2_mscoco_{}2014_annotations.json"
CAPTIONS = "captions_{}2014.json"
INSTANCES = "instances_{}2014.json"
LAYOUTS = (QUESTIONS, ANNOTATIONS, CAPTIONS, INSTANCES)
SPLITS = ("train", "val")
FILES = {layout.format(split) for layout in LAYOUTS for split in SPLITS}


def write(
    folder: Path,
    images: int,
    seed: int = 7,
    *,
    pictures: bool = False,
    flaws: bool = True,
    faithful: bool = False,
) -> Path:
    """Write a corpus in this process."""
    order = order_of(
        images, None, seed, has_pictures=pictures, has_flaws=flaws, is_faithful=faithful
    )
    write_corpus(folder, order)
    return folder


@pytest.fixture(scope="module")
def faithful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that says only what its pictures show, without flaws."""
    folder = tmp_path_factory.mktemp("faithful") / "corpus"
    return write(folder, 100, pictures=True, flaws=False, faithful=True)


def content(folder: Path, layout: str, split: str) -> dict[str, Any]:
    """One file of a corpus."""
    loaded: dict[str, Any] = json.loads((folder / layout.format(split)).read_bytes())
    return loaded


def digests(folder: Path) -> dict[str, str]:
    """The sha256 of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """160 images without pictures and flaws."""
    return write(tmp_path_factory.mktemp("clean") / "corpus", 160, flaws=False)


@pytest.mark.slow
@pytest.mark.long
def test_other_processes_in_other_numbers_write_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    alone = digests(write(tmp_path / "alone", 252, pictures=True))

    subprocess.run(
        [sys.executable, "-m", "gainsay", "synth", tmp_path / "pool", "--images", "252"],
        cwd=PROJECT,
        env=os.environ | {"PYTHONHASHSEED": "1234", "TZ": "Asia/Kathmandu", "LC_ALL": "C"},
        check=True,
        capture_output=True,
    )

    assert len(alone) == len(FILES) + 1 + 252
    assert digests(tmp_path / "pool") == alone


@pytest.mark.slow
def test_another_seed_writes_other_files(tmp_path: Path) -> None:
    first = digests(write(tmp_path / "first", 20, seed=7, pictures=True))
    second = digests(write(tmp_path / "second", 20, seed=8, pictures=True))

    assert first.keys() == second.keys()
    assert not [name for name in first if first[name] == second[name]]


def test_texts_of_the_default_seed_stay_as_they_are(clean: Path) -> None:
    # a change here changes every corpus: say so in the changelog
    texts = hashlib.sha256()
    for split in SPLITS:
        for layout in (QUESTIONS, ANNOTATIONS, CAPTIONS):
            texts.update((clean / layout.format(split)).read_bytes())

    assert texts.hexdigest() == ("8f69de1c9a1980d0f8dcca1f841f7a3739bdfd040921308a11a0b3460593e262")


@pytest.mark.slow
def test_an_image_is_the_same_in_a_corpus_of_any_size(tmp_path: Path) -> None:
    small = write(tmp_path / "small", 24, pictures=True, flaws=False)
    large = write(tmp_path / "large", 48, pictures=True, flaws=False)

    pictures = digests(small)
    assert {
        name: digest for name, digest in digests(large).items() if name in pictures.keys() - FILES
    }.items() >= {name: pictures[name] for name in pictures if name.endswith(".jpg")}.items()
    truths = (large / "synthetic_truth.jsonl").read_text().splitlines()
    assert set((small / "synthetic_truth.jsonl").read_text().splitlines()) < set(truths)
    for split in SPLITS:
        few, many = _by_image(small, split), _by_image(large, split)
        assert few.keys() < many.keys()
        for image_id, (captions, instances, questions) in few.items():
            assert captions == many[image_id][0]
            assert instances == many[image_id][1]
            shorter, longer = sorted((questions, many[image_id][2]), key=len)
            assert longer[: len(shorter)] == shorter


def _by_image(folder: Path, split: str) -> dict[int, tuple[list[Any], list[Any], list[Any]]]:
    texts = content(folder, CAPTIONS, split)
    asked = content(folder, QUESTIONS, split)["questions"]
    instances = content(folder, INSTANCES, split)["annotations"]
    return {
        image["id"]: (
            [c["caption"] for c in texts["annotations"] if c["image_id"] == image["id"]],
            [i for i in instances if i["image_id"] == image["id"]],
            [q for q in asked if q["image_id"] == image["id"]],
        )
        for image in texts["images"]
    }


def test_flaws_change_no_good_record(tmp_path: Path) -> None:
    flawed = write(tmp_path / "flawed", 30)
    good = write(tmp_path / "good", 30, flaws=False)

    for split in SPLITS:
        for layout in LAYOUTS:
            with_flaws, without = content(flawed, layout, split), content(good, layout, split)
            for array in ("questions", "annotations", "images"):
                records = without.get(array, [])
                assert with_flaws.get(array, [])[: len(records)] == records
            assert with_flaws != without


OFFICIAL_KEYS = {
    QUESTIONS: ["info", "task_type", "data_type", "license", "data_subtype", "questions"],
    ANNOTATIONS: ["info", "license", "data_subtype", "annotations", "data_type"],
    CAPTIONS: ["info", "images", "licenses", "annotations"],
    INSTANCES: ["info", "images", "licenses", "annotations", "categories"],
}
OFFICIAL_RECORD_KEYS = {
    (QUESTIONS, "questions"): {"image_id", "question", "question_id"},
    (ANNOTATIONS, "annotations"): {
        "question_type", "multiple_choice_answer", "answers", "image_id", "answer_type",
        "question_id",
    },
    (CAPTIONS, "annotations"): {"image_id", "id", "caption"},
    (CAPTIONS, "images"): {
        "license", "file_name", "coco_url", "height", "width", "date_captured", "flickr_url", "id",
    },
    (CAPTIONS, "licenses"): {"url", "id", "name"},
    (INSTANCES, "annotations"): {
        "segmentation", "area", "iscrowd", "image_id", "bbox", "category_id", "id",
    },
    (INSTANCES, "categories"): {"supercategory", "id", "name"},
}  # fmt: skip


@pytest.mark.parametrize("split", SPLITS)
def test_files_have_the_keys_of_the_official_ones(clean: Path, split: str) -> None:
    for layout, keys in OFFICIAL_KEYS.items():
        assert sorted(content(clean, layout, split)) == sorted(keys)
    for (layout, array), keys in OFFICIAL_RECORD_KEYS.items():
        records = content(clean, layout, split)[array]
        assert records
        assert all(record.keys() == keys for record in records)
    assert content(clean, QUESTIONS, split)["data_subtype"] == f"{split}2014"


def test_records_hang_together_as_official_ones_do(clean: Path) -> None:
    image_ids: Counter[int] = Counter()
    question_ids: Counter[int] = Counter()
    caption_ids: Counter[int] = Counter()
    instance_ids: Counter[int] = Counter()
    for split in SPLITS:
        texts, boxes = content(clean, CAPTIONS, split), content(clean, INSTANCES, split)
        asked = content(clean, QUESTIONS, split)["questions"]
        answered = content(clean, ANNOTATIONS, split)["annotations"]
        here = {image["id"] for image in texts["images"]}
        image_ids.update(here)
        question_ids.update(record["question_id"] for record in asked)
        caption_ids.update(record["id"] for record in texts["annotations"])
        instance_ids.update(record["id"] for record in boxes["annotations"])

        assert texts["images"] == boxes["images"]
        for image in texts["images"]:
            assert image["file_name"] == f"COCO_{split}2014_{image['id']:012d}.jpg"
        assert {record["image_id"] for record in asked} == here
        assert {record["image_id"] for record in boxes["annotations"]} == here
        assert {record["image_id"] for record in texts["annotations"]} <= here
        assert [(r["image_id"], r["question_id"]) for r in asked] == [
            (r["image_id"], r["question_id"]) for r in answered
        ]
        for record in answered:
            _assert_official_annotation(record)
    for ids in (image_ids, question_ids, caption_ids, instance_ids):
        assert ids.total() == len(ids)


def _assert_official_annotation(record: dict[str, Any]) -> None:
    answers = record["answers"]
    assert [answer["answer_id"] for answer in answers] == list(range(1, 11))
    assert all(list(a) == ["answer", "answer_confidence", "answer_id"] for a in answers)
    assert {answer["answer_confidence"] for answer in answers} <= {"yes", "maybe", "no"}
    assert record["answer_type"] in {"yes/no", "number", "other"}
    votes = Counter(answer["answer"] for answer in answers)
    assert votes[record["multiple_choice_answer"]] == max(votes.values())


def test_answers_disagree_as_people_do(clean: Path) -> None:
    annotations = [r for split in SPLITS for r in content(clean, ANNOTATIONS, split)["annotations"]]
    n_texts = Counter(len({a["answer"] for a in record["answers"]}) for record in annotations)

    # in VQA v2.0 about half of the questions have one answer only
    assert 0.25 < n_texts[1] / len(annotations) < 0.65
    assert max(n_texts) >= 5


_KINDS = {noun: name for name, kind in KINDS.items() for noun in (*kind.singulars, *kind.plurals)}
_NOUN = rf"(?P<noun>{'|'.join(sorted(_KINDS, key=len, reverse=True))})\b"
_COLOUR = rf"(?:{'|'.join(COLOURS)}|grey)"
_MANY = {"several", "some", "a group of"}
_HOW_MANY = rf"(?P<number>a couple of|a group of|several|some|an?|\d+|{'|'.join(NUMBER_WORDS)})"
_SHIRT = rf"(?: in (?:an? )?(?P<shirt>{_COLOUR}) shirts?)?"
_PHRASE = re.compile(rf"\b{_HOW_MANY} (?:(?P<colour>{_COLOUR}) )?{_NOUN}{_SHIRT}")
_COUNTS = {"a": 1, "an": 1, "a couple of": 2} | {word: n for n, word in enumerate(NUMBER_WORDS)}
# what things stand on is painted, and no object of its own
_TOP = re.compile(r"\bon (?:top of )?(?:a|the) (?:table|desk)\b")
_SAID_BY_SIGN = re.compile(" near a sign that says [A-Z0-9 ]+[A-Z0-9]")


def _drawn(folder: Path) -> dict[int, dict[str, list[str]]]:
    """The colours of the things of each kind, by image, as the truth has them."""
    drawn: dict[int, dict[str, list[str]]] = {}
    for line in (folder / "synthetic_truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        kinds = drawn.setdefault(truth["image_id"], {})
        for thing in truth["objects"]:
            kinds.setdefault(thing["category"], []).append(thing["colour"])
    return drawn


def test_captions_of_a_faithful_corpus_say_what_their_picture_shows(faithful: Path) -> None:
    drawn = _drawn(faithful)
    for split in SPLITS:
        for record in content(faithful, CAPTIONS, split)["annotations"]:
            kinds = drawn[record["image_id"]]
            said = _TOP.sub("", _SAID_BY_SIGN.sub("", record["caption"]).lower())
            phrases = [*_PHRASE.finditer(said)]
            assert phrases, record
            for phrase in phrases:
                colours = kinds.get(_KINDS[phrase["noun"]], [])
                number = phrase["number"]
                if number in _MANY:
                    assert len(colours) > 2, record
                else:
                    assert len(colours) == _COUNTS.get(number, number.isdigit() and int(number)), (
                        record
                    )
                colour = phrase["colour"] or phrase["shirt"]
                assert colour is None or {colour.replace("grey", "gray")} == {*colours}, record


_HOW_MANY_ASKED = re.compile(r"How many (.+?) (?:are|can|do) .*\?")
_WHETHER_THERE = re.compile(r"(?:Is|Are) there (?:any |an? )?(.+?)(?: in (?:this|the) \w+)?\?")
_WHETHER_COLOURED = re.compile(rf"(?:Is|Are) the (.+?)(?:'s shirts?)? ({_COLOUR})\?")
_WHICH_COLOUR = re.compile(r"What color (?:is|are) the (.+?)(?:'s shirts?)?\?")


def test_questions_of_a_faithful_corpus_have_the_answer_of_their_picture(faithful: Path) -> None:
    drawn = _drawn(faithful)
    asked_of_each: Counter[re.Pattern[str]] = Counter()
    for split in SPLITS:
        answered = content(faithful, ANNOTATIONS, split)["annotations"]
        answers = {record["question_id"]: record["multiple_choice_answer"] for record in answered}
        for record in content(faithful, QUESTIONS, split)["questions"]:
            kinds, answer = drawn[record["image_id"]], answers[record["question_id"]]
            found = {
                pattern: asked
                for pattern in (
                    _HOW_MANY_ASKED, _WHETHER_THERE, _WHETHER_COLOURED, _WHICH_COLOUR,
                )
                if (asked := pattern.fullmatch(record["question"]))
            }  # fmt: skip
            for pattern, asked in found.items():
                colours = kinds.get(_KINDS.get(asked[1], ""), [])
                expected = {
                    _HOW_MANY_ASKED: {str(len(colours)), "many" if len(colours) > 5 else ""},
                    _WHETHER_THERE: {"yes" if colours else "no"},
                    _WHETHER_COLOURED: {"yes" if asked[asked.lastindex or 1] in colours else "no"},
                    _WHICH_COLOUR: {*colours},
                }[pattern]
                is_of_objects = asked[1] in _KINDS or pattern is _WHETHER_THERE
                if is_of_objects and not asked[1].endswith(("tree", "lamp post")):
                    assert answer in expected, (record, answer)
                    asked_of_each[pattern] += 1
    assert len(asked_of_each) == 4
    assert min(asked_of_each.values()) > 10


def test_a_faithful_corpus_asks_nothing_twice_of_a_picture(faithful: Path) -> None:
    asked = [
        (record["image_id"], record["question"])
        for split in SPLITS
        for record in content(faithful, QUESTIONS, split)["questions"]
    ]
    assert len(asked) == len(set(asked))


def test_categories_are_the_80_of_coco(clean: Path) -> None:
    gaps = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83}
    for split in SPLITS:
        categories = content(clean, INSTANCES, split)["categories"]
        assert [c["id"] for c in categories] == [n for n in range(1, 91) if n not in gaps]
        assert len({category["name"] for category in categories}) == 80


@needs_real_sample
def test_categories_are_those_of_the_real_files(clean: Path, real: Any) -> None:
    official = real.rows("select id, name, supercategory from raw.coco_categories")
    categories = content(clean, INSTANCES, "train")["categories"]

    assert {(c["id"], c["name"], c["supercategory"]) for c in categories} == set(official)


@pytest.mark.parametrize("images", [1, 2, 3, 7])
def test_small_corpora_are_whole(tmp_path: Path, images: int) -> None:
    corpus = write(tmp_path / "corpus", images, pictures=True)

    listed = [i["file_name"] for s in SPLITS for i in content(corpus, CAPTIONS, s)["images"]]
    drawn = [path.name for path in corpus.rglob("*.jpg")]
    assert len(drawn) == images
    assert set(drawn) <= set(listed)
    assert {path.name for path in corpus.glob("*.json")} == FILES


@pytest.mark.parametrize(("images", "has_all"), [(136, False), (137, True), (5_000, True)])
def test_as_many_images_as_the_help_says_hold_every_edge_case(images: int, has_all: bool) -> None:
    assert "From 137 images on" in synth("--help").output
    order = order_of(images, None, 7, has_pictures=False, has_flaws=True)
    plans = [plan for of_split in plan_images(order).values() for plan in of_split]

    planned = Counter(plan.specimen for plan in plans if plan.specimen)
    assert (planned == Counter(SPECIMENS)) == has_all


def test_images_of_a_corpus_of_any_size_have_ids_of_their_own() -> None:
    # the same places of the first three periods of ids, the last beyond ten times the official
    periods = (0, 581_921, 2 * 581_921)
    numbers = [period + place for period in periods for place in range(1_000)]
    ids = {ImagePlan(number, "train", 0, None).image_id for number in numbers}

    assert len(ids) == len(numbers)
    assert UNKNOWN_IMAGE not in ids


def test_a_plan_holds_no_more_than_a_number_per_image() -> None:
    order = order_of(None, 6_581_110, 7, has_pictures=False, has_flaws=False)
    plans = plan_images(order)

    given = sum(len(given.asked) for plan in plans.values() for given in plan.specimens)
    assert given + sum(int(plan.n_questions.sum()) for plan in plans.values()) == 6_581_110
    assert sum(plan.n_images for plan in plans.values()) == order.images == 1_232_870
    assert sum(plan.n_questions.nbytes for plan in plans.values()) < 4 * order.images


def test_questions_are_as_many_as_asked_for(tmp_path: Path) -> None:
    order = order_of(None, 1_000, 7, has_pictures=False, has_flaws=False)
    write_corpus(tmp_path / "corpus", order)

    asked = [len(content(tmp_path / "corpus", QUESTIONS, s)["questions"]) for s in SPLITS]
    assert asked == [674, 326]
    # as in the release, 5.3 questions for each image
    assert order.images == 187


def synth(*arguments: str | Path) -> Result:
    """Run `gainsay synth` in this process."""
    return CliRunner().invoke(main, ["synth", *map(str, arguments)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--images", "0"], "0 is not in the range x>=1"),
        (["--images", "-3"], "-3 is not in the range x>=1"),
        (["--images", "many"], "'many' is not a valid integer"),
        (["--questions", "0"], "0 is not in the range x>=1"),
        (["--seed", "-1"], "-1 is not in the range"),
        (["--images", "100000001"], "--images 100,000,001: expected at most 100,000,000"),
        (["--images", "40", "--questions", "100"], "questions in the train split, found 67"),
    ],
)
def test_bad_options_are_explained(tmp_path: Path, options: list[str], message: str) -> None:
    result = synth(tmp_path / "corpus", *options)

    assert result.exit_code != 0
    assert message in result.output
    assert not list(tmp_path.iterdir())


def test_a_folder_with_anything_else_is_refused(tmp_path: Path) -> None:
    corpus = write(tmp_path / "corpus", 3, pictures=True)
    (corpus / "train2014" / "holiday.jpg").write_bytes(b"mine")
    before = digests(tmp_path)

    result = synth(corpus, "--images", "5")

    assert result.exit_code == 1
    assert "train2014 is not part of a synthetic corpus" in result.output
    assert digests(tmp_path) == before


def test_a_folder_that_is_not_a_corpus_is_refused(tmp_path: Path) -> None:
    # names of a corpus alone do not make one: these may be the official files
    (tmp_path / "captions_train2014.json").write_text("{}")

    result = synth(tmp_path, "--images", "5")

    assert result.exit_code == 1
    assert "captions_train2014.json is not part of a synthetic corpus" in result.output
    assert (tmp_path / "captions_train2014.json").read_text() == "{}"


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert "expected a folder, found a file" in synth(tmp_path / "file").output
    below = synth(tmp_path / "file" / "corpus")
    assert below.exit_code == 1
    assert "cannot write: Not a directory" in below.output


@pytest.mark.long
@pytest.mark.slow
@needs_mount
def test_a_full_disk_leaves_the_earlier_corpus(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "3m") as disk:
        write(disk / "corpus", 10)
        before = digests(disk)

        result = synth(disk / "corpus", "--images", "59")

        assert result.exit_code == 1
        assert "No space left on device" in result.output
        assert digests(disk) == before


@pytest.mark.slow
def test_an_earlier_corpus_is_replaced(tmp_path: Path) -> None:
    write(tmp_path / "corpus", 12, seed=1, pictures=True)
    write(tmp_path / "corpus", 5, pictures=True)

    assert digests(tmp_path / "corpus") == digests(write(tmp_path / "fresh", 5, pictures=True))


KILLED = """
import os, signal, sys
from pathlib import Path
from gainsay.foundation import atomic
from gainsay.synth import corpus
from gainsay.synth.plan import order_of

where, calls, can_exchange = sys.argv[2], int(sys.argv[3]), sys.argv[4] == "True"
if not can_exchange:
    atomic.exchange = lambda one, other: False
owner = {"rename": Path, "exchange": atomic, "_remove": atomic}.get(where, corpus)
original = getattr(owner, where)

def killing(*arguments, **keywords):
    global calls
    if calls == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    calls -= 1
    return original(*arguments, **keywords)

setattr(owner, where, killing)
order = order_of(8, None, 7, has_pictures=True, has_flaws=True)
corpus.write_corpus(Path(sys.argv[1]), order)
"""


def run_killed(corpus: Path, where: str, calls: int, can_exchange: bool) -> None:
    """Write another corpus and be killed at that call of that function."""
    process = subprocess.run(
        [sys.executable, "-c", KILLED, corpus, where, str(calls), str(can_exchange)],
        cwd=PROJECT, check=False,
    )  # fmt: skip
    assert process.returncode == -9


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("is_replacing", [False, True])
@pytest.mark.parametrize(
    ("where", "calls"), [("make_chunk", 0), ("make_chunk", 1), ("_write_object", 2)]
)
def test_a_run_killed_while_it_writes_leaves_the_earlier_corpus(
    tmp_path: Path, where: str, calls: int, is_replacing: bool
) -> None:
    corpus = tmp_path / "parent" / "corpus"
    corpus.parent.mkdir()
    earlier = digests(write(corpus, 5, seed=1)) if is_replacing else {}
    run_killed(corpus, where, calls, can_exchange=True)
    assert digests(corpus) == earlier
    _the_next_run_is_whole(corpus, tmp_path)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "calls", "can_exchange", "stands"),
    [
        # before and after the two folders change places
        ("exchange", 0, True, "earlier"),
        # the first call removes what the corpus replaced
        ("_remove", 0, True, "later"),
        # two renames, where the system knows no exchange: before, between and after them
        ("rename", 0, False, "earlier"),
        ("rename", 1, False, "nothing"),
        ("_remove", 0, False, "later"),
    ],
)
def test_a_run_killed_at_the_end_loses_no_corpus(
    tmp_path: Path, where: str, calls: int, can_exchange: bool, stands: str
) -> None:
    corpus = tmp_path / "parent" / "corpus"
    corpus.parent.mkdir()
    states = {
        "earlier": digests(write(corpus, 5, seed=1)),
        "later": digests(write(tmp_path / "later", 8, pictures=True)),
        "nothing": {},
    }
    run_killed(corpus, where, calls, can_exchange=can_exchange)
    assert digests(corpus) == states[stands]
    if stands == "nothing":
        # a run that is refused puts the earlier corpus back, too
        [set_aside] = (tmp_path / "parent").glob(".corpus.*.replaced")
        (set_aside / "mine.txt").write_text("precious")
        assert synth(corpus, "--images", "8").exit_code == 1
        assert (corpus / "mine.txt").read_text() == "precious"
        (corpus / "mine.txt").unlink()
        assert digests(corpus) == states["earlier"]
    _the_next_run_is_whole(corpus, tmp_path)


def _the_next_run_is_whole(corpus: Path, folder: Path) -> None:
    expected = digests(write(folder / "expected", 8, pictures=True))
    assert synth(corpus, "--images", "8").exit_code == 0
    assert digests(corpus) == expected
    assert [path.name for path in corpus.parent.iterdir()] == ["corpus"]


def test_an_error_between_the_renames_puts_the_earlier_corpus_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "corpus"
    earlier = digests(write(corpus, 5, seed=1))
    rename, calls = Path.rename, []

    def failing(path: Path, target: Path) -> Path:
        calls.append(path)
        if len(calls) == 2:
            raise OSError(5, "Input/output error", str(path))
        return rename(path, target)

    monkeypatch.setattr(atomic, "exchange", lambda *_: False)
    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(GainsayError, match="Input/output error"):
        write(corpus, 8)
    assert len(calls) == 3
    assert digests(corpus) == earlier


KILLED_WITH_HELPERS = """
import os, signal, sys
from pathlib import Path
from gainsay.synth import corpus
from gainsay.synth.plan import order_of

def kill(amount=1):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    os.cpu_count = lambda: 2
    order = order_of(20_000, None, 7, has_pictures=False, has_flaws=False)
    corpus.write_corpus(Path(sys.argv[1]), order, kill)
"""


@pytest.mark.long
def test_helpers_end_with_a_killed_run(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(KILLED_WITH_HELPERS)

    # the helpers hold the other end of the pipe: this returns when the last one is gone
    killed = subprocess.run(
        [sys.executable, script, tmp_path / "corpus"],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        check=False,
        timeout=PATIENCE,
    )

    assert killed.returncode == -9
    assert not (tmp_path / "corpus").exists()
