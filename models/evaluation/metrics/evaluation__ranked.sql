with

matches as (

    select
        source_file,
        matcher,
        file_position,
        example_id,
        confidence,
        credit,
        {{ seeded_key('risk_coverage', 'example_id') }} as tie
    from {{ ref('evaluation__matches') }}
    where
        confidence is not null
        and credit is not null

),

slices as (

    select * from {{ ref('evaluation__slices') }}

),

answers as (

    select * from {{ ref('evaluation__scored_answers') }}

),

slice_answers as (

    select
        matches.source_file,
        matches.matcher,
        slices.slice_name,
        slices.slice_value,
        matches.example_id,
        matches.confidence,
        matches.credit,
        matches.tie
    from matches
    inner join answers
        on
            matches.source_file = answers.source_file
            and matches.matcher = answers.matcher
            and matches.file_position = answers.file_position
    inner join slices
        on
            answers.source_file = slices.source_file
            and answers.matcher = slices.matcher
            and answers.cell = slices.cell

),

-- the surest first; among equals an order that knows nothing of the answers
final as (

    select
        source_file,
        matcher,
        slice_name,
        slice_value,
        example_id,
        confidence,
        credit,
        row_number() over surest_first as place,
        count(*) over (
            partition by source_file, matcher, slice_name, slice_value
        ) as n,
        1 - sum(credit) over surest_first / row_number() over surest_first as risk
    from slice_answers
    window surest_first as (
        partition by source_file, matcher, slice_name, slice_value
        order by confidence desc, tie asc, example_id asc
        rows between unbounded preceding and current row
    )

)

select * from final
