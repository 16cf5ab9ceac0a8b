with

gold_answers as (

    select * from {{ ref('conflict_suite__gold_answers') }}
    where is_passed

),

evidence as (

    select * from {{ ref('conflict_suite__caption_evidence') }}

),

-- the first caption that supports the answer, or simply the first without the filter
first_captions as (

    select
        question_id,
        {{ min_by('caption_id', order_by='caption_position') }} as caption_id
    from evidence
    {%- if var('conflict_suite_consistency_filter') %}
        where is_support
    {%- endif %}
    group by question_id

),

final as (

    select
        gold_answers.question_id,
        first_captions.caption_id,
        first_captions.question_id is not null as is_passed
    from gold_answers
    left join first_captions
        on gold_answers.question_id = first_captions.question_id

)

select * from final
