with
matches as (
    select
        source_file, matcher,
        coalesce(
            {{ regexp_replace(
                list_extract(list_filter('slices', 'slice', "slice like 'split=%'"), 1),
                '^split=', ''
            ) }},
            'none'
        ) as split,
        confidence,
        -- an abstention is right where not knowing is
        {{ one_if('is_gold_abstained') }} as credit_of_abstaining,
        credit
    from {{ ref('evaluation__matches') }}
    where
        benchmark = 'certainly_uncertain'
        and confidence is not null
        and credit is not null
),

thresholds as (
    select cast(threshold as double) as threshold
    from {{ vocabulary('evaluation', 'confidence_thresholds', word='threshold') }} as listed_words
),

-- below the threshold the model is taken to say that it does not know
thresholded as (
    select
        matches.source_file, matches.matcher, matches.split, thresholds.threshold,
        avg(
            case
                when matches.confidence >= thresholds.threshold then matches.credit
                else matches.credit_of_abstaining
            end
        ) as accuracy,
        avg({{ one_if('matches.confidence >= thresholds.threshold') }}) as coverage,
        count(*) as n
    from matches
    cross join thresholds
    group by matches.source_file, matches.matcher, matches.split, thresholds.threshold
)

-- of equally good thresholds the lower one
select
    source_file,
    matcher,
    split,
    threshold,
    {{ nine_places('accuracy') }} as accuracy,
    {{ nine_places('coverage') }} as coverage,
    n,
    row_number() over (
        partition by source_file, matcher, split
        order by {{ nine_places('accuracy') }} desc, threshold asc
    ) = 1 as is_best
from thresholded
