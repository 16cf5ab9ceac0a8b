select
    example_id,
    example_id as example_key,
    example_id as asked_example_id,
    'open_ended' as task,
    'default' as condition,
    source_image_id,
    image_id,
    shown_image_id,
    recipe_id,
    question,
    text_input as context,
    cast(null as string) as choices,
    'Answer with yes or no.' as instruction,
    '1' as prompt_version
from {{ ref('tiny__examples') }}
