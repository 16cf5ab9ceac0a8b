-- the relations that say what was rendered: of each benchmark that was built, and of all together
select schema_name || '.' || table_name as relation
from duckdb_columns()
where
    database_name = current_database()
    and column_name in ('rendered_file', 'image_sha256', 'sha256')
group by schema_name, table_name
having count(*) = 3
order by relation
