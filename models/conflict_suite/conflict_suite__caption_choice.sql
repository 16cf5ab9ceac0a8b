with

gold_answers as (

    select * from {{ ref('conflict_suite__gold_answers') }}
    where is_passed

),

evidence as (

    select * from {{ ref('conflict_suite__caption_evidence') }}

),

-- the first caption that supports the answer, or simply the first without the filter
eligible as (

    select
        question_id,
        caption_id,
        caption,
        row_number() over (partition by question_id order by caption_position) as choice
    from evidence
    {%- if var('consistency_filter') %}
        where is_support
    {%- endif %}

),

seen as (

    select
        question_id,
        {{ list_by('caption', order_by='caption_position') }} as captions_seen
    from evidence
    group by question_id

),

final as (

    select
        gold_answers.question_id,
        eligible.caption_id,
        eligible.caption,
        coalesce(seen.captions_seen, {{ empty_list(dbt.type_string()) }}) as captions_seen,
        seen.question_id is not null as has_caption,
        eligible.question_id is not null as is_passed
    from gold_answers
    left join seen
        on gold_answers.question_id = seen.question_id
    left join eligible
        on
            gold_answers.question_id = eligible.question_id
            and eligible.choice = 1

)

select * from final
