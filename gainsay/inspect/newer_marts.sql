-- marts that were built again after a table of audit or report that is made of them
with
builds as (
    select model, max(started_at) as started_at, max_by(shows, started_at) as shows
    from audit.audit__built_models
    group by model
),

shown as (
    select model, started_at, unnest(string_split(shows, ',')) as mart
    from builds
    where starts_with(model, 'audit__') or starts_with(model, 'report__')
)

select
    shown.model as shown,
    shown.started_at as shown_at,
    shown.mart,
    builds.started_at as built_at
from shown
inner join builds on shown.mart = builds.model
where
    builds.started_at > shown.started_at
    and (
        getvariable('benchmarks') is null
        or list_contains(getvariable('benchmarks'), split_part(shown.mart, '__', 1))
    )
order by all
