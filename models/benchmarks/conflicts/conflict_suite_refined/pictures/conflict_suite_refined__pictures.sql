with
bases as (select * from {{ ref('conflict_suite_refined__bases') }}),
images as (select * from {{ ref('images__source_images') }}),

occlusions as (
    select * from {{ ref('occlusions__screened') }}
    where
        is_retained
        and image_state <> 'clean'
        and rle is not null
),

category_bases as (
    select * from bases
    where is_about_category
),

donor_answers as (
    select * from {{ ref('absence_answers') }}
    where absence = 'donor'
),

image_ring as (select * from {{ ref('conflict_suite_refined__image_ring') }}),

donors as (
    select * from image_ring
    where is_donor
),

categories as (
    select distinct category_id, category from {{ ref('stg_coco__categories') }}
),

-- every category that a question may speak of: a picture that shows one is not without it
named_categories as (
    select
        question_objects.question,
        {{ list_sort_distinct(array_agg_unordered('categories.category_id')) }} as categories
    from {{ ref('lexicon__question_objects') }} as question_objects
    inner join categories using (category)
    group by question_objects.question
),

-- what outlines and captions miss is absent by no annotation
overlooked_questions as (
    select distinct question_objects.question
    from {{ ref('lexicon__question_objects') }} as question_objects
    inner join {{ vocabulary('conflict_suite', 'easily_overlooked') }} as easily_overlooked
        on question_objects.category = easily_overlooked.word
),

-- of several captions one at least names an elephant
always_named_questions as (
    select
        question_objects.question,
        bool_and(always_named.word is not null) as is_always_named
    from {{ ref('lexicon__question_objects') }} as question_objects
    left join {{ vocabulary('conflict_suite', 'always_named') }} as always_named
        on question_objects.category = always_named.word
    group by question_objects.question
),

-- a picture that gives the gold answer is of no use
image_seekers as {{ computed_once() }} (
    select
        category_bases.base_id, category_bases.source_image_id, category_bases.question,
        category_bases.noun_tokens,
        image_ring.ring, image_ring.ring_position, image_ring.ring_size,
        named_categories.categories, always_named_questions.is_always_named,
        cast(
            least(image_ring.ring_size, {{ threshold('conflict_suite', 'donor_scenes') }}) as bigint
        ) as n_next_places
    from category_bases
    inner join image_ring using (source_image_id)
    inner join named_categories using (question)
    left join donor_answers using (answer_type)
    inner join always_named_questions using (question)
    left join overlooked_questions using (question)
    where
        (donor_answers.answer = category_bases.gold_answer) is not true
        and overlooked_questions.question is null
),

next_places as (
    select *, {{ unnest_list(integer_series(1, 'n_next_places')) }} as donor_distance
    from image_seekers
),

-- the next pictures without the thing, with how many of the caption's words their captions have
next_donors as (
    select
        seeker.base_id, seeker.question, seeker.donor_distance, candidate.source_image_id,
        {{ list_intersect_size('seeker.noun_tokens', 'candidate.words') }} as n_shared
    from next_places as seeker
    inner join donors as candidate
        on
            seeker.ring = candidate.ring
            and (seeker.ring_position + seeker.donor_distance) % seeker.ring_size
            = candidate.ring_position
    where {{ is_irrelevant_image() }}
),

-- how far the scene of each asks for the thing, up to a scene that plainly does
asking_donors as (
    select
        next_donors.base_id, next_donors.donor_distance, next_donors.n_shared,
        least(
            max(scenes.scene_lift), {{ threshold('conflict_suite', 'plain_scene_lift') }}
        ) as scene_lift
    from next_donors
    inner join {{ ref('lexicon__question_objects') }} as question_objects using (question)
    inner join {{ ref('conflict_suite_refined__scenes') }} as scenes
        on
            next_donors.source_image_id = scenes.source_image_id
            and question_objects.category = scenes.category
    group by next_donors.base_id, next_donors.donor_distance, next_donors.n_shared
),

-- of the scenes that ask for it most the nearest, so that what else the caption says does not tell
-- the two pictures apart
nearby_donors as {{ computed_once() }} (
    select
        image_seekers.base_id,
        {{ min_by(
            'asking_donors.donor_distance',
            struct_pack(
                scene='-asking_donors.scene_lift',
                rank='-asking_donors.n_shared',
                place='asking_donors.donor_distance'
            )
        ) }} as donor_distance
    from image_seekers
    left join asking_donors using (base_id)
    group by image_seekers.base_id
),

-- the whole ring, for those that found none there
farther_donors as (
    {{ walk_ring(
        'image_ring', 'nearby_donors', none, is_irrelevant_image(), seekers='image_seekers'
    ) }}
),

distances as (
    select * from nearby_donors
    where donor_distance is not null
    union all
    select * from farther_donors
    where donor_distance is not null
),

-- A picture of its split that has no instance of a COCO category that the question names and that
-- no caption says shows one, though its scene has a place for it; no picture crosses splits
image_donors as (
    select image_seekers.base_id, donors.source_image_id as image_donor_id
    from distances
    inner join image_seekers using (base_id)
    inner join donors
        on
            image_seekers.ring = donors.ring
            and (image_seekers.ring_position + distances.donor_distance)
            % image_seekers.ring_size = donors.ring_position
),

shown_pictures as (
    select
        base_id, 'own' as image_source,
        source_image_id as shown_image_id,
        image_file,
        gold_answer as answer,
        cast(null as string) as occlusion_id, cast(null as string) as vision_family,
        cast(null as string) as rle
    from bases
    union all
    select
        partners.base_id, 'partner' as image_source,
        partners.partner_image_id as shown_image_id,
        images.file_name as image_file,
        partners.answer, cast(null as string) as occlusion_id,
        cast(null as string) as vision_family, cast(null as string) as rle
    from {{ ref('conflict_suite_refined__partners') }} as partners
    inner join images on partners.partner_image_id = images.source_image_id
    union all
    select
        image_donors.base_id, 'donor' as image_source,
        image_donors.image_donor_id as shown_image_id,
        images.file_name as image_file,
        cast(null as string) as answer, cast(null as string) as occlusion_id,
        cast(null as string) as vision_family, cast(null as string) as rle
    from image_donors
    inner join images on image_donors.image_donor_id = images.source_image_id
    union all
    -- The objects behind a filled shape, or painted over from their surroundings. What asks for
    -- something else than a COCO category may ask for what is not covered.
    select
        bases.base_id,
        case occlusions.operator when 'occlusion_target' then 'hidden' else 'removed' end
            as image_source,
        bases.source_image_id as shown_image_id,
        bases.image_file, cast(null as string) as answer,
        occlusions.example_id as occlusion_id,
        occlusions.operator as vision_family,
        occlusions.rle
    from bases
    inner join occlusions using (base_id)
    where
        occlusions.operator in ('occlusion_target', 'inpaint_remove')
        and bases.is_about_object
),

{% set is_not_asked -%}
    not array_contains({{ tokens('question') }}, word)
{%- endset -%}
-- what a caption says beside what is asked
rest_words as (
    select base_id, {{ list_filter('noun_tokens', 'word', is_not_asked) }} as words
    from bases
),

picture_words as (
    select
        shown_pictures.base_id, shown_pictures.shown_image_id,
        {{ list_sort_distinct(array_agg_unordered('token')) }} as words
    from (
        select source_image_id, {{ unnest_list('tokens') }} as token
        from {{ ref('images__captions') }}
    ) as caption_words
    inner join shown_pictures on caption_words.source_image_id = shown_pictures.shown_image_id
    where shown_pictures.image_source in ('partner', 'donor')
    group by shown_pictures.base_id, shown_pictures.shown_image_id
)

select
    concat_ws(
        '::', shown_pictures.base_id, shown_pictures.image_source, shown_pictures.answer
    ) as picture_id,
    shown_pictures.* {{ exclude('answer') }},
    -- a picture without the object answers what asks for its presence or number
    coalesce(shown_pictures.answer, absence_answers.answer) as image_supported_target,
    -- another photograph is told from the base's own by what else the caption says
    case
        when shown_pictures.image_source not in ('partner', 'donor') then 1.0
        else coalesce(
            cast({{ list_intersect_size('rest_words.words', 'picture_words.words') }} as double)
            / nullif({{ list_length('rest_words.words') }}, 0),
            0.0
        )
    end as fitting_share
from shown_pictures
inner join bases using (base_id)
inner join rest_words using (base_id)
left join picture_words
    on
        shown_pictures.base_id = picture_words.base_id
        and shown_pictures.shown_image_id = picture_words.shown_image_id
left join {{ ref('absence_answers') }} as absence_answers
    on
        shown_pictures.image_source = absence_answers.absence
        and bases.answer_type = absence_answers.answer_type
