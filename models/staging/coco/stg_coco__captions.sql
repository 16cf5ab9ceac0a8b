with
captions as {{ computed_where_read() }} (
    select * from {{ source('raw', 'coco_captions') }}
),

files as (select * from {{ ref('stg_gainsay__landed_files') }}),

-- few ids come twice, and only their records are put in order
repeated_ids as (
    select id
    from captions
    group by id
    having count(*) > 1
),

repetitions as (
    select
        captions._source_file,
        captions._position,
        -- by content before position, so that a shuffled file keeps the same record
        row_number() over (
            partition by captions.id
            order by
                files.split_order, captions.image_id, captions.caption,
                captions._source_file, captions._position
        ) as occurrence
    from captions
    inner join files on captions._source_file = files.source_file
    inner join repeated_ids using (id)
)

select
    captions.id as caption_id,
    captions.image_id,
    'coco-' || cast(captions.image_id as string) as source_image_id,
    captions._source_file as source_file,
    captions.caption,
    files.split_order,
    captions._position as file_position,
    coalesce(repetitions.occurrence, 1) as occurrence
from captions
inner join files on captions._source_file = files.source_file
left join repetitions using (_source_file, _position)
