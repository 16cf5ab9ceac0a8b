select
    outcomes.source_file,
    outcomes.file_position,
    outcomes.matcher,
    metrics.metric,
    case metrics.metric
        when 'accuracy' then outcomes.credit
        when 'yes_ratio' then {{ one_if('outcomes.is_yes') }}
    end as numerator,
    cast(1 as double) as denominator
from {{ ref('tiny__outcomes') }} as outcomes
cross join {{ ref('tiny__metrics') }} as metrics
