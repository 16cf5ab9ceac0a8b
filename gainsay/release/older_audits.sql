-- audits that were built before something of the benchmark was: what its mixes and prompts are made
-- of is in no mart of it, so whatever was built again has to be read again
with
builds as (
    select model, max(started_at) as built_at
    from audit.audit__built_models
    group by model
)

select audits.model
from builds as audits
inner join builds as marts
    on
        audits.built_at < marts.built_at
        and starts_with(marts.model, coalesce(getvariable('benchmark'), '') || '__')
where starts_with(audits.model, 'audit__') or starts_with(audits.model, 'report__')
group by audits.model
order by audits.model
