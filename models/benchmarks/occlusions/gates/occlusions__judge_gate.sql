{%- set answer_normalized = normalized_text(json_field('verdicts.answer', "'answer'")) -%}
with

picture_states as (

    select * from {{ ref('occlusions__answerability_gate') }}

),

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

outcomes as (

    select * from {{ ref('llm__outcomes') }}
    where
        task = 'picture_answers'
        and state = 'answered'

),

answer_forms as (

    select * from {{ ref('answer_forms') }}

),

policy as (

    select * from {{ ref('occlusions_judge_policies') }}
    where policy = {{ text_literal(var('occlusions_answerability_judges')) }}

),

-- of several verdicts on one picture the latest counts
ranked_verdicts as (

    select
        input_id,
        answer,
        row_number() over (
            partition by input_id
            order by requested_at desc, custom_id asc
        ) as preference
    from outcomes

),

verdicts as (

    select
        coverage.candidate_id,
        bases.answer_type,
        ranked_verdicts.answer
    from coverage
    inner join ranked_verdicts
        on coverage.judged_picture_id = ranked_verdicts.input_id
    inner join bases
        on coverage.base_id = bases.base_id
    where ranked_verdicts.preference = 1

),

read_verdicts as (

    select
        verdicts.candidate_id,
        {{ json_field('verdicts.answer', "'is_answerable'") }} = 'true' as is_answerable,
        {{ canonical_answer(answer_normalized, 'verdicts.answer_type', 'answer_forms.canonical') }}
            as judged_answer
    from verdicts
    left join answer_forms
        on
            verdicts.answer_type = answer_forms.answer_type
            and {{ answer_normalized }} = answer_forms.surface

),

-- a verdict is further evidence: it can only take an occlusion away. A picture without a verdict
-- is known by its masks alone
final as (

    select
        picture_states.candidate_id,
        read_verdicts.is_answerable,
        read_verdicts.judged_answer,
        case
            when not read_verdicts.is_answerable then 'not answerable'
            else coalesce(read_verdicts.judged_answer, 'no answer of its kind')
        end as drop_detail,
        case
            when not policy.hears_llm then true
            when picture_states.image_state = 'irrelevant' then not read_verdicts.is_answerable
            else
                read_verdicts.is_answerable
                and coalesce(
                    read_verdicts.judged_answer = picture_states.image_supported_target, false
                )
        end as is_passed
    from picture_states
    cross join policy
    inner join read_verdicts
        on picture_states.candidate_id = read_verdicts.candidate_id

)

select * from final
