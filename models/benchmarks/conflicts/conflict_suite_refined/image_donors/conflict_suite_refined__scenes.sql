{%- set smoothing = threshold('conflict_suite', 'scene_smoothing') -%}
with
captions as (
    select
        cast(caption_id as string) as text_id,
        source_image_id,
        {{ tokens('caption') }} as tokens
    from {{ ref('images__captions') }}
    where is_no_description is not true
),

-- a dog is of COCO's kind of a bear, and of the lexicon's kind of a cat
lexicon_kinds as (
    select term, min(subcategory) as subcategory
    from {{ ref('lexicon__terms') }}
    where change_type = 'object'
    group by term
),

categories as (
    select
        coco_categories.category, coco_categories.supercategory,
        coco_categories.supercategory || ' ' || coalesce(lexicon_kinds.subcategory, '') as kind
    from {{ ref('stg_coco__categories') }} as coco_categories
    left join lexicon_kinds on coco_categories.category = lexicon_kinds.term
    group by coco_categories.category, coco_categories.supercategory, lexicon_kinds.subcategory
),

mentions as (
    {{ object_mentions('captions') }}
),

named_categories as (
    select
        captions.source_image_id, mentions.category,
        count(distinct captions.text_id) as n_naming_captions
    from mentions
    inner join captions using (text_id)
    group by captions.source_image_id, mentions.category
),

caption_counts as (
    select source_image_id, count(*) as n_captions
    from captions
    group by source_image_id
),

-- Things and places: what somebody does or wears, or how a thing looks, makes no scene, and animals
-- are anywhere
scene_words as (
    select term as word, concept
    from {{ ref('lexicon__terms') }}
    where
        change_type = 'object'
        and n_words = 1
        and category <> 'animals'
        and subcategory not in ('clothing', 'occupations')
    union
    select word, word as concept
    from {{ vocabulary('conflict_suite', 'scene_places') }} as scene_places
),

-- what at least two captions of a picture name, or its only one
picture_concepts as (
    select caption_words.source_image_id, scene_words.concept
    from (
        select text_id, source_image_id, {{ unnest_list('tokens') }} as word from captions
    ) as caption_words
    inner join scene_words using (word)
    inner join caption_counts using (source_image_id)
    group by caption_words.source_image_id, scene_words.concept
    having count(distinct caption_words.text_id) >= least(2, max(caption_counts.n_captions))
),

concept_counts as (
    select concept, count(*) as n_pictures
    from picture_concepts
    group by concept
    having count(*) >= {{ threshold('conflict_suite', 'least_scene_pictures') }}
),

scene_concepts as (
    select picture_concepts.source_image_id, concept, concept_counts.n_pictures
    from picture_concepts
    inner join concept_counts using (concept)
),

picture_counts as (
    select count(*) as n_pictures from caption_counts
),

category_shares as (
    select
        named_categories.category,
        cast(count(*) as double) / max(picture_counts.n_pictures) as share
    from named_categories
    cross join picture_counts
    group by named_categories.category
),

-- how many pictures of a thing or place name a category, too
concept_categories as (
    select
        scene_concepts.concept, named_categories.category,
        count(*) as n_pictures
    from scene_concepts
    inner join named_categories using (source_image_id)
    group by scene_concepts.concept, named_categories.category
),

-- How many times as often as of all pictures, by each of them, as logarithms in millionths, so that
-- the order of a sum decides nothing. A few pictures more, of which as many name the category as of
-- all, keep a rare word from deciding.
scene_logs as (
    select
        source_image_id,
        sum(cast(round(1000000 * ln(
            {{ smoothing }} / ({{ smoothing }} + n_pictures)
        )) as bigint)) as log_lift
    from scene_concepts
    group by source_image_id
),

category_logs as (
    select
        scene_concepts.source_image_id, concept_categories.category,
        sum(cast(round(1000000 * ln(
            1 + concept_categories.n_pictures / ({{ smoothing }} * category_shares.share)
        )) as bigint)) as log_lift
    from scene_concepts
    inner join concept_categories using (concept)
    inner join category_shares using (category)
    group by scene_concepts.source_image_id, concept_categories.category
),

-- what is of one kind with a thing that two captions name: a couch beside a chair
kindred_categories as (
    select distinct
        named_categories.source_image_id, others.category, true as is_kindred
    from named_categories
    inner join caption_counts using (source_image_id)
    inner join categories on named_categories.category = categories.category
    inner join categories as others on categories.kind = others.kind
    where
        categories.category <> others.category
        and named_categories.n_naming_captions >= least(2, caption_counts.n_captions)
),

scene_lifts as (
    select
        source_image_id, category,
        round(exp(
            (coalesce(scene_logs.log_lift, 0) + coalesce(category_logs.log_lift, 0)) / 1000000.0
        ), 3) as scene_lift,
        coalesce(kindred_categories.is_kindred, false) as is_kindred
    from category_logs
    full outer join kindred_categories using (source_image_id, category)
    left join scene_logs using (source_image_id)
),

-- who sees a giraffe may ask for an elephant; for an animal where there is none nobody asks
fitting_categories as (
    select scene_lifts.source_image_id, category, scene_lifts.scene_lift
    from scene_lifts
    inner join categories using (category)
    inner join category_shares using (category)
    where
        (
            scene_lifts.is_kindred
            and scene_lifts.scene_lift >= case categories.supercategory
                when 'animal' then {{ threshold('conflict_suite', 'least_animal_lift') }}
                else {{ threshold('conflict_suite', 'least_kindred_lift') }}
            end
        )
        or (
            categories.supercategory <> 'animal'
            and (
                scene_lifts.scene_lift >= {{ threshold('conflict_suite', 'least_scene_lift') }}
                or scene_lifts.scene_lift * category_shares.share
                >= {{ threshold('conflict_suite', 'least_scene_share') }}
            )
        )
    union
    -- a few pictures tell nothing of scenes
    select caption_counts.source_image_id, categories.category, 1.0 as scene_lift
    from caption_counts
    cross join categories
    cross join picture_counts
    where
        picture_counts.n_pictures
        < {{ threshold('conflict_suite', 'least_measured_pictures') }}
),

placed_categories as (
    select source_image_id, category, max(scene_lift) as scene_lift
    from fitting_categories
    group by source_image_id, category
)

select
    source_image_id, category,
    coalesce(named_categories.n_naming_captions, 0) as n_naming_captions,
    caption_counts.n_captions, placed_categories.scene_lift,
    placed_categories.scene_lift is not null as has_place
from named_categories
full outer join placed_categories using (source_image_id, category)
inner join caption_counts using (source_image_id)
