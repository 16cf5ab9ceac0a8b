with
words as (
    select * from {{ ref('conflict_suite_refined__words') }}
    where family = 'count'
),

edit_words as (select * from {{ ref('conflict_suite_vocabulary') }}),

terms as (
    select term, min(plural_term) as plural_term
    from {{ ref('lexicon__terms') }}
    where change_type = 'object' and form = 'singular'
    group by term
),

number_words as (
    select surface as word, canonical as number_said
    from {{ ref('answer_forms') }}
    where
        answer_type = 'integer'
        and is_gold_form
        and cast(canonical as integer)
        between {{ threshold('conflict_suite', 'least_other_number') }}
        and {{ threshold('conflict_suite', 'most_other_number') }}
),

-- "both", "the other one" speak of a number again, and "one way" is no number of anything
captions_with_echoes as (
    select distinct words.base_id
    from words
    inner join edit_words using (word)
    where
        (
            edit_words.list_name = 'number_echoes'
            and words.number_said is null
        )
        or (edit_words.list_name = 'number_compounds' and words.previous_class = 'number')
),

asked_heads as (
    select
        words.base_id, words.phrase, words.phrase_start, words.position, words.word,
        words.next_word, words.next_class
    from words
    left join captions_with_echoes using (base_id)
    where
        words.is_asked
        and words.position = words.head_position
        and captions_with_echoes.base_id is null
),

-- a number, or an article, which counts one
gold_numbers as (
    select
        words.base_id, words.phrase, words.position, words.word, words.gold_answer,
        {{ regexp_matches('words.word', '^[0-9]+$') }} as is_in_digits,
        asked_heads.position as head_position,
        terms.plural_term, agreement.plural_verb,
        words.gold_answer <> '1'
        or (
            terms.plural_term is not null
            -- a verb that has no plural here would not agree
            and (
                agreement.plural_verb is not null
                or coalesce(asked_heads.next_class, '') <> 'verb'
                or not {{ regexp_matches('asked_heads.next_word', 's$') }}
            )
        ) as is_editable
    from words
    inner join asked_heads
        on
            words.base_id = asked_heads.base_id
            and words.phrase = asked_heads.phrase
            and words.position < asked_heads.position
    left join terms on asked_heads.word = terms.term
    left join {{ vocabulary('lexicon', 'agreement', word='singular_verb', value='plural_verb') }}
        as agreement
        on asked_heads.next_word = agreement.singular_verb
    where
        words.number_said = words.gold_answer
        or (words.gold_answer = '1' and words.word in ('a', 'an'))
),

named_numbers as (
    select distinct base_id, number_said
    from words
    where number_said is not null
),

-- A number that the caption says anyway is no choice. One that a partner's picture shows comes
-- first, for without such a picture there is no crossed group.
other_numbers as (
    select
        gold_numbers.base_id, gold_numbers.position,
        case when gold_numbers.is_in_digits then number_words.number_said else number_words.word end
            as replacement,
        case when partners.base_id is null then 'z' else '' end
        || {{ seeded_order('different', "gold_numbers.base_id || ':' || number_words.word") }}
            as number_order
    from gold_numbers
    cross join number_words
    left join {{ ref('conflict_suite_refined__partners') }} as partners
        on
            gold_numbers.base_id = partners.base_id
            and number_words.number_said = partners.answer
    left join named_numbers
        on
            gold_numbers.base_id = named_numbers.base_id
            and number_words.number_said = named_numbers.number_said
    where gold_numbers.is_editable and named_numbers.base_id is null
),

chosen_numbers as (
    select base_id, position, {{ min_by('replacement', order_by='number_order') }} as replacement
    from other_numbers
    group by base_id, position
),

-- where one becomes many, the noun and its verb go along
plural_words as (
    select base_id, head_position as position, plural_term as replacement
    from gold_numbers
    where gold_answer = '1' and is_editable
    union all
    select base_id, head_position + 1 as position, plural_verb as replacement
    from gold_numbers
    where gold_answer = '1' and is_editable and plural_verb is not null
),

-- what stands before a number decides whether something must take its place
spoken_numbers as (
    select
        words.base_id, words.position,
        coalesce(words.position < words.head_position, false) as is_before_noun,
        gold_numbers.base_id is not null and gold_numbers.gold_answer = '1' as is_asked_one,
        words.number_said,
        previous_words.list_name as list_of_previous,
        words.next_word
    from words
    left join edit_words as previous_words
        on
            words.previous_word = previous_words.word
            and previous_words.list_name in ('determiners_before_number', 'limits_before_number')
    left join gold_numbers using (base_id, position)
    where
        words.number_said is not null
        or (gold_numbers.base_id is not null and gold_numbers.gold_answer = '1')
),

unnumbered_words as (
    select
        base_id, position,
        case
            when is_asked_one then ''
            when number_said = '1' then 'a'
            when list_of_previous = 'determiners_before_number' then ''
            else 'some'
        end as replacement,
        is_before_noun
        and coalesce(list_of_previous, '') <> 'limits_before_number'
        and not (number_said = '0') as is_editable
    from spoken_numbers
),

-- every number must go, and only where the asked one may
unnumbered_captions as (
    select unnumbered_words.base_id
    from unnumbered_words
    inner join gold_numbers using (base_id)
    group by unnumbered_words.base_id
    having bool_and(unnumbered_words.is_editable) and bool_and(gold_numbers.is_editable)
)

select base_id, 'different' as mix_state, position, replacement, 'replace_number' as edit_kind
from chosen_numbers
union all
select base_id, 'different' as mix_state, position, replacement, 'replace_number' as edit_kind
from plural_words
union all
select
    unnumbered_words.base_id, 'irrelevant' as mix_state, unnumbered_words.position,
    unnumbered_words.replacement, 'remove_number' as edit_kind
from unnumbered_words
inner join unnumbered_captions using (base_id)
union all
select
    plural_words.base_id, 'irrelevant' as mix_state, plural_words.position,
    plural_words.replacement, 'remove_number' as edit_kind
from plural_words
inner join unnumbered_captions using (base_id)
