with

challenges as (

    select * from {{ ref('reality_check__challenges') }}

),

languages as (

    select * from {{ ref('reality_check_languages') }}

),

questions as (

    select * from {{ ref('reality_check__questions') }}

),

final as (

    select
        challenges.challenge_id,
        languages.language
    from challenges
    cross join languages
    left join questions
        on
            challenges.challenge_id = questions.challenge_id
            and languages.language = questions.language
    where questions.challenge_id is null

)

select * from final
