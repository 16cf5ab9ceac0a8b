"""The Conflict Suite under its refined protocols: the mix, other captions, other pictures."""

import json
from collections.abc import Iterator
from typing import cast

import duckdb
import pytest

from tests.python.batch_output import answer_line
from tests.python.conftest import Warehouse

pytestmark = pytest.mark.xdist_group("refined_suite")

Breaking = tuple[duckdb.DuckDBPyConnection, str, dict[str, str]]


def test_thirds_are_as_even_as_the_groups_allow(synthetic: Warehouse) -> None:
    """No base that can be either kind of group would make the shares of its family more even."""
    kinds: dict[str, list[tuple[str, bool]]] = {}
    for family, kind, is_free in synthetic.rows("""
        select mix.family, mix.group_kind, can_be_two_answers and can_be_open_question
        from conflict_suite_refined.conflict_suite_refined__mix as mix
        inner join conflict_suite_refined.conflict_suite_refined__possible_groups using (base_id)
    """):
        kinds.setdefault(str(family), []).append((str(kind), bool(is_free)))

    assert {"attribute_color", "existence"} <= set(kinds)
    for groups in kinds.values():
        n_open = sum(kind == "open_question" for kind, _ in groups)
        for kind, step in (("open_question", -1), ("two_answers", 1)):
            if (kind, True) in groups:
                unevenness = abs(3 * n_open - 2 * len(groups))
                assert abs(3 * (n_open + step) - 2 * len(groups)) >= unevenness


def test_text_picture_and_question_are_answered_as_often_as_not(synthetic: Warehouse) -> None:
    """Whoever sees one of them alone knows nothing of the right move."""
    for seen in ("text_input", "shown_image_id, image_source", "question"):
        assert synthetic.rows(f"""
            select protocol, group_id, {seen}
            from conflict_suite_refined.conflict_suite_refined__examples
            group by all
            having count(target) * 2 <> count(*)
        """) == []  # fmt: skip


def test_other_pictures_answer_what_the_text_says(synthetic: Warehouse) -> None:
    """A partner's picture is of a base of which the same is asked, and the answer is its own."""
    assert synthetic.rows("""
        select examples.example_id
        from conflict_suite_refined.conflict_suite_refined__examples as examples
        inner join conflict_suite_refined.conflict_suite_refined__bases as bases
            using (base_id)
        left join conflict_suite_refined.conflict_suite_refined__bases as partners
            on
                examples.shown_image_id = partners.source_image_id
                and bases.asked_words = partners.asked_words
                and bases.family = partners.family
                and examples.image_supported_target = partners.gold_answer
        -- or people say so, though no caption can
        left join conflict_suite.conflict_suite__bases as denied
            on
                examples.shown_image_id = denied.source_image_id
                and bases.question = denied.question
                and denied.gold_answer = 'no'
                and examples.image_supported_target = 'no'
        where
            examples.image_source = 'partner'
            and partners.base_id is null
            and denied.base_id is null
    """) == []  # fmt: skip
    assert synthetic.rows("""
        select example_id
        from conflict_suite_refined.conflict_suite_refined__examples
        where target is not null and target <> coalesce(image_supported_target, target)
    """) == []  # fmt: skip


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        ("refined", [
            ("clean", "clean", "require_agreement", "answer"),
            ("clean", "different", "require_agreement", None),
            ("clean", "irrelevant", "trust_text", "answer"),
            ("different", "clean", "require_agreement", None),
            ("irrelevant", "clean", "trust_vision", "answer"),
            ("irrelevant", "irrelevant", "abstain", None),
        ]),
        ("five_category", [
            ("clean", "clean", "require_agreement", "answer"),
            ("clean", "different", "require_agreement", None),
            ("clean", "irrelevant", "trust_text", "answer"),
            ("different", "clean", "abstain", None),
            ("irrelevant", "clean", "trust_vision", "answer"),
            ("irrelevant", "irrelevant", "abstain", None),
        ]),
    ],
)  # fmt: skip
def test_actions_and_targets_are_the_policy_s(
    synthetic: Warehouse, protocol: str, expected: list[tuple[str, ...]]
) -> None:
    assert (
        synthetic.rows(f"""
        select
            text_state, image_state, oracle_action,
            case when target = gold_answer then 'answer' end as move
        from conflict_suite_refined.conflict_suite_refined__examples
        where protocol = '{protocol}'
        group by all
        order by all
    """)
        == expected
    )


def test_ids_say_base_protocol_and_variant(synthetic: Warehouse) -> None:
    assert synthetic.rows("""
        select example_id
        from conflict_suite_refined.conflict_suite_refined__examples
        where example_id <> base_id || '::' || protocol || '::' || variant_id
    """) == []  # fmt: skip


def test_every_base_of_the_mix_is_shown_and_no_other(synthetic: Warehouse) -> None:
    assert synthetic.rows("""
        select count(*)
        from conflict_suite_refined.conflict_suite_refined__violations
    """) == [(0,)]
    assert synthetic.rows("""
        select screened.is_retained, count(examples.example_id) > 0
        from conflict_suite_refined.conflict_suite_refined__screened as screened
        left join conflict_suite_refined.conflict_suite_refined__examples as examples
            on screened.base_id = examples.base_id
        where screened.screening = 'bases'
        group by screened.base_id, screened.is_retained
        having screened.is_retained <> (count(examples.example_id) > 0)
    """) == []  # fmt: skip


def test_a_manifest_of_each_protocol_counts_its_examples_and_shares(synthetic: Warehouse) -> None:
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
    assert synthetic.rows("""
        select item, cast(value as integer)
        from conflict_suite_refined.conflict_suite_refined__manifest
        where section = 'mix' and measure = 'n_groups' and protocol = 'refined'
        order by item
    """) == synthetic.rows("""
        select family || ', ' || group_kind as item, cast(count(*) as integer)
        from conflict_suite_refined.conflict_suite_refined__mix
        group by item
        order by item
    """)


def test_a_donor_s_picture_is_of_the_split_and_shows_nothing_asked_for(
    synthetic: Warehouse,
) -> None:
    assert synthetic.rows("""
        select count(*) > 20, count(*) filter (examples.image_file <> images.file_name)
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
        where examples.image_source = 'donor'
        and contains(lower(examples.question), ' ' || categories.category)
        and not (categories.category = 'dog' and contains(lower(examples.question), 'hot dog'))
        and not (categories.category = 'bear' and contains(lower(examples.question), 'teddy bear'))
    """) == []  # fmt: skip
    assert synthetic.rows("""
        select examples.example_id
        from conflict_suite_refined.conflict_suite_refined__examples as examples
        left join conflict_suite_refined.conflict_suite_refined__image_ring as splits
            on examples.image_donor_id = splits.source_image_id
        where examples.image_donor_id is not null
        and splits.ring is distinct from examples.base_split
    """) == []  # fmt: skip


BREACHES = {
    "every_base_is_screened_once": """
        delete from {screened} where screening = 'bases' and base_id = '{base}'
    """,
    "every_group_is_whole": """
        delete from {examples} where example_id = '{example}'
    """,
    "every_part_is_answered_as_often_as_not": """
        update {examples} set right_move = 'abstain' where example_id = '{example}'
    """,
    "every_text_fits_its_state_alone": """
        update {screened} set fitting_states = ['clean', 'different']
        where screening = 'edits' and base_id = '{captioned}'
    """,
    "no_text_is_in_two_states": """
        insert into {examples}
        select * replace ('different' as text_state) from {examples}
        where example_id = '{example}'
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
    "every_donor_picture_is_of_the_split": """
        update {examples} set shown_image_id = source_image_id where example_id = '{pictured}'
    """,
    "no_donor_picture_shows_what_is_asked": """
        update {examples} as examples set shown_image_id = (
            select min(instances.source_image_id)
            from conflict_suite_refined.conflict_suite_refined__bases as bases
            inner join lexicon.lexicon__question_objects as named
                on bases.question = named.question
            inner join images.images__instances as instances
                on named.category = instances.category
            where bases.base_id = examples.base_id
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
            "edited": "protocol = 'refined' and variant_id = 'different_text'",
            # a caption stands beside its pictures, not a sentence about the thing alone
            "captioned": "variant_id = 'refined_clean' and edited_to is null",
            "pictured": "protocol = 'refined' and image_source = 'donor'",
        }.items():
            [(names[name],)] = connection.execute(
                f"select min(example_id) from {names['examples']} where {condition}"
            ).fetchall()
        for name, example in (("base", "example"), ("captioned", "captioned")):
            names[name] = names[example].split("::")[0]
        yield connection, query.read_text(), names


def test_every_check_is_broken_here(synthetic: Warehouse) -> None:
    listed = synthetic.rows(
        "select check_name from vocabulary.integrity_checks"
        " where benchmark = 'conflict_suite_refined'"
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
    assert reasons >= {
        "evidence_not_strict", "no_edit", "no_text_holds", "no_crossed_partner",
    }  # fmt: skip


Text = tuple[str, str]


class Answering:
    """What a language model is made to say of each base and state, and what becomes of it."""

    def __init__(self) -> None:
        self.expected: dict[Text, tuple[str | None, str | None]] = {}
        self.n_said = 0

    def say(self, text: Text, base: dict[str, str]) -> str | None:
        """The content of a response; None for no response at all."""
        self.n_said += 1
        caption, by_rules = base["caption"], base["edited_caption"]
        is_different = base["mix_state"] == "different"
        edit: str | None
        match self.n_said % 5:
            case 0:
                edit, reason = None, "response_missing"
            case 1:
                edit, reason = "I had rather not", "response_invalid"
            case 2:
                edit, reason = caption, "edit_unchanged"
            case 3 if not is_different:
                edit, reason = f"Today: {caption}", "edit_still_answers"
            case 3 if base["answer_type"] != "boolean":
                edit, reason = f"Today: {caption}", "edit_supports_gold"
            case 3 if base["gold_answer"] == "yes" and by_rules:
                # named and denied, it would be both
                edit = f"{caption.rstrip(' .')}. {by_rules[by_rules.rindex('There ') :]}"
                reason = "state_unclear"
            case _ if by_rules:
                edit, reason = by_rules, None
            case _:
                edit, reason = "Xyzzy.", "edit_not_answerable" if is_different else None
        self.expected[text] = (None if reason else edit, reason)
        if edit is None or reason == "response_invalid":
            return edit
        return json.dumps({"edited_caption": edit, "new_answer": "whatever"})


@pytest.fixture(scope="module")
def answered(
    synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, Answering]:
    """The refined suite as a language model alone edited it, by batch files."""
    folder = tmp_path_factory.mktemp("answered")
    warehouse = synthetic.copied_to(folder)
    names = ("base_id", "mix_state", "answer_type", "gold_answer", "caption", "edited_caption")
    bases = {
        (str(row[0]), str(row[1])): dict(zip(names, row, strict=True))
        for row in warehouse.rows("""
            select
                base_id, mix_state, answer_type, gold_answer, caption,
                case when is_retained then edited_caption end
            from conflict_suite_refined.conflict_suite_refined__screened
            where screening = 'edits' and text_source = 'refined_edit'
        """)
    }
    answering = Answering()
    for state in ("different", "irrelevant"):
        task = f"edit_{state}"
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
                text = (str(requests[name]), state)
                content = answering.say(text, cast("dict[str, str]", bases[text]))
                refusal = None
                if content is None:
                    continue
                if len(answering.expected) == 1:
                    content, refusal = None, "I cannot"
                    answering.expected[text] = (None, "response_refused")
                lines.append(answer_line(name, content, refusal))
        output = folder / f"{task}_output.jsonl"
        output.write_text("\n".join(lines))
        warehouse.gainsay("llm", "import", output)
    warehouse.dbt(
        "build", "--exclude-resource-type", "unit_test", "--exclude", "tag:evaluation",
        "path:models/exports", "path:models/report", "path:models/blind",
        "--select", "llm__outcomes", "conflict_suite_refined__llm_edits+",
        "conflict_suite__examples+",
        "--vars", "{editor_policy: llm}",
    )  # fmt: skip
    return warehouse, answering


def test_answers_of_a_language_model_become_edits_or_drops(
    answered: tuple[Warehouse, Answering],
) -> None:
    warehouse, answering = answered
    found = {
        (str(base_id), str(state)): (caption, reason)
        for base_id, state, caption, reason in warehouse.rows("""
            select
                base_id, mix_state, case when is_retained then edited_caption end, drop_reason
            from conflict_suite_refined.conflict_suite_refined__screened
            where screening = 'edits' and text_source = 'refined_edit' and editor = 'llm'
        """)
    }

    assert found == answering.expected
    assert {reason for _, reason in found.values()} == {
        None, "edit_unchanged", "edit_supports_gold", "edit_not_answerable", "edit_still_answers",
        "state_unclear", "response_invalid", "response_missing", "response_refused",
    }  # fmt: skip


def test_edits_of_a_language_model_are_shown_and_no_other(
    answered: tuple[Warehouse, Answering],
) -> None:
    warehouse, answering = answered
    shown = warehouse.rows("""
        select
            base_id, written_state, text_input, edit_kind, text_supported_target, gold_answer
        from conflict_suite_refined.conflict_suite_refined__examples
        where editor = 'llm'
    """)

    # where a caption does not fit both pictures, a sentence about the thing stands alone
    assert len(shown) >= 4
    for base_id, state, text, edit_kind, target, gold in shown:
        assert (text, None) == answering.expected[str(base_id), str(state)]
        assert edit_kind == "rewrite"
        assert target != gold
    assert warehouse.rows("""
        select check_name
        from conflict_suite_refined.conflict_suite_refined__violations
    """) == []  # fmt: skip
