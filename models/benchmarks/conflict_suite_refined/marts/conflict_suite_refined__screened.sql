with

screened as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

judged_edits as (

    select * from {{ ref('conflict_suite_refined__judged_edits') }}

),

gates as (

    select * from {{ ref('conflict_suite_refined__gates') }}

),

-- an edit that holds before one that does not, then the editor that is preferred
ranked as (

    select
        *,
        row_number() over (
            partition by base_id
            order by case when drop_stage is null then 1 else 2 end, preference
        ) as place
    from judged_edits

),

final as (

    select
        chosen.base_id,
        chosen.mix_state,
        screened.question_id,
        screened.image_id,
        screened.source_image_id,
        screened.image_file,
        screened.question,
        screened.multiple_choice_answer,
        screened.family,
        screened.answer_type,
        screened.gold_answer,
        screened.caption,
        screened.evidence_words,
        nullif(chosen.editor, 'none') as editor,
        chosen.edit_kind,
        chosen.edited_from,
        chosen.edited_to,
        chosen.edited_caption,
        chosen.caption_evidence,
        chosen.edited_evidence,
        case
            when chosen.mix_state = 'different' and chosen.drop_stage is null
                then {{ list_extract('chosen.new_answers', 1) }}
        end as text_supported_target,
        case
            when chosen.mix_state = 'clean' then 'text_is_clean'
            when chosen.mix_state = 'irrelevant' then 'text_answers_nothing'
            when chosen.drop_stage is not null then gates.reason
        end as text_target_reason,
        chosen.drop_stage,
        gates.reason as drop_reason,
        chosen.base_id as candidate_id,
        'conflict_suite_refined' as screening,
        screened.multiple_choice_answer as answer,
        {{ list_value('screened.caption', 'chosen.edited_caption') }} as texts_seen,
        cast(null as {{ dbt.type_string() }}) as drop_detail,
        chosen.drop_stage is null as is_retained
    from ranked as chosen
    inner join screened
        on chosen.base_id = screened.base_id
    left join gates
        on chosen.drop_stage = gates.stage
    where chosen.place = 1

)

select * from final
