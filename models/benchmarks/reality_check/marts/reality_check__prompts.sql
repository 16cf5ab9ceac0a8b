-- a view, because it repeats the texts of the questions
{{ config(materialized='view') }}
with
questions as (select * from {{ ref('reality_check__record_questions') }}),

asked_pictures as (
    select
        challenges.challenge_id, challenges.image_a_id, challenges.image_b_id,
        challenges.image_c_id, challenges.asked_images,
        challenges.challenge_id as asked_example_id,
        cast(null as string) as recipe_a_id,
        recipes.recipe_id as recipe_b_id
    from {{ ref('reality_check__challenges') }} as challenges
    left join {{ ref('reality_check__render_recipes') }} as recipes
        on challenges.pair_id || '::b' = recipes.recipe_id
    union all
    select
        challenge_id, image_a_id, image_b_id, cast(null as string) as image_c_id, asked_images,
        -- a control is no example
        cast(null as string) as asked_example_id,
        recipe_a_id, recipe_b_id
    from {{ ref('reality_check__controls') }}
),

-- the pictures in the order in which they are shown; an edited one has a recipe
pictures as (
    select
        challenge_id, image_a_id, asked_images, asked_example_id,
        case
            when recipe_a_id is null then {{ json_object(image_id='image_a_id') }}
            else {{ json_object(image_id='image_a_id', recipe_id='recipe_a_id') }}
        end as picture_a,
        {{ json_object(image_id='image_b_id', recipe_id='recipe_b_id') }} as picture_b,
        {{ json_object(image_id='image_c_id') }} as picture_c,
        case when asked_images = 'b' then image_b_id else image_a_id end as first_image_id,
        case when asked_images = 'b' then recipe_b_id else recipe_a_id end as first_recipe_id
    from asked_pictures
),

-- `kind` of a choice is what the port calls its key
choices as (
    select challenge_id, language, replace(options, '"key":', '"kind":') as choices
    from questions
    where options is not null
)

select
    questions.challenge_id || '::' || questions.language as example_id,
    -- the id alone names the English question
    case questions.language
        when 'en' then questions.challenge_id
        else questions.challenge_id || '::' || questions.language
    end as example_key,
    pictures.asked_example_id,
    'open_ended' as task,
    questions.language as condition,
    pictures.image_a_id as source_image_id,
    cast(null as bigint) as image_id,
    pictures.first_image_id as shown_image_id,
    pictures.first_recipe_id as recipe_id,
    questions.question,
    cast(null as string) as context,
    choices.choices,
    -- the templates say how to answer, in the language of the question
    cast(null as string) as instruction,
    cast(null as string) as prompt_version,
    case pictures.asked_images
        when 'a' then '[' || pictures.picture_a || ']'
        when 'b' then '[' || pictures.picture_b || ']'
        when 'ab' then '[' || pictures.picture_a || ',' || pictures.picture_b || ']'
        when 'abc'
            then
                '[' || pictures.picture_a || ',' || pictures.picture_b
                || ',' || pictures.picture_c || ']'
    end as shown_pictures
from questions
inner join pictures using (challenge_id)
left join choices using (challenge_id, language)
