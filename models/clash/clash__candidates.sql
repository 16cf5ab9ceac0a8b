with

released as (

    select * from {{ ref('clash__samples') }}

),

proposals as (

    select
        *,
        row_number() over (
            partition by source_image_id
            order by {{ seeded_order('clash', 'proposal_id') }}, proposal_id
        ) as draw
    from {{ ref('contradictions__proposals') }}

),

questions as (

    select * from {{ ref('clash_questions') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- the question shows the caption with a gap where it was changed, so that it names no side
generated as (

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
        {{ list_of('proposals.category') }} as categories
    from proposals
    inner join questions
        on proposals.category = questions.category
    inner join images
        on proposals.source_image_id = images.source_image_id
    where proposals.draw <= {{ var('clash_samples_per_image') }}

),

final as (

    select
        sample_id,
        'released' as origin,
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
        categories
    from released
    union all
    select
        {{ clash_sample_id('image_id', 'question') }} as sample_id,
        'generated' as origin,
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
        categories
    from generated

)

select * from final
