-- a question whose slots are filled is held to the length of its template
select *
from {{ ref('reality_check__record_questions') }}
where (length(question) >= {{ rc_threshold('least_question_length') }}) is not true
