"""A warehouse with what the pages of candidates read, small enough to count by hand."""

from pathlib import Path

import duckdb

from tests.python import image_specimens as specimens

HOSTILE = "</script><img src=x onerror=alert(1)>"
FORMULA = '=HYPERLINK("http://elsewhere", "look")'


def write_browse_warehouse(path: Path) -> Path:
    """Sixty questions about pictures, three of which are retained, and CLASH's texts of one."""
    picture = path.parent / "photo.jpg"
    picture.write_bytes(specimens.jpeg())
    with duckdb.connect(path) as connection:
        for schema in (
            "audit", "images", "conflict_suite", "clash", "exports", "evaluation", "people",
            "vocabulary",
        ):  # fmt: skip
            connection.execute(f"create schema {schema}")
        connection.execute("""
            create table audit.audit__candidates as
            select
                'conflict_suite' as benchmark, 'conflict_suite' as screening,
                'vqa-' || lpad(i::varchar, 3, '0') as candidate_id,
                case when i <= 3 then 'retained' when i % 2 = 0 then 'family' else 'caption' end
                    as stage,
                case when i <= 3 then 'retained' when i % 2 = 0 then 'family_filtered'
                    else 'missing_caption' end as reason,
                case when i % 3 = 0 then 'count' else 'existence' end as family,
                null::varchar as category,
                case when i <= 3 then 'train' end as split,
                'coco' as source, null::varchar as operator,
                case when i <= 9 then 'dog' end as object,
                case when i in (2, 3) then 'landed' else 'not landed' end as picture,
                case i when 5 then 'wrongly dropped' when 6 then 'undecided' end
                    as judged,
                i as question_id, i // 2 as image_id,
                'coco-' || (i // 2) as source_image_id, (i // 2) || '.jpg' as image_file,
                case when i = 7 then 'Is there a zebra?' else 'How many dogs?' end as question,
                'Two' as answer, '2' as gold_answer, ['two'] as evidence_words,
                null::varchar[] as texts_seen, null::varchar as drop_detail,
                null::varchar as stages_not_asked, i <= 3 as is_retained
            from range(1, 61) as numbers (i)
        """)
        connection.execute(
            """
            insert into audit.audit__candidates values (
                'clash', 'clash', 'clash-1', 'answer_words', 'vague_answer', 'object', 'animal',
                null, 'coco', null, null, 'landed', 'rightly dropped', null, 1, 'coco-1', '1.jpg',
                $hostile, $formula, 'field', ['field'],
                ['A horse on a field'], 'field', null, false
            )
            """,
            {"hostile": HOSTILE, "formula": FORMULA},
        )
        connection.execute("""
            create table audit.audit__gates as select * from (values
                ('conflict_suite', 'conflict_suite', 1, 'family', 'family_filtered', 'no family'),
                ('conflict_suite', 'conflict_suite', 2, 'caption', 'missing_caption', 'none'),
                ('conflict_suite', 'conflict_suite', 3, 'retained', 'retained', 'a base'),
                ('clash', 'clash', 1, 'answer_words', 'vague_answer', 'no definite thing'),
                ('clash', 'clash', 2, 'retained', 'retained', 'a sample')
            ) as gates (benchmark, screening, stage_order, stage, reason, description)
        """)
        for benchmark in ("conflict_suite", "clash"):
            connection.execute(f"""
                create table {benchmark}.{benchmark}__screened as
                select * exclude (benchmark), 'four legs' as seen_by_a_gate
                from audit.audit__candidates
                where benchmark = '{benchmark}'
            """)
            connection.execute(f"""
                create table {benchmark}.{benchmark}__examples as
                select candidate_id || '::clean' as example_id, candidate_id as group_id, split,
                    'clean' as operator, 'Two dogs' as text_input, question, gold_answer,
                    'require_agreement' as target, source_image_id as shown_image_id,
                    null::varchar as recipe_id
                from audit.audit__candidates where benchmark = '{benchmark}' and is_retained
            """)
        # the same words of two pictures, and what models answer to both
        connection.execute("""
            create table conflict_suite.conflict_suite__groups as select * from (values
                ('pair', 'vqa-001::clean', 'default', 'first'),
                ('pair', 'vqa-002::clean', 'default', 'second')
            ) as members (group_id, example_id, condition, role)
        """)
        connection.execute(r"""
            create table conflict_suite.conflict_suite__prompts as
            select example_id, example_id as asked_example_id, 'open_ended' as task,
                'default' as condition, 'How many dogs?' as question, context,
                '[{"letter": "A", "text": "two <b>"}]' as choices, shown_image_id,
                null::varchar as recipe_id
            from (values
                ('vqa-001::clean', 'Two dogs in the snow', 'coco-0'),
                ('vqa-002::clean', 'Three dogs in the snow', 'coco-1')
            ) as prompts (example_id, context, shown_image_id)
        """)
        connection.execute("""
            create table images.images__captions as select * from (values
                ('coco-1', 'A striped animal and two dogs', 1), ('coco-2', 'A road', 1)
            ) as captions (source_image_id, caption, caption_position);
            create table images.images__source_images as
                select 'coco-1' as source_image_id, 640::bigint as width, 480::bigint as height;
            create table images.images__instances as
                select 1 as instance_id, 'coco-1' as source_image_id, 'dog' as category,
                    [10.0, 20.0, 30.0, 40.0] as bbox,
                    [[10.0, 20.0, 40.0, 20.0, 40.0, 60.0]] as segmentation_polygons,
                    null::varchar as segmentation_rle_string,
                    null::bigint[] as segmentation_rle_size, 1200.0 as area;
        """)
        connection.execute(
            """
            create table people.people__votes as select *, now() as voted_at from (values
                ('audit', 'gates', 'conflict_suite::conflict_suite::vqa-005', 'ann', 'is_right',
                    'yes', $hostile, false),
                ('audit', 'gates', 'conflict_suite::conflict_suite::vqa-005', 'kim', 'is_right',
                    'yes', null, true),
                ('clash', 'validation', 'clash-1', 'ben', 'is_plausible', 'no', 'no field', false),
                ('evaluation', 'suspects', 'conflict_suite::vqa-003::clean::open_ended::default',
                    'ann', 'is_label_right', 'no', 'three dogs', false)
            ) as votes (benchmark, queue, record_id, reader, question, answer, note, is_ruling)
            """,
            {"hostile": HOSTILE},
        )
        connection.execute("""
            create table vocabulary.review_questions as select * from (values
                ('audit', 'gates', 'is_right', 1, 'Is it right as it is?', 'yes', 'Yes'),
                ('clash', 'validation', 'is_plausible', 3, 'Is it plausible?', 'no', 'No')
            ) as questions (benchmark, queue, question, position, text, answer, answer_label)
        """)
        connection.execute(
            """
            create table exports.exports__pictures as
            select 'coco-1' as source_image_id, $path as path, null::varchar as archive,
                'Somebody' as author, 'Attribution' as license_name, null::varchar as page_url
            """,
            {"path": str(picture)},
        )
        connection.execute("""
            create view exports.exports__shown_pictures as select * from (values
                ('conflict_suite', 'vqa-002::clean', 1, 'coco-1', null),
                ('conflict_suite', 'vqa-002::clean', 2, 'coco-9', null),
                ('conflict_suite', 'vqa-002::clean', 3, 'coco-1', 'flipped'),
                ('conflict_suite', 'vqa-003::clean', 2, 'coco-8', null)
            ) as pictures (benchmark, example_id, place, shown_image_id, recipe_id)
        """)
        connection.execute("""
            create table evaluation.evaluation__matches as
            select *, 'conflict_suite' as benchmark, 'open_ended' as task,
                'default' as condition, 'default' as run, 'contains' as matcher
            from (values
                ('vqa-001::clean', 'a model', 'three dogs', 0.0, ['split=train', 'family=count'],
                    0.9),
                ('vqa-001::clean', 'other', 'two', 1.0, ['split=train', 'family=count'], 0.4),
                ('vqa-002::clean', 'other', 'two', 1.0, ['split=train', 'family=existence'], null)
            ) as answers (example_id, model, prediction, credit, slices, confidence)
        """)
        # a group of examples has several values
        connection.execute("""
            create table audit.audit__candidate_measures as
            select 'conflict_suite' as benchmark, *
            from (values
                ('vqa-001', 'severity', 1.0::double), ('vqa-001', 'severity', 3.0),
                ('vqa-002', 'severity', 2.0), ('vqa-003', 'severity', 3.0),
                ('vqa-002', 'covered_share', 0.1), ('vqa-003', 'covered_share', 1 / 3)
            ) as measures (candidate_id, measure, value)
        """)
        connection.execute("""
            create table evaluation.evaluation__metrics as
            select 'conflict_suite' as benchmark, 'task_success' as metric, 1 as place,
                true as is_ranked;
            create table evaluation.evaluation__matchers as
            select 'conflict_suite' as benchmark, 'open_ended' as task, 'contains' as matcher,
                1 as place;
            create table vocabulary.split_roles as select 'train' as split, 'train' as role;
            create table evaluation.evaluation__leaderboard as
            select 'conflict_suite' as benchmark, 'train' as split, 'open_ended' as task,
                'default' as condition, 'contains' as matcher, 'task_success' as metric, rank,
                model, 'default' as run, value, null::double as standard_deviation,
                'share' as unit, null::double as target, null::boolean as is_target_met,
                true as is_scored, 2::bigint as n, 0::bigint as n_unanswered,
                0::bigint as n_unrated, 0::bigint as n_unmatched, 1.0::double as completeness,
                1 as matcher_place, true as is_shown
            from (values (1::bigint, 'other', 1.0::double), (2, '<b>a model', 0.0)) as ranked
                (rank, model, value);
            create table evaluation.evaluation__runs as
            select 'conflict_suite' as benchmark, 'open_ended' as task, 'default' as condition,
                '<b>a model' as model, 'default' as run, 'a <smaller> one' as other_model,
                1::bigint as n_of_other_models, 2::bigint as n_answers;
            create table evaluation.evaluation__scores as
            select 'conflict_suite' as benchmark, 'open_ended' as task, 'default' as condition,
                'task_success' as metric, slice_name, slice_value, 'a model' as model,
                'default' as run, value, 'share' as unit, 1::bigint as n, 1 as matcher_place,
                slice_name = 'family' as is_shown_by_slice
            from (values
                ('overall', 'overall', 0.5::double), ('family', 'count', 0.0),
                ('family', 'existence', 1.0), ('operator', 'clean', 0.5)
            ) as slices (slice_name, slice_value, value)
        """)
        connection.execute("""
            create table evaluation.evaluation__candidate_answers as
            select *, 'conflict_suite' as benchmark, 'open_ended' as task,
                'default' as condition, 'default' as run, candidate_id || '::clean' as example_id
            from (values
                ('vqa-001', 'a model', false, 'disagree', 0.5::double),
                ('vqa-001', 'other', true, 'disagree', 0.5),
                ('vqa-002', 'a model', true, 'all right', -2.0),
                ('vqa-002', 'other', true, 'all right', -2.0),
                ('vqa-003', 'a model', false, 'all wrong', 1.5)
            ) as answers (candidate_id, model, is_right, standing, suspicion)
        """)
    return path
