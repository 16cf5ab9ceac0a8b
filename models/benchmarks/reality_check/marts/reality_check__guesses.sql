-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}

with
questions as (
    select * from {{ ref('reality_check__record_questions') }}
),

-- controls are asked and scored beside the challenges, so a blind reader reads both
challenges as (
    select
        challenge_id, image_a_id,
        'combination=' || {{ array_join('bias_types_combined', "'+'") }} as combination_slice,
        split, correct_answer
    from {{ ref('reality_check__challenges') }}
    union all
    select
        challenge_id, image_a_id,
        'combination=' || {{ array_join('bias_types_combined', "'+'") }} as combination_slice,
        split, correct_answer
    from {{ ref('reality_check__controls') }}
)

-- options as lines, `(A) text`: their keys would say which is right. \x22 is a quotation mark,
-- which Spark's pattern stands in
{%- set quoted_key = '\\x22,\\x22key\\x22:\\x22[^\\x22]*\\x22,\\x22text\\x22:\\x22' %}
{%- set unkeyed_options = regexp_replace('questions.options', quoted_key, ') ') %}
{%- set option_lines -%}
    replace({{ unkeyed_options }}, '"},{"letter":"', chr(10) || '(')
{%- endset %}
{%- set compound_slices -%}
    case
        when questions.bias_type = 'compound' then {{ list_value('challenges.combination_slice') }}
        else {{ empty_list('string') }}
    end
{%- endset %}
select
    'open_ended' as task,
    questions.answer_format as condition,
    'answer' as guessed,
    questions.challenge_id || '::' || questions.language as example_id,
    challenges.image_a_id as group_id,
    challenges.split,
    challenges.correct_answer as label,
    questions.question,
    cast(null as string) as context,
    replace(replace({{ option_lines }}, '[{"letter":"', '('), '"}]', '') as choices,
    {{ list_concat(
        list_value("'bias=' || questions.bias_type", "'language=' || questions.language"),
        compound_slices,
    ) }} as slices
from questions
inner join challenges using (challenge_id)
where questions.answer_format in ('yes_no', 'letter')
