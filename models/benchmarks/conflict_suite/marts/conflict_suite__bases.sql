with

retained as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

base_splits as (

    select * from {{ ref('conflict_suite__base_splits') }}

),

-- one row that carries the whole list
noun_stop_words as (

    select {{ array_agg('token', order_by='token') }} as stop_words
    from {{ ref('stop_words') }}
    where list_name = 'noun'

),

final as (

    select
        retained.base_id,
        retained.question_id,
        retained.image_id,
        retained.source_image_id,
        retained.image_file,
        retained.question,
        retained.family,
        retained.answer_type,
        retained.evidence_modality,
        retained.gold_answer,
        retained.caption,
        {{ long_tokens('retained.caption', 'noun_stop_words.stop_words') }} as noun_tokens,
        -- the first twelve digits of the sha1 of the question's tokens
        substr(
            sha1({{ array_join(tokens('retained.question'), "' '") }}), 1, 12
        ) as template_id,
        base_splits.base_split
    from retained
    inner join base_splits
        on retained.source_image_id = base_splits.source_image_id
    cross join noun_stop_words

)

select * from final
