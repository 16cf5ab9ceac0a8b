with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

-- a verdict counts for the sample that the person saw
final as (

    select
        verdicts.sample_id,
        verdicts.annotator,
        verdicts.note,
        verdicts.is_contradicted,
        verdicts.is_question_clear,
        verdicts.are_answers_right,
        verdicts.is_accepted
    from {{ ref('stg_clash__human_verdicts') }} as verdicts
    inner join candidates
        on
            verdicts.sample_id = candidates.sample_id
            and verdicts.conflicting_caption = candidates.conflicting_caption
    where verdicts.occurrence = 1

)

select * from final
