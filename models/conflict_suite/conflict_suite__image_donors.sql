with

seekers as (

    select
        bases.base_id,
        bases.question,
        bases.source_image_id,
        base_splits.base_split
    from {{ ref('conflict_suite__bases') }} as bases
    inner join {{ ref('conflict_suite__mix') }} as mix
        on bases.base_id = mix.base_id
    inner join {{ ref('conflict_suite__base_splits') }} as base_splits
        on bases.source_image_id = base_splits.source_image_id
    where mix.mix_state <> 'different'

),

instances as (

    select distinct
        source_image_id,
        category_id
    from {{ ref('stg_coco__instances') }}

),

instanced as (

    select distinct source_image_id
    from instances

),

images as (

    select
        base_splits.source_image_id,
        base_splits.base_split,
        instanced.source_image_id is not null as is_donor
    from {{ ref('conflict_suite__base_splits') }} as base_splits
    left join instanced
        on base_splits.source_image_id = instanced.source_image_id

),

-- a picture stands on the ring of its split, so that none crosses splits; a seeker without
-- instances stands between the donors, where its own order puts it
ring as (

    select
        *,
        count(case when is_donor then 1 end) over (
            partition by base_split
            order by {{ seeded_order('image_donor', 'source_image_id') }}, source_image_id
            rows between unbounded preceding and current row
        ) as n_donors_so_far,
        count(case when is_donor then 1 end) over (partition by base_split) as ring_size
    from images

),

donors as (

    select
        source_image_id,
        base_split,
        n_donors_so_far - 1 as ring_position
    from ring
    where is_donor

),

-- the words that name a category: its own, their plurals, and what the seed adds
names as (

    select distinct
        category_id,
        category as name
    from {{ ref('stg_coco__categories') }}
    union
    select distinct
        category_id,
        category || 's' as name
    from {{ ref('stg_coco__categories') }}
    union
    select distinct
        category_id,
        category || 'es' as name
    from {{ ref('stg_coco__categories') }}
    union
    select distinct
        categories.category_id,
        category_words.word as name
    from {{ ref('stg_coco__categories') }} as categories
    inner join {{ ref('category_words') }} as category_words
        on categories.category = category_words.category

),

first_words as (

    select
        category_id,
        name,
        {{ list_at(tokens('name'), 1) }} as first_word
    from names

),

question_words as (

    select
        base_id,
        ' ' || {{ list_text(tokens('question'), "' '") }} || ' ' as question_text,
        {{ each(tokens('question')) }} as word
    from seekers

),

named as (

    select distinct
        question_words.base_id,
        first_words.category_id
    from question_words
    inner join first_words
        on question_words.word = first_words.first_word
    where question_words.question_text like '% ' || first_words.name || ' %'

),

seeking as (

    select
        seekers.base_id,
        seekers.source_image_id,
        seekers.base_split,
        ring.n_donors_so_far as ring_start,
        ring.ring_size
    from seekers
    inner join ring
        on seekers.source_image_id = ring.source_image_id
    where ring.ring_size > 0

),

near_steps as (

    select
        *,
        {{ each(series(0, 'least(ring_size, ' ~ var('image_donor_window') ~ ') - 1')) }} as step
    from seeking

),

near as (

    select
        near_steps.base_id,
        near_steps.step,
        donors.source_image_id as image_donor_id
    from near_steps
    inner join donors
        on
            near_steps.base_split = donors.base_split
            and (near_steps.ring_start + near_steps.step) % near_steps.ring_size
            = donors.ring_position
            and near_steps.source_image_id <> donors.source_image_id

),

shown_named as (

    select distinct
        near.base_id,
        near.step
    from near
    inner join named
        on near.base_id = named.base_id
    inner join instances
        on
            near.image_donor_id = instances.source_image_id
            and named.category_id = instances.category_id

),

found_near as (

    select
        near.base_id,
        {{ first_by('near.image_donor_id', order_by='near.step') }} as image_donor_id
    from near
    left join shown_named
        on
            near.base_id = shown_named.base_id
            and near.step = shown_named.step
    where shown_named.base_id is null
    group by near.base_id

),

-- the few that found none near by look at the whole ring
far as (

    select
        seeking.base_id,
        (donors.ring_position - seeking.ring_start + seeking.ring_size) % seeking.ring_size
            as step,
        donors.source_image_id as image_donor_id
    from seeking
    left join found_near
        on seeking.base_id = found_near.base_id
    inner join donors
        on
            seeking.base_split = donors.base_split
            and seeking.source_image_id <> donors.source_image_id
    where found_near.base_id is null

),

far_shown_named as (

    select distinct
        far.base_id,
        far.step
    from far
    inner join named
        on far.base_id = named.base_id
    inner join instances
        on
            far.image_donor_id = instances.source_image_id
            and named.category_id = instances.category_id

),

found_far as (

    select
        far.base_id,
        {{ first_by('far.image_donor_id', order_by='far.step') }} as image_donor_id
    from far
    left join far_shown_named
        on
            far.base_id = far_shown_named.base_id
            and far.step = far_shown_named.step
    where far_shown_named.base_id is null
    group by far.base_id

),

final as (

    select
        base_id,
        image_donor_id
    from found_near
    union all
    select
        base_id,
        image_donor_id
    from found_far

)

select * from final
