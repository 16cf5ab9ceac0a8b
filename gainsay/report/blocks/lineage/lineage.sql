-- title: where each column comes from
-- folded: yes
-- most: 1000
-- code: column_name, origins
with origins as (
    select
        model,
        column_name,
        coalesce(from_model || '.' || from_column, literal) || ' (' || kind || ')' as origin
    from audit.audit__column_lineage
    where kind <> 'rows'
)

select
    model,
    column_name,
    string_agg(distinct origin, ', ' order by origin) as origins
from origins
group by model, column_name
order by model, column_name
