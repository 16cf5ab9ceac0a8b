"""The models that an export reads beside its own, for warehouses that a test makes by hand."""

from pathlib import Path

import duckdb

from gainsay.exports.formats import FORMATS

_RECORD = """
    'train' as split, 'Is it?' as question, null::varchar as text_input, 'Is it?' as prompt,
    'trust_vision' as oracle_action, 'yes' as target, 'no' as rejected, 'yes' as answer,
    true as is_sure, 'cannot answer' as abstention, '1.0' as record_version,
    'occlusion' as vision_family, 1 as severity, 'coco-' || n as shown_image_id,
    'https://flickr.com/' || n as flickr_url, null as license_name,
    'http://creativecommons.org/licenses/by/2.0/' as license_url,
    'conflicting' as condition, 'object' as change_type, 'clean' as operator,
    'available' as picture_state, 'train2017/' || n || '.jpg' as photograph_name,
    'available' as name_state, true as is_two_sided, 'A dog.' as caption_shown,
    'yes' as text_target, 'clean' as text_state, 'clean' as image_state, 'existence' as family,
    '(A)' as letter_target, '[{"letter": "A", "kind": "image_only", "text": "yes"}]' as choices
"""

# what a record is in, a column of `exports__deliverable` each
HELD = sorted({one.deliverable for one in FORMATS.values()})
_NAMED = {one.deliverable for one in FORMATS.values() if one.has_names}


def add_what_is_due(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the Conflict Suite's examples, and of each record of `exports__records` what is due.

    What needs a picture is due where the record's `picture_state` is `available`; none is named.
    """
    shown = "picture_state = 'available'"
    held = ", ".join(f"{'true' if name == 'jsonl' else shown} as {name}" for name in HELD)
    connection.execute(f"""
        create schema if not exists conflict_suite;
        create table conflict_suite.conflict_suite__examples as
        select example_id, split, operator, 'g' || example_id as group_id
        from exports.exports__records;
        create table exports.exports__deliverable as
        select benchmark, example_id, split, operator as condition, 'g' || example_id as group_id,
            cast(null as varchar) as language, picture_state, 'not_of_coco' as name_state,
            true as is_two_sided, {held}
        from exports.exports__records
    """)


def make_exports(connection: duckdb.DuckDBPyConnection, pictures: Path) -> None:
    """Make all that exports read, with a record of each of `0.png`, `1.png` and `2.png`."""
    held = ", ".join(
        f"{'true' if name in _NAMED else 'image_path is not null'} as {name}" for name in HELD
    )
    connection.execute(f"""
        create schema exports; create schema conflict_suite; create schema clash;
        create schema conflict_suite_refined; create schema vocabulary;
        create table vocabulary.split_roles as
        from (values ('train', 'training'), ('test', 'test'), ('control', 'test'))
            as roles (split, role);
        create table vocabulary.answer_forms as
        select 'boolean' as answer_type, 'yes' as surface, 'yes' as canonical;
        create table vocabulary.answer_words as
        select 'boolean' as answer_type, 'yes' as phrase, 'yes' as canonical, 'first' as place;
        create table vocabulary.evaluation_vocabulary as
        from (values ('negations', 'not', 'boolean'), ('articles', 'a', null),
            ('markers', 'answer:', null), ('abstention_phrases', 'unknown', 'whole_answer'))
            as words (list_name, word, value);
        create table vocabulary.idk_phrases as
        from (values ('phrase', 'unknown', 'not_known', 'text'), ('filler', 'sorry', null, 'start'),
            ('exception', 'no doubt', null, null)) as phrases (role, phrase, form, place);
        create table exports.records as
        select 'e' || n as example_id, {_RECORD}, 'images/' || n || '.png' as image,
            '{pictures}/' || n || '.png' as image_path,
            cast(null as varchar) as image_archive
        from range(3) as numbers(n);
        create view exports.exports__records as
        select 'conflict_suite' as benchmark, * replace (
            if(image_path is null, 'forbidden', 'available') as picture_state
        )
        from exports.records;
        create table conflict_suite.conflict_suite__examples as
        select example_id, split, operator, 'g' || example_id as group_id,
            0.5::decimal(7, 6) as donor_jaccard
        from exports.records;
        create table conflict_suite_refined.conflict_suite_refined__examples as
        select example_id, split, operator, 'g' || example_id as group_id from exports.records;
        create table clash.clash__examples as
        select example_id, split, operator, 'g' || example_id as group_id from exports.records;
        create view exports.exports__deliverable as
        select benchmark, example_id, records.split, records.operator as condition,
            'g' || example_id as group_id, null::varchar as language,
            if(image_path is null, 'forbidden', 'available') as picture_state, name_state,
            true as is_two_sided, {held}
        from exports.records cross join (
            values ('conflict_suite'), ('conflict_suite_refined'), ('clash')
        ) as benchmarks (benchmark);
        create view exports.exports__clash_finetuning as
        from exports.exports__records;
        create view exports.exports__carm_mix as
        from exports.exports__records;
        create table exports.exports__edited_instances as
        select 'images/' || n % 3 || '.png' as image, n as instance_id, 1 as category_id,
            'person' as category, 'person' as supercategory, [1.0, 2.0, 3.0, 4.0] as bbox,
            12.0 as area, false as is_crowd, [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]
            as segmentation_polygons, cast(null as varchar) as segmentation_rle_string,
            cast(null as bigint[]) as segmentation_rle_counts,
            cast(null as bigint[]) as segmentation_rle_size
        from range(6) as numbers(n);
        create table conflict_suite.conflict_suite__manifest as
        select 'v1' as protocol, 'code' as section, 'a' as item, 'b' as measure, 'c' as value;
    """)
    for kind, one in FORMATS.items():
        connection.execute(f"""
            create view exports.exports__{kind.replace("-", "_")} as
            from exports.exports__records where {one.has_names} or image_path is not null
        """)


# the languages that questions about several pictures are asked in
LANGUAGES = ("en", "hi")


def add_languages(connection: duckdb.DuckDBPyConnection, pictures: Path) -> None:
    """Make what exports read of questions about two pictures, each of two in every language.

    To be called behind `make_exports`: the first question is about `0.png` and `1.png`, the
    second about `1.png` and `2.png`.
    """
    shown = ", ".join(
        f"'images/' || {number} || '.png' as image_{letter},"
        f" '{pictures}/' || {number} || '.png' as image_{letter}_path,"
        f" cast(null as varchar) as image_{letter}_archive"
        for letter, number in (("a", "n"), ("b", "n + 1"))
    )
    no_third = ", ".join(
        f"cast(null as varchar) as image_c{part}" for part in ("", "_path", "_archive")
    )
    connection.execute(f"""
        create schema reality_check;
        create table reality_check.reality_check__examples as
        select 'q' || n as example_id, 'test' as split, 'g' || n as group_id
        from range(2) as numbers (n);
        create table exports.exports__reality_check_questions as
        select 'reality_check' as benchmark, 'q' || n || '::' || language as example_id,
            'q' || n as challenge_id, language, 'test' as split, 'color' as combination,
            'Is it?' as question, 'Is it?' as prompt, 'Yes' as target, 'Yes' as answer_text,
            'No' as distractors, 'yes_no' as answer_format, '1.0' as record_version,
            null as license_name, 'http://creativecommons.org/licenses/by/2.0/' as license_url,
            {shown}, {no_third}, 'available' as picture_state
        from range(2) as numbers (n) cross join unnest({list(LANGUAGES)}) as asked (language);
        create view exports.exports__reality_check as
        from exports.exports__reality_check_questions;
        create table vocabulary.reality_check_answer_forms as
        select language, 'yes' as form, 'Yes' as answer, false as is_anywhere
        from unnest({list(LANGUAGES)}) as asked (language);
        create table exports.due as from exports.exports__deliverable;
        create or replace view exports.exports__deliverable as
        select *, false as languages from exports.due
        union all by name
        select benchmark, example_id, split, cast(null as varchar) as condition,
            challenge_id as group_id, language, true as is_two_sided, true as languages
        from exports.exports__reality_check_questions
    """)
