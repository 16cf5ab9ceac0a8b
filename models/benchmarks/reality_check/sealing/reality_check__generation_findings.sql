{%- set text_type = dbt.type_string() -%}
{%- set least_challenges -%}
    ceil({{ var('reality_check_least_challenges') }} * {{ var('reality_check_scale') }})
{%- endset -%}
{%- set least_compounds -%}
    ceil({{ var('reality_check_least_compounds') }} * {{ var('reality_check_scale') }})
{%- endset -%}
{%- set least_images -%}
    ceil(
            {{ var('reality_check_target_images') }} * {{ var('reality_check_least_images_share') }}
        )
{%- endset -%}
{%- set tolerance = var('reality_check_difficulty_tolerance') -%}

with

checked_pairs as (

    select * from {{ ref('reality_check__checked_pairs') }}
    where is_retained

),

pair_factors as (

    select * from {{ ref('reality_check__factors') }}

),

factor_policies as (

    select * from {{ ref('reality_check_factor_policies') }}

),

images as (

    select * from {{ ref('reality_check__images') }}

),

challenges as (

    select * from {{ ref('reality_check__challenges') }}

),

multilingual as (

    select * from {{ ref('reality_check__multilingual') }}

),

questions as (

    select * from {{ ref('reality_check__questions') }}

),

-- cats seen from the left and from the right: in one pair they also become more
fixture_counts as (

    select
        'confounded' as pair_id,
        3 as asked_count_a,
        7 as asked_count_b
    union all
    select
        'single' as pair_id,
        3 as asked_count_a,
        3 as asked_count_b

),

fixture_pairs as (

    select
        pair_id,
        'spatial_relations' as bias_type,
        {{ empty_list(text_type) }} as edit_families,
        'cat' as asked_label,
        cast(null as {{ text_type }}) as binding_a,
        cast(null as {{ text_type }}) as binding_b,
        false as has_third_picture,
        {{ list_value("'cat'") }} as labels_a,
        {{ list_value("'cat'") }} as labels_b,
        cast(null as {{ text_type }}) as object_counts_a,
        cast(null as {{ text_type }}) as object_counts_b,
        cast(null as {{ text_type }}) as scene_a,
        cast(null as {{ text_type }}) as scene_b,
        cast(null as {{ text_type }}) as scene_c,
        {{ empty_list(text_type) }} as colored_labels_a,
        {{ empty_list(text_type) }} as colored_labels_b,
        {{ empty_list(text_type) }} as label_colors_a,
        {{ empty_list(text_type) }} as label_colors_b,
        {{ empty_list(text_type) }} as place_names_a,
        {{ empty_list(text_type) }} as place_names_b,
        cast(0.3 as double) as depth_left_a,
        cast(0.7 as double) as depth_left_b,
        cast(null as double) as shadow_angle_a,
        cast(null as double) as shadow_angle_b,
        cast(null as timestamp) as taken_at_a,
        cast(null as timestamp) as taken_at_b,
        cast(null as timestamp) as taken_at_c,
        asked_count_a,
        asked_count_b,
        cast(0.1 as double) as asked_area_a,
        cast(0.1 as double) as asked_area_b,
        cast(null as bigint) as n_changed_elsewhere,
        cast(null as bigint) as n_changed_inside
    from fixture_counts

),

fixture_measurements as (

    {{ measured_factors('fixture_pairs') }}

),

fixture_factors as (

    select
        fixture_measurements.*,
        factor_policies.policy
    from fixture_measurements
    inner join factor_policies
        on
            fixture_measurements.bias_type = factor_policies.bias_type
            and fixture_measurements.factor = factor_policies.factor

),

fixture_verdicts as (

    {{ factor_verdicts('fixture_factors') }}

),

accepted_fixtures as (

    select pair_id
    from fixture_verdicts
    where
        is_intended_varied
        and are_others_held

),

-- what should never have been kept
confounded_pairs as (

    select checked_pairs.pair_id
    from checked_pairs
    inner join pair_factors
        on checked_pairs.pair_id = pair_factors.pair_id
    where
        pair_factors.policy = 'holds'
        and pair_factors.is_varied
    union
    select pair_id
    from accepted_fixtures
    where pair_id = 'confounded'

),

compared_counts as (

    select
        3 as count_a,
        7 as count_b
    union all
    select
        5 as count_a,
        6 as count_b

),

count_levels as (

    select
        count_a,
        count_b,
        {{ counting_difficulty('count_a', 'count_b') }} as difficulty,
        {{ more_counted('count_a', 'count_b') }} as answer
    from compared_counts

),

single_challenges as (

    select
        bias_type,
        difficulty
    from challenges
    where {{ list_length('bias_types_combined') }} = 1

),

bias_sizes as (

    select
        bias_type,
        count(*) as n_challenges
    from single_challenges
    group by bias_type

),

-- nulls without challenges
single_shares as (

    select
        avg(cast(case when difficulty = 'easy' then 1 else 0 end as double)) as easy_share,
        avg(cast(case when difficulty = 'medium' then 1 else 0 end as double)) as medium_share,
        avg(cast(case when difficulty = 'hard' then 1 else 0 end as double)) as hard_share
    from single_challenges

),

largest_biases as (

    select cast(max(n_challenges) as double) / sum(n_challenges) as largest_bias_share
    from bias_sizes

),

compounds as (

    select challenge_id
    from challenges
    where {{ list_length('bias_types_combined') }} > 1

),

-- the keys of a record, over all rows
incomplete_challenges as (

    select challenges.challenge_id
    from challenges
    left join multilingual
        on challenges.challenge_id = multilingual.challenge_id
    where
        challenges.challenge_id is null
        or challenges.bias_type is null
        or challenges.difficulty is null
        or challenges.image_a_id is null
        or challenges.image_b_id is null
        or challenges.correct_answer is null
        or challenges.ground_truth_method is null
        or challenges.confound_check_passed is null
        or multilingual.questions is null

),

asked_languages as (

    select
        challenge_id,
        count(*) as n_languages
    from questions
    where length(question) > 4
    group by challenge_id

),

unasked_challenges as (

    select challenges.challenge_id
    from challenges
    left join asked_languages
        on challenges.challenge_id = asked_languages.challenge_id
    where coalesce(asked_languages.n_languages, 0) <> 5

),

unchecked_challenges as (

    select challenge_id
    from challenges
    where not coalesce(confound_check_passed, false)

),

accepted_singles as (

    select pair_id from accepted_fixtures
    where pair_id = 'single'

),

shares as (

    select
        'largest_bias_share' as check_name,
        largest_bias_share as measured_share,
        0 as least_share,
        {{ var('reality_check_largest_bias_share') }} as most_share
    from largest_biases
    union all
    select
        'easy_share' as check_name,
        easy_share as measured_share,
        {{ var('reality_check_easy_share') }} - {{ tolerance }} as least_share,
        {{ var('reality_check_easy_share') }} + {{ tolerance }} as most_share
    from single_shares
    union all
    select
        'medium_share' as check_name,
        medium_share as measured_share,
        {{ var('reality_check_medium_share') }} - {{ tolerance }} as least_share,
        {{ var('reality_check_medium_share') }} + {{ tolerance }} as most_share
    from single_shares
    union all
    select
        'hard_share' as check_name,
        hard_share as measured_share,
        {{ var('reality_check_hard_share') }} - {{ tolerance }} as least_share,
        {{ var('reality_check_hard_share') }} + {{ tolerance }} as most_share
    from single_shares

),

final as (

    {{ counted_check('4.1', 'confounded_rejected', 'confounded_pairs') }}
    union all
    {{ counted_check('4.1', 'single_accepted', 'accepted_singles', least=1, most=1) }}
    union all
    {{ counted_check('4.3', 'total', 'challenges', least=least_challenges, most=none) }}
    union all
    {{ counted_check('4.3', 'compounds', 'compounds', least=least_compounds, most=none) }}
    union all
    {{ counted_check('smoke', 'images', 'images', least=least_images, most=none) }}
    union all
    {{ counted_check('smoke', 'challenges', 'challenges', least=least_challenges, most=none) }}
    union all
    {{ counted_check('smoke', 'record_keys', 'incomplete_challenges') }}
    union all
    {{ counted_check('smoke', 'languages', 'unasked_challenges') }}
    union all
    {{ counted_check('smoke', 'no_confounded', 'unchecked_challenges') }}
    union all
    select
        '4.3' as gate_id,
        check_name,
        cast(round(measured_share, 4) as {{ text_type }}) as measured,
        round(measured_share, 4) between least_share and most_share as is_passed
    from shares
    union all
    select
        '4.2' as gate_id,
        'more_is_b' as check_name,
        answer as measured,
        answer = 'B' as is_passed
    from count_levels
    where count_a = 3
    union all
    select
        '4.2' as gate_id,
        'gap_of_four_easy' as check_name,
        coalesce(difficulty, 'no pair') as measured,
        coalesce(difficulty = 'easy', false) as is_passed
    from count_levels
    where count_a = 3
    union all
    select
        '4.2' as gate_id,
        'five_six_hard' as check_name,
        coalesce(difficulty, 'no pair') as measured,
        coalesce(difficulty = 'hard', false) as is_passed
    from count_levels
    where count_a = 5

)

select * from final
