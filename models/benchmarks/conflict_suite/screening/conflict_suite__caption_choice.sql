with

gold_answers as (

    select * from {{ ref('conflict_suite__gold_answers') }}
    where is_passed

),

evidence as (

    select * from {{ ref('conflict_suite__caption_evidence') }}

),

-- the first caption that supports the answer, or simply the first without the filter
chosen as (

    select
        question_id,
        {{ min_by('caption_id', order_by='caption_position') }} as caption_id
    from evidence
    {%- if var('conflict_suite_consistency_filter') %}
        where is_support
    {%- endif %}
    group by question_id

),

seen as (

    select distinct question_id from evidence

),

final as (

    select
        gold_answers.question_id,
        chosen.caption_id,
        seen.question_id is not null as has_caption,
        chosen.question_id is not null as is_passed
    from gold_answers
    left join seen
        on gold_answers.question_id = seen.question_id
    left join chosen
        on gold_answers.question_id = chosen.question_id

)

select * from final
