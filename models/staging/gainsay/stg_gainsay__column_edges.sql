select
    model || '.' || column_name || ' <- '
    || coalesce(from_model || '.' || from_column, 'constant') as edge_id,
    model, column_name, from_model, from_column, from_type, kind, literal,
    _code_md5 as code_md5,
    _landed_at as landed_at
from {{ source('raw', 'column_edges') }}
