{%- set least_challenges -%}
    ceil({{ rc_threshold('least_challenges') }} * {{ var('reality_check_scale') }})
{%- endset -%}
{%- set least_compounds -%}
    ceil({{ rc_threshold('least_compounds') }} * {{ var('reality_check_scale') }})
{%- endset -%}
{%- set least_images -%}
    ceil({{ var('reality_check_target_images') }} * {{ rc_threshold('least_images_share') }})
{%- endset -%}
{%- set tolerance = rc_threshold('difficulty_tolerance') -%}
with
checked_pairs as (select * from {{ ref('reality_check__checked_pairs') }}),
pair_factors as (select * from {{ ref('reality_check__factors') }}),
images as (select * from {{ ref('reality_check__images') }}),
challenges as (select * from {{ ref('reality_check__challenges') }}),

-- what should never have been kept
confounded_pairs as (
    select distinct checked_pairs.pair_id
    from checked_pairs
    inner join pair_factors using (pair_id)
    where checked_pairs.is_retained and pair_factors.policy = 'holds' and pair_factors.is_varied
),

compared_counts as (
    select 3 as count_a, 7 as count_b
    union all
    select 5 as count_a, 6 as count_b
),

compared_levels as (
    select compared_counts.count_a, count_levels.difficulty, count_levels.more
    from compared_counts
    left join {{ ref('reality_check__count_levels') }} as count_levels using (count_a, count_b)
),

single_challenges as (
    select bias_type, difficulty
    from challenges
    where {{ list_length('bias_types_combined') }} = 1
),

bias_sizes as (
    select bias_type, count(*) as n_challenges
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
    left join {{ ref('reality_check__multilingual') }} as multilingual using (challenge_id)
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
    select challenge_id, count(*) as n_languages
    from {{ ref('reality_check__questions') }}
    where length(question) > 4
    group by challenge_id
),

unasked_challenges as (
    select challenges.challenge_id
    from challenges
    left join asked_languages using (challenge_id)
    where coalesce(asked_languages.n_languages, 0) <> 5
),

unchecked_challenges as (
    select challenge_id
    from challenges
    where not coalesce(confound_check_passed, false)
),

-- a drawn pair in which all that should vary does, and nothing that should hold
sound_pairs as (
    select pair_id
    from pair_factors
    group by pair_id
    having
        min(case when policy = 'varies' then case when is_varied then 1 else 0 end end) = 1
        and max(case when policy = 'holds' and is_varied then 1 else 0 end) = 0
),

refusals as (
    select count(*) as n_refused
    from sound_pairs
    inner join checked_pairs using (pair_id)
    where not coalesce(checked_pairs.confound_check_passed, false)
),

shares as (
    select
        'largest_bias_share' as check_name, largest_bias_share as measured_share, 0 as least_share,
        {{ rc_threshold('largest_bias_share') }} as most_share
    from largest_biases
    union all
    select
        'easy_share', easy_share,
        {{ var('reality_check_mix').easy }} - {{ tolerance }},
        {{ var('reality_check_mix').easy }} + {{ tolerance }}
    from single_shares
    union all
    select
        'medium_share', medium_share,
        {{ var('reality_check_mix').medium }} - {{ tolerance }},
        {{ var('reality_check_mix').medium }} + {{ tolerance }}
    from single_shares
    union all
    select
        'hard_share', hard_share,
        {{ var('reality_check_mix').hard }} - {{ tolerance }},
        {{ var('reality_check_mix').hard }} + {{ tolerance }}
    from single_shares
)

{{ counted_check('4.1', 'confounded_rejected', 'confounded_pairs') }}
union all
select
    '4.1' as gate_id, 'single_accepted' as check_name,
    case when n_refused = 0 then '1' else '0' end as measured,
    n_refused = 0 as is_passed
from refusals
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
    '4.3' as gate_id, check_name,
    cast(round(measured_share, 4) as string) as measured,
    round(measured_share, 4) between least_share and most_share as is_passed
from shares
union all
select
    '4.2' as gate_id, 'more_is_b' as check_name,
    coalesce(more, 'no pair') as measured,
    coalesce(more = 'B', false) as is_passed
from compared_levels
where count_a = 3
union all
select
    '4.2' as gate_id, 'gap_of_four_easy' as check_name,
    coalesce(difficulty, 'no pair') as measured,
    coalesce(difficulty = 'easy', false) as is_passed
from compared_levels
where count_a = 3
union all
select
    '4.2' as gate_id, 'five_six_hard' as check_name,
    coalesce(difficulty, 'no pair') as measured,
    coalesce(difficulty = 'hard', false) as is_passed
from compared_levels
where count_a = 5
