with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

verdicts as (

    select * from {{ ref('stg_clash__human_verdicts') }}
    where occurrence = 1

),

-- a verdict counts only while the sample's conflicting caption is the one that the person saw
final as (

    select
        verdicts.sample_id,
        verdicts.annotator,
        verdicts.note,
        verdicts.is_contradicted,
        verdicts.is_question_clear,
        verdicts.are_answers_right,
        verdicts.is_accepted
    from verdicts
    inner join candidates
        on
            verdicts.sample_id = candidates.sample_id
            and verdicts.conflicting_caption = candidates.conflicting_caption

)

select * from final
