select
    * {{ exclude('code_md5', 'landed_at') }},
    code_md5 = '{{ code_fingerprint() }}' as is_current
from {{ ref('stg_gainsay__column_edges') }}
