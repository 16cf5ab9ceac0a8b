with
bases as (select * from {{ ref('conflict_suite__bases') }}),
screened as (select * from {{ ref('conflict_suite_refined__screened') }}),

protocols as (
    select distinct protocol
    from {{ ref('oracle_policy') }}
    where protocol in ({{ text_literals(var('conflict_suite_refined_protocols')) }})
),

examples as (select * from {{ ref('conflict_suite_refined__examples') }}),

-- what was taken down is screened, and no base any more
screened_bases as (
    select base_id, count(*) as n_rows
    from screened
    where screening = 'bases' and coalesce(drop_stage, '') <> 'withdrawal'
    group by base_id
),

every_base_is_screened_once as (
    select
        coalesce(bases.base_id, screened_bases.base_id) as record_id,
        coalesce(screened_bases.n_rows, 0) as found
    from bases
    full outer join screened_bases
        on bases.base_id = screened_bases.base_id
    where bases.base_id is null or coalesce(screened_bases.n_rows, 0) <> 1
),

-- protocols that have no example at all count, too
wanted_examples as (
    select
        screened.base_id || '::' || protocols.protocol || '::' || definitions.variant_id
            as example_id
    from screened
    cross join protocols
    inner join {{ ref('conflict_suite_refined_variants') }} as definitions using (group_kind)
    where screened.screening = 'bases' and screened.is_retained
),

every_group_is_whole as (
    select
        coalesce(wanted_examples.example_id, examples.example_id) as record_id,
        examples.variant_id as found
    from wanted_examples
    full outer join examples
        on wanted_examples.example_id = examples.example_id
    where wanted_examples.example_id is null or examples.example_id is null
),

shown_moves as (
    select protocol, group_id, 'text' as part, text_input as shown, right_move
    from examples
    union all
    select
        protocol, group_id, 'picture' as part,
        concat_ws(' ', shown_image_id, image_source) as shown,
        right_move
    from examples
),

every_part_is_answered_as_often_as_not as (
    select group_id as record_id, protocol || ', ' || part || ': ' || shown as found
    from shown_moves
    group by group_id, protocol, part, shown
    having sum(case when right_move = 'answer' then 1 else -1 end) <> 0
),

screened_texts as (
    select base_id, mix_state, fitting_states
    from screened
    where screening = 'edits'
),

every_text_fits_its_state_alone as (
    select
        examples.example_id as record_id,
        {{ array_join('screened_texts.fitting_states', "', '") }} as found
    from examples
    left join screened_texts
        on
            examples.base_id = screened_texts.base_id
            and examples.written_state = screened_texts.mix_state
    where
        -- a sentence about the thing alone says nothing else
        (examples.edited_to <> examples.text_input) is not false
        and (
            screened_texts.fitting_states is null
            or {{ list_length('screened_texts.fitting_states') }} <> 1
            or not array_contains(screened_texts.fitting_states, examples.written_state)
        )
),

no_text_is_in_two_states as (
    select min(example_id) as record_id, text_input as found
    from examples
    group by question, gold_answer, text_input
    having count(distinct text_state) > 1
),

example_id_is_unique as (
    select example_id as record_id, count(*) as found
    from examples
    group by example_id
    having count(*) > 1
),

every_edit_differs as (
    select examples.example_id as record_id, examples.text_input as found
    from examples
    inner join bases using (base_id)
    where
        examples.edit_kind is not null
        and (examples.text_input <> bases.caption) is not true
),

severity_matches_corruption as (
    select
        example_id as record_id,
        corrupt_modality || ', severity ' || cast(severity as string) as found
    from examples
    where (corrupt_modality = 'none') <> (severity = 0)
),

image_splits as (
    select source_image_id, base_split
    from bases
    union
    select source_image_id, ring as base_split
    from {{ ref('conflict_suite_refined__image_ring') }}
),

every_donor_picture_is_of_the_split as (
    select examples.example_id as record_id, examples.shown_image_id as found
    from examples
    left join image_splits on examples.shown_image_id = image_splits.source_image_id
    where
        examples.image_donor_id is not null
        and (
            examples.shown_image_id = examples.source_image_id
            or image_splits.base_split is distinct from examples.base_split
        )
),

no_donor_picture_shows_what_is_asked as (
    select distinct examples.example_id as record_id, question_objects.category as found
    from examples
    inner join bases using (base_id)
    inner join {{ ref('lexicon__question_objects') }} as question_objects
        on bases.question = question_objects.question
    inner join {{ ref('images__instances') }} as instances
        on
            examples.shown_image_id = instances.source_image_id
            and question_objects.category = instances.category
    where examples.image_source = 'donor'
),

no_heldout_record_in_id_splits as (
    select example_id as record_id, split as found
    from examples
    where
        split in ('train', 'val', 'test_id')
        and (heldout_family_flag or heldout_severity_flag)
),

ood_family_is_heldout as (
    select example_id as record_id, family as found
    from examples
    where
        split = 'test_ood_family'
        and family <> {{ text_literal(var('conflict_suite_heldout_family')) }}
),

ood_severity_is_heldout as (
    select
        example_id as record_id,
        corrupt_modality || ', severity ' || cast(severity as string) as found
    from examples
    where
        split = 'test_ood_severity'
        and (corrupt_modality = 'none' or severity < {{ var('conflict_suite_heldout_severity') }})
),

shown_in_splits as (
    select source_image_id as image, split from examples
    union all
    select shown_image_id as image, split from examples
),

no_image_crosses_id_splits as (
    select image as record_id, count(distinct split) as found
    from shown_in_splits
    where split in ('train', 'val', 'test_id')
    group by image
    having count(distinct split) > 1
)

{{ violations_of([
    'every_base_is_screened_once', 'every_group_is_whole', 'every_part_is_answered_as_often_as_not',
    'every_text_fits_its_state_alone', 'no_text_is_in_two_states', 'example_id_is_unique',
    'every_edit_differs', 'severity_matches_corruption', 'every_donor_picture_is_of_the_split',
    'no_donor_picture_shows_what_is_asked', 'no_heldout_record_in_id_splits',
    'ood_family_is_heldout', 'ood_severity_is_heldout', 'no_image_crosses_id_splits',
]) }}
