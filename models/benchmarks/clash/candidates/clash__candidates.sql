with

released as (

    select * from {{ ref('clash__samples') }}

),

proposals as (

    select * from {{ ref('contradictions__proposals') }}

),

llm_samples as (

    select * from {{ ref('clash__llm_samples') }}

),

generations as (

    select * from {{ ref('clash__llm_generations') }}

),

editors as (

    select * from {{ ref('editor_policies') }}
    where policy = '{{ var("editor_policy") }}'

),

questions as (

    select * from {{ ref('clash_questions') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- what each editor has for an image
edits as (

    select
        source_image_id,
        'rules' as editor,
        proposal_id as edit_id,
        {{ seeded_order('clash', 'proposal_id') }} as edit_order
    from proposals
    union all
    select
        source_image_id,
        'llm' as editor,
        sample_id as edit_id,
        {{ seeded_order('clash', 'sample_id') }} as edit_order
    from llm_samples

),

drawn as (

    select
        edits.editor,
        edits.edit_id,
        row_number() over (
            partition by edits.source_image_id
            order by editors.preference, edits.edit_order, edits.edit_id
        ) as draw
    from edits
    inner join editors
        on edits.editor = editors.editor

),

chosen as (

    select * from drawn
    where draw <= {{ var('clash_samples_per_image') }}

),

-- the question shows the caption with a gap where it was changed, so that it names no side
ruled as (

    select
        images.image_id,
        proposals.source_image_id,
        trim(proposals.caption) as original_caption,
        trim(proposals.edited_caption) as conflicting_caption,
        replace(
            questions.question,
            '{gap}',
            trim(
                substr(proposals.caption, 1, proposals.span_start - 1) || '___'
                || substr(proposals.caption, proposals.span_start + proposals.span_length)
            )
        ) as question,
        proposals.change_type,
        lower(proposals.changed_from) as image_only_answer,
        lower(proposals.changed_to) as text_only_answer,
        coalesce(proposals.alternative, questions.fallback_distractor) as distractor_answer,
        proposals.changed_from as original_words,
        proposals.changed_to as conflicting_words,
        {{ list_value('proposals.category') }} as categories
    from proposals
    inner join chosen
        on
            proposals.proposal_id = chosen.edit_id
            and chosen.editor = 'rules'
    inner join questions
        on proposals.category = questions.category
    inner join images
        on proposals.source_image_id = images.source_image_id

),

-- a request that made no sample is a candidate that got no further, beside what is drawn
unanswered as (

    select generations.*
    from generations
    inner join editors
        on editors.editor = 'llm'
    where generations.response_reason is not null

),

final as (

    select
        sample_id,
        'released' as origin,
        cast(null as {{ dbt.type_string() }}) as editor,
        image_id,
        source_image_id,
        original_caption,
        conflicting_caption,
        question,
        change_type,
        image_only_answer,
        text_only_answer,
        distractor_answer,
        original_words,
        conflicting_words,
        categories,
        cast(null as {{ dbt.type_string() }}) as response_reason
    from released
    union all
    select
        {{ clash_sample_id('image_id', 'question') }} as sample_id,
        'generated' as origin,
        'rules' as editor,
        image_id,
        source_image_id,
        original_caption,
        conflicting_caption,
        question,
        change_type,
        image_only_answer,
        text_only_answer,
        distractor_answer,
        original_words,
        conflicting_words,
        categories,
        cast(null as {{ dbt.type_string() }}) as response_reason
    from ruled
    union all
    select
        llm_samples.sample_id,
        'generated' as origin,
        'llm' as editor,
        llm_samples.image_id,
        llm_samples.source_image_id,
        llm_samples.original_caption,
        llm_samples.conflicting_caption,
        llm_samples.question,
        llm_samples.change_type,
        llm_samples.image_only_answer,
        llm_samples.text_only_answer,
        llm_samples.distractor_answer,
        llm_samples.original_words,
        llm_samples.conflicting_words,
        llm_samples.categories,
        llm_samples.response_reason
    from llm_samples
    inner join chosen
        on
            llm_samples.sample_id = chosen.edit_id
            and chosen.editor = 'llm'
    union all
    select
        custom_id as sample_id,
        'generated' as origin,
        'llm' as editor,
        image_id,
        source_image_id,
        original_caption,
        cast(null as {{ dbt.type_string() }}) as conflicting_caption,
        cast(null as {{ dbt.type_string() }}) as question,
        cast(null as {{ dbt.type_string() }}) as change_type,
        cast(null as {{ dbt.type_string() }}) as image_only_answer,
        cast(null as {{ dbt.type_string() }}) as text_only_answer,
        cast(null as {{ dbt.type_string() }}) as distractor_answer,
        cast(null as {{ dbt.type_string() }}) as original_words,
        cast(null as {{ dbt.type_string() }}) as conflicting_words,
        {{ empty_list(dbt.type_string()) }} as categories,
        response_reason
    from unanswered

)

select * from final
