{%- set scale = var('reality_check_scale') -%}
with
image_sources as (select * from {{ ref('reality_check_image_sources') }}),
quotas as (select * from {{ ref('reality_check__quotas') }}),
images as (select * from {{ ref('reality_check__images') }}),

checked_pairs as (
    select * from {{ ref('reality_check__checked_pairs') }}
    where is_retained
),

challenges as (
    select
        *,
        {{ list_length('bias_types_combined') }} = 1 as is_of_one_bias,
        {{ array_join('bias_types_combined', "'+'") }} as combination
    from {{ ref('reality_check__challenges') }}
),

questions as (select * from {{ ref('reality_check__questions') }}),

-- a source that was passed over has nothing but the reason
skipped_sources as (
    select distinct source, cursor as reason
    from {{ ref('stg_collect__cursors') }}
    where cursor like 'skipped%'
),

image_totals as (
    select count(*) as n_images from images
),

challenge_totals as (
    select
        count(*) as n_challenges,
        sum(case when is_of_one_bias then 1 else 0 end) as n_of_one_bias
    from challenges
),

question_totals as (
    select count(*) as n_questions from questions
),

image_counts as (
    select source, count(*) as n_images
    from images
    group by source
),

source_sums as (
    select sum(target) as n_targets from image_sources
),

source_statistics as (
    select
        'source' as slice,
        image_sources.source || coalesce(': ' || skipped_sources.reason, '') as value,
        coalesce(image_counts.n_images, 0) as n,
        image_totals.n_images as n_all,
        ceil(
            cast(image_sources.target as double) / source_sums.n_targets
            * {{ var('reality_check_target_images') }}
        ) as target
    from image_sources
    cross join source_sums
    cross join image_totals
    left join image_counts on image_sources.source = image_counts.source
    left join skipped_sources on image_sources.source = skipped_sources.source
),

scene_counts as (
    select coalesce(scenes.scene, 'unknown') as scene, count(*) as n_images
    from images
    left join {{ ref('reality_check__scenes') }} as scenes
        on images.image_id = scenes.source_image_id
    group by coalesce(scenes.scene, 'unknown')
),

scene_statistics as (
    select
        'scene' as slice,
        scene_counts.scene as value,
        scene_counts.n_images as n,
        image_totals.n_images as n_all,
        cast(null as double) as target
    from scene_counts
    cross join image_totals
),

level_counts as (
    select bias_type, difficulty, count(*) as n_challenges
    from challenges
    where is_of_one_bias
    group by bias_type, difficulty
),

-- what quotas want is counted in pairs, each of which asks its number of questions
wanted_levels as (
    select
        biases.bias_type, quotas.difficulty,
        quotas.n_wanted * biases.questions_per_pair as n_wanted,
        coalesce(level_counts.n_challenges, 0) as n_challenges
    from quotas
    inner join {{ ref('reality_check_biases') }} as biases on quotas.combination = biases.bias_type
    left join level_counts
        on
            biases.bias_type = level_counts.bias_type
            and quotas.difficulty = level_counts.difficulty
),

bias_statistics as (
    select
        'bias' as slice,
        wanted_levels.bias_type as value,
        sum(wanted_levels.n_challenges) as n,
        max(challenge_totals.n_of_one_bias) as n_all,
        sum(wanted_levels.n_wanted) as target
    from wanted_levels
    cross join challenge_totals
    group by wanted_levels.bias_type
),

difficulty_statistics as (
    select
        'difficulty' as slice,
        wanted_levels.difficulty as value,
        sum(wanted_levels.n_challenges) as n,
        max(challenge_totals.n_of_one_bias) as n_all,
        sum(wanted_levels.n_wanted) as target
    from wanted_levels
    cross join challenge_totals
    group by wanted_levels.difficulty
),

combination_counts as (
    select combination, count(*) as n_challenges
    from challenges
    where not is_of_one_bias
    group by combination
),

combination_statistics as (
    select
        'combination' as slice,
        combinations.combination as value,
        coalesce(combination_counts.n_challenges, 0) as n,
        challenge_totals.n_challenges - challenge_totals.n_of_one_bias as n_all,
        combinations.target * {{ scale }} as target
    from {{ ref('reality_check_compound_combinations') }} as combinations
    cross join challenge_totals
    left join combination_counts using (combination)
),

language_counts as (
    select language, count(*) as n_questions
    from questions
    group by language
),

language_statistics as (
    select
        'language' as slice,
        languages.language as value,
        coalesce(language_counts.n_questions, 0) as n,
        question_totals.n_questions as n_all,
        {{ var('reality_check_target_dataset_size') }} * {{ scale }} as target
    from {{ ref('reality_check_languages') }} as languages
    cross join question_totals
    left join language_counts using (language)
),

answer_counts as (
    select
        combination, question_role, answer_format, correct_answer,
        max({{ list_length('distractor_answers') }}) + 1 as n_answers,
        count(*) as n_challenges
    from challenges
    group by combination, question_role, answer_format, correct_answer
),

-- letters should be even; what is right for a question of one answer is no matter of chance
answer_statistics as (
    select
        'answer' as slice,
        combination || ', ' || question_role || ': ' || correct_answer as value,
        n_challenges as n,
        sum(n_challenges) over (partition by combination, question_role) as n_all,
        case
            when answer_format = 'letter'
                then
                    cast(
                        sum(n_challenges) over (partition by combination, question_role) as double
                    ) / n_answers
        end as target
    from answer_counts
),

withheld_counts as (
    select coalesce(license, 'unknown') as license, count(*) as n_challenges
    from challenges
    where not is_redistributable
    group by coalesce(license, 'unknown')
),

withheld_statistics as (
    select
        'withheld_pictures' as slice,
        withheld_counts.license as value,
        withheld_counts.n_challenges as n,
        challenge_totals.n_challenges as n_all,
        cast(null as double) as target
    from withheld_counts
    cross join challenge_totals
),

pair_counts as (
    select combination, difficulty, count(*) as n_pairs
    from checked_pairs
    group by combination, difficulty
),

shortage_statistics as (
    select
        'shortage' as slice,
        quotas.combination || ', ' || quotas.difficulty as value,
        quotas.n_targeted - coalesce(pair_counts.n_pairs, 0) as n,
        quotas.n_targeted as n_all,
        0 as target
    from quotas
    left join pair_counts using (combination, difficulty)
    where quotas.n_targeted > coalesce(pair_counts.n_pairs, 0)
),

statistics as (
    select * from source_statistics
    union all
    select * from scene_statistics
    union all
    select * from bias_statistics
    union all
    select * from difficulty_statistics
    union all
    select * from combination_statistics
    union all
    select * from language_statistics
    union all
    select * from answer_statistics
    union all
    select * from withheld_statistics
    union all
    select * from shortage_statistics
)

select
    slice,
    value,
    cast(n as bigint) as n,
    cast(n as double) / nullif(n_all, 0) as share,
    cast(round(target) as bigint) as target
from statistics
