-- a view, so that it says what its seeds say
{{ config(materialized='view') }}
with
release_texts as (
    {{ union_of_ports('release_texts', ['field', 'place', 'text']) | indent }}
)

select
    release_texts.benchmark, readings.name, readings.read_on, readings.judged, release_texts.place,
    readings.n, readings.n_right, readings.n_second, readings.n_agreed,
    {{ nine_places('cast(readings.n_right as double) / readings.n') }} as share_right,
    {{ nine_places('cast(readings.n_agreed as double) / nullif(readings.n_second, 0)') }}
        as share_agreed
from release_texts
inner join {{ ref('readings') }} as readings on release_texts.text = readings.name
where release_texts.field = 'reading'
