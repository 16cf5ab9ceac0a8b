with
-- of files with the same content the first stands for all, by its own path and archive
places as (
    select sha256, path, archive, row_number() over (partition by sha256 order by path) as place
    from {{ ref('images__files') }}
)

select sha256, path, archive
from places
where place = 1
