with
edited_texts as (
    select edit_id as text_id, question, edited_caption as text
    from {{ ref('conflict_suite_refined__edits') }}
    where edited_caption is not null
),

final as (
    {{ text_readings('edited_texts') }}
)

select * from final
