-- what holds something else than when a table that is shown, or a mart that it was made of, was
-- built of it; of named benchmarks their marts, and what these were built of
with recursive
builds as (
    select model, arg_max(reads, rowid) as reads, arg_max(content, rowid) as content
    from audit.audit__built_models
    group by model
),

contents_read as (
    select model, unnest(string_split(reads, ',')) as content
    from builds
),

reads as (
    select
        model, content, split_part(content, ':', 1) as relation,
        getvariable('benchmarks') is null
        or list_contains(getvariable('benchmarks'), split_part(content, '__', 1))
            as is_of_benchmarks
    from contents_read
),

concerned as (
    select model, false as is_mart
    from builds
    where
        getvariable('shown') is null
        or len(list_filter(getvariable('shown'), lambda name: starts_with(model, name))) > 0
    union
    select reads.relation as model, true as is_mart
    from concerned
    inner join reads on concerned.model = reads.model
    inner join builds on reads.relation = builds.model
    where reads.is_of_benchmarks
),

contents as (
    select relation, relation || ':' || content as content, true as is_raw
    from audit.audit__raw_contents
    union all
    select model, model || ':' || content, false
    from builds
    where content is not null
)

select distinct concerned.model as shown, contents.relation, contents.is_raw
from concerned
inner join reads on concerned.model = reads.model
inner join contents
    on reads.relation = contents.relation and reads.content <> contents.content
where
    concerned.is_mart
    or reads.is_of_benchmarks
    -- answers to all benchmarks are in one table
    or reads.relation = 'predictions'
order by all
