with
screened as (
    {{ union_of_ports('screened', ['family', 'drop_stage', 'is_retained']) }}
),

-- the counts are those of the official files, and of no others
official_files as (
    select published_counts.benchmark, count(*) = count(landed_files.source_file) as is_official
    from {{ ref('published_counts') }} as published_counts
    left join {{ ref('stg_gainsay__landed_files') }} as landed_files
        on
            published_counts.measure = landed_files.source_file
            and published_counts.value = landed_files.n_records
    where published_counts.kind = 'official_file'
    group by published_counts.benchmark
),

own_counts as (
    select benchmark, 'total' as kind, 'candidates' as measure, count(*) as n
    from screened
    group by benchmark
    union all
    select benchmark, 'total', 'retained', count(*)
    from screened
    where is_retained
    group by benchmark
    union all
    select benchmark, 'drop_stage', drop_stage, count(*)
    from screened
    where drop_stage is not null
    group by benchmark, drop_stage
    union all
    select benchmark, 'retained_family', family, count(*)
    from screened
    where is_retained
    group by benchmark, family
)

select
    published_counts.benchmark, published_counts.kind, published_counts.measure,
    published_counts.value as published_count,
    coalesce(own_counts.n, 0) as own_count,
    coalesce(own_counts.n, 0) - published_counts.value as difference,
    official_files.is_official as is_comparable,
    case
        when official_files.is_official
            then coalesce(own_counts.n, 0) = published_counts.value
    end as is_equal
from {{ ref('published_counts') }} as published_counts
inner join official_files using (benchmark)
left join own_counts using (benchmark, kind, measure)
where published_counts.kind <> 'official_file'
