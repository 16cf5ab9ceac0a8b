with
terms as (
    select *, {{ regexp_extract_all('term', '[a-z0-9]+') }} as words
    from {{ ref('lexicon_terms') }}
),

singular_terms as (
    select distinct term
    from terms
    where form = 'singular'
)

select
    terms.* {{ exclude('words') }},
    {{ list_extract('terms.words', 1) }} as first_word,
    {{ list_extract('terms.words', 2) }} as second_word,
    {{ list_extract('terms.words', 3) }} as third_word,
    {{ list_extract('terms.words', 4) }} as fourth_word,
    {{ list_length('terms.words') }} as n_words,
    singular_terms.term is not null as has_singular
from terms
left join singular_terms using (term)
