-- a view, because it repeats the texts of the questions
{{ config(materialized='view') }}

with

challenges as (

    select * from {{ ref('reality_check__challenges') }}

),

questions as (

    select * from {{ ref('reality_check__questions') }}

),

-- `kind` of a choice is what the port calls its key
choices as (

    select
        challenge_id,
        language,
        replace(options, '"key":', '"kind":') as choices
    from questions
    where options is not null

),

final as (

    select
        questions.challenge_id || '::' || questions.language as example_id,
        -- the id alone names the English question
        case questions.language
            when 'en' then questions.challenge_id
            else questions.challenge_id || '::' || questions.language
        end as example_key,
        'open_ended' as task,
        questions.language as condition,
        challenges.image_a_id as source_image_id,
        cast(null as bigint) as image_id,
        case challenges.asked_images
            when 'b' then challenges.image_b_id
            else challenges.image_a_id
        end as shown_image_id,
        cast(null as {{ dbt.type_string() }}) as recipe_id,
        questions.question,
        cast(null as {{ dbt.type_string() }}) as context,
        choices.choices,
        -- the templates say how to answer, in the language of the question
        cast(null as {{ dbt.type_string() }}) as instruction,
        cast(null as {{ dbt.type_string() }}) as prompt_version
    from questions
    inner join challenges
        on questions.challenge_id = challenges.challenge_id
    left join choices
        on
            questions.challenge_id = choices.challenge_id
            and questions.language = choices.language

)

select * from final
