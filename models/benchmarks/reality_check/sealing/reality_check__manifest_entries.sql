-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{#-
    How many questions there are of each bias in each language, and their hash: a question hashes as
    its values in their canonical form, a set as the hash of those hashes in the order of the
    challenges' ids. Source: the specification, 6.
-#}
{%- set question_entries %}
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
union all
-- another engine may read other words, and other pictures would be mirrored
select distinct
    'reality_check' as protocol, 'engines' as section, 'text' as item, 'name' as measure,
    text_engine as value
from {{ ref('reality_check__annotator_results') }}
where text_engine is not null
{%- endset -%}

{{ manifest_entries(
    'reality_check',
    distributions=['bias_type', 'operator', 'difficulty', 'split', 'truth_source'],
    further_entries=question_entries
) }}
