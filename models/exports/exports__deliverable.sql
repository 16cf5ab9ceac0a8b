-- read from the benchmarks' own examples, so that what exports make of them is held against them
with
examples as (
    {{ union_of_exported_examples() }}
),

pictures as (
    select benchmark, example_id, recipe_id, picture_state, name_state
    from {{ ref('exports__example_pictures') }}
    where place = 1
),
{%- if 'reality_check' in var('benchmarks') %}
-- of an example in every language, and of controls, which are no examples
    asked_questions as (
        select
            prompts.example_id,
            prompts.asked_example_id,
            coalesce(challenges.split, 'control') as split,
            prompts.condition as language,
            questions.picture_state
        from {{ ref('reality_check__prompts') }} as prompts
        inner join {{ ref('exports__reality_check_questions') }} as questions using (example_id)
        left join {{ ref('reality_check__challenges') }} as challenges
            on prompts.asked_example_id = challenges.challenge_id
    ),
{%- endif %}
{%- if var('export_r_tuning_model') %}
answered_examples as (
    select distinct benchmark, example_id
    from {{ ref('evaluation__matches') }}
    where
        model = {{ text_literal(var('export_r_tuning_model')) }}
        and credit is not null
        and coalesce(is_rated, true)
),
{%- endif %}
shown_examples as (
    select
        examples.benchmark, examples.example_id, examples.group_id, examples.split,
        examples.operator as condition,
        cast(null as string) as language,
        examples.oracle_action,
        pictures.recipe_id,
        not coalesce(examples.stem_is_one_sided, false) as is_two_sided,
        coalesce(examples.is_in_finetuning_mix, false) as is_in_finetuning_mix,
        {% if var('export_r_tuning_model') -%}
        examples.split = 'train' and answered_examples.example_id is not null
        {%- else -%}
            true
        {%- endif %} as is_tuned,
        pictures.picture_state,
        pictures.name_state,
        coalesce(pictures.picture_state = 'available', false) as has_picture,
        -- formats to train on may name COCO's file in the place of a picture
        coalesce(
            pictures.picture_state = 'available' or pictures.name_state = 'available', false
        ) as has_picture_or_name
    from examples
    left join pictures
        on
            examples.benchmark = pictures.benchmark
            and examples.example_id = pictures.example_id
    {%- if var('export_r_tuning_model') %}
    left join answered_examples
        on
            examples.benchmark = answered_examples.benchmark
            and examples.example_id = answered_examples.example_id
    {%- endif %}
)

-- each format is a column, true of what its files hold
select
    benchmark, example_id, group_id, split, condition, language, picture_state, name_state,
    is_two_sided,
    true as records,
    split <> 'held_back' as releases,
    true as jsonl,
    has_picture as hugging_face,
    has_picture as image_folder,
    has_picture as lmms_eval,
    has_picture as vlmevalkit,
    has_picture_or_name as llava,
    has_picture_or_name as dpo,
    has_picture_or_name and is_tuned as r_tuning,
    has_picture_or_name and oracle_action is not null as action_sft,
    has_picture and recipe_id is not null as coco_instances,
    has_picture_or_name and is_in_finetuning_mix as clash_mix,
    false as carm,
    false as languages
from shown_examples
{%- if 'reality_check' in var('benchmarks') %}
    union all
    select
        'reality_check' as benchmark,
        example_id,
        asked_example_id as group_id,
        split,
        cast(null as string) as condition,
        language,
        picture_state,
        cast(null as string) as name_state,
        true as is_two_sided,
        false as records,
        false as releases,
        false as jsonl,
        false as hugging_face,
        false as image_folder,
        false as lmms_eval,
        false as vlmevalkit,
        false as llava,
        false as dpo,
        false as r_tuning,
        false as action_sft,
        false as coco_instances,
        false as clash_mix,
        false as carm,
        picture_state = 'available' as languages
    from asked_questions
{%- endif %}
{%- if 'conflict_suite_refined' in var('benchmarks') and 'conflict_suite' in var('benchmarks') %}
    union all
    select
        'conflict_suite_refined' as benchmark,
        mixed_texts.example_id, mixed_texts.group_id, mixed_texts.split,
        mixed_texts.text_state as condition,
        cast(null as string) as language,
        pictures.picture_state,
        pictures.name_state,
        true as is_two_sided,
        false as records,
        false as releases,
        false as jsonl,
        false as hugging_face,
        false as image_folder,
        false as lmms_eval,
        false as vlmevalkit,
        false as llava,
        false as dpo,
        false as r_tuning,
        false as action_sft,
        false as coco_instances,
        false as clash_mix,
        coalesce(
            pictures.picture_state = 'available' or pictures.name_state = 'available', false
        ) as carm,
        false as languages
    from {{ ref('conflict_suite_refined__carm') }} as mixed_texts
    left join {{ ref('exports__carm_mix') }} as pictures using (example_id)
{%- endif %}
