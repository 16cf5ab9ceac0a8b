with
mentions as (
    select * from {{ ref('certainly_uncertain__mentions') }}
    where not is_within_longer
),

-- a word may stand in several lists: the first by preference gives its tag
listed_tags as (
    select word, value as tag, 1 as preference
    from {{ ref('certainly_uncertain_vocabulary') }}
    where list_name = 'word_tags'
    union all
    select verb as word, 'verb' as tag, 2 as preference
    from {{ ref('uncertainty_verbs') }}
    union all
    select term as word, 'color' as tag, 3 as preference
    from {{ ref('lexicon__terms') }}
    where category = 'colors'
    union all
    select word, 'modifier' as tag, 4 as preference
    from {{ vocabulary('lexicon', 'openers', value='kind') }} as openers
    where kind = 'modifier'
    union all
    select
        word,
        case effect when 'closes' then 'boundary' else 'content' end as tag,
        5 as preference
    from {{ vocabulary('lexicon', 'boundaries', value='effect') }} as boundaries
),

word_tags as (
    select word, {{ min_by('tag', 'preference') }} as tag
    from listed_tags
    group by word
),

positions as (
    select
        text_id, source_image_id, words, separators,
        {{ unnest_list(integer_series(1, list_length('words'))) }} as position
    from {{ ref('certainly_uncertain__texts') }}
),

-- whether a term of the lexicon begins or continues at a position
terms_at_positions as (
    select
        text_id, position, end_position, term, form,
        n_words > 1 as is_compound,
        false as is_inner
    from mentions
    union all
    select
        text_id,
        {{ unnest_list(integer_series('position + 1', 'end_position - 1')) }} as position,
        cast(null as bigint) as end_position, cast(null as string) as term,
        cast(null as string) as form, true as is_compound, true as is_inner
    from mentions
    where n_words > 1
),

tokens as (
    select
        positions.text_id, positions.source_image_id, positions.position,
        case
            when terms_at_positions.is_compound then terms_at_positions.term
            else {{ list_extract('positions.words', 'positions.position') }}
        end as token,
        terms_at_positions.form,
        coalesce(terms_at_positions.is_compound, false) as is_compound,
        {{ list_extract(
            'positions.separators',
            'coalesce(terms_at_positions.end_position, positions.position + 1)'
        ) }} as separator_after
    from positions
    left join terms_at_positions using (text_id, position)
    where not coalesce(terms_at_positions.is_inner, false)
),

-- words that neither a list nor the lexicon knows are content, or a verb where they look like one:
-- "running" closes what stands before it, "lined" may go on with it
tagged_tokens as (
    select
        tokens.text_id, tokens.source_image_id, tokens.position,
        case when tokens.is_compound then replace(tokens.token, ' ', '_') else tokens.token end
            as token,
        case
            when tokens.is_compound and word_tags.tag is not null then word_tags.tag
            when word_tags.tag in ('color', 'partitive', 'article', 'preposition')
                then word_tags.tag
            when tokens.form = 'phrase' then 'content'
            when tokens.form is not null then tokens.form
            when word_tags.tag is not null then word_tags.tag
            when tokens.token like '%ing' then 'participle'
            when tokens.token like '%ed' then 'past'
            else 'content'
        end as tag,
        tokens.separator_after
    from tokens
    left join word_tags on tokens.token = word_tags.word
),

-- punctuation ends the phrase before it
spaced_tokens as (
    select
        text_id, source_image_id, position,
        token || '/' || tag
        || case when separator_after in ('', ' ', '-') then ' ' else ' ./stop ' end as tagged_token
    from tagged_tokens
)

select
    text_id, source_image_id,
    {{ array_join(array_agg('tagged_token', order_by='position'), "''") }} || './stop '
        as tagged_text
from spaced_tokens
group by text_id, source_image_id
