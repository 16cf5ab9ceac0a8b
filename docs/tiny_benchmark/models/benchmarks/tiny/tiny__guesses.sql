select
    'open_ended' as task,
    'default' as condition,
    'answer' as guessed,
    example_id,
    group_id,
    split,
    target as label,
    question,
    text_input as context,
    cast(null as string) as choices,
    {{ empty_list('string') }} as slices
from {{ ref('tiny__examples') }}
