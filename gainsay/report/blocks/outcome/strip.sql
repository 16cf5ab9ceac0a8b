-- title: some of them
-- six examples of each benchmark whose picture can be shown, one of a source, drawn by hash
with pictured as (
    select
        examples.benchmark,
        examples.example_id,
        examples.question,
        nullif(examples.text_input, examples.question) as text_beside,
        examples.target,
        examples.operator,
        examples.source_image_id,
        arg_min(pictures.picture_id, pictures.place) as picture_id
    from report.report__examples as examples
    inner join report.report__example_pictures as pictures
        on examples.benchmark = pictures.benchmark and examples.example_id = pictures.example_id
    where
        pictures.picture_id in (
            select shown.picture_id
            from report.report__pictures as shown
            where shown.picture_state = 'shown'
        )
    group by all
),

one_of_a_source as (
    select *
    from pictured
    qualify
        row_number() over (
            partition by benchmark, source_image_id order by md5(example_id)
        ) = 1
)

select *, row_number() over (partition by benchmark order by md5(example_id)) as place
from one_of_a_source
qualify place <= 6
order by benchmark, place
