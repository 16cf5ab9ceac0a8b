"""CLASH: what the filters say of the released test set, and what is made of captions."""

import csv
import json
import re
from dataclasses import asdict
from hashlib import md5
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gainsay.ingest.llm_responses import Request, land_batch_output, land_requests
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.votes import VoteLanding
from gainsay.lm.prompt_files import read_picture_prompt, read_prompt
from gainsay.lm.tasks import TASKS, SpatialEdit, inputs_of, make_request
from tests.python.batch_output import answer_line
from tests.python.conftest import PROJECT, Warehouse
from tests.python.people_votes import Voting
from tests.python.real_data import CLASH, needs_clash

pytestmark = pytest.mark.xdist_group("clash_samples")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The released test set, landed and screened."""
    warehouse = Warehouse(tmp_path_factory.mktemp("clash"))
    warehouse.gainsay("land", CLASH / "clash_test.json")
    return warehouse.build("--select", "+clash__screened")


@needs_clash
def test_released_samples_fail_where_they_do(released: Warehouse) -> None:
    """Most often the answer by the picture neither is in the caption nor means its words."""
    assert dict(
        released.rows("""
            select coalesce(drop_stage, 'retained'), count(*)
            from clash.clash__screened
            where origin = 'released'
            group by all
        """)
    ) == {
        "retained": 1_194,
        "rule_check": 61,
        "objective_change": 3,
        "binary_states": 1,
        "change_check": 14,
        "answers_check": 8,
        "question_check": 8,
    }


@needs_clash
def test_lexicons_agree_with_the_published_categories(released: Warehouse) -> None:
    [(n_samples, n_agreeing)] = released.rows("""
        select count(*), count(*) filter (list_contains(categories, lexicon_category))
        from clash.clash__screened
        where origin = 'released'
    """)
    assert n_samples == 1_289
    assert n_agreeing == 1_256


def test_every_sample_is_asked_in_both_conditions(synthetic: Warehouse) -> None:
    [(n_retained, n_examples, n_mixed, n_samples)] = synthetic.rows("""
        select
            (select count(*) from clash.clash__screened where is_retained),
            count(*),
            count(*) filter (is_in_finetuning_mix),
            count(distinct sample_id)
        from clash.clash__examples
    """)
    # no picture of the released test set is here
    assert n_retained == n_samples == n_mixed
    assert n_examples == 2 * n_retained  # type: ignore[operator]
    assert n_retained > 50  # type: ignore[operator]


def test_the_right_choice_stands_on_every_letter(synthetic: Warehouse) -> None:
    assert synthetic.rows("""
        select condition, list(distinct right_letter order by right_letter)
        from clash.clash__examples
        group by condition
        order by condition
    """) == [("conflicting", ["A", "B", "C", "D"]), ("original", ["A", "B", "C", "D"])]
    assert synthetic.rows("""
        select choice
        from clash.clash__choices
        where choice_kind = 'conflict'
        group by choice
    """) == [("Conflicting information – cannot answer.",)]  # noqa: RUF001


def test_spatial_conflicts_occur(synthetic: Warehouse) -> None:
    [(n_spatial,)] = synthetic.rows("""
        select count(*)
        from clash.clash__examples
        where is_spatial and condition = 'conflicting'
    """)
    assert n_spatial > 0  # type: ignore[operator]


def test_drops_of_every_stage_are_explained(synthetic: Warehouse) -> None:
    stages = synthetic.rows("""
        select distinct stage
        from audit.audit__drops
        where benchmark = 'clash'
    """)
    assert {stage for (stage,) in stages} >= {"natural_question"}


def test_quotes_are_those_of_the_prompts() -> None:
    """An answer counts while its request holds these lines, filled with the input of today."""
    with (PROJECT / "seeds/shared/llm/llm_quotes.csv").open(newline="") as file:
        quotes = {(row["task"], row["quote"]) for row in csv.DictReader(file)}
    inputs = {task: read_prompt(task).user.split("\n\n")[0] for task in TASKS}

    # the inputs of these have what they are about, or its hash, for a name
    assert set(inputs) - {task for task, _ in quotes} == {
        "extraneous_question", "hallucination", "idk", "judge", "lave", "lave_yes_no",
        "picture_answers",
    }  # fmt: skip
    assert {(task, inputs[task]) for task, _ in quotes} <= quotes


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        ("clash_generate", ["subtle", "objective", "plausible", "wrong for the picture"]),
        ("clash_generate", ["man and woman", "open and closed", "one to three words"]),
        ("clash_generate", ["An example", "change_type"]),
        ("clash_answers", ["one to three words", "in neither caption", "exclude each other"]),
        ("clash_spatial_question", ["seen from", "the relation of neither", "something is wrong"]),
        ("clash_spatial_question", ["third relation", "one to three words", "in neither caption"]),
        ("clash_attribute_check", ["measurable or visible", "medium", "expensive", "opinion"]),
        ("clash_object_check", ["kind of the other", "ambiguous", "fit the same scene"]),
        ("clash_answers_check", ["afternoon", "moderate", "temperature", "brands", "positions"]),
        ("clash_question_check", ["names neither", "something is wrong", "each of the answers"]),
        ("judge", ["IMAGE:", "TEXT:", "CONFLICT:", "NONE:", "both cannot be true"]),
        ("judge", ["synonyms", "singular or plural", "upper or lower case", "wording"]),
        (
            "edit_different",
            ["another plausible answer", "one phrase only", "as little as possible"],
        ),
        ("edit_irrelevant", ["nobody could answer", "leave out or generalise", "no other answer"]),
        ("picture_answers", ["do not guess", "this picture", "leave the answer empty"]),
    ],
)
def test_the_prompts_ask_what_the_protocol_asks(task: str, asked: list[str]) -> None:
    prompt = read_prompt(task)
    text = " ".join(f"{prompt.system} {prompt.user}".split())

    assert [words for words in asked if words not in text] == []


def test_the_judge_sees_an_example_of_each_label() -> None:
    examples = re.findall(r"^Label: (\w+)$", read_prompt("judge").user, re.M)

    assert sorted(examples) == ["CONFLICT", "IMAGE", "NONE", "TEXT"]


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        (
            "multiple_choice",
            ["both the picture and the caption", "option that both", "support best"],
        ),
        ("multiple_choice", ["contradict each other", "is missing", "letter in parentheses"]),
        ("multiple_choice", ["and nothing else"]),
        ("open_ended", ["both the picture and the caption", "only with what both of them support"]),
        ("open_ended", ["contradict each other", "is missing", "fewer than 15 words"]),
    ],
)
def test_models_are_asked_what_the_paper_asks(task: str, asked: list[str]) -> None:
    text = read_picture_prompt("clash", task).text("What?", "A cat.", (), None)

    assert [words for words in asked if words not in text] == []


def test_a_check_sees_no_more_than_it_needs() -> None:
    seen = {
        task: set(re.findall(r"(?<!\{)\{(\w+)\}", read_prompt(task).user))
        for task in TASKS
        if task.startswith("clash_") and task.endswith("_check")
    }

    changed = {"original_words", "conflicting_words"}
    answers = {"image_only_answer", "text_only_answer", "distractor_answer"}
    assert seen == {
        "clash_attribute_check": changed,
        "clash_object_check": changed | {"original_caption"},
        "clash_relation_check": changed,
        "clash_answers_check": answers | {"question"},
        "clash_question_check": answers | changed | {"question"},
    }


QUESTION = "What does the picture show there?"
VERDICTS = {
    task: [field for field, kind in read_prompt(task).schema["properties"].items()]
    for task in ("clash_object_check", "clash_answers_check", "clash_question_check")
}


class Judging:
    """Samples that a language model and people made and judged, and what must become of them."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.expected: dict[str, tuple[str | None, list[str]]] = {}
        self.by_model: set[str] = set()
        self.unanswered: dict[str, str] = {}
        self.lines: list[str] = []
        with duckdb.connect(warehouse.path) as connection:
            cursor = connection.execute("""
                select screened.*, captions.caption
                from clash.clash__screened as screened
                inner join images.images__captions as captions
                    on screened.source_image_id = captions.source_image_id
                    and captions.caption_position = 1
                    and screened.original_caption = trim(captions.caption)
                where
                    (screened.is_retained or screened.drop_stage in ('word_balance', 'agreement'))
                    and screened.change_type = 'object'
                -- rules that a model breaks come before what captions agree on
                order by coalesce(screened.drop_stage = 'agreement', false), screened.sample_id
                limit 16
            """)
            names = [column[0] for column in cursor.description or ()]
            samples = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
            requests: list[Request] = []
            self._generate(samples[:8], requests)
            self._judge(samples[8:13], requests)
            self._break_rules(samples[13:], requests)
            edited = self._ask_where(connection, requests)
            land_requests(DuckDbSink(connection), requests)
            output = warehouse.folder / "output.jsonl"
            output.write_text("\n".join(self.lines))
            land_batch_output(DuckDbSink(connection), output)
            taken = {sample["source_image_id"] for sample in samples} | edited
            self.people = Voting(connection, warehouse.folder, taken)
            self.expected |= {
                sample_id: (reason, []) for sample_id, reason in self.people.samples.items()
            }

    def _ask(self, requests: list[Request], task: str, name: str, fields: Any) -> str:
        request = make_request(read_prompt(task), "some-model", name, fields, 500)
        requests.append(request)
        return request.custom_id

    def _generate(self, samples: list[dict[str, Any]], requests: list[Request]) -> None:
        """Samples of a language model, whose answers come, or do not."""
        for number, sample in enumerate(samples):
            asked = self._ask(requests, "clash_generate", sample["source_image_id"], sample)
            if number > 4:
                # without an answer the request itself is the candidate, and the rules' sample stays
                reason, line = {
                    5: ("response_refused", answer_line(asked, None, "I cannot")),
                    6: ("response_invalid", answer_line(asked, '{"question": "What is it?"}')),
                    7: ("response_missing", ""),
                }[number]
                self.lines += [line] if line else []
                self.expected[sample["sample_id"]] = (None, [])
                self.expected[asked] = (reason, [])
                self.unanswered[asked] = reason
                continue
            fields = ("conflicting_caption", "original_words", "conflicting_words", "change_type")
            made = {name: sample[name] for name in fields} | {"question": QUESTION}
            self.lines.append(answer_line(asked, json.dumps(made)))
            digest = md5(QUESTION.encode()).hexdigest()
            sample_id = f"clash-{sample['image_id']}-{digest[:8]}"
            self.by_model.add(sample_id)
            if number == 2:
                self.expected[sample_id] = ("response_missing", [])
                continue
            shown = sample | {"question": QUESTION}
            asked = self._ask(requests, "clash_answers", sample_id, shown)
            if number == 3:
                self.lines.append(answer_line(asked, None, "I cannot"))
                self.expected[sample_id] = ("response_refused", [])
            elif number == 4:
                self.lines.append(answer_line(asked, json.dumps({"image_only": "a dog"})))
                self.expected[sample_id] = ("response_invalid", [])
            else:
                answers = {
                    "image_only": sample["image_only_answer"],
                    "text_only": sample["text_only_answer"],
                    "irrelevant_but_plausible": sample["distractor_answer"],
                }
                self.lines.append(answer_line(asked, json.dumps(answers)))
                self.expected[sample_id] = (None, [])

    def _break_rules(self, samples: list[dict[str, Any]], requests: list[Request]) -> None:
        """Samples of a language model that rules alone drop, each for another reason."""
        broken = [
            ("subjective_change", "attribute", "beautiful", "purple"),
            ("answer_too_long", "object", "hot air balloon basket", "kite"),
            ("vague_answer", "object", "zeppelin", "several kites"),
        ]
        for sample, (reason, change_type, new, distractor) in zip(samples, broken, strict=True):
            word, caption = sample["original_words"].lower(), sample["caption"]
            changed = re.sub(rf"(?i)\b{re.escape(word)}\b", new, caption, count=1)
            fields = {
                "conflicting_caption": changed, "original_words": word, "conflicting_words": new,
                "change_type": change_type, "question": QUESTION,
            }  # fmt: skip
            asked = self._ask(requests, "clash_generate", sample["source_image_id"], sample)
            self.lines.append(answer_line(asked, json.dumps(fields)))
            digest = md5(QUESTION.encode()).hexdigest()
            sample_id = f"clash-{sample['image_id']}-{digest[:8]}"
            self.by_model.add(sample_id)
            shown = sample | fields
            asked = self._ask(requests, "clash_answers", sample_id, shown)
            answers = {
                "image_only": word, "text_only": new, "irrelevant_but_plausible": distractor,
            }  # fmt: skip
            self.lines.append(answer_line(asked, json.dumps(answers)))
            self.expected[sample_id] = (reason, [])

    def _ask_where(
        self, connection: duckdb.DuckDBPyConnection, requests: list[Request]
    ) -> set[object]:
        """Spatial edits whose question a language model writes, or does not; their pictures."""
        edits = inputs_of(connection, "clash_spatial_question", 6)
        images = dict(
            connection.execute("select proposal_id, image_id from clash.clash__spatial_edits")
            .fetchall()
        )  # fmt: skip
        question = "Where is the one, seen from the other?"
        for number, edit in enumerate(edits):
            assert isinstance(edit, SpatialEdit)
            fields = asdict(edit)
            asked = self._ask(requests, "clash_spatial_question", edit.proposal_id, fields)
            told = f"Where is it {edit.original_words} something?"
            said, reason = [
                ({"question": question, "irrelevant_but_plausible": "to the left"}, None),
                ({"question": told, "irrelevant_but_plausible": "to the left"},
                 "question_check_failed"),
                ({"question": question, "irrelevant_but_plausible": edit.original_words},
                 "rule_check_failed"),
                (None, "response_refused"),
                ({"question": question}, "response_invalid"),
                (None, "response_missing"),
            ][number]  # fmt: skip
            if said:
                self.lines.append(answer_line(asked, json.dumps(said)))
            elif reason == "response_refused":
                self.lines.append(answer_line(asked, None, "I cannot"))
            if reason in ("response_refused", "response_invalid", "response_missing"):
                self.expected[asked] = (reason, [])
                self.unanswered[asked] = reason
            else:
                digest = md5(str(said and said["question"]).encode()).hexdigest()
                sample_id = f"clash-{images[edit.proposal_id]}-{digest[:8]}"
                self.expected[sample_id] = (reason, [])
                self.by_model.add(sample_id)
        # what stands of these is another sample now
        return {
            f"coco-{images[edit.proposal_id]}" for edit in edits if isinstance(edit, SpatialEdit)
        }

    def _judge(self, samples: list[dict[str, Any]], requests: list[Request]) -> None:
        """Samples of the rules, of which a language model holds one verdict false, or none."""
        faults: list[tuple[str, str, str | None]] = [
            ("clash_object_check", "is_relevant", "change_check_failed"),
            ("clash_answers_check", "are_visible", "answers_check_failed"),
            ("clash_question_check", "is_answerable", "question_check_failed"),
            # and a question that tells that something is wrong
            ("clash_question_check", "is_neutral", "question_check_failed"),
            ("none", "none", None),
        ]
        for sample, (faulty, fault, reason) in zip(samples, faults, strict=True):
            for task, fields in VERDICTS.items():
                asked = self._ask(requests, task, sample["sample_id"], sample)
                verdicts = {field: task != faulty or field != fault for field in fields}
                self.lines.append(answer_line(asked, json.dumps(verdicts)))
            self.expected[sample["sample_id"]] = (reason, [fault] if reason else [])


@pytest.fixture(scope="module")
def judged(
    synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, Judging]:
    """The synthetic corpus, where a language model and people had their say."""
    warehouse = Warehouse(tmp_path_factory.mktemp("judged"))
    warehouse.path.write_bytes(synthetic.path.read_bytes())
    judging = Judging(warehouse)
    warehouse.dbt(
        "build", "--exclude-resource-type", "unit_test", "--exclude", "tag:evaluation",
        "path:models/exports", "path:models/benchmarks/conflicts",
        # what models write here says nothing of how often words replace each other
        "--vars", "{editor_policy: llm_first, clash_word_allowance: 1000}",
        "--select", "llm__outcomes", "clash__llm_generations+", "clash__llm_spatial_questions+",
        "stg_gainsay__votes+",
    )  # fmt: skip
    return warehouse, judging


def test_samples_fall_by_what_a_language_model_and_people_say(
    judged: tuple[Warehouse, Judging],
) -> None:
    warehouse, judging = judged
    found = {
        str(sample_id): (reason, verdicts)
        for sample_id, reason, verdicts in warehouse.rows("""
            select sample_id, drop_reason, failed_llm_verdicts
            from clash.clash__screened
        """)
    }

    assert {name: found[name] for name in judging.expected} == judging.expected
    # and nobody else's fate is another one for it
    assert not {
        name
        for name, (reason, verdicts) in found.items()
        if name not in judging.expected and (verdicts or str(reason).startswith("response"))
    }
    assert {
        str(sample_id)
        for (sample_id,) in warehouse.rows(
            "select sample_id from clash.clash__screened where editor = 'llm'"
        )
    } == judging.by_model | judging.unanswered.keys()


def test_requests_without_a_sample_are_in_funnel_and_drops(
    judged: tuple[Warehouse, Judging],
) -> None:
    warehouse, judging = judged
    assert (
        dict(
            warehouse.rows("""
                select candidate_id, reason
                from audit.audit__drops
                where benchmark = 'clash' and question is null
                    and reason not in ('no_natural_question', 'captions_do_not_agree')
            """)
        )
        == judging.unanswered
    )
    assert warehouse.rows("""
        select stage, n
        from audit.audit__funnel
        where benchmark = 'clash' and family = 'none'
        order by stage
    """) == [("refusal", 2), ("response", 2), ("validity", 2)]


def test_every_reason_to_drop_a_sample_occurs(judged: tuple[Warehouse, Judging]) -> None:
    warehouse, _ = judged
    listed = warehouse.rows("""
        select stage, reason from vocabulary.clash__gates
        where stage <> 'retained'
    """)
    dropped = warehouse.rows("""
        select distinct stage, reason from audit.audit__drops where benchmark = 'clash'
    """)
    # a state and its opposite, more spatial samples than the quota, words out of balance, and
    # pictures that were taken down are in unit tests
    assert set(listed) - set(dropped) == {
        ("binary_states", "binary_state"),
        ("withdrawal", "picture_withdrawn"),
        ("spatial_quota", "spatial_quota_full"),
        ("word_balance", "word_out_of_balance"),
    }
    assert set(dropped) <= set(listed)


def test_people_s_votes_land_once_and_bad_ones_are_rejected(
    judged: tuple[Warehouse, Judging],
) -> None:
    warehouse, judging = judged
    people = judging.people
    n_questions = len(people.validation.answers)

    ann, bob = people.of_sheets["ann"], people.of_sheets["bob"]
    assert (ann.n_landed, ann.n_rejected) == (2 * n_questions + 2, 5)
    assert (bob.n_landed, bob.n_rejected) == (n_questions + 3, 1)
    # of the same records ann filled in eight, and bob four
    assert ann.n_open + 8 == bob.n_open + 4 > 50
    assert people.of_pairs.n_landed == 2
    # an event that the page sent twice counts once, and the cut last line does not count
    assert people.of_log == VoteLanding(n_landed=n_questions + 17, n_rejected=1, n_cut=1)
    assert people.of_log_again == VoteLanding(0, 1, n_known=n_questions + 17, n_cut=1)
    assert warehouse.rows("""
        select
            _source_file, field, found, if(_source_file like '%.csv', expected, 'an event')
        from raw.rejected_records
        where starts_with(_source_file, 'votes/')
        order by all
    """) == [
        ("votes/certainly_uncertain-ann.csv", "record_id", people.kept,
         "one row of a reader for a record"),
        ("votes/clash-ann.csv", "is_plausible", "maybe", "yes or no"),
        ("votes/clash-ann.csv", "queue", "clash with verification",
         "audit with gates or audit with gates_with_reasons"
         " or certainly_uncertain with verification or clash with validation"
         " or contradictions with proposals or evaluation with answers or evaluation with suspects"
         " or reality_check with challenge or reality_check with outline"
         " or reality_check with reality_check_language or reality_check with shadow"),
        ("votes/clash-ann.csv", "reader", "nothing", "a name"),
        ("votes/clash-ann.csv", "record_id", people.accepted, "one row of a reader for a record"),
        ("votes/clash-ann.csv", "record_md5", "nothing", "a name"),
        ("votes/clash-bob.csv", "record_id", people.accepted, "one row of a reader for a record"),
        ("votes/validation.ndjson", "$", "no event", "an event"),
    ]  # fmt: skip


def test_a_sample_tells_which_question_people_answered_against_it(
    judged: tuple[Warehouse, Judging],
) -> None:
    warehouse, judging = judged
    people = judging.people
    assert set(
        warehouse.rows(f"""
            select sample_id, drop_detail, n_human_verdicts, n_human_accepts
            from clash.clash__screened
            where n_human_verdicts > 0
                and sample_id in ('{people.accepted}', '{people.rejected}', '{people.tied}')
        """)
    ) == {
        (people.accepted, None, 3, 3),
        (people.rejected, "is_plausible", 3, 1),
        (people.tied, "is_question_clear", 4, 2),
    }


def test_pairs_fall_by_what_people_say(judged: tuple[Warehouse, Judging]) -> None:
    warehouse, judging = judged
    people = judging.people
    found = dict(
        warehouse.rows("""
            select pair_id, drop_reason from certainly_uncertain.certainly_uncertain__screened
        """)
    )
    assert {pair_id: found[pair_id] for pair_id in people.pairs} == people.pairs
    assert {
        pair_id for pair_id, reason in found.items() if reason in people.pairs.values() and reason
    } == {pair_id for pair_id, reason in people.pairs.items() if reason}
    assert warehouse.rows("""
        select distinct pair_id
        from certainly_uncertain.certainly_uncertain__examples
        where is_verified
    """) == [(people.kept,)]


def test_the_review_tells_what_counts(judged: tuple[Warehouse, Judging]) -> None:
    warehouse, judging = judged
    people = judging.people
    assert warehouse.rows("""
        select benchmark, count(*)
        from review.review__votes
        where is_stale
        group by all
        order by all
    """) == [("certainly_uncertain", 1), ("clash", 3)]
    assert warehouse.rows(f"""
        select question, verdict, n_votes, n_accepting, is_decided
        from review.review__verdicts
        where record_id in ('{people.rejected}', '{people.tied}')
            and question in ('is_plausible', 'is_question_clear') and n_votes > 1
        order by question
    """) == [("is_plausible", "no", 3, 1, True), ("is_question_clear", "undecided", 4, 2, True)]
    # rejected records stay in the queue: what people said of them may change
    assert warehouse.rows(f"""
        select count(*) from review.review__records
        where record_id in ('{people.rejected}', '{people.tied}')
    """) == [(2,)]
    assert warehouse.rows("""
        select reader, n_begun, n_stale from review.review__progress
        where benchmark = 'clash' order by reader
    """) == [
        ("all", 6, 3),
        ("ann", 4, 0),
        ("bob", 4, 0),
        ("eve", 5, 1),
        ("kim", 3, 1),
        ("lea", 1, 1),
    ]
    # three readers of one record all said yes, and three of another one 1 against 2
    assert warehouse.rows("""
        select readers, n_records, n_votes, percent
        from review.review__agreement
        where benchmark = 'clash' and question = 'is_one_change' order by readers
    """) == [
        ("all", 2, 6, 1.0),
        ("ann & bob", 2, 4, 1.0),
        ("ann & eve", 1, 2, 1.0),
        ("bob & eve", 1, 2, 1.0),
    ]


def test_the_next_sheet_leaves_out_what_was_judged(
    judged: tuple[Warehouse, Judging], tmp_path: Path
) -> None:
    warehouse, judging = judged

    def drawn(reader: str, size: int) -> list[str]:
        sheet = tmp_path / f"{reader}-{size}.csv"
        warehouse.gainsay(
            "review", "export", "--benchmark", "clash", "--out", sheet, "--size", str(size),
            "--reader", reader,
        )  # fmt: skip
        with sheet.open(newline="") as file:
            return [row["record_id"] for row in csv.DictReader(file)]

    everything = drawn("zoe", 60)
    assert len(everything) == 60
    assert {judging.people.accepted, judging.people.rejected} <= set(everything)
    # seeded: a smaller sheet is the first of a larger one
    assert drawn("zoe", 10) == everything[:10]
    # who answered some of a record's questions is asked for the others
    left_to_ann = drawn("ann", 60)
    assert judging.people.accepted not in left_to_ann
    assert judging.people.tied in left_to_ann
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    failed = warehouse.gainsay("review", "import", tmp_path / "other.csv", check=False)
    assert failed.returncode == 1
    assert "no sheet of `gainsay review export`: no column benchmark, queue" in failed.stderr
