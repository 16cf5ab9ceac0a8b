with
captions as (
    select * from {{ ref('stg_coco__captions') }}
    where occurrence = 1
),

-- "I am unable to see an image above.": whoever was to describe the picture saw none
non_descriptions as (
    select distinct captions.caption_id
    from captions
    inner join {{ vocabulary('lexicon', 'non_descriptions', word='phrase') }} as phrases
        on
            ' ' || {{ array_join(tokens('captions.caption'), "' '") }} || ' '
            like '% ' || phrases.phrase || ' %'
)

-- COCO's files list an image's captions by ascending id, so the id stands for file order
select
    captions.caption_id, captions.source_image_id, captions.caption,
    {{ tokens('captions.caption') }} as tokens,
    row_number() over (
        partition by captions.source_image_id
        order by captions.split_order, captions.caption_id
    ) as caption_position,
    non_descriptions.caption_id is not null as is_no_description
from captions
inner join {{ ref('images__source_images') }} using (source_image_id)
left join non_descriptions using (caption_id)
