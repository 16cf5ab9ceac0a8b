with
files as (select * from {{ ref('images__files') }}),

wikimedia_images as (
    select
        image_id, title,
        {{ unnest_list(regexp_split("coalesce(categories, '')", '[|]')) }} as category
    from {{ ref('images__wikimedia_images') }}
),

openimages_images as (
    select image_id, openimages_id from {{ ref('images__openimages_images') }}
),

yfcc_images as (
    select image_id, {{ unnest_list(regexp_split("coalesce(user_tags, '')", ',')) }} as tag
    from {{ ref('images__yfcc_images') }}
),

scored_concepts as (
    select
        image_id,
        {{ unnest_list(regexp_split("coalesce(autotags, '')", ',')) }} as scored_concept
    from {{ ref('images__yfcc_images') }}
),

-- what sources say in words of their pictures; several programs and people may give one label
sources_words as (
    select image_id, category as text
    from wikimedia_images
    union distinct
    select image_id, {{ regexp_replace('title', '^File:|[.][a-zA-Z]+$', '') }} as text
    from wikimedia_images
    union distinct
    select openimages_images.image_id, openimages_classes.display_name as text
    from openimages_images
    inner join {{ ref('stg_openimages__labels') }} as openimages_labels
        on
            openimages_images.openimages_id = openimages_labels.openimages_id
            and openimages_labels.confidence = 1
    inner join {{ ref('stg_openimages__classes') }} as openimages_classes using (label_name)
    union distinct
    select image_id, 'street view' as text
    from {{ ref('images__streetview_images') }}
    union distinct
    select image_id, tag as text
    from yfcc_images
    union distinct
    select image_id, {{ regexp_replace('scored_concept', ':[0-9.]+$', '') }} as text
    from scored_concepts
    where
        try_cast({{ regexp_replace('scored_concept', '^.*:', '') }} as double)
        >= {{ rc_threshold('outdoor_confidence') }}
),

collected_texts as (
    select
        image_id as source_image_id,
        image_id || ':' || text as text_id,
        {{ tokens('text') }} as tokens
    from sources_words
    where text <> ''
),

statements as (select * from {{ ref('images__own_statements') }}),

own_annotations as (
    select * from {{ ref('reality_check__own_annotations') }}
    where problem is null and caption is not null
),

scene_words as (select * from {{ ref('scene_words') }}),

objects as (
    select source_image_id, label
    from {{ ref('reality_check__objects') }}
    where not is_crowd
),

scenes as (
    select scene, min(is_outdoor) as is_outdoor
    from scene_words
    group by scene
),

texts as (
    select source_image_id, 'caption-' || cast(caption_id as string) as text_id, tokens
    from {{ ref('images__captions') }}
    where is_no_description is not true
    union all
    select source_image_id, text_id, tokens from collected_texts
    union all
    select
        source_image_id,
        'stated-caption-' || source_image_id as text_id,
        {{ tokens('caption') }} as tokens
    from statements
    where caption is not null
    union all
    -- what is no name of a scene may have words of one
    select
        source_image_id,
        'stated-scene-' || source_image_id as text_id,
        {{ tokens('scene') }} as tokens
    from statements
    where scene is not null
    union all
    select source_image_id, annotation_id as text_id, {{ tokens('caption') }} as tokens
    from own_annotations
),

tokens as (
    select
        texts.source_image_id, texts.text_id,
        {{ unnest_list_with_position('texts.tokens', 'token', 'token_position') }}
    from texts
    inner join files using (source_image_id)
),

-- a scene's words are one token or two
token_pairs as (
    select
        *,
        token || ' ' || lead(token) over (partition by text_id order by token_position)
            as pair
    from tokens
),

mentions as (
    select token_pairs.source_image_id, scene_words.scene, scene_words.is_outdoor
    from token_pairs
    inner join scene_words on token_pairs.token = scene_words.word
    union all
    select token_pairs.source_image_id, scene_words.scene, scene_words.is_outdoor
    from token_pairs
    inner join scene_words on token_pairs.pair = scene_words.word
),

scene_counts as (
    select source_image_id, scene, is_outdoor, count(*) as n_words
    from mentions
    group by source_image_id, scene, is_outdoor
),

ranked_scenes as (
    select
        *,
        rank() over (partition by source_image_id order by n_words desc) as scene_rank,
        sum(n_words) over (partition by source_image_id) as n_scene_words
    from scene_counts
),

-- two scenes of as many words are no scene
leading_scenes as (
    select
        source_image_id,
        min(scene) as scene,
        min(is_outdoor) as is_outdoor,
        min(n_words) as n_words,
        min(n_scene_words) as n_scene_words
    from ranked_scenes
    where scene_rank = 1
    group by source_image_id
    having count(*) = 1
),

-- who took the picture knows the scene
stated_scenes as (
    select statements.source_image_id, scenes.scene, scenes.is_outdoor
    from statements
    inner join scenes on replace(statements.scene, ' ', '_') = scenes.scene
),

described_images as (
    select distinct source_image_id from texts
),

-- some things stand in one kind of place; they are heard where nobody wrote a word of the picture
furnished_scenes as (
    select objects.source_image_id, min(scenes.scene) as scene, min(scenes.is_outdoor) as is_outdoor
    from objects
    inner join {{ vocabulary('reality_check', 'scene_labels', word='label', value='scene') }}
        as scene_labels
        using (label)
    inner join scenes using (scene)
    left join described_images using (source_image_id)
    where described_images.source_image_id is null
    group by objects.source_image_id
    having count(distinct scenes.scene) = 1
)

select
    files.source_image_id,
    coalesce(stated_scenes.scene, leading_scenes.scene, furnished_scenes.scene) as scene,
    case
        when stated_scenes.scene is not null then 'manifest'
        when leading_scenes.scene is not null then 'words'
        when furnished_scenes.scene is not null then 'objects'
    end as scene_source,
    case
        when stated_scenes.scene is not null then stated_scenes.is_outdoor
        when leading_scenes.scene is not null then leading_scenes.is_outdoor
        else furnished_scenes.is_outdoor
    end as is_outdoor,
    leading_scenes.n_words, leading_scenes.n_scene_words
from files
left join leading_scenes using (source_image_id)
left join stated_scenes using (source_image_id)
left join furnished_scenes using (source_image_id)
