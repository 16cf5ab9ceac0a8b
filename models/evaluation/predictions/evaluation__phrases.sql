{%- set rated_benchmarks -%}
    '{{ var("evaluation_rated_benchmarks") | join("', '") }}'
{%- endset -%}
with
abstaining_benchmarks as (
    select
        prediction, gold_answer,
        benchmark in ({{ rated_benchmarks }}) or benchmark = 'vizwiz' as may_be_idk
    from {{ ref('evaluation__predictions') }}
    where
        (
            benchmark in ('conflict_suite', 'conflict_suite_refined', 'occlusions', 'vizwiz')
            or benchmark in ({{ rated_benchmarks }})
        )
        and reason is null
),

said_texts as (
    select prediction as text, may_be_idk from abstaining_benchmarks
    union all
    select gold_answer as text, may_be_idk from abstaining_benchmarks
),

texts as (
    select text, bool_or(may_be_idk) as may_be_idk
    from said_texts
    where text is not null
    group by text
),

spaced_texts as (
    select text, {{ spaced_phrase('text') }} as spaced_text from texts
),

abstention_phrases as (
    select {{ spaced_phrase('phrase') }} as phrase, place
    from {{ vocabulary('evaluation', 'abstention_phrases', word='phrase', value='place') }}
        as listed_phrases
),

-- a phrase of several words may stand anywhere, a single word must be the whole answer
abstentions as (
    select distinct spaced_texts.text
    from spaced_texts
    inner join abstention_phrases
        on case
            when abstention_phrases.place = 'whole_answer'
                then spaced_texts.spaced_text = abstention_phrases.phrase
            else contains(spaced_texts.spaced_text, abstention_phrases.phrase)
        end
),

idk_texts as (
    select text from texts
    where may_be_idk
),

unknowns as (
    {{ not_knowing('idk_texts') | indent }}
)

select
    texts.text, unknowns.idk_form,
    abstentions.text is not null as is_abstention,
    unknowns.text is not null as is_idk
from texts
left join abstentions on texts.text = abstentions.text
left join unknowns on texts.text = unknowns.text
where abstentions.text is not null or unknowns.text is not null
