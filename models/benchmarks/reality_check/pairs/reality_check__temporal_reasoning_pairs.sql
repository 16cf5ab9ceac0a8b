with
candidates as (
    select * from {{ ref('reality_check__temporal_reasoning_findings') }}
    where is_possible
),

-- pictures of one place, date and scene, and how far each is from the middle of their time
day_places as (
    select
        image_id, scene, time_source, taken_at, day_cell_north, day_cell_east,
        cast(taken_at as date) as taken_on,
        count(*) over (
            partition by day_cell_north, day_cell_east, cast(taken_at as date), scene
        ) as n_images,
        min(taken_at) over (
            partition by day_cell_north, day_cell_east, cast(taken_at as date), scene
        ) as first_taken_at,
        max(taken_at) over (
            partition by day_cell_north, day_cell_east, cast(taken_at as date), scene
        ) as last_taken_at
    from candidates
),

ranked_days as (
    select
        *,
        row_number() over (
            partition by day_cell_north, day_cell_east, taken_on, scene
            order by taken_at asc, image_id asc
        ) as first_rank,
        row_number() over (
            partition by day_cell_north, day_cell_east, taken_on, scene
            order by taken_at desc, image_id desc
        ) as last_rank,
        abs(
            {{ dbt.datediff('first_taken_at', 'taken_at', 'second') }}
            - {{ dbt.datediff('taken_at', 'last_taken_at', 'second') }}
        ) as off_middle
    from day_places
    where n_images >= 3
),

-- the middle is not one of the ends
middle_ranks as (
    select
        *,
        row_number() over (
            partition by day_cell_north, day_cell_east, taken_on, scene
            order by
                case when first_rank = 1 or last_rank = 1 then 1 else 0 end asc,
                off_middle asc,
                taken_at asc,
                image_id asc
        ) as middle_rank
    from ranked_days
),

day_sequences as (
    select
        scene,
        min(time_source) as time_source,
        max(case when first_rank = 1 then image_id end) as first_image_id,
        max(case when middle_rank = 1 then image_id end) as middle_image_id,
        max(case when last_rank = 1 then image_id end) as last_image_id,
        max(case when first_rank = 1 then taken_at end) as first_taken_at,
        max(case when middle_rank = 1 then taken_at end) as middle_taken_at,
        max(case when last_rank = 1 then taken_at end) as last_taken_at
    from middle_ranks
    group by day_cell_north, day_cell_east, taken_on, scene
),

timed_sequences as (
    select
        *,
        {{ dbt.datediff('first_taken_at', 'last_taken_at', 'second') }}
        / 3600.0 as span_hours,
        least(
            {{ dbt.datediff('first_taken_at', 'middle_taken_at', 'second') }},
            {{ dbt.datediff('middle_taken_at', 'last_taken_at', 'second') }}
        ) / 60.0 as smallest_gap_minutes
    from day_sequences
),

days as (
    select
        'day' as kind, first_image_id, middle_image_id, last_image_id, scene, time_source,
        cast(first_taken_at as string) as first_time,
        cast(middle_taken_at as string) as middle_time,
        cast(last_taken_at as string) as last_time,
        case
            when span_hours <= {{ rc_threshold('short_span_hours') }}
                then
                    case
                        when smallest_gap_minutes >= {{ rc_threshold('hard_gap_minutes') }}
                            then 'hard'
                    end
            when smallest_gap_minutes >= 60 * {{ rc_threshold('easy_gap_hours') }} then 'easy'
            when smallest_gap_minutes >= {{ rc_threshold('medium_gap_minutes') }} then 'medium'
        end as difficulty
    from timed_sequences
),

-- what is in no sequence of a day may show how something is built
day_images as (
    select first_image_id as image_id from days
    where difficulty is not null
    union all
    select middle_image_id as image_id from days
    where difficulty is not null
    union all
    select last_image_id as image_id from days
    where difficulty is not null
),

left_over as (
    select candidates.*
    from candidates
    left join day_images using (image_id)
    where day_images.image_id is null and candidates.construction_score is not null
),

site_places as (
    select
        *,
        count(*) over (partition by place_cell_north, place_cell_east, scene) as n_images,
        min(construction_score) over (partition by place_cell_north, place_cell_east, scene)
            as lowest_score,
        max(construction_score) over (partition by place_cell_north, place_cell_east, scene)
            as highest_score
    from left_over
),

ranked_sites as (
    select
        *,
        row_number() over (
            partition by place_cell_north, place_cell_east, scene
            order by construction_score asc, taken_at asc, image_id asc
        ) as first_rank,
        row_number() over (
            partition by place_cell_north, place_cell_east, scene
            order by construction_score desc, taken_at desc, image_id desc
        ) as last_rank,
        abs(2 * construction_score - lowest_score - highest_score) as off_middle
    from site_places
    where
        n_images >= 3
        and highest_score - lowest_score >= 2 * {{ rc_threshold('construction_step') }}
),

middle_sites as (
    select
        *,
        row_number() over (
            partition by place_cell_north, place_cell_east, scene
            order by
                case when first_rank = 1 or last_rank = 1 then 1 else 0 end asc,
                off_middle asc,
                taken_at asc,
                image_id asc
        ) as middle_rank
    from ranked_sites
),

site_sequences as (
    select
        scene,
        min(time_source) as time_source,
        max(case when first_rank = 1 then image_id end) as first_image_id,
        max(case when middle_rank = 1 then image_id end) as middle_image_id,
        max(case when last_rank = 1 then image_id end) as last_image_id,
        max(case when first_rank = 1 then taken_at end) as first_taken_at,
        max(case when middle_rank = 1 then taken_at end) as middle_taken_at,
        max(case when last_rank = 1 then taken_at end) as last_taken_at,
        max(case when first_rank = 1 then construction_score end) as first_score,
        max(case when middle_rank = 1 then construction_score end) as middle_score,
        max(case when last_rank = 1 then construction_score end) as last_score
    from middle_sites
    group by place_cell_north, place_cell_east, scene
),

sites as (
    select
        'construction' as kind, first_image_id, middle_image_id, last_image_id, scene, time_source,
        cast(first_taken_at as string) as first_time,
        cast(middle_taken_at as string) as middle_time,
        cast(last_taken_at as string) as last_time,
        'medium' as difficulty
    from site_sequences
    where
        middle_score - first_score >= {{ rc_threshold('construction_step') }}
        and last_score - middle_score >= {{ rc_threshold('construction_step') }}
        and cast(first_taken_at as date) < cast(middle_taken_at as date)
        and cast(middle_taken_at as date) < cast(last_taken_at as date)
),

sequences as (
    select
        *,
        'temporal_reasoning::' || first_image_id || '::' || middle_image_id || '::' || last_image_id
            as pair_id
    from days
    where difficulty is not null
    union all
    select
        *,
        'temporal_reasoning::' || first_image_id || '::' || middle_image_id || '::' || last_image_id
            as pair_id
    from sites
),

shown_images as (
    select pair_id, first_image_id as image_id, 1 as time_rank from sequences
    union all
    select pair_id, middle_image_id as image_id, 2 as time_rank from sequences
    union all
    select pair_id, last_image_id as image_id, 3 as time_rank from sequences
),

ordered_images as (
    select
        *,
        row_number() over (
            partition by pair_id
            order by
                {{ seeded_order('rc_show', 'image_id', seed_var='reality_check_seed') }}, image_id
        ) as show_rank
    from shown_images
),

lettered_images as (
    select *, case show_rank when 1 then 'A' when 2 then 'B' else 'C' end as letter
    from ordered_images
),

shown_sequences as (
    select
        pair_id,
        max(case when show_rank = 1 then image_id end) as image_a_id,
        max(case when show_rank = 2 then image_id end) as image_b_id,
        max(case when show_rank = 3 then image_id end) as image_c_id,
        {{ array_join(array_agg('letter', order_by='time_rank'), "','") }} as correct_answer
    from lettered_images
    group by pair_id
)

select
    sequences.pair_id, 'temporal_reasoning' as bias_type, shown_sequences.image_a_id,
    shown_sequences.image_b_id, shown_sequences.image_c_id, sequences.difficulty, '{}' as slots,
    shown_sequences.correct_answer,
    {{ list_filter(
        list_value("'A,B,C'", "'A,C,B'", "'B,A,C'", "'B,C,A'", "'C,A,B'", "'C,B,A'"),
        'letters', 'letters <> shown_sequences.correct_answer'
    ) }} as distractor_answers,
    {{ json_object(
        first_time='sequences.first_time', kind='sequences.kind',
        last_time='sequences.last_time', middle_time='sequences.middle_time',
        scene='sequences.scene'
    ) }} as metadata,
    sequences.time_source as truth_source,
    {{ absent_pair_columns(
        'asked_label', 'options', 'binding_a', 'binding_b', 'recipe_family',
        'recipe_parameters', 'recipe_rle', 'edit_families'
    ) }}
from sequences
inner join shown_sequences using (pair_id)
