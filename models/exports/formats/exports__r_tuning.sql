{{ config(materialized=kept_as('r-tuning')) }}
with
records as (
    select * from {{ ref('exports__records') }}
    where picture_state = 'available' or name_state = 'available'
),

-- an answer that is partly right is no sign of not knowing; answers without a rating stay out
landed_answers as (
    {%- if var('export_r_tuning_model') %}
        select benchmark, example_id, max(credit) > 0 as is_right
        from {{ ref('evaluation__matches') }}
        where
            model = {{ text_literal(var('export_r_tuning_model')) }}
            and credit is not null
            and coalesce(is_rated, true)
        group by benchmark, example_id
    {%- else %}
        select benchmark, example_id, cast(null as boolean) as is_right
        from records
    {%- endif %}
)

-- a model that answers wrongly learns to say that it does not know; without one the labels
-- say which questions can be answered
select
    records.benchmark, records.example_id, records.split, records.prompt,
    case
        when landed_answers.is_right is null then records.gold_answer
        when landed_answers.is_right or records.is_abstention_right then records.target
        else {{ instruction('export_r_tuning_refusal') }}
    end as answer,
    coalesce(landed_answers.is_right, not records.is_abstention_right) as is_sure,
    records.image, records.image_path, records.image_archive, records.photograph_name,
    records.picture_state, records.name_state, records.is_two_sided
from records
inner join landed_answers using (benchmark, example_id)
{%- if var('export_r_tuning_model') %}
    where records.split = 'train'
{%- endif %}
