-- Derives the answer of each pair made by rule anew from the captions as plain words, without tags,
-- clauses or facts. A pair fails where no text has the thing and the answer, where no number of a
-- text gives its number, or where a text has a word of what the other side asks for.
with
pairs as (
    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained and generator = 'rules' and source = 'caption'
),

templates as (select * from {{ ref('uncertainty_templates') }}),

answer_forms as (
    select * from {{ ref('answer_forms') }}
    where answer_type = 'integer'
),

plain_texts as (
    select
        source_image_id,
        ' ' || {{ array_join(tokens('text'), "' '") }} || ' ' as spaced_text
    from {{ ref('certainly_uncertain__texts') }}
),

plain_pairs as (
    select
        pairs.pair_id,
        pairs.source_image_id,
        pairs.answerable_answer,
        answerable_templates.rule,
        unanswerable_templates.topic,
        ' ' || {{ array_join(tokens('pairs.object_words'), "' '") }} || ' ' as spaced_thing,
        ' ' || {{ array_join(tokens('pairs.answerable_answer'), "' '") }} || ' ' as spaced_answer
    from pairs
    inner join templates as answerable_templates
        on pairs.answerable_rule = answerable_templates.template
    inner join templates as unanswerable_templates
        on pairs.unanswerable_rule = unanswerable_templates.template
),

-- a number word in a text with the thing, and what it gives
said_numbers as (
    select
        plain_pairs.pair_id,
        cast(answer_forms.canonical as bigint) as number,
        plain_pairs.rule,
        plain_pairs.answerable_answer
    from plain_pairs
    inner join plain_texts
        on plain_pairs.source_image_id = plain_texts.source_image_id
    inner join answer_forms
        on
            contains(plain_texts.spaced_text, ' ' || answer_forms.surface || ' ')
            and contains(plain_texts.spaced_text, plain_pairs.spaced_thing)
    where plain_pairs.rule like 'count%'
),

borne_out_numbers as (
    select distinct said_numbers.pair_id
    from said_numbers
    left join {{ ref('uncertainty_parts') }} as parts
        on said_numbers.rule = 'count_of_' || parts.part
    where
        said_numbers.answerable_answer = cast(
            case
                when said_numbers.rule = 'count' then said_numbers.number
                when said_numbers.rule = 'count_minus_one' then said_numbers.number - 1
                when said_numbers.rule = 'count_plus_one' then said_numbers.number + 1
                else said_numbers.number * parts.n_parts
            end as string
        )
),

-- the words of any other answer follow each other in a text with the thing
borne_out_words as (
    select distinct plain_pairs.pair_id
    from plain_pairs
    inner join plain_texts
        on plain_pairs.source_image_id = plain_texts.source_image_id
    where
        plain_pairs.rule not like 'count%'
        and contains(plain_texts.spaced_text, plain_pairs.spaced_thing)
        and (
            contains(plain_texts.spaced_text, plain_pairs.spaced_answer)
            or (
                plain_pairs.rule = 'two_colors'
                and contains(
                    plain_texts.spaced_text,
                    ' ' || {{ regexp_extract('plain_pairs.answerable_answer', '^[a-z]+') }} || ' '
                )
                and contains(
                    plain_texts.spaced_text,
                    ' ' || {{ regexp_extract('plain_pairs.answerable_answer', '[a-z]+$') }} || ' '
                )
            )
        )
),

answered_pairs as (
    select distinct plain_pairs.pair_id
    from plain_pairs
    inner join plain_texts
        on plain_pairs.source_image_id = plain_texts.source_image_id
    inner join {{ vocabulary('certainly_uncertain', 'answer_words', word='words', value='topic') }}
        as answer_words
        on
            plain_pairs.topic = answer_words.topic
            and contains(plain_texts.spaced_text, ' ' || answer_words.words || ' ')
)

select
    plain_pairs.pair_id,
    'no caption answers it' as finding
from plain_pairs
left join borne_out_numbers
    on plain_pairs.pair_id = borne_out_numbers.pair_id
left join borne_out_words
    on plain_pairs.pair_id = borne_out_words.pair_id
where borne_out_numbers.pair_id is null and borne_out_words.pair_id is null
union all
select
    pair_id,
    'a caption answers the other' as finding
from answered_pairs
