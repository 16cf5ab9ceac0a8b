with
questions as (
    select * from {{ ref('reality_check__questions') }}
    where language = 'en'
)

-- the port shows one picture: the second where it alone is asked about, else the first
select
    challenges.challenge_id as example_id,
    challenges.pair_id as group_id,
    challenges.image_a_id as source_image_id,
    case
        when challenges.asked_images = 'b' then challenges.image_b_id
        else challenges.image_a_id
    end as shown_image_id,
    case when challenges.asked_images = 'b' then recipes.recipe_id end as recipe_id,
    {{ try_cast_bigint(regexp_extract(
        regexp_extract('challenges.image_a_id', '^coco-[0-9]+$'), '[0-9]+$'
    )) }} as image_id,
    challenges.image_a_file as image_file,
    challenges.split,
    challenges.bias_type as family,
    challenges.question_role as operator,
    cast(null as string) as text_input,
    questions.question,
    challenges.correct_answer as gold_answer,
    challenges.correct_answer as target,
    challenges.bias_type,
    challenges.difficulty,
    challenges.asked_images,
    challenges.image_b_id,
    challenges.image_c_id,
    challenges.template_id,
    challenges.slots,
    challenges.options,
    challenges.answer_format,
    challenges.correct_text,
    challenges.metadata,
    challenges.ground_truth_method,
    challenges.truth_source,
    {{ text_literal(var('record_versions').reality_check) }} as record_version
from {{ ref('reality_check__challenges') }} as challenges
left join questions using (challenge_id)
left join {{ ref('reality_check__render_recipes') }} as recipes
    on challenges.pair_id || '::b' = recipes.recipe_id
