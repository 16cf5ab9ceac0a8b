-- what is right to each prompt, said in a word and in a sentence, and among which answers one guesses
with
prompts as (select * from exports.exports__prompts),

colors as (
    select list(distinct gold_answer order by gold_answer) as names
    from evaluation.conflicts__examples
    where answer_type = 'color'
),

conflicts as (
    select
        prompts.benchmark, prompts.task, prompts.condition, prompts.example_id,
        prompts.asked_example_id,
        if(examples.is_abstention_right, 'cannot answer', examples.gold_answer) as right_answer,
        case
            when examples.is_abstention_right then 'I cannot answer that.'
            when examples.gold_answer = 'yes' then 'Yes, there is a dog.'
            when examples.gold_answer = 'no' then 'No, there is no dog.'
            when examples.answer_type = 'integer'
                then 'There are ' || examples.gold_answer || ' of them.'
            else 'It is ' || examples.gold_answer || '.'
        end as right_sentence,
        list_append(
            case examples.answer_type
                when 'boolean' then ['yes', 'no']
                when 'integer'
                    then list_distinct(list_append(['0', '1', '2', '3', '4'], examples.gold_answer))
                else colors.names
            end,
            'cannot answer'
        ) as choices,
        examples.oracle_action as stated_action
    from prompts
    inner join evaluation.conflicts__examples as examples using (benchmark, example_id)
    cross join colors
),

clash_choices as (
    select sample_id, list(choice order by letter) as choices
    from clash.clash__choices
    group by sample_id
),

clash as (
    select
        prompts.benchmark, prompts.task, prompts.condition, prompts.example_id,
        prompts.asked_example_id,
        case prompts.task
            when 'open_ended' then examples.answer else '(' || examples.right_letter || ')'
        end as right_answer,
        case
            when prompts.task = 'multiple_choice'
                then 'The answer is (' || examples.right_letter || '), I think.'
            when prompts.condition = 'conflicting'
                then 'There is a conflict between the picture and the caption.'
            else 'It is ' || examples.answer || '.'
        end as right_sentence,
        case prompts.task
            when 'open_ended' then clash_choices.choices else ['(A)', '(B)', '(C)', '(D)']
        end as choices,
        cast(null as varchar) as stated_action
    from prompts
    inner join clash.clash__examples as examples on prompts.asked_example_id = examples.example_id
    inner join clash_choices on examples.sample_id = clash_choices.sample_id
    where prompts.benchmark = 'clash'
),

uncertain as (
    select
        prompts.benchmark, prompts.task, prompts.condition, prompts.example_id,
        prompts.asked_example_id, examples.answer as right_answer,
        case
            when examples.is_answerable then 'I think it is ' || examples.answer || '.'
            else 'I don''t know, the picture does not show that.'
        end as right_sentence,
        [examples.answer, examples.other_answer] as choices,
        cast(null as varchar) as stated_action
    from prompts
    inner join certainly_uncertain.certainly_uncertain__examples as examples using (example_id)
    where prompts.benchmark = 'certainly_uncertain'
),

words_of_languages as (
    select language, list(distinct target order by target) as words
    from exports.exports__reality_check_questions
    where answer_format = 'yes_no'
    group by language
),

reality_check as (
    select
        prompts.benchmark, prompts.task, prompts.condition, prompts.example_id,
        prompts.asked_example_id, questions.target as right_answer,
        case
            when questions.answer_format = 'letter' then 'The answer is (' || questions.target || ').'
            when questions.answer_format = 'yes_no' then questions.target || ', I think.'
            else questions.target || '.'
        end as right_sentence,
        case questions.answer_format
            when 'letter'
                then
                    if(
                        prompts.choices is null, ['A', 'B'],
                        ['A', 'B', 'C', 'D'][:json_array_length(prompts.choices)]
                    )
            when 'yes_no' then words_of_languages.words
            when 'order' then ['A,B,C', 'A,C,B', 'B,A,C', 'B,C,A', 'C,A,B', 'C,B,A']
            else list_append(string_split(questions.distractors, '; '), questions.target)
        end as choices,
        cast(null as varchar) as stated_action
    from prompts
    inner join exports.exports__reality_check_questions as questions using (example_id)
    inner join words_of_languages using (language)
    where prompts.benchmark = 'reality_check'
),

answers as (
    select * from conflicts
    union all
    select * from clash
    union all
    select * from uncertain
    union all
    select * from reality_check
)

select
    *,
    choices[
        1 + cast(('0x' || substr(md5('walk:' || task || condition || example_id), 1, 8)) as bigint)
        % len(choices)
    ] as guess
from answers
order by benchmark, task, condition, example_id
