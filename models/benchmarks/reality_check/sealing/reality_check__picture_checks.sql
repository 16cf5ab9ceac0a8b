{#- the fields of a collected image, and those that its table lacks -#}
{%- set fields = ['image_id', 'url', 'local_path', 'source', 'metadata', 'license'] -%}
{%- set collected_images = ref('images__collected_images') -%}
{%- set found = [] -%}
{%- if execute -%}
    {%- for column in adapter.get_columns_in_relation(collected_images) -%}
        {%- do found.append(column.name | lower) -%}
    {%- endfor -%}
{%- endif -%}
{%- set n_missing = fields | reject('in', found) | list | length -%}
with
sun_fixtures as (select {{ sun_fixture() }} as sun
),

sun_angles as (
    select sun.shadow_angle_expected as shadow_angle, sun.sun_elevation as elevation
    from sun_fixtures
),

object_sums as (
    select
        min(confidence) as least_confidence,
        cast(sum(case
            when
                label is null
                or confidence is null
                or bbox is null
                or area_fraction is null
                then 1
            else 0
        end) as bigint) as n_incomplete,
        cast(sum(case
            when area_fraction > 0 and area_fraction <= 1 then 0
            else 1
        end) as bigint) as n_odd_areas
    from {{ ref('reality_check__objects') }}
)

select
    '2.1' as gate_id, 'record_fields' as check_name, '{{ n_missing }}' as measured,
    {{ n_missing }} = 0 as is_passed
union all
select
    '3.1' as gate_id, 'angle_given' as check_name,
    case when shadow_angle is null then '1' else '0' end as measured,
    shadow_angle is not null as is_passed
from sun_angles
union all
select
    '3.1' as gate_id, 'angle_north' as check_name,
    coalesce(cast(round(shadow_angle, 2) as string), 'none') as measured,
    coalesce(shadow_angle > 160 and shadow_angle < 200, false) as is_passed
from sun_angles
union all
select
    '3.1' as gate_id, 'sun_high' as check_name,
    coalesce(cast(round(elevation, 2) as string), 'none') as measured,
    coalesce(elevation > 60, false) as is_passed
from sun_angles
union all
select
    '3.2' as gate_id, 'object_fields' as check_name,
    cast(n_incomplete as string) as measured,
    n_incomplete = 0 as is_passed
from object_sums
union all
select
    '3.2' as gate_id, 'confidence' as check_name,
    cast(least_confidence as string) as measured,
    least_confidence > {{ var('detector_confidence') }} as is_passed
from object_sums
union all
select
    '3.2' as gate_id, 'area_fraction' as check_name,
    cast(n_odd_areas as string) as measured,
    n_odd_areas = 0 as is_passed
from object_sums
