with

screened as (

    {{ union_of_ports('screened', ['family', 'drop_stage', 'is_retained']) }}

),

published_counts as (

    select * from {{ ref('published_counts') }}

),

official_sizes as (

    select * from {{ ref('official_sizes') }}

),

landed_files as (

    select * from {{ ref('stg_gainsay__landed_files') }}

),

-- the counts are those of the official files, and of no others
official_files as (

    select
        official_sizes.benchmark,
        count(*) = count(landed_files.source_file) as is_official
    from official_sizes
    left join landed_files
        on
            official_sizes.source_file = landed_files.source_file
            and official_sizes.n_records = landed_files.n_records
    group by official_sizes.benchmark

),

own_counts as (

    select
        benchmark,
        'total' as kind,
        'candidates' as measure,
        count(*) as n
    from screened
    group by benchmark
    union all
    select
        benchmark,
        'total',
        'retained',
        count(*)
    from screened
    where is_retained
    group by benchmark
    union all
    select
        benchmark,
        'drop_stage',
        drop_stage,
        count(*)
    from screened
    where drop_stage is not null
    group by benchmark, drop_stage
    union all
    select
        benchmark,
        'retained_family',
        family,
        count(*)
    from screened
    where is_retained
    group by benchmark, family

),

final as (

    select
        published_counts.benchmark,
        published_counts.kind,
        published_counts.measure,
        published_counts.value as published_count,
        coalesce(own_counts.n, 0) as own_count,
        coalesce(own_counts.n, 0) - published_counts.value as difference,
        official_files.is_official as is_comparable,
        case
            when official_files.is_official
                then coalesce(own_counts.n, 0) = published_counts.value
        end as is_equal
    from published_counts
    inner join official_files
        on published_counts.benchmark = official_files.benchmark
    left join own_counts
        on
            published_counts.benchmark = own_counts.benchmark
            and published_counts.kind = own_counts.kind
            and published_counts.measure = own_counts.measure

)

select * from final
