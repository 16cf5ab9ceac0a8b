with
-- answers without ids, as they land: by their lines
answers as (
    select * from {{ ref('stg_gainsay__predictions') }}
    where benchmark = 'pope' and example_key like 'line %'
),

questions as (
    select * from {{ ref('question_sets__questions') }}
    where file_position is not null
),

compared_lines as (
    select
        answers.source_file, answers.file_position, questions.source_split, questions.example_id,
        questions.image_id, questions.source_image_id,
        coalesce(trim(answers.question) = trim(questions.question), false) as is_same_question
    from answers
    inner join questions
        on
            answers.benchmark = questions.benchmark
            and {{ whole_condition('answers.condition') }} = questions.condition
            and answers.file_position = questions.file_position
),

-- a file answers that set of pictures whose questions it repeats, every one in its line: a few
-- alike in two files, of which one is shuffled, are chance
fitting_sets as (
    select source_file, source_split
    from compared_lines
    group by source_file, source_split
    having bool_and(is_same_question)
),

counted_sets as (
    select *, count(*) over (partition by source_file) as n_sets from fitting_sets
),

files as (
    select compared_lines.source_file, max(counted_sets.n_sets) as n_sets
    from compared_lines
    left join counted_sets using (source_file)
    group by compared_lines.source_file
),

matched_lines as (
    select compared_lines.*
    from compared_lines
    inner join counted_sets using (source_file, source_split)
    where counted_sets.n_sets = 1
)

select
    answers.source_file, matched_lines.example_id, matched_lines.source_image_id,
    matched_lines.image_id, answers.file_position,
    case
        when matched_lines.example_id is not null then null
        when files.n_sets > 1 then 'ambiguous_id'
        when files.n_sets is null and files.source_file is not null then 'other_questions'
        else 'unknown_id'
    end as reason
from answers
left join files using (source_file)
left join matched_lines using (source_file, file_position)
