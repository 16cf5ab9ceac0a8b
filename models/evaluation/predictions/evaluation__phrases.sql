{%- set rated_benchmarks -%}
    '{{ var("evaluation_rated_benchmarks") | join("', '") }}'
{%- endset -%}
with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        (
            benchmark in ('conflict_suite', 'conflict_suite_refined', 'occlusions', 'vizwiz')
            or benchmark in ({{ rated_benchmarks }})
        )
        and reason is null

),

abstention_phrases as (

    select
        'abstention' as purpose,
        is_whole_answer,
        {{ spaced_phrase('phrase') }} as phrase
    from {{ ref('abstention_phrases') }}

),

idk_phrases as (

    select
        'idk' as purpose,
        is_whole_answer,
        {{ spaced_phrase('phrase') }} as phrase
    from {{ ref('idk_phrases') }}

),

phrases as (

    select * from abstention_phrases
    union all
    select * from idk_phrases

),

texts as (

    select prediction as text
    from predictions
    where prediction is not null
    union
    select gold_answer
    from predictions
    where gold_answer is not null

),

spaced as (

    select
        text,
        {{ spaced_phrase('text') }} as spaced_text
    from texts

),

-- a phrase of several words may stand anywhere, a single word must be the whole answer
final as (

    select
        spaced.text,
        bool_or(phrases.purpose = 'abstention') as is_abstention,
        bool_or(phrases.purpose = 'idk') as is_idk
    from spaced
    inner join phrases
        on case
            when phrases.is_whole_answer then spaced.spaced_text = phrases.phrase
            else contains(spaced.spaced_text, phrases.phrase)
        end
    group by spaced.text

)

select * from final
