with
matches as (select * from {{ ref('evaluation__matches') }}),

cells as (
    select * from {{ ref('evaluation__slices') }}
    where cell_slices is not null
),

-- many models answer the same examples
examples as (
    select distinct example_id, source_image_id from matches
),

example_keys as (
    select
        example_id, source_image_id,
        {{ resampling_key('example_id') }} as example_resampling_key,
        {{ resampling_key('source_image_id') }} as image_resampling_key
    from examples
)

select
    matches.source_file, matches.matcher, matches.file_position, cells.cell,
    example_keys.example_resampling_key, example_keys.image_resampling_key
from matches
inner join cells
    on
        matches.source_file = cells.source_file
        and matches.matcher = cells.matcher
        and matches.slices = cells.cell_slices
inner join example_keys using (example_id, source_image_id)
