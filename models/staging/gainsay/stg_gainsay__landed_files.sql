select
    source_file,
    kind,
    split,
    path,
    sha256,
    year,
    case split when 'train' then 1 when 'val' then 2 else 3 end as split_order,
    n_bytes,
    n_records,
    n_rejected,
    landed_at
from {{ source('raw', 'landed_files') }}
