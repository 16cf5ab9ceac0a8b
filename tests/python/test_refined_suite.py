"""The Conflict Suite under its refined protocols: the mix, other captions, other pictures."""

import json
from collections.abc import Iterator

import duckdb
import pytest

from tests.python.batch_output import answer_line
from tests.python.conftest import Warehouse

pytestmark = pytest.mark.xdist_group("refined_suite")

Breaking = tuple[duckdb.DuckDBPyConnection, str, dict[str, str]]


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
    ("protocol", "action_of_different", "move_of_different"),
    [("refined", "require_agreement", None), ("five_category", "abstain", None)],
)
def test_actions_and_targets_are_the_policy_s(
    synthetic: Warehouse, protocol: str, action_of_different: str, move_of_different: str | None
) -> None:
    assert synthetic.rows(f"""
        select
            operator, text_state, image_state, oracle_action,
            case when target = gold_answer then 'answer' end as move
        from conflict_suite_refined.conflict_suite_refined__examples
        where protocol = '{protocol}'
        group by all
        order by all
    """) == [
        ("clean", "clean", "clean", "require_agreement", "answer"),
        ("different_text", "different", "clean", action_of_different, move_of_different),
        ("irrelevant_both", "irrelevant", "irrelevant", "abstain", None),
        ("irrelevant_image", "clean", "irrelevant", "trust_text", "answer"),
        ("irrelevant_text", "irrelevant", "clean", "trust_vision", "answer"),
    ]


def test_protocols_differ_in_the_action_alone(synthetic: Warehouse) -> None:
    """Both protocols show the same, and ids say which is which."""
    same = "* exclude (example_id, protocol, oracle_action)"
    table = "conflict_suite_refined.conflict_suite_refined__examples"
    assert synthetic.rows(f"""
        select count(*) > 200, count(distinct protocol)
        from {table}
    """) == [(True, 2)]
    assert synthetic.rows(f"""
        (select {same} from {table} where protocol = 'refined'
        except all
        select {same} from {table} where protocol = 'five_category')
        union all
        (select {same} from {table} where protocol = 'five_category'
        except all
        select {same} from {table} where protocol = 'refined')
    """) == []  # fmt: skip
    assert synthetic.rows(f"""
        select example_id
        from {table}
        where example_id <> base_id || '::' || protocol || '::' || variant_id
    """) == []  # fmt: skip


def test_every_retained_base_has_the_variants_of_its_third(synthetic: Warehouse) -> None:
    assert synthetic.rows("""
        select count(*)
        from conflict_suite_refined.conflict_suite_refined__integrity
        where not is_passed
    """) == [(0,)]
    assert synthetic.rows("""
        select screened.is_retained, count(examples.example_id) > 0
        from conflict_suite_refined.conflict_suite_refined__screened as screened
        left join conflict_suite_refined.conflict_suite_refined__examples as examples
            on screened.base_id = examples.base_id
        where screened.screening = 'edits'
        group by screened.base_id, screened.is_retained
        having screened.is_retained <> (count(examples.example_id) > 0)
    """) == []  # fmt: skip


def test_a_manifest_of_each_protocol_counts_its_examples(synthetic: Warehouse) -> None:
    assert synthetic.rows("""
        select protocol, cast(value as integer)
        from conflict_suite_refined.conflict_suite_refined__manifest
        where section = 'content' and measure = 'n'
        order by protocol
    """) == synthetic.rows("""
        select protocol, cast(count(*) as integer)
        from conflict_suite_refined.conflict_suite_refined__examples
        group by protocol
        order by protocol
    """)
    [(n_hashes,)] = synthetic.rows("""
        select count(distinct value)
        from conflict_suite_refined.conflict_suite_refined__manifest
        where section = 'content' and measure = 'sha256'
    """)
    assert n_hashes == 2


def test_an_irrelevant_picture_is_of_the_split_and_shows_nothing_asked_for(
    synthetic: Warehouse,
) -> None:
    assert synthetic.rows("""
        select count(*) > 50, count(*) filter (examples.image_file <> images.file_name)
        from conflict_suite_refined.conflict_suite_refined__examples as examples
        inner join images.images__source_images as images
            on examples.image_donor_id = images.source_image_id
    """) == [(True, 0)]
    assert synthetic.rows("""
        select examples.example_id, categories.category
        from conflict_suite_refined.conflict_suite_refined__examples as examples
        inner join staging.stg_coco__instances as instances
            on examples.image_donor_id = instances.source_image_id
        inner join staging.stg_coco__categories as categories
            on instances.category_id = categories.category_id
        where contains(lower(examples.question), ' ' || categories.category)
        and not (categories.category = 'dog' and contains(lower(examples.question), 'hot dog'))
        and not (categories.category = 'bear' and contains(lower(examples.question), 'teddy bear'))
    """) == []  # fmt: skip
    assert synthetic.rows("""
        select examples.example_id
        from conflict_suite_refined.conflict_suite_refined__examples as examples
        left join conflict_suite.conflict_suite__base_splits as splits
            on examples.image_donor_id = splits.source_image_id
        where examples.image_donor_id is not null
        and splits.base_split is distinct from examples.base_split
    """) == []  # fmt: skip


BREACHES = {
    "every_base_is_screened_once": """
        delete from {screened} where screening = 'edits' and base_id = '{base}'
    """,
    "every_retained_base_has_its_variants": """
        delete from {screened} where screening = 'variants' and base_id = '{base}'
    """,
    "every_variant_is_shown_under_every_protocol": """
        delete from {examples} where example_id = '{example}'
    """,
    "example_id_is_unique": """
        insert into {examples} select * from {examples} where example_id = '{example}'
    """,
    "every_edit_differs": """
        update {examples} as examples set text_input = bases.caption
        from conflict_suite.conflict_suite__bases as bases
        where examples.base_id = bases.base_id and example_id = '{edited}'
    """,
    "severity_matches_corruption": """
        update {examples} set severity = 0 where example_id = '{edited}'
    """,
    "every_irrelevant_picture_is_of_the_split": """
        update {examples} set shown_image_id = source_image_id where example_id = '{pictured}'
    """,
    "no_irrelevant_picture_shows_what_is_asked": """
        update {examples} as examples set question = (
            select min(named.question)
            from lexicon.lexicon__question_objects as named
            inner join images.images__instances as instances
                on named.category = instances.category
            where instances.source_image_id = examples.shown_image_id
        )
        where example_id = '{pictured}'
    """,
    "no_heldout_record_in_id_splits": """
        update {examples} set heldout_family_flag = true where example_id = '{example}'
    """,
    "ood_family_is_heldout": """
        update {examples} set split = 'test_ood_family' where example_id = '{example}'
    """,
    "ood_severity_is_heldout": """
        update {examples} set split = 'test_ood_severity' where example_id = '{example}'
    """,
    "no_image_crosses_id_splits": """
        update {examples} set split = 'val' where example_id = '{example}'
    """,
}


@pytest.fixture(scope="module")
def broken(synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Breaking]:
    """A copy of the warehouse to break in one transaction after the other, and its checks."""
    warehouse = synthetic.copied_to(tmp_path_factory.mktemp("broken"))
    warehouse.dbt("compile", "--select", "conflict_suite_refined__violations")
    [query] = warehouse.folder.glob("target/compiled/**/conflict_suite_refined__violations.sql")
    names = {
        name: f"conflict_suite_refined.conflict_suite_refined__{name}"
        for name in ("screened", "examples")
    }
    with duckdb.connect(warehouse.path) as connection:
        for name, condition in {
            "example": "protocol = 'refined' and split = 'train' and variant_id = 'refined_clean'",
            "edited": "protocol = 'refined' and edit_kind is not null",
            "pictured": "protocol = 'refined' and image_state = 'irrelevant'",
        }.items():
            [(names[name],)] = connection.execute(
                f"select min(example_id) from {names['examples']} where {condition}"
            ).fetchall()
        names["base"] = names["example"].split("::")[0]
        yield connection, query.read_text(), names


def test_every_check_is_broken_here(synthetic: Warehouse) -> None:
    listed = synthetic.rows(
        "select check_name from vocabulary.conflict_suite_refined__integrity_checks"
    )
    assert {str(name) for (name,) in listed} == set(BREACHES)


@pytest.mark.parametrize("check", sorted(BREACHES))
def test_a_record_that_breaks_a_check_is_found(broken: Breaking, check: str) -> None:
    connection, violations, names = broken
    connection.begin()
    try:
        connection.execute(BREACHES[check].format(**names))
        found = {row[0] for row in connection.execute(violations).fetchall()}
    finally:
        connection.rollback()
    assert check in found


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
    warehouse = synthetic.copied_to(folder)
    with warehouse.connect() as connection:
        bases = {
            row[0]: dict(zip(("base_id", "mix_state", "answer_type", "gold_answer", "caption",
                              "evidence_words"), row, strict=True))
            for row in connection.execute("""
                select base_id, mix_state, answer_type, gold_answer, caption, evidence_words
                from conflict_suite_refined.conflict_suite_refined__screened
                where screening = 'edits' and mix_state <> 'clean'
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
        "--vars", "{editor_policy: llm}",
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
            where screening = 'edits' and mix_state <> 'clean' and editor = 'llm'
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
        from conflict_suite_refined.conflict_suite_refined__examples
        where text_state in ('different', 'irrelevant')
    """)

    assert {str(row[0]) for row in shown} == {
        base_id for base_id, (_, reason) in answering.expected.items() if reason is None
    }
    for base_id, text, edit_kind, target, gold in shown:
        assert (text, edit_kind) == (answering.expected[str(base_id)][0], "rewrite")
        assert target != gold
    assert warehouse.rows("""
        select check_name
        from conflict_suite_refined.conflict_suite_refined__integrity
        where not is_passed
    """) == []  # fmt: skip
