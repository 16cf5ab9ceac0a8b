with

texts as (

    select * from {{ ref('certainly_uncertain__texts') }}

),

mentions as (

    select * from {{ ref('certainly_uncertain__mentions') }}
    where not is_within_longer

),

tagged_words as (

    select * from {{ ref('uncertainty_word_tags') }}

),

verbs as (

    select * from {{ ref('uncertainty_verbs') }}

),

terms as (

    select * from {{ ref('lexicon__terms') }}

),

openers as (

    select * from {{ ref('lexicon_openers') }}

),

boundaries as (

    select * from {{ ref('lexicon_boundaries') }}

),

-- a word may stand in several lists: the first by preference gives its tag
listed_tags as (

    select
        words as word,
        tag,
        1 as preference
    from tagged_words
    union all
    select
        verb as word,
        'verb' as tag,
        2 as preference
    from verbs
    union all
    select
        term as word,
        'color' as tag,
        3 as preference
    from terms
    where category = 'colors'
    union all
    select
        word,
        'modifier' as tag,
        4 as preference
    from openers
    where kind = 'modifier'
    union all
    select
        word,
        case effect when 'closes' then 'boundary' else 'content' end as tag,
        5 as preference
    from boundaries

),

word_tags as (

    select
        word,
        {{ min_by('tag', 'preference') }} as tag
    from listed_tags
    group by word

),

positions as (

    select
        text_id,
        source_image_id,
        text,
        words,
        separators,
        {{ unnest_list(integer_series(1, list_length('words'))) }} as position
    from texts

),

inner_positions as (

    select
        text_id,
        {{ unnest_list(integer_series('position + 1', 'end_position - 1')) }} as position
    from mentions
    where n_words > 1

),

-- words that neither a list nor the lexicon knows are content, or a verb where they look like one:
-- "running" closes what stands before it, "lined" may go on with it
tagged_positions as (

    select
        positions.text_id,
        positions.source_image_id,
        positions.text,
        positions.position,
        case
            when mentions.n_words > 1 then replace(mentions.term, ' ', '_')
            else {{ list_extract('positions.words', 'positions.position') }}
        end as token,
        case
            when term_tags.tag is not null then term_tags.tag
            when word_tags.tag in ('color', 'partitive', 'article', 'preposition')
                then word_tags.tag
            when mentions.form = 'phrase' then 'content'
            when mentions.form is not null then mentions.form
            when word_tags.tag is not null then word_tags.tag
            when
                {{ regexp_matches(
                    list_extract('positions.words', 'positions.position'), 'ing$'
                ) }}
                then 'participle'
            when
                {{ regexp_matches(
                    list_extract('positions.words', 'positions.position'), 'ed$'
                ) }}
                then 'past'
            else 'content'
        end as tag,
        {{ list_extract(
            'positions.separators', 'coalesce(mentions.end_position, positions.position + 1)'
        ) }} as separator_after
    from positions
    left join mentions
        on
            positions.text_id = mentions.text_id
            and positions.position = mentions.position
    left join word_tags
        on
            {{ list_extract('positions.words', 'positions.position') }} = word_tags.word
            and coalesce(mentions.n_words, 1) = 1
    left join word_tags as term_tags
        on
            mentions.term = term_tags.word
            and mentions.n_words > 1
    left join inner_positions
        on
            positions.text_id = inner_positions.text_id
            and positions.position = inner_positions.position
    where inner_positions.text_id is null

),

final as (

    select
        text_id,
        source_image_id,
        text,
        {{ array_join(array_agg(
            "token || '/' || tag || case when separator_after in ('', ' ', '-') then ' ' else ' ./stop ' end",
            order_by='position'
        ), "''") }} || './stop ' as tagged_text
    from tagged_positions
    group by text_id, source_image_id, text

)

select * from final
