with

matches as (

    select * from {{ ref('evaluation__matches') }}
    where
        confidence is not null
        and credit is not null

),

answers as (

    select * from {{ ref('evaluation__scored_answers') }}

),

memberships as (

    select * from {{ ref('evaluation__memberships') }}

),

-- weights as of the other metrics; the order among equals as of the curves
confident_answers as (

    select
        matches.source_file,
        matches.matcher,
        answers.example_resampling_key,
        answers.image_resampling_key,
        answers.cell,
        {{ seeded_key('risk_coverage', 'matches.example_id') }} as tie,
        matches.confidence,
        matches.credit
    from matches
    inner join answers
        on
            matches.source_file = answers.source_file
            and matches.matcher = answers.matcher
            and matches.file_position = answers.file_position

),

run_answers as (

    select
        source_file,
        matcher,
        {{ array_agg_unordered(struct_pack(
            key='example_resampling_key', cluster='image_resampling_key', cell='cell', tie='tie',
            confidence='confidence', credit='credit'
        )) }} as scored_answers,
        count(*) as n
    from confident_answers
    group by source_file, matcher

),

run_errors as (

    select
        run_answers.source_file,
        run_answers.matcher,
        gs_confidence_errors(
            run_answers.scored_answers,
            memberships.memberships,
            {{ var('evaluation_calibration_bins') }},
            {{ var('evaluation_curve_points') }},
            {{ var('evaluation_risk_coverage') }},
            {{ bootstrap_resamples('run_answers.n') }}
        ) as errors
    from run_answers
    inner join memberships
        on
            run_answers.source_file = memberships.source_file
            and run_answers.matcher = memberships.matcher

),

errors as (

    select
        source_file,
        matcher,
        {{ unnest_list('errors') }} as error
    from run_errors

),

final as (

    select
        source_file,
        matcher,
        {{ struct_extract('error', 'slice') }} as slice_number,
        {{ struct_extract('error', 'metric') }} as metric,
        {{ struct_extract('error', 'standard_deviation') }} as standard_deviation,
        {{ struct_extract('error', 'clustered_standard_error') }} as clustered_standard_error
    from errors

)

select * from final
