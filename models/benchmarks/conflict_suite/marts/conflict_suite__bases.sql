with

retained_candidates as (

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
        retained_candidates.base_id,
        retained_candidates.question_id,
        retained_candidates.image_id,
        retained_candidates.source_image_id,
        retained_candidates.image_file,
        retained_candidates.question,
        retained_candidates.family,
        retained_candidates.answer_type,
        retained_candidates.evidence_modality,
        retained_candidates.gold_answer,
        retained_candidates.caption,
        {{ long_tokens('retained_candidates.caption', 'noun_stop_words.stop_words') }}
            as noun_tokens,
        -- the first twelve digits of the sha1 of the question's tokens
        substr(
            sha1({{ array_join(tokens('retained_candidates.question'), "' '") }}), 1, 12
        ) as template_id,
        base_splits.base_split
    from retained_candidates
    inner join base_splits
        on retained_candidates.source_image_id = base_splits.source_image_id
    cross join noun_stop_words

)

select * from final
