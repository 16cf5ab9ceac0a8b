with
base_splits as (
    select distinct source_image_id, base_split from {{ ref('conflict_suite__bases') }}
),

withdrawn_images as (
    select distinct source_image_id from {{ ref('stg_gainsay__withdrawn_images') }}
),

instances as (select * from {{ ref('stg_coco__instances') }}),

categories as (
    select distinct category_id, category from {{ ref('stg_coco__categories') }}
),

-- pictures with instance annotations, and those that so many captions describe that some things are
-- absent where none names them
donor_images as (
    select source_image_id, bool_or(is_annotated) as is_annotated
    from (
        select source_image_id, true as is_annotated
        from instances
        union all
        select source_image_id, false as is_annotated
        from {{ ref('images__captions') }}
        where is_no_description is not true
        group by source_image_id
        having count(*) >= {{ threshold('conflict_suite', 'captions_of_absence_alone') }}
    ) as described_images
    group by source_image_id
),

-- a picture of which nothing is asked is in a split by its own place in seeded order
further_images as (
    select
        donor_images.source_image_id,
        {{ seeded_int('donor_split', 'donor_images.source_image_id', 1000000) }} as place
    from donor_images
    left join base_splits using (source_image_id)
    left join withdrawn_images using (source_image_id)
    where
        base_splits.source_image_id is null
        and withdrawn_images.source_image_id is null
),

image_splits as (
    select source_image_id, base_split from base_splits
    union all
    select
        source_image_id,
        case
            when place < 1000000 * {{ decimal_var('conflict_suite_train_share') }} then 'train'
            when
                place < 1000000 * (
                    {{ decimal_var('conflict_suite_train_share') }}
                    + {{ decimal_var('conflict_suite_val_share') }}
                )
                then 'val'
            else 'test_id'
        end as base_split
    from further_images
),

donor_captions as (
    select
        cast(captions.caption_id as string) as text_id,
        captions.source_image_id,
        {{ tokens('captions.caption') }} as tokens
    from {{ ref('images__captions') }} as captions
    inner join donor_images using (source_image_id)
    where captions.is_no_description is not true
),

image_words as (
    select
        source_image_id,
        {{ list_sort_distinct(array_agg_unordered('token')) }} as words
    from (
        select source_image_id, {{ unnest_list('tokens') }} as token from donor_captions
    ) as caption_words
    group by source_image_id
),

mentions as (
    {{ object_mentions('donor_captions') }}
),

-- what instances show and what captions name: annotators miss some of either
shown_categories as (
    select source_image_id, category_id
    from instances
    union
    select donor_captions.source_image_id, categories.category_id
    from mentions
    inner join donor_captions using (text_id)
    inner join categories using (category)
),

pictured_categories as (
    select
        source_image_id,
        {{ list_sort_distinct(array_agg_unordered('category_id')) }} as categories
    from shown_categories
    group by source_image_id
),

-- what somebody who sees the picture would ask for
fitting_categories as (
    select
        scenes.source_image_id,
        {{ list_sort_distinct(array_agg_unordered('categories.category_id')) }}
            as fitting_categories
    from {{ ref('conflict_suite_refined__scenes') }} as scenes
    inner join categories using (category)
    where scenes.has_place
    group by scenes.source_image_id
),

split_images as (
    select
        image_splits.source_image_id,
        image_splits.base_split as ring,
        case
            when donor_images.source_image_id is not null
                then coalesce(pictured_categories.categories, {{ empty_list('bigint') }})
        end as categories,
        fitting_categories.fitting_categories, image_words.words,
        donor_images.source_image_id is not null as is_donor,
        donor_images.is_annotated
    from image_splits
    left join donor_images using (source_image_id)
    left join pictured_categories using (source_image_id)
    left join fitting_categories using (source_image_id)
    left join image_words using (source_image_id)
),

-- each split has a ring of its own, so that no picture crosses splits; an image that
-- is no donor stands between the donors, where its own order puts it
ring_places as (
    {{ seeded_places(
        'split_images', 'image_donor', 'source_image_id', partition_by=['ring'], counted='is_donor'
    ) }}
)

-- an image that is no donor starts its search at the donor before it
select
    source_image_id, ring,
    (seeded_place + n_places) % n_places as ring_position,
    n_places as ring_size,
    is_donor, is_annotated, categories, fitting_categories, words
from ring_places
where n_places > 0
