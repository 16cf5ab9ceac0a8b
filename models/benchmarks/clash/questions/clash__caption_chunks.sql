with
word_classes as (
    select word, value as tag
    from {{ ref('clash_vocabulary') }}
    where list_name = 'word_classes'
),
place_nouns as (
    select word, value as tag
    from {{ ref('clash_vocabulary') }}
    where list_name = 'place_nouns'
),
verbs as (select * from {{ ref('clash_verbs') }}),
word_kinds as (select * from {{ ref('clash__word_kinds') }}),

object_terms as (
    select word as term
    from word_kinds
    where kind = 'object'
),

-- "building", "bed": endings of verbs that are none
nouns as (
    select word
    from {{ vocabulary('lexicon', 'boundaries', value='effect') }} as boundaries
    where effect = 'continues'
),

known_modifiers as (
    select * from word_kinds
    where kind = 'modifier'
),

-- a verb's form names its tag: G sitting, V sits, U sit, D seated
verb_forms as (
    select gerund as form, 'G' as tag, gerund
    from verbs
    where gerund is not null
    union all
    select third_person as form, 'V' as tag, gerund
    from verbs
    where third_person is not null and gerund is not null
    union all
    select participle as form, 'D' as tag, gerund
    from verbs
    where participle is not null and participle <> base
    union all
    select plural as form, 'U' as tag, gerund
    from verbs
    where plural is not null
),

known_forms as (
    select
        form,
        min(gerund) as gerund,
        -- "cut", "run": a form with several tags is read as the first of G, V, D, U
        case
            when max(case when tag = 'G' then 1 end) = 1 then 'G'
            when max(case when tag = 'V' then 1 end) = 1 then 'V'
            when max(case when tag = 'D' then 1 end) = 1 then 'D'
            else 'U'
        end as tag
    from verb_forms
    group by form
),

modifiers as (
    select known_modifiers.word
    from known_modifiers
    left join known_forms on known_modifiers.word = known_forms.form
    where known_forms.form is null
),

-- "a picture of", "there is": openings that only say that there is a picture
introduced_captions as (
    select
        caption_id, words, separators,
        {{ regexp_extract_all(
            "case when caption = upper(caption) then lower(caption) else caption end",
            '[A-Za-z0-9]+'
        ) }} as texts,
        {{ list_length(regexp_extract_all(
            picture_opening(array_join('words', "' '")),
            '[a-z0-9]+'
        )) }} as n_intro_words
    from {{ ref('contradictions__caption_words') }}
),

placed_words as (
    select *, {{ unnest_list_with_position('words', 'word', 'position') }}
    from introduced_captions
),

word_rows as (
    select
        caption_id, position, word,
        {{ list_extract('texts', 'position') }} as text,
        {{ list_extract('separators', 'position') }} as separator,
        {{ list_extract('words', 'position - 3') }} as third_before,
        {{ list_extract('words', 'position - 2') }} as second_before,
        {{ list_extract('words', 'position - 1') }} as first_before,
        {{ list_extract('words', 'position + 1') }} as first_after,
        {{ list_extract('words', 'position + 2') }} as second_after,
        position <= n_intro_words as is_intro
    from placed_words
),

-- "in the middle of" is one preposition
tagged_words as (
    select
        word_rows.*,
        coalesce(
            forms.gerund,
            case when {{ regexp_matches('word_rows.word', '[a-z]ing$') }} then word_rows.word end
        ) as gerund,
        case
            when word_rows.is_intro then 'I'
            when word_rows.separator = '''' and word_rows.word = 's' then 'N'
            when
                here_places.word is not null and word_rows.first_after = 'of'
                and (
                    class_before.tag in ('L', 'M', 'P')
                    or (
                        word_rows.first_before in ('the', 'a')
                        and class_second_before.tag in ('L', 'M', 'P')
                    )
                )
                then here_places.tag
            when
                word_rows.word in ('the', 'a') and class_before.tag in ('L', 'M', 'P')
                and places_after.word is not null and word_rows.second_after = 'of'
                then places_after.tag
            when
                word_rows.word = 'of' and places_before.word is not null
                and (
                    class_second_before.tag in ('L', 'M', 'P')
                    or (
                        word_rows.second_before in ('the', 'a')
                        and class_third_before.tag in ('L', 'M', 'P')
                    )
                )
                then places_before.tag
            when word_rows.word = 'of' and word_rows.first_before in ('out', 'inside', 'outside')
                then 'P'
            -- "black and white": one phrase
            when
                word_rows.word = 'and' and modifiers.word is not null
                and modifiers_after.word is not null
                then 'N'
            when
                word_rows.word = 'to'
                and (word_rows.first_before in ('next', 'close', 'up') or class_after.tag = 'E')
                then 'P'
            when word_rows.word = 'close' and word_rows.first_after = 'to' then 'P'
            when word_rows.word = 'next' and word_rows.first_after <> 'to' then 'N'
            when word_rows.word = 'like' and class_after.tag is null then 'P'
            when classes.tag = 'E' then 'N'
            -- "his right hand", "the left of the road"
            when classes.tag = 'S' then case when class_before.tag = 'E' then 'N' else 'A' end
            when classes.tag is not null then classes.tag
            -- "a sleeping cat", "a parked car": before its noun a verb's form is no verb
            when
                forms.tag in ('G', 'D')
                and (class_before.tag = 'E' or modifiers.word is not null)
                and word_rows.separator = ' '
                then 'N'
            -- "snow covered ground"
            when
                forms.tag = 'D' and class_after.tag is null and word_rows.first_after is not null
                and word_rows.separator = ' ' and class_before.tag is null
                then 'N'
            when forms.tag in ('G', 'D') then forms.tag
            when
                forms.tag = 'V' and class_before.tag is null
                and (
                    modifiers.word is null
                    or word_rows.first_before in ('adult', 'baby', 'passenger', 'toy')
                )
                and word_rows.position > 1 and word_rows.separator = ' '
                then 'V'
            when
                forms.tag in ('U', 'V') and class_before.tag is null
                and {{ is_plural_noun('word_rows.first_before') }}
                then 'V'
            -- forms of verbs that the seed does not have
            when
                forms.form is null
                and class_before.tag is null
                and modifiers.word is null
                and word_rows.separator = ' '
                and nouns.word is null
                and object_terms.term is null
                and class_after.tag in ('E', 'L', 'M', 'P', 'W')
                then
                    case
                        when {{ regexp_matches('word_rows.word', '[a-z]{2}ing$') }} then 'G'
                        when {{ regexp_matches('word_rows.word', '[a-z]{2}ed$') }} then 'D'
                        else 'N'
                    end
            else 'N'
        end as tag,
        classes.tag = 'E' as is_determiner
    from word_rows
    left join word_classes as classes using (word)
    left join word_classes as class_before on word_rows.first_before = class_before.word
    left join word_classes as class_second_before
        on word_rows.second_before = class_second_before.word
    left join word_classes as class_third_before on word_rows.third_before = class_third_before.word
    left join word_classes as class_after on word_rows.first_after = class_after.word
    left join place_nouns as here_places using (word)
    left join place_nouns as places_before on word_rows.first_before = places_before.word
    left join place_nouns as places_after on word_rows.first_after = places_after.word
    left join nouns using (word)
    left join object_terms on word_rows.word = object_terms.term
    left join known_forms as forms on word_rows.word = forms.form
    left join modifiers on word_rows.first_before = modifiers.word
    left join modifiers as modifiers_after on word_rows.first_after = modifiers_after.word
),

neighbouring_words as (
    select
        *,
        lag(tag) over (partition by caption_id order by position) as tag_before,
        {{ regexp_matches('separator', '[.,;:!?()\\x22]| - ') }}
        and position > 1 as has_break_before,
        {{ regexp_matches('separator', '[.!?;]') }} and position > 1 as has_stop_before
    from tagged_words
),

-- words of one tag make a chunk; prepositions join, and a determiner begins a new noun phrase
chunk_starts as (
    select
        *,
        case
            when position = 1 or has_break_before then 1
            when separator = '''' and word = 's' then 0
            when tag in ('L', 'M', 'P') and tag_before in ('L', 'M', 'P') then 0
            when tag = 'N' and tag_before = 'N'
                then
                    case
                        when is_determiner and first_before not in (
                            'of',
                            'all',
                            'both',
                            'the',
                            'these',
                            'those',
                            'his',
                            'her',
                            'their',
                            'a',
                            'its', 'some', 'another'
                        ) then 1
                        else 0
                    end
            when tag = tag_before and tag = 'I' then 0
            else 1
        end as is_start
    from neighbouring_words
),

numbered_words as (
    select
        *,
        sum(is_start) over (
            partition by caption_id order by position
            rows between unbounded preceding and current row
        ) as chunk,
        sum(case when has_stop_before then 1 else 0 end) over (
            partition by caption_id order by position
            rows between unbounded preceding and current row
        ) as sentence,
        -position as last_first,
        separator || case when position = 1 then lower(text) else text end as piece
    from chunk_starts
)

select
    caption_id,
    cast(chunk as bigint) as chunk,
    cast(min(sentence) as bigint) as sentence,
    {{ min_by('tag', order_by='last_first') }} as tag,
    {{ regexp_replace(
        array_join(array_agg('piece', order_by='position'), "''"),
        '^[^A-Za-z0-9]+', ''
    ) }} as text,
    {{ array_agg('word', order_by='position') }} as words,
    {{ min_by('gerund', order_by='position') }} as gerund,
    cast(min(position) as bigint) as first_position,
    cast(max(position) as bigint) as last_position,
    max(case when is_start = 1 and has_break_before then 1 else 0 end) = 1 as has_break_before
from numbered_words
group by caption_id, chunk
