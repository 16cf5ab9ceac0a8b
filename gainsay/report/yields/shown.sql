-- up to a hundred challenges of each bias, drawn by hash, with the files of their pictures; a
-- rendered one takes the place of the second
with rendered as (
    select distinct rendered_file
    from reality_check.reality_check__renderings
    where rendered_file is not null
)

select
    'reality_check_' || challenges.bias_type as screening,
    challenges.challenge_id,
    questions.question,
    questions.answer,
    files_a.path as path_a,
    files_a.archive as archive_a,
    case when rendered.rendered_file is null then files_b.path end as path_b,
    files_b.archive as archive_b,
    rendered.rendered_file as rendered_b
from reality_check.reality_check__challenges as challenges
inner join reality_check.reality_check__questions as questions
    on challenges.challenge_id = questions.challenge_id and questions.language = 'en'
left join images.images__files as files_a
    on challenges.image_a_id = files_a.source_image_id
left join images.images__files as files_b
    on challenges.image_b_id = files_b.source_image_id
left join rendered
    on challenges.image_b_file = rendered.rendered_file
qualify
    row_number() over (
        partition by challenges.bias_type order by md5(challenges.challenge_id)
    ) <= 100
order by challenges.challenge_id
