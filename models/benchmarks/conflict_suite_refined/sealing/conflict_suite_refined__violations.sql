with

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

screened as (

    select * from {{ ref('conflict_suite_refined__screened') }}

),

definitions as (

    select * from {{ ref('conflict_suite_refined_variants') }}

),

examples as (

    select * from {{ ref('conflict_suite_refined__examples') }}

),

question_objects as (

    select * from {{ ref('lexicon__question_objects') }}

),

instances as (

    select * from {{ ref('images__instances') }}

),

screened_bases as (

    select
        base_id,
        count(*) as n_rows
    from screened
    where screening = 'edits'
    group by base_id

),

every_base_is_screened_once as (

    select
        coalesce(bases.base_id, screened_bases.base_id) as record_id,
        coalesce(screened_bases.n_rows, 0) as found
    from bases
    full outer join screened_bases
        on bases.base_id = screened_bases.base_id
    where
        bases.base_id is null
        or coalesce(screened_bases.n_rows, 0) <> 1

),

wanted_variants as (

    select
        screened.base_id,
        definitions.variant_id
    from screened
    inner join definitions
        on screened.mix_state = definitions.mix_state
    where
        screened.screening = 'edits'
        and screened.is_retained

),

screened_variants as (

    select
        candidate_id,
        base_id,
        variant_id,
        is_retained
    from screened
    where screening = 'variants'

),

every_retained_base_has_its_variants as (

    select
        coalesce(wanted_variants.base_id, screened_variants.base_id) as record_id,
        coalesce(wanted_variants.variant_id, screened_variants.variant_id) as found
    from wanted_variants
    full outer join screened_variants
        on
            wanted_variants.base_id = screened_variants.base_id
            and wanted_variants.variant_id = screened_variants.variant_id
    where
        wanted_variants.base_id is null
        or screened_variants.base_id is null

),

-- protocols that have no example at all count, too
protocols as (

    select distinct protocol
    from {{ ref('oracle_policy') }}
    where protocol in ({{ text_literals(var('conflict_suite_refined_protocols')) }})

),

wanted_examples as (

    select
        screened_variants.base_id,
        screened_variants.variant_id,
        protocols.protocol
    from screened_variants
    cross join protocols
    where screened_variants.is_retained

),

every_variant_is_shown_under_every_protocol as (

    select
        coalesce(wanted_examples.base_id, examples.base_id) as record_id,
        coalesce(wanted_examples.protocol, examples.protocol) || '::'
        || coalesce(wanted_examples.variant_id, examples.variant_id) as found
    from wanted_examples
    full outer join examples
        on
            wanted_examples.base_id = examples.base_id
            and wanted_examples.variant_id = examples.variant_id
            and wanted_examples.protocol = examples.protocol
    where
        wanted_examples.base_id is null
        or examples.base_id is null

),

example_id_is_unique as (

    select
        example_id as record_id,
        count(*) as found
    from examples
    group by example_id
    having count(*) > 1

),

every_edit_differs as (

    select
        examples.example_id as record_id,
        examples.text_input as found
    from examples
    inner join bases
        on examples.base_id = bases.base_id
    where
        examples.edit_kind is not null
        and (examples.text_input <> bases.caption) is not true

),

severity_matches_corruption as (

    select
        example_id as record_id,
        corrupt_modality || ', severity ' || cast(severity as {{ dbt.type_string() }}) as found
    from examples
    where (corrupt_modality = 'none') <> (severity = 0)

),

image_splits as (

    select distinct
        source_image_id,
        base_split
    from bases

),

every_irrelevant_picture_is_of_the_split as (

    select
        examples.example_id as record_id,
        examples.shown_image_id as found
    from examples
    left join image_splits
        on examples.shown_image_id = image_splits.source_image_id
    where
        examples.image_state = 'irrelevant'
        and (
            examples.shown_image_id = examples.source_image_id
            or image_splits.base_split is distinct from examples.base_split
        )

),

no_irrelevant_picture_shows_what_is_asked as (

    select distinct
        examples.example_id as record_id,
        question_objects.category as found
    from examples
    inner join question_objects
        on examples.question = question_objects.question
    inner join instances
        on
            examples.shown_image_id = instances.source_image_id
            and question_objects.category = instances.category
    where examples.image_state = 'irrelevant'

),

no_heldout_record_in_id_splits as (

    select
        example_id as record_id,
        split as found
    from examples
    where
        split in ('train', 'val', 'test_id')
        and (heldout_family_flag or heldout_severity_flag)

),

ood_family_is_heldout as (

    select
        example_id as record_id,
        family as found
    from examples
    where
        split = 'test_ood_family'
        and family <> {{ text_literal(var('conflict_suite_heldout_family')) }}

),

ood_severity_is_heldout as (

    select
        example_id as record_id,
        corrupt_modality || ', severity ' || cast(severity as {{ dbt.type_string() }}) as found
    from examples
    where
        split = 'test_ood_severity'
        and (corrupt_modality = 'none' or severity < {{ var('conflict_suite_heldout_severity') }})

),

images_of_id_splits as (

    select
        source_image_id as image,
        split
    from examples
    where split in ('train', 'val', 'test_id')
    union all
    select
        shown_image_id as image,
        split
    from examples
    where split in ('train', 'val', 'test_id')

),

no_image_crosses_id_splits as (

    select
        image as record_id,
        count(distinct split) as found
    from images_of_id_splits
    group by image
    having count(distinct split) > 1

),

final as (

    {{ violations_of('every_base_is_screened_once') }}
    union all
    {{ violations_of('every_retained_base_has_its_variants') }}
    union all
    {{ violations_of('every_variant_is_shown_under_every_protocol') }}
    union all
    {{ violations_of('example_id_is_unique') }}
    union all
    {{ violations_of('every_edit_differs') }}
    union all
    {{ violations_of('severity_matches_corruption') }}
    union all
    {{ violations_of('every_irrelevant_picture_is_of_the_split') }}
    union all
    {{ violations_of('no_irrelevant_picture_shows_what_is_asked') }}
    union all
    {{ violations_of('no_heldout_record_in_id_splits') }}
    union all
    {{ violations_of('ood_family_is_heldout') }}
    union all
    {{ violations_of('ood_severity_is_heldout') }}
    union all
    {{ violations_of('no_image_crosses_id_splits') }}

)

select * from final
