-- the benchmarks that have a sealed manifest
select table_schema as benchmark
from information_schema.tables
where table_name = table_schema || '__manifest'
order by table_schema
