with
questions as (select * from {{ ref('reality_check__record_questions') }}),

-- the same words: the question and its choices, whatever letters those stand under
asked_records as (
    select
        records.*,
        questions.question || coalesce({{ array_join(list_sort_distinct(list_value(
            json_extract_string('records.options', '$[0].text'),
            json_extract_string('records.options', '$[1].text'),
            json_extract_string('records.options', '$[2].text'),
            json_extract_string('records.options', '$[3].text')
        )), "' | '") }}, '') as asked_words
    from (
        {{ union_of_models(
            ['reality_check__challenges', 'reality_check__controls'],
            ['challenge_id', 'pair_id', 'split', 'options', 'correct_answer', 'correct_text']
        ) }}
    ) as records
    inner join questions
        on records.challenge_id = questions.challenge_id and questions.language = 'en'
),

-- a challenge and the first of its controls to which no letter and no text is right as well
control_groups as (
    select challenges.challenge_id as first_id, min(control_records.challenge_id) as second_id
    from {{ ref('reality_check__controls') }} as controls
    inner join asked_records as control_records using (challenge_id)
    inner join asked_records as challenges on controls.control_of = challenges.challenge_id
    where
        challenges.asked_words = control_records.asked_words
        and challenges.correct_answer <> control_records.correct_answer
        and challenges.correct_text <> control_records.correct_text
    group by challenges.challenge_id
),

-- of one pair's pictures the one is asked about in the words of the other
picture_groups as (
    select first_records.challenge_id as first_id, second_records.challenge_id as second_id
    from asked_records as first_records
    inner join asked_records as second_records using (pair_id, split, asked_words)
    left join control_groups as of_first on first_records.challenge_id = of_first.first_id
    left join control_groups as of_second on second_records.challenge_id = of_second.first_id
    where
        first_records.split <> 'control'
        and first_records.challenge_id < second_records.challenge_id
        and first_records.correct_answer <> second_records.correct_answer
        and first_records.correct_text <> second_records.correct_text
        and of_first.first_id is null
        and of_second.first_id is null
),

-- all others that are asked in the same words, of whatever pictures
left_over as (
    select asked_records.*
    from asked_records
    left join control_groups on asked_records.challenge_id = control_groups.first_id
    left join picture_groups as of_first on asked_records.challenge_id = of_first.first_id
    left join picture_groups as of_second on asked_records.challenge_id = of_second.second_id
    where
        asked_records.split <> 'control'
        and control_groups.first_id is null
        and of_first.first_id is null
        and of_second.first_id is null
),

crossed_pairs as (
    {{ answer_pairs(
        'left_over', 'rc_group_partner', 'challenge_id', ['split', 'asked_words'], 'correct_text',
        seed_var='reality_check_seed'
    ) }}
),

crossed_groups as (
    select crossed_pairs.first_key as first_id, crossed_pairs.second_key as second_id
    from crossed_pairs
    inner join left_over as first_records on crossed_pairs.first_key = first_records.challenge_id
    inner join left_over as second_records on crossed_pairs.second_key = second_records.challenge_id
    where first_records.correct_answer <> second_records.correct_answer
),

grouped_pairs as (
    select *, 'challenge' as first_role, 'control' as second_role from control_groups
    union all
    select *, 'first' as first_role, 'second' as second_role from picture_groups
    union all
    select *, 'first' as first_role, 'second' as second_role from crossed_groups
),

members as (
    select first_id, first_id as challenge_id, first_role as role from grouped_pairs
    union all
    select first_id, second_id as challenge_id, second_role as role from grouped_pairs
)

-- in each language by itself
select
    members.first_id || '::' || questions.language as group_id,
    members.challenge_id || '::' || questions.language as example_id,
    questions.language as condition,
    members.role
from members
inner join questions using (challenge_id)
