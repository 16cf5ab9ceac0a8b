-- data/challenges/controls.jsonl: what no count of the source protocol's scripts includes
with
texts as (
    select
        challenge_id,
        map_from_entries(list((language, question) order by language)) as questions,
        map_from_entries(list((language, answer) order by language)) as answers
    from reality_check.reality_check__record_questions
    where is_control
    group by challenge_id
),

controls as (
    select
        controls.* replace (
            cast(controls.slots as json) as slots,
            cast(controls.options as json) as options,
            cast(controls.expected_failure_mode as json) as expected_failure_mode,
            cast(controls.metadata as json) as metadata
        ),
        texts.questions,
        texts.answers
    from reality_check.reality_check__controls as controls
    left join texts using (challenge_id)
)

select to_json(controls) as line
from controls
order by controls.challenge_id
