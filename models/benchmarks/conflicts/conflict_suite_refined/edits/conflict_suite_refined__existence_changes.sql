with
words as (
    select * from {{ ref('conflict_suite_refined__words') }}
    where family = 'existence' and gold_answer = 'yes'
),

-- the general words of what is asked for
asked_generics as (
    select
        bases.base_id,
        min(generics.singular) as singular,
        min(generics.plural) as plural,
        min(generics.bare) as bare
    from {{ ref('conflict_suite_refined__bases') }} as bases
    inner join {{ ref('object_words') }} as object_words on bases.asked_noun = object_words.phrase
    inner join {{ ref('conflict_suite_refined_generics') }} as generics using (category)
    group by bases.base_id
),

phrases as (
    select
        base_id, phrase,
        min(position) as phrase_start,
        bool_or(word in ('a', 'an', 'one', 'this', 'that', 'each', 'every', 'another'))
            as has_singular_opener,
        bool_or(word_class in ('article', 'determiner', 'distributive', 'owner', 'possessive'))
            as has_opener,
        bool_or(word_class in ('number', 'quantifier')) as has_number,
        -- the words right before the head that are no adjectives are part of the name
        max(
            case
                when
                    position < head_position
                    and word_class not in ('word', 'noun', 'imitation')
                    and word <> 'double'
                    then position
            end
        ) as last_modifier_position
    from words
    where phrase is not null
    group by base_id, phrase
),

ending_words as (
    select
        base_id,
        max(case when word_class <> 'punctuation' then position end) as last_position,
        bool_or(word = ',') as has_comma,
        bool_or(word in ('both', 'between', 'are', 'were', 'have', 'two')) as speaks_of_several
    from words
    group by base_id
),

neighboured_words as (
    select
        words.base_id, words.position, words.word, words.word_class,
        words.position = words.head_position as is_head,
        edit_words.list_name,
        lag(words.word, 2) over (partition by words.base_id order by words.position)
            as word_before_last
    from words
    left join {{ ref('conflict_suite_vocabulary') }} as edit_words
        on
            words.word = edit_words.word
            and edit_words.list_name in ('complement_takers', 'ending_prepositions')
),

mentions as (
    select
        words.base_id, words.position, words.phrase, words.noun, words.word, words.word_class,
        words.next_class, words.next_word, words.head_position, words.is_compound_end,
        phrases.phrase_start, phrases.has_singular_opener, phrases.has_opener, phrases.has_number,
        coalesce(phrases.last_modifier_position, phrases.phrase_start - 1) + 1 as name_start,
        words.is_before_compound, asked_generics.singular, asked_generics.plural,
        asked_generics.bare, ending_words.last_position, ending_words.has_comma,
        ending_words.speaks_of_several,
        right(words.noun, length(words.word)) <> words.word
        and {{ regexp_matches('words.word', 's$') }} as is_plural
    from words
    inner join ending_words using (base_id)
    left join phrases using (base_id, phrase)
    left join asked_generics using (base_id)
    where words.is_asked
),

placed_mentions as (
    select
        mentions.*,
        before_phrase.word as word_before,
        before_phrase.word_class as class_before,
        before_phrase.list_name as list_before,
        before_phrase.word_before_last as third_word_before,
        second_before.word as second_word_before,
        second_before.word_class as second_class_before,
        second_before.list_name as second_list_before,
        coalesce(second_before.is_head, false) as is_behind_head
    from mentions
    left join neighboured_words as before_phrase
        on
            mentions.base_id = before_phrase.base_id
            and mentions.phrase_start - 1 = before_phrase.position
    left join neighboured_words as second_before
        on
            mentions.base_id = second_before.base_id
            and mentions.phrase_start - 2 = second_before.position
),

-- how each mention goes: "and a dog" leaves another noun, a general word takes the place of a
-- noun, and a last phrase falls off
chosen_ways as (
    select
        *,
        case
            when
                coalesce(head_position <> position, true)
                or word_class = 'possessive'
                or coalesce(next_class = 'possessive', false)
                or coalesce(class_before = 'denial', false)
                -- "bus stop", "a horse race": the noun belongs to another one
                or is_before_compound
                or (
                    coalesce(next_class = 'verb', false)
                    and not is_plural
                    and not {{ regexp_matches('next_word', '(s|ed|t)$') }}
                )
                then null
            when
                word_before = 'and'
                and is_behind_head
                and not has_comma
                and not speaks_of_several
                and (
                    coalesce(next_class in ('punctuation', 'participle'), true)
                    or (not has_opener and next_class in ('preposition', 'adverb'))
                )
                and (singular is null or not has_opener)
                then 'drop_conjunct'
            -- "a chair, couch and table"
            when word_before = ',' and is_behind_head and next_word in (',', 'and')
                then 'drop_conjunct'
            -- "a ten speed bicycle", "a pair of skis", and names of many words, which may be more
            -- than a name
            when
                (has_number and has_singular_opener)
                or (word_before = 'of' and second_word_before = 'pair')
                or position - name_start - case when is_compound_end then 1 else 0 end > 1
                then null
            when singular is not null then 'generalise'
            when
                position = last_position
                and word_before = 'of'
                and second_word_before in ('front', 'top')
                and third_word_before in ('in', 'on')
                then 'drop_ending_of_three'
            when
                position = last_position
                and word_before = 'to'
                and second_word_before in ('next', 'close')
                then 'drop_ending_of_two'
            when
                position = last_position
                and list_before = 'ending_prepositions'
                and phrase_start > 3
                and coalesce(second_list_before <> 'complement_takers', true)
                and coalesce(
                    second_class_before
                    not in ('preposition', 'conjunction', 'punctuation', 'copula'), false
                )
                and not {{ regexp_matches("coalesce(second_word_before, '')", 'ed$') }}
                then 'drop_ending'
        end as way
    from placed_mentions
),

-- a caption that still names it anywhere is of no use
editable_captions as (
    select base_id
    from chosen_ways
    group by base_id
    having count(*) = count(way)
),

edited_spans as (
    select
        chosen_ways.*,
        case chosen_ways.way
            when 'generalise'
                then
                    least(
                        chosen_ways.name_start,
                        chosen_ways.position
                        - case when chosen_ways.is_compound_end then 1 else 0 end
                    )
            when 'drop_conjunct' then chosen_ways.phrase_start - 1
            when 'drop_ending' then chosen_ways.phrase_start - 1
            when 'drop_ending_of_two' then chosen_ways.phrase_start - 2
            when 'drop_ending_of_three' then chosen_ways.phrase_start - 3
        end as span_start,
        case
            when chosen_ways.way <> 'generalise' then ''
            when chosen_ways.has_singular_opener then chosen_ways.singular
            -- "furniture" stands for chairs where no number counts them and no verb agrees with
            -- them
            when
                chosen_ways.is_plural
                and (
                    chosen_ways.bare = chosen_ways.singular
                    or chosen_ways.has_number
                    or (
                        coalesce(chosen_ways.next_class in ('copula', 'verb'), false)
                        and coalesce(
                            chosen_ways.class_before not in ('preposition', 'verb', 'participle'),
                            true
                        )
                    )
                )
                then chosen_ways.plural
            when
                chosen_ways.word_before = 'of'
                and not chosen_ways.has_opener
                and chosen_ways.bare = chosen_ways.singular
                then chosen_ways.plural
            else chosen_ways.bare
        end as replacement
    from chosen_ways
    inner join editable_captions using (base_id)
),

changes as (
    select
        words.base_id, words.position,
        case when words.position = edited_spans.position then edited_spans.replacement else '' end
            as replacement,
        case when edited_spans.way = 'generalise' then 'generalise' else 'remove_phrase' end
            as edit_kind
    from edited_spans
    inner join words
        on
            edited_spans.base_id = words.base_id
            and edited_spans.span_start <= words.position
            and edited_spans.position >= words.position
),

states as (
    select 'irrelevant' as mix_state
    union all
    select 'different' as mix_state
)

-- a denial needs a caption that does not name what it denies
select changes.base_id, states.mix_state, changes.position, changes.replacement, changes.edit_kind
from changes
cross join states
