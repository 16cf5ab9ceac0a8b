with
entries as (
    {{ union_of_ports('manifest') }}
),

-- the protocols of a benchmark are made of the same files
inputs as (
    select
        benchmark,
        item as source_file,
        max(case when measure = 'sha256' then value end) as sha256,
        max(case when measure = 'n_records' then {{ try_cast_bigint('value') }} end) as n_records,
        max(case when measure = 'n_rejected' then {{ try_cast_bigint('value') }} end)
            as n_rejected,
        max(case when measure = 'is_synthetic' then value end) as is_synthetic
    from entries
    where section = 'input'
    group by benchmark, item
)

select
    inputs.benchmark,
    inputs.source_file,
    coalesce(input_licenses.holds, landed_files.kind) as holds,
    inputs.sha256, input_licenses.license_name, input_licenses.license_url,
    input_licenses.stated_at, inputs.n_records, inputs.n_rejected,
    coalesce(inputs.is_synthetic = 'true', false) as is_synthetic
from inputs
left join {{ ref('stg_gainsay__landed_files') }} as landed_files using (source_file)
left join {{ ref('input_licenses') }} as input_licenses on landed_files.kind = input_licenses.kind
