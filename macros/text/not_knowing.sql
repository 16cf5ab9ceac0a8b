{#-
    Which texts of `texts` say that the speaker does not know, and in which form: text, idk_form.
    Phrases are those of `idk_phrases`, read clause by clause where they may stand.

    - Words in double quotes are a sign's or a shirt's, unless they are all that is said.
    - Clauses without an end of their own (fillers such as "sorry") are passed over.
    - A clause with an exception ("there is no doubt") is certain.
    - "Yes" at the start is an answer, whatever follows; behind "no" an absence is no news.
    - An absence answers nothing only where no short answer stands before it ("Sunny. There are no
      clouds.") and nothing is concluded from it ("There are no clouds, so it is sunny.").
-#}
{% macro not_knowing(texts) -%}
    {%- set letters = '[\\p{L}\\p{N}]' -%}
    {%- set said -%}
        case
            when {{ regexp_matches('unquoted_text', letters) }} then unquoted_text
            else text
        end
    {%- endset -%}
with
phrases as (
    select
        ' ' || {{ list_extract(regexp_split('phrase', ' [*] '), 1) }} || ' ' as phrase,
        ' ' || {{ list_extract(regexp_split('phrase', ' [*] '), 2) }} || ' ' as later_words,
        form,
        place
    from {{ ref('idk_phrases') }}
    where role = 'phrase'
),

unquoted_texts as (
    select
        text,
        {{ regexp_replace(lower_text('text'), '[\\x22“”][^\\x22“”]*[\\x22“”]', ' ') }} as unquoted_text
    from {{ texts }}
),

sentences as (
    select
        text,
        {{ unnest_list_with_position(list_filter(
            regexp_extract_all(said, '[^.!?;\\n]+[.!?;\\n]*'), 'part', regexp_matches('part', letters)
        ), 'sentence', 'sentence_position') }}
    from unquoted_texts
),

clauses as (
    select
        text,
        sentence_position,
        contains(sentence, '?') as is_question,
        {{ unnest_list_with_position(list_filter(
            regexp_split('sentence', '[,:()—–]+'), 'part', regexp_matches('part', letters)
        ), 'clause', 'clause_position') }}
    from sentences
),

worded_clauses as (
    select
        text,
        sentence_position,
        clause_position,
        is_question,
        {{ spaced_phrase('clause') }} as spaced_clause
    from clauses
),

telling_clauses as (
    select
        worded_clauses.text,
        worded_clauses.sentence_position,
        worded_clauses.clause_position,
        worded_clauses.is_question,
        case
            when leads.phrase is null then worded_clauses.spaced_clause
            else substr(worded_clauses.spaced_clause, length(leads.phrase) + 2)
        end as words
    from worded_clauses
    left join {{ ref('idk_phrases') }} as fillers
        on
            fillers.role = 'filler'
            and fillers.place = 'clause'
            and worded_clauses.spaced_clause = ' ' || fillers.phrase || ' '
    left join {{ ref('idk_phrases') }} as leads
        on
            leads.role = 'filler'
            and leads.place = 'start'
            and instr(worded_clauses.spaced_clause, ' ' || leads.phrase || ' ') = 1
    where fillers.phrase is null
),

placed_clauses as (
    select
        text,
        sentence_position,
        is_question,
        words,
        length(words) - length(replace(words, ' ', '')) - 1 as n_words,
        row_number() over (partition by text order by sentence_position, clause_position)
            as text_place,
        row_number() over (partition by text, sentence_position order by clause_position)
            as sentence_place,
        count(*) over (partition by text) as n_clauses
    from telling_clauses
),

answers as (
    select
        text,
        max(case when text_place = 1 then words end) as first_words,
        bool_or(instr(words, ' so ') = 1) as concludes
    from placed_clauses
    group by text
),

-- one or two words are an answer, and what follows them its ground
short_sentences as (
    select
        text,
        min(sentence_position) as sentence_position
    from (
        select
            text,
            sentence_position
        from placed_clauses
        group by text, sentence_position
        having sum(n_words) <= 2
    )
    group by text
),

uncertain_clauses as (
    select
        placed_clauses.*,
        answers.first_words <> ' no ' and not answers.concludes
        and coalesce(
            short_sentences.sentence_position >= placed_clauses.sentence_position, true
        ) as may_be_absent
    from placed_clauses
    inner join answers using (text)
    left join short_sentences using (text)
    left join {{ ref('idk_phrases') }} as exceptions
        on
            exceptions.role = 'exception'
            and contains(placed_clauses.words, ' ' || exceptions.phrase || ' ')
    where exceptions.phrase is null and instr(answers.first_words, ' yes ') <> 1
)

select
    uncertain_clauses.text,
    {{ min_by(
        'phrases.form',
        "case phrases.form
            when 'not_known' then 1
            when 'not_shown' then 2
            when 'absent' then 3
            when 'asked_back' then 4
            else 5
        end"
    ) }} as idk_form
from uncertain_clauses
inner join phrases
    on
        contains(uncertain_clauses.words, phrases.phrase)
        and (
            phrases.later_words is null
            or contains(
                substr(
                    uncertain_clauses.words,
                    instr(uncertain_clauses.words, phrases.phrase) + length(phrases.phrase) - 1
                ),
                phrases.later_words
            )
        )
        and case phrases.place
            when 'anywhere' then true
            when 'first_clause' then uncertain_clauses.text_place = 1
            when 'clause' then uncertain_clauses.words = phrases.phrase
            when 'text'
                then uncertain_clauses.n_clauses = 1 and uncertain_clauses.words = phrases.phrase
            else
                instr(uncertain_clauses.words, phrases.phrase) = 1
                and case phrases.place
                    when 'clause_start' then true
                    when 'sentence_start' then uncertain_clauses.sentence_place = 1
                    when 'short_answer'
                        then uncertain_clauses.text_place = 1 and n_words between 2 and 3
                    when 'short_question'
                        then
                            uncertain_clauses.n_clauses = 1
                            and uncertain_clauses.is_question and n_words <= 3
                    when 'question_start'
                        then uncertain_clauses.n_clauses = 1 and uncertain_clauses.is_question
                end
        end
        and (phrases.form <> 'absent' or uncertain_clauses.may_be_absent)
group by uncertain_clauses.text
{%- endmacro %}
