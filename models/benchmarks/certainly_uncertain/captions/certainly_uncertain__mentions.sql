{%- set last_position -%}
    positions.position + {{ list_length('terms.words') }} - 1
{%- endset -%}
with
nouns as (select * from {{ ref('certainly_uncertain__nouns') }}),

tagged_words as (
    select *
    from {{ vocabulary('certainly_uncertain', 'word_tags', word='words', value='tag') }}
        as word_tags
    where contains(words, ' ')
),

terms as (
    select
        * {{ exclude('plural_term', 'instance_category') }}
    from nouns
    union all
    select
        words as term,
        'phrase' as form, cast(null as string) as concept, cast(null as string) as class,
        cast(null as string) as gender, cast(null as string) as age, false as is_generic,
        {{ tokens('words') }} as words
    from tagged_words
    where words not in (select nouns.term from nouns)
),

positions as (
    select
        text_id, source_image_id, words, separators,
        {{ unnest_list(integer_series(1, list_length('words'))) }} as position
    from {{ ref('certainly_uncertain__texts') }}
),

-- the words of a term follow each other with a space or a hyphen between them
found_terms as (
    select
        positions.text_id, positions.source_image_id, positions.position,
        positions.position + {{ list_length('terms.words') }} as end_position,
        terms.* {{ exclude('words') }},
        {{ list_length('terms.words') }} as n_words
    from positions
    inner join terms
        on
            {{ list_extract('positions.words', 'positions.position') }}
            = {{ list_extract('terms.words', 1) }}
    where
        {{ list_length('terms.words') }} = 1
        or (
            {{ list_slice(
                'positions.words',
                'positions.position',
                last_position
            ) }} = terms.words
            and {{ regexp_matches(array_join(list_slice(
                'positions.separators',
                'positions.position + 1',
                last_position
            ), "''"), '^[ -]*$') }}
        )
),

-- the longest match wins; of two equally long ones that overlap, the earlier
overlapped_terms as (
    select distinct found_terms.text_id, found_terms.position, found_terms.term
    from found_terms
    inner join found_terms as longer on found_terms.text_id = longer.text_id and longer.n_words > 1
    where
        found_terms.position < longer.end_position
        and longer.position < found_terms.end_position
        and (
            longer.n_words > found_terms.n_words
            or (longer.n_words = found_terms.n_words and longer.position < found_terms.position)
        )
)

select found_terms.*, overlapped_terms.text_id is not null as is_within_longer
from found_terms
left join overlapped_terms using (text_id, position, term)
