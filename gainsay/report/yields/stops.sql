-- how many pictures each stage of a screening stopped; the last stages judge pairs, and every
-- candidate that gets there passed all stages of its own picture
select
    screened.screening,
    screened.drop_stage as stage,
    screened.drop_reason as reason,
    any_value(gates.description) as description,
    any_value(gates.stage_order) as stage_order,
    count(*) as n
from reality_check.reality_check__screened as screened
left join vocabulary.reality_check__gates as gates
    on screened.screening = gates.screening and screened.drop_stage = gates.stage
where not screened.is_retained and screened.source_image_id is not null
group by all
order by screened.screening, stage_order
