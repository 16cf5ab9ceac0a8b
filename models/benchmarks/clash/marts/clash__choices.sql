with
-- every sample of the test set is asked as it was released; of the generated ones only those that
-- pass the filters, and people see what people rejected before
samples as (
    select * from {{ ref('clash__screened') }}
    where is_retained or origin = 'released' or drop_stage in ('human_check', 'undecided')
),

sample_choices as (
    select sample_id, 'image_only' as choice_kind, image_only_answer as choice
    from samples
    union all
    select sample_id, 'text_only' as choice_kind, text_only_answer as choice
    from samples
    union all
    select sample_id, 'distractor' as choice_kind, distractor_answer as choice
    from samples
    union all
    select sample_id, 'conflict' as choice_kind, '{{ var("clash_conflict_choice") }}' as choice
    from samples
),

ranked_choices as (
    select
        *,
        row_number() over (
            partition by sample_id
            order by
                {{ seeded_order('choices', "sample_id || ':' || choice_kind") }}, choice_kind
        ) as choice_position
    from sample_choices
)

select
    sample_id,
    substr('ABCD', cast(choice_position as integer), 1) as letter,
    choice_kind,
    choice
from ranked_choices
