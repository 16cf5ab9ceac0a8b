with

mentions as (

    select * from {{ ref('certainly_uncertain__object_mentions') }}

),

final as (

    select
        question,
        case
            when count(distinct case when is_asked then category end) = 1
                then min(case when is_asked and is_certain then category end)
        end as asked_category,
        {{ min_by('phrase', 'case when is_asked and is_certain then position end') }}
            as asked_phrase,
        count(distinct case when is_certain then category end) as n_named_categories,
        count(distinct case when is_asked then category end) as n_asked_categories
    from mentions
    group by question

)

select * from final
