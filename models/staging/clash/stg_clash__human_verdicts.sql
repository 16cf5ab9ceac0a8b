with

verdicts as (

    select * from {{ source('raw', 'clash_human_verdicts') }}

),

-- of what one person said of a sample in several sheets the latest counts
final as (

    select
        sample_id,
        annotator,
        _source_file as source_file,
        conflicting_caption,
        note,
        is_contradicted,
        is_question_clear,
        are_answers_right,
        is_accepted,
        _position as file_position,
        row_number() over (
            partition by sample_id, annotator
            order by _landed_at desc, _source_file desc, _position asc
        ) as occurrence
    from verdicts

)

select * from final
