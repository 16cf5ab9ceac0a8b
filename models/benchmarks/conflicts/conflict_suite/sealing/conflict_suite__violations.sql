with
questions as (
    select distinct question_id from {{ ref('stg_vqa__questions') }}
),

bases as (select * from {{ ref('conflict_suite__bases') }}),
examples as (select * from {{ ref('conflict_suite__examples') }}),

definitions as (
    select * from {{ ref('variant_definitions') }}
    where {{ is_variant_in_use() }}
),

screening_rows as (
    select question_id, count(*) as n_rows
    from {{ ref('conflict_suite__screened') }}
    group by question_id
),

screening_conserves_rows as (
    select
        coalesce(questions.question_id, screening_rows.question_id) as record_id,
        coalesce(screening_rows.n_rows, 0) as found
    from questions
    full outer join screening_rows
        on questions.question_id = screening_rows.question_id
    where questions.question_id is null or coalesce(screening_rows.n_rows, 0) <> 1
),

variants_in_use as (
    select bases.base_id, count(*) as n_variants
    from bases
    cross join definitions
    group by bases.base_id
),

variants_of_bases as (
    select bases.base_id, count(distinct examples.variant_id) as n_variants
    from bases
    left join examples using (base_id)
    group by bases.base_id
),

every_base_has_its_variants as (
    select variants_of_bases.base_id as record_id, variants_of_bases.n_variants as found
    from variants_of_bases
    inner join variants_in_use using (base_id)
    where variants_of_bases.n_variants <> variants_in_use.n_variants
),

donor_variants as (
    select variant_id
    from definitions
    where text_source in ('easy_donor', 'hard_donor')
),

every_swap_has_a_donor as (
    select examples.example_id as record_id, examples.donor_base_id as found
    from examples
    inner join donor_variants using (variant_id)
    inner join bases using (base_id)
    left join bases as donors on examples.donor_base_id = donors.base_id
    where
        donors.base_id is null
        or donors.source_image_id = bases.source_image_id
        or donors.caption = bases.caption
        or donors.caption is distinct from examples.text_input
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

no_heldout_record_in_id_splits as (
    select example_id as record_id, split as found
    from examples
    where
        split in ('train', 'val', 'test_id')
        and (
            heldout_family_flag
            or heldout_severity_flag
            {%- if var('conflict_suite_heldout_hard_swap') %}
            or hard_swap_flag
            {%- endif %}
        )
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

no_source_image_crosses_id_splits as (
    select source_image_id as record_id, count(distinct split) as found
    from examples
    where split in ('train', 'val', 'test_id')
    group by source_image_id
    having count(distinct split) > 1
),

no_template_crosses_id_splits as (
    select template_id as record_id, count(distinct split) as found
    from examples
    where
        split in ('train', 'val', 'test_id')
        and {{ var('conflict_suite_require_disjoint_templates') }}
    group by template_id
    having count(distinct split) > 1
)

{{ violations_of([
    'screening_conserves_rows', 'every_base_has_its_variants', 'every_swap_has_a_donor',
    'example_id_is_unique', 'every_edit_differs', 'severity_matches_corruption',
    'no_heldout_record_in_id_splits', 'ood_family_is_heldout', 'ood_severity_is_heldout',
    'no_source_image_crosses_id_splits', 'no_template_crosses_id_splits',
]) }}
