"""The Conflict Suite under its refined protocols: the mix, other captions, other pictures."""

import json
import shutil
from pathlib import Path

import pytest

from tests.python.batch_output import answer_line
from tests.python.conftest import Warehouse

pytestmark = pytest.mark.xdist_group("refined_suite")


def build(synthetic: Warehouse, folder: Path, protocol: str) -> Warehouse:
    """The synthetic corpus under a protocol, all dbt tests passed."""
    warehouse = Warehouse(folder)
    shutil.copy(synthetic.path, warehouse.path)
    selection = ("--select", "conflict_suite__variants+", "--exclude-resource-type", "unit_test")
    warehouse.dbt("build", *selection, "--vars", f"oracle_protocol: {protocol}")
    return warehouse


@pytest.fixture(scope="module")
def refined(synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The synthetic corpus under the protocol `refined`."""
    return build(synthetic, tmp_path_factory.mktemp("refined"), "refined")


def test_thirds_differ_by_one_at_most(synthetic: Warehouse) -> None:
    [(n_states, spread)] = synthetic.rows("""
        select count(*), max(n) - min(n)
        from (
            select count(*) as n
            from conflict_suite_refined.conflict_suite_refined__mix
            group by mix_state
        )
    """)
    assert n_states == 3
    assert spread in (0, 1)


@pytest.mark.parametrize(
    ("protocol", "action_of_different"),
    [("refined", "require_agreement"), ("five_category", "abstain")],
)
def test_actions_are_the_policy_s(
    synthetic: Warehouse,
    refined: Warehouse,
    tmp_path: Path,
    protocol: str,
    action_of_different: str,
) -> None:
    warehouse = refined if protocol == "refined" else build(synthetic, tmp_path, protocol)
    assert warehouse.rows("""
        select operator, text_state, image_state, oracle_action
        from conflict_suite.conflict_suite__examples
        group by all
        order by all
    """) == [
        ("clean", "clean", "clean", "require_agreement"),
        ("different_text", "different", "clean", action_of_different),
        ("irrelevant_both", "irrelevant", "irrelevant", "abstain"),
        ("irrelevant_image", "clean", "irrelevant", "trust_text"),
        ("irrelevant_text", "irrelevant", "clean", "trust_vision"),
    ]


def test_every_retained_base_has_the_variants_of_its_third(refined: Warehouse) -> None:
    assert refined.rows("""
        select count(*)
        from conflict_suite.conflict_suite__integrity
        where not is_passed
    """) == [(0,)]
    assert refined.rows("""
        select screened.is_retained, count(examples.example_id) > 0
        from conflict_suite_refined.conflict_suite_refined__screened as screened
        left join conflict_suite.conflict_suite__examples as examples
            on screened.base_id = examples.base_id
        group by screened.base_id, screened.is_retained
        having screened.is_retained <> (count(examples.example_id) > 0)
    """) == []  # fmt: skip


def test_an_irrelevant_picture_is_of_the_split_and_shows_nothing_asked_for(
    refined: Warehouse,
) -> None:
    assert refined.rows("""
        select count(*) > 50, count(*) filter (examples.image_file <> images.file_name)
        from conflict_suite.conflict_suite__examples as examples
        inner join images.images__source_images as images
            on examples.image_donor_id = images.source_image_id
    """) == [(True, 0)]
    assert refined.rows("""
        select examples.example_id, categories.category
        from conflict_suite.conflict_suite__examples as examples
        inner join staging.stg_coco__instances as instances
            on examples.image_donor_id = instances.source_image_id
        inner join staging.stg_coco__categories as categories
            on instances.category_id = categories.category_id
        where contains(lower(examples.question), ' ' || categories.category)
    """) == []  # fmt: skip
    assert refined.rows("""
        select examples.example_id
        from conflict_suite.conflict_suite__examples as examples
        left join conflict_suite.conflict_suite__base_splits as splits
            on examples.image_donor_id = splits.source_image_id
        where examples.image_donor_id is not null
        and splits.base_split is distinct from examples.base_split
    """) == []  # fmt: skip


def test_drop_reasons_occur(synthetic: Warehouse) -> None:
    reasons = {
        str(reason)
        for (reason,) in synthetic.rows("""
            select reason
            from audit.audit__drops
            where benchmark = 'conflict_suite_refined'
        """)
    }
    assert reasons >= {"edit_unchanged", "edit_not_answerable", "edit_supports_gold"}


class Answering:
    """What a language model is made to say of each base, and what must become of it."""

    def __init__(self) -> None:
        self.expected: dict[str, tuple[str | None, str | None]] = {}
        self.n_said = 0

    def say(self, base: dict[str, str]) -> str | None:
        """The content of a response; None for no response at all."""
        self.n_said += 1
        is_open = base["gold_answer"] == "yes" and base["answer_type"] == "boolean"
        caption, state = base["caption"], base["mix_state"]
        edit: str | None
        match self.n_said % 5, state:
            case 0, _:
                edit, reason = None, "response_missing"
            case 1, _:
                edit, reason = "I had rather not", "response_invalid"
            case 2, _:
                edit, reason = caption, "edit_unchanged"
            case 3, "irrelevant" if is_open:
                edit, reason = f"{caption} today", "edit_still_answers"
            case 3, "different" if base["answer_type"] == "boolean":
                edit, reason = f"{caption} today", "edit_supports_gold"
            case 3, "different":
                edit, reason = "Xyzzy.", "edit_not_answerable"
            case _, "different" if not is_open:
                # whatever is not held counts against no subject, colour or number
                edit, reason = self.other(base), None
            case _:
                edit, reason = "Xyzzy.", None
        self.expected[base["base_id"]] = (None if reason else edit, reason)
        if edit is None or reason == "response_invalid":
            return edit
        return json.dumps({"edited_caption": edit, "new_answer": "whatever"})

    @staticmethod
    def other(base: dict[str, str]) -> str:
        """A caption that answers otherwise."""
        match base["answer_type"]:
            case "color":
                return "All of it is " + ("pink" if base["gold_answer"] != "pink" else "blue")
            case "integer":
                return "There are 37 of them"
            case _:
                return "Here: " + " ".join(base["evidence_words"])


@pytest.fixture(scope="module")
def answered(
    synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, Answering]:
    """The refined suite as a language model alone edited it, by batch files."""
    folder = tmp_path_factory.mktemp("answered")
    warehouse = Warehouse(folder)
    shutil.copy(synthetic.path, warehouse.path)
    with warehouse.connect() as connection:
        bases = {
            row[0]: dict(zip(("base_id", "mix_state", "answer_type", "gold_answer", "caption",
                              "evidence_words"), row, strict=True))
            for row in connection.execute("""
                select base_id, mix_state, answer_type, gold_answer, caption, evidence_words
                from conflict_suite_refined.conflict_suite_refined__screened
                where mix_state <> 'clean'
            """).fetchall()
        }  # fmt: skip
    answering = Answering()
    for task in ("edit_different", "edit_irrelevant"):
        warehouse.gainsay("llm", "export", "--task", task, "--model", "some-model", folder / task)
        requests = dict(
            warehouse.rows(
                f"select custom_id, input_id from raw.llm_requests where task = '{task}'"
            )
        )
        lines = []
        for file in sorted((folder / task).iterdir()):
            for line in file.read_text().splitlines():
                name = json.loads(line)["custom_id"]
                base = bases[str(requests[name])]
                content, refusal = answering.say(base), None
                if content is None:
                    continue
                if len(answering.expected) == 1:
                    content, refusal = None, "I cannot"
                    answering.expected[base["base_id"]] = (None, "response_refused")
                lines.append(answer_line(name, content, refusal))
        output = folder / f"{task}_output.jsonl"
        output.write_text("\n".join(lines))
        warehouse.gainsay("llm", "import", output)
    warehouse.dbt(
        "build", "--exclude-resource-type", "unit_test", "--exclude", "tag:evaluation",
        "--select", "llm__outcomes", "conflict_suite_refined__llm_edits+",
        "conflict_suite__variants+",
        "--vars", "{editor_policy: llm, oracle_protocol: refined}",
    )  # fmt: skip
    return warehouse, answering


def test_answers_of_a_language_model_become_edits_or_drops(
    answered: tuple[Warehouse, Answering],
) -> None:
    warehouse, answering = answered
    found = {
        str(base_id): (caption, reason)
        for base_id, caption, reason in warehouse.rows("""
            select base_id, case when is_retained then edited_caption end, drop_reason
            from conflict_suite_refined.conflict_suite_refined__screened
            where mix_state <> 'clean' and editor = 'llm'
        """)
    }

    assert found == answering.expected
    assert {reason for _, reason in found.values()} == {
        None, "edit_unchanged", "edit_supports_gold", "edit_not_answerable", "edit_still_answers",
        "response_invalid", "response_missing", "response_refused",
    }  # fmt: skip


def test_edits_of_a_language_model_are_shown_and_no_other(
    answered: tuple[Warehouse, Answering],
) -> None:
    warehouse, answering = answered
    shown = warehouse.rows("""
        select base_id, text_input, edit_kind, text_supported_target, gold_answer
        from conflict_suite.conflict_suite__examples
        where text_state in ('different', 'irrelevant')
    """)

    assert {str(row[0]) for row in shown} == {
        base_id for base_id, (_, reason) in answering.expected.items() if reason is None
    }
    for base_id, text, edit_kind, target, gold in shown:
        assert (text, edit_kind) == (answering.expected[str(base_id)][0], "rewrite")
        assert target != gold
    assert warehouse.rows("""
        select check_name from conflict_suite.conflict_suite__integrity where not is_passed
    """) == []  # fmt: skip
