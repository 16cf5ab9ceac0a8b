with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is null and prediction is not null
),

texts as (
    select distinct predictions.prediction as text, examples.answer_type
    from predictions
    inner join {{ ref('conflicts__examples') }} as examples using (benchmark, example_id)
),

-- without markup, each line a sentence of its own
unmarked_texts as (
    select
        text, answer_type,
        {{ regexp_replace(
            regexp_replace(lower_text("replace(text, '’', '''')"), '[*`#~_\\x24]+', ''),
            '[\\n\\r]+', ' . '
        ) }} as plain_text
    from texts
),

-- what a model thinks before it answers is no answer
plain_texts as (
    select
        text, answer_type,
        {{ normalized_text(
            regexp_replace(
                regexp_replace('plain_text', '^.*</think>', ''),
                '\\\\(text|textbf|mathrm|mathbf)\\{', ' '
            )
        ) }} as plain_text
    from unmarked_texts
),

texts_behind_markers as (
    select
        plain_texts.text, plain_texts.answer_type, markers.marker,
        right(
            plain_texts.plain_text,
            position(reverse(markers.marker) in reverse(plain_texts.plain_text)) - 1
        ) as scope_text
    from plain_texts
    inner join {{ vocabulary('evaluation', 'markers', word='marker', value='description') }}
        as markers
        on contains(plain_texts.plain_text, markers.marker)
),

-- what stands behind the last marker; "answer isn't" is not a marker
marked_texts as (
    select text, answer_type, {{ min_by('scope_text', 'length(scope_text)') }} as scope_text
    from texts_behind_markers
    where
        not {{ regexp_matches('marker', '\\p{L}$') }}
        or not {{ regexp_matches('scope_text', "^[\\p{L}'']") }}
    group by text, answer_type
),

scopes as (
    select
        text, answer_type, 'behind_marker' as scope,
        {{ regexp_replace('scope_text', '[}<].*', '') }} as scope_text
    from marked_texts
    union all
    select
        text, answer_type, 'all' as scope,
        {{ regexp_replace('plain_text', '<[^>]*>', ' ') }} as scope_text
    from plain_texts
),

bare_scopes as (
    select
        *,
        {{ regexp_replace('scope_text', '^[^\\p{L}\\p{N}]+|[^\\p{L}\\p{N}%]+$', '') }} as bare_text
    from scopes
)

select *
from bare_scopes
where scope = 'all' or bare_text <> ''
