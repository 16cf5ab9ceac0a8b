-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('conflict_suite_refined__examples') }}),
bases as (select * from {{ ref('conflict_suite_refined__bases') }}),

-- one row that carries the whole list
stop_words as (
    select {{ array_agg('word', order_by='word') }} as words
    from {{ vocabulary('conflict_suite', 'noun_stop_words') }} as listed_words
),

{% set is_not_asked -%}
    not array_contains({{ tokens('examples.question') }}, word)
{%- endset -%}
-- what a text says beside what is asked
said_words as (
    select
        examples.example_id, examples.shown_image_id, bases.caption,
        {{ regexp_matches('examples.text_input', '(^|[.!?] )There (is|are) no ') }} as is_denied,
        {{ list_filter(
            long_tokens('examples.text_input', 'stop_words.words'), 'word', is_not_asked
        ) }} as words
    from examples
    inner join bases using (base_id)
    cross join stop_words
    where examples.protocol = 'refined'
),

caption_words as (
    select source_image_id, caption, {{ unnest_list('tokens') }} as token
    from {{ ref('images__captions') }}
),

-- the words that other captions of the shown picture have
known_words as (
    select
        said_words.example_id,
        {{ list_sort_distinct(array_agg_unordered('caption_words.token')) }} as words
    from said_words
    inner join caption_words
        on
            said_words.shown_image_id = caption_words.source_image_id
            and said_words.caption <> caption_words.caption
    group by said_words.example_id
),

-- whoever knows the scene and did not look for the thing hears whether the text denies it, and how
-- much of what else it says fits, in thirds
gists as (
    select
        said_words.example_id,
        case when said_words.is_denied then 'denied ' else 'said ' end
        || case
            when {{ list_length('said_words.words') }} = 0 then 'alone'
            else
                'fits' || cast(cast(floor(
                    3.0 * coalesce(
                        {{ list_intersect_size('said_words.words', 'known_words.words') }}, 0
                    ) / {{ list_length('said_words.words') }}
                ) as int) as string)
        end as gist
    from said_words
    left join known_words using (example_id)
),

labels as (
    select *, 'right_move' as guessed, right_move as label from examples
    union all
    select *, 'answer' as guessed, target as label
    from examples
    where target is not null
)

select
    'open_ended' as task,
    protocol as condition,
    guessed, example_id, group_id, split, label, question,
    text_input as context,
    cast(null as string) as choices,
    {{ list_value("'family=' || family") }} as slices
from labels
union all
-- what is known of the picture by its captions, without what is asked
select
    'open_ended' as task,
    'refined_by_gist' as condition,
    'right_move' as guessed,
    examples.example_id,
    examples.group_id,
    examples.split,
    examples.right_move as label,
    cast(null as string) as question,
    gists.gist as context,
    cast(null as string) as choices,
    {{ list_value("'family=' || examples.family") }} as slices
from examples
inner join gists using (example_id)
union all
-- a training mix, of which its card says what the words tell
select
    'open_ended' as task,
    'carm' as condition,
    'right_move' as guessed,
    example_id,
    group_id,
    split,
    right_move as label,
    question,
    text_input as context,
    cast(null as string) as choices,
    {{ list_value("'family=' || family") }} as slices
from {{ ref('conflict_suite_refined__carm') }}
