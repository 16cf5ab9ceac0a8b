select
    challenges.challenge_id,
    languages.language
from {{ ref('reality_check__challenges') }} as challenges
cross join {{ ref('reality_check_languages') }} as languages
left join {{ ref('reality_check__questions') }} as questions
    on
        challenges.challenge_id = questions.challenge_id
        and languages.language = questions.language
where questions.challenge_id is null
