select
    sha256,
    min(path) as path,
    {{ min_by('archive', order_by='path') }} as archive
from {{ ref('images__files') }}
group by sha256
