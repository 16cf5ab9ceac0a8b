-- the relations whose names end like a port's, and whether several benchmarks share them
select table_schema, table_name, bool_or(column_name = 'benchmark') as is_shared
from information_schema.columns
where getvariable('suffix') is null or ends_with(table_name, getvariable('suffix'))
group by table_schema, table_name
order by table_name
