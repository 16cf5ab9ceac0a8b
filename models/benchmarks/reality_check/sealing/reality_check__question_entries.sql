with
questions as (select * from {{ ref('reality_check__questions') }}),

hashed_questions as (
    select
        bias_type, language, challenge_id,
        {{ sha256_hex(canonical_row([
            'challenge_id', 'language', 'question', 'options', 'answer', 'translator',
        ])) }} as row_sha256
    from questions
),

asked_sets as (
    select
        bias_type, language,
        count(*) as n_questions,
        {{ listagg_lines('row_sha256', 'challenge_id') }} as row_hashes
    from hashed_questions
    group by bias_type, language
)

select
    'reality_check' as protocol, 'questions' as section,
    bias_type || ', ' || language as item,
    'n' as measure,
    cast(n_questions as string) as value
from asked_sets
union all
select
    'reality_check' as protocol, 'questions' as section,
    bias_type || ', ' || language as item,
    'sha256' as measure,
    {{ sha256_hex('row_hashes') }} as value
from asked_sets
