select
    landed_files.source_file, landed_files.kind, landed_files.split, landed_files.path,
    landed_files.sha256, landed_files.year,
    case landed_files.split when 'train' then 1 when 'val' then 2 else 3 end as split_order,
    landed_files.n_bytes, landed_files.n_records, landed_files.n_rejected,
    -- gainsay contributes no files but those of `gainsay synth`
    coalesce(file_info.contributor = 'gainsay', false) as is_synthetic,
    landed_files.landed_at
from {{ source('raw', 'landed_files') }} as landed_files
left join {{ source('raw', 'file_info') }} as file_info
    on landed_files.source_file = file_info._source_file
