{#-
    Natural pairs of VLM Reality Check: images stand on rings, shuffled once; each seeker walks to
    the first partner that it may have. Which partners those are is a class, `partner_class`, that
    both sides name, so that the first partner of a class comes from one sort of a ring: a ring of n
    images costs n log n, however few of them fit.
-#}

{#-
    One walk: rows `image_id, partner_id, ring, distance`. A partner that several seekers find goes
    to the nearest of them.

    wishes: relation with image_id, ring, ring_position, ring_size and partner_class, a row for each
        class that the seeker may have
    partners: relation with image_id, ring, ring_position and partner_class
-#}
{% macro nearest_partners(wishes, partners) -%}
    with

    places as (
        select
            image_id,
            ring,
            partner_class,
            ring_position,
            ring_size,
            cast(null as bigint) as partner_position
        from {{ wishes }}
        union all
        select
            image_id,
            ring,
            partner_class,
            ring_position,
            cast(null as bigint) as ring_size,
            ring_position as partner_position
        from {{ partners }}
    ),

    -- the next partner behind a place, and the ring's first, which comes after its last
    walks as (
        select
            *,
            min(partner_position) over (
                partition by ring, partner_class
                order by ring_position desc
                rows between unbounded preceding and 1 preceding
            ) as next_position,
            min(partner_position) over (partition by ring, partner_class) as first_position
        from places
    ),

    finds as (
        select
            image_id,
            ring,
            coalesce(next_position, first_position) as found_position,
            case
                when next_position is null then first_position + ring_size - ring_position
                else next_position - ring_position
            end as distance
        from walks
        where partner_position is null and first_position is not null
    ),

    first_finds as (
        select
            *,
            row_number() over (partition by image_id order by distance) as nearness
        from finds
    ),

    nearest_seekers as (
        select
            *,
            row_number() over (partition by ring, found_position order by distance) as turn
        from first_finds
        where nearness = 1
    )

    select
        nearest_seekers.image_id,
        found_partners.image_id as partner_id,
        nearest_seekers.ring,
        nearest_seekers.distance
    from nearest_seekers
    inner join (
        select distinct
            image_id,
            ring,
            ring_position
        from {{ partners }}
    ) as found_partners
        on
            nearest_seekers.ring = found_partners.ring
            and nearest_seekers.found_position = found_partners.ring_position
    where nearest_seekers.turn = 1
{%- endmacro %}


{#-
    Two walks: who found no partner, or lost it to a nearer seeker, walks once more among the
    partners that are left. Rows and arguments are those of `nearest_partners`.
-#}
{% macro two_walks(wishes, partners) -%}
    with

    first_walk as (
        {{ nearest_partners(wishes, partners) }}
    ),

    second_wishes as (
        select wishes.*
        from {{ wishes }} as wishes
        left join first_walk
            on wishes.image_id = first_walk.image_id
        where first_walk.image_id is null
    ),

    second_partners as (
        select partners.*
        from {{ partners }} as partners
        left join first_walk
            on partners.image_id = first_walk.partner_id
        where first_walk.partner_id is null
    ),

    second_walk as (
        {{ nearest_partners('second_wishes', 'second_partners') }}
    )

    select * from first_walk
    union all
    select * from second_walk
{%- endmacro %}


{#- Bits in which two perceptual hashes of 16 hexadecimal digits differ. -#}
{% macro hash_distance(hash_a, hash_b) -%}
    {%- set high_a %}substr({{ hash_a }}, 1, 8){% endset %}
    {%- set high_b %}substr({{ hash_b }}, 1, 8){% endset %}
    {%- set low_a %}substr({{ hash_a }}, 9, 8){% endset %}
    {%- set low_b %}substr({{ hash_b }}, 9, 8){% endset -%}
    (
        bit_count({{ hex_to_bigint(high_a) }}) + bit_count({{ hex_to_bigint(high_b) }})
        - 2 * bit_count({{ hex_to_bigint(high_a) }} & {{ hex_to_bigint(high_b) }})
        + bit_count({{ hex_to_bigint(low_a) }}) + bit_count({{ hex_to_bigint(low_b) }})
        - 2 * bit_count({{ hex_to_bigint(low_a) }} & {{ hex_to_bigint(low_b) }})
    )
{%- endmacro %}


{#- Metres between two places given in degrees, on a sphere of the earth's mean radius. -#}
{% macro meters_between(latitude_a, longitude_a, latitude_b, longitude_b) -%}
    2 * 6371008.8 * asin(least(1.0, sqrt(
        power(sin(radians({{ latitude_b }} - {{ latitude_a }}) / 2), 2)
        + cos(radians({{ latitude_a }})) * cos(radians({{ latitude_b }}))
        * power(sin(radians({{ longitude_b }} - {{ longitude_a }}) / 2), 2)
    )))
{%- endmacro %}


{#-
    Pairs of what `walk_ring` found: rows `image_id, partner_id`. A partner that several seekers
    found goes to the nearest of them.
-#}
{% macro nearest_finds(finds, places) -%}
    with

    found_places as (
        select
            seekers.image_id,
            seekers.ring,
            (seekers.ring_position + finds.donor_distance) % seekers.ring_size as found_position,
            row_number() over (
                partition by
                    seekers.ring,
                    (seekers.ring_position + finds.donor_distance) % seekers.ring_size
                order by finds.donor_distance
            ) as turn
        from {{ finds }} as finds
        inner join {{ places }} as seekers
            on finds.base_id = seekers.image_id
        where finds.donor_distance is not null
    )

    select
        found_places.image_id,
        partners.image_id as partner_id
    from found_places
    inner join {{ places }} as partners
        on
            found_places.ring = partners.ring
            and found_places.found_position = partners.ring_position
    where found_places.turn = 1
{%- endmacro %}


{#-
    Names that the second scene of pairs suggests and that are wrong for them: other labels of the
    asked label's group, by how often that scene shows them, that none of the images in `absent_from`
    shows. One row `pair_id, label, place`. `matches` has pair_id, label, group_name, scene_b and the
    columns of `absent_from`.
-#}
{% macro suggested_names(matches, absent_from) -%}
    select
        {{ matches }}.pair_id,
        label_scenes.label,
        row_number() over (
            partition by {{ matches }}.pair_id
            order by label_scenes.n_images desc, label_scenes.label asc
        ) as place
    from {{ matches }}
    inner join {{ ref('reality_check__label_scenes') }} as label_scenes
        on {{ matches }}.scene_b = label_scenes.scene
    inner join {{ ref('reality_check_category_names') }} as category_names
        on
            label_scenes.label = category_names.label
            and {{ matches }}.group_name = category_names.group_name
    {%- for image_id in absent_from %}
    left join {{ ref('reality_check__label_counts') }} as counts_{{ loop.index }}
        on
            {{ matches }}.{{ image_id }} = counts_{{ loop.index }}.image_id
            and label_scenes.label = counts_{{ loop.index }}.label
    {%- endfor %}
    where
        label_scenes.label <> {{ matches }}.label
        and label_scenes.n_images > 0
        {%- for image_id in absent_from %}
        and counts_{{ loop.index }}.label is null
        {%- endfor %}
{%- endmacro %}
