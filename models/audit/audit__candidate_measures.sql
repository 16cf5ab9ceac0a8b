{% set types = ['int', 'integer', 'bigint', 'double', 'decimal(7,6)'] %}
{% set columns = [
    'severity', 'covered_share', 'object_area', 'vision_area_fraction', 'donor_jaccard',
] %}
with
screened as (
    {{ union_of_described('screened', columns, ['candidate_id'], types) }}
),

examples as (
    {{ union_of_described('examples', columns, ['example_id', 'group_id'], types) }}
),

-- a candidate is what examples are grouped by, or one example
described as (
    select benchmark, candidate_id, {{ columns | join(', ') }} from screened
    union all
    select benchmark, group_id as candidate_id, {{ columns | join(', ') }} from examples
    union all
    select benchmark, example_id as candidate_id, {{ columns | join(', ') }} from examples
),

measured as (
    select benchmark, candidate_id, 'severity' as measure, severity as value from described
    union all
    select benchmark, candidate_id, 'covered_share' as measure, covered_share as value
    from described
    union all
    select benchmark, candidate_id, 'object_area' as measure, object_area as value from described
    union all
    select benchmark, candidate_id, 'changed_area' as measure, vision_area_fraction as value
    from described
    union all
    select benchmark, candidate_id, 'donor_similarity' as measure, donor_jaccard as value
    from described
)

select distinct
    measured.benchmark,
    measured.candidate_id,
    measured.measure,
    cast(measured.value as double) as value
from measured
inner join screened using (benchmark, candidate_id)
where measured.value is not null
