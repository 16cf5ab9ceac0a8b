with
examples as (
    {{ union_of_described(
        'examples',
        ['severity', 'category', 'difficulty', 'language', 'answer_type', 'condition',
        'corrupt_modality', 'oracle_action', 'kind', 'source']
    ) }}
),

photographs as (
    select source_image_id, license_name from {{ ref('report__photographs') }}
),

licensed_examples as (
    select examples.*, photographs.license_name
    from examples
    left join photographs on examples.shown_image_id = photographs.source_image_id
),

totals as (
    select benchmark, count(*) as n_examples
    from licensed_examples
    group by benchmark
),

-- the value of each example in each dimension
found_values as (
    select
        licensed_examples.benchmark, dimensions.dimension, dimensions.place,
        case dimensions.dimension
            when 'split' then licensed_examples.split
            when 'family' then licensed_examples.family
            when 'operator' then licensed_examples.operator
            when 'kind' then licensed_examples.kind
            when 'severity' then licensed_examples.severity
            when 'category' then licensed_examples.category
            when 'difficulty' then licensed_examples.difficulty
            when 'language' then licensed_examples.language
            when 'condition' then licensed_examples.condition
            when 'corrupt_modality' then licensed_examples.corrupt_modality
            when 'answer_type' then licensed_examples.answer_type
            when 'oracle_action' then licensed_examples.oracle_action
            when 'source' then licensed_examples.source
            when 'licence' then licensed_examples.license_name
        end as found
    from licensed_examples
    cross join {{ ref('report_dimensions') }} as dimensions
),

value_counts as (
    select benchmark, dimension, place, found, count(*) as n
    from found_values
    where found is not null
    group by benchmark, dimension, place, found
)

select
    value_counts.benchmark, value_counts.dimension, value_counts.found,
    cast(value_counts.place as bigint) as place,
    value_counts.n,
    cast(value_counts.n as double) / totals.n_examples as share
from value_counts
inner join totals using (benchmark)
