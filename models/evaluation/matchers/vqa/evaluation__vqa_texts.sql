with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where benchmark in ('vqa', 'okvqa', 'vizwiz') and reason is null
),

asked_questions as (
    select distinct benchmark, example_id from predictions
),

human_answers as (
    select {{ unnest_list('questions.human_answers') }} as human_answer
    from asked_questions
    inner join {{ ref('evaluation__vqa_questions') }} as questions using (benchmark, example_id)
),

texts as (
    select prediction as text
    from predictions
    where prediction is not null
    union
    select human_answer
    from human_answers
    -- which any way of not knowing stands for
    union
    select 'unanswerable'
),

lines as (
    select text, {{ stripped_line('text') }} as line from texts
),

-- a sign next to a space goes, and so does every sign of a text with a comma in a number
signs as (
    select
        lines.text, punctuation.character,
        contains(lines.line, punctuation.character || ' ')
        or contains(lines.line, ' ' || punctuation.character)
        or {{ regexp_matches('lines.line', '\\p{Nd},\\p{Nd}') }} as is_deleted
    from lines
    inner join {{ vocabulary('evaluation', 'punctuation', word='character') }} as punctuation
        on contains(lines.line, punctuation.character)
),

sign_sets as (
    select
        text,
        {{ array_join(
            array_agg("case when is_deleted then character else '' end", 'character'), "''"
        ) }} as deleted_signs,
        {{ array_join(
            array_agg("case when is_deleted then '' else character end", 'character'), "''"
        ) }} as spaced_signs
    from signs
    group by text
),

without_signs as (
    select
        lines.text,
        case
            when sign_sets.text is null then lines.line
            else translate(
                lines.line,
                sign_sets.spaced_signs || sign_sets.deleted_signs,
                repeat(' ', length(sign_sets.spaced_signs))
            )
        end as bare_text
    from lines
    left join sign_sets using (text)
),

-- a full stop stays before a digit only: all else is taken up piece by piece
without_stops as (
    select
        text,
        {{ array_join(regexp_extract_all('bare_text', '[^.]+|[.]\\p{Nd}'), "''") }} as bare_text
    from without_signs
),

split_texts as (
    select
        text,
        {{ regexp_extract_all(
            lower_text('bare_text'), '[^\\t\\n\\x0B\\f\\r \\x1C-\\x1F\\x85\\p{Z}]+'
        ) }} as words
    from without_stops
),

placed as (
    select text, {{ unnest_list_with_position('words', 'word', 'position') }}
    from split_texts
),

mapped as (
    select
        placed.text, placed.position,
        coalesce(number_words.digits, contractions.contraction, placed.word) as word
    from placed
    left join {{ vocabulary('evaluation', 'vqa_number_words', value='digits') }} as number_words
        using (word)
    left join {{ vocabulary('evaluation', 'vqa_contractions', value='contraction') }}
        as contractions
        on placed.word = contractions.word
    left join {{ vocabulary('evaluation', 'articles') }} as articles using (word)
    where articles.word is null
),

joined as (
    select text, {{ array_join(array_agg('word', 'position'), "' '") }} as processed_text
    from mapped
    group by text
)

select lines.text, lines.line, coalesce(joined.processed_text, '') as processed_text
from lines
left join joined using (text)
