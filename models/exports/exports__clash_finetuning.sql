with
examples as (
    select * from {{ ref('clash__examples') }}
    where is_in_finetuning_mix
),

prompts as (
    select * from {{ ref('clash__prompts') }}
    where task = 'multiple_choice'
),

pictures as (
    select * from {{ ref('exports__example_pictures') }}
    where benchmark = 'clash'
)

select
    examples.example_id, examples.sample_id, examples.condition, examples.split,
    examples.source_image_id, examples.caption_shown, examples.question, examples.choices_text,
    prompts.choices, examples.right_letter, examples.right_choice, examples.change_type,
    examples.category, pictures.image_path, pictures.image_archive, pictures.image,
    pictures.license_name, pictures.license_url, pictures.flickr_url, pictures.photograph_name,
    coalesce(pictures.picture_state, 'not_landed') as picture_state,
    coalesce(pictures.name_state, 'not_of_coco') as name_state
from examples
inner join prompts
    on
        examples.sample_id = prompts.example_id
        and examples.condition = prompts.condition
left join pictures on examples.example_id = pictures.example_id
