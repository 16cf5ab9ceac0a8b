with
matches as (select * from {{ ref('contradictions__matches') }}),
terms as (select * from {{ ref('lexicon__terms') }}),
openers as (
    select * from {{ vocabulary('lexicon', 'openers', value='kind') }} as listed_words
),
contexts as (select * from {{ ref('lexicon_contexts') }}),

object_ends as (
    select distinct matches.caption_id, matches.end_position
    from matches
    inner join terms using (term)
    where terms.change_type = 'object'
),

-- whether a noun phrase may begin before the term and end behind it
noun_phrases as (
    select
        matches.*,
        terms.form, terms.concept, terms.change_type, terms.category, terms.subcategory,
        terms.swap_set, terms.reading, terms.plural_term, terms.has_singular,
        openers.kind as opener_kind,
        -- changing one of two dogs contradicts nothing: the caption still names the other
        terms.change_type = 'object'
        and min(matches.position) over (partition by matches.caption_id, terms.concept)
        < max(matches.position) over (partition by matches.caption_id, terms.concept)
            as is_repeated,
        coalesce(openers.kind = 'singular_determiner', false)
        or (
            coalesce(openers.kind = 'modifier', false)
            and coalesce(outer_openers.kind = 'singular_determiner', false)
        ) as is_singular_opened,
        object_ends.caption_id is not null as has_object_before,
        matches.separator_after <> ' '
        or coalesce(boundaries.effect = 'closes', false)
        or (
            boundaries.effect is null
            and {{ regexp_matches('matches.next_word', '(ing|ed)$') }}
        ) as is_closed,
        coalesce(boundaries.effect = 'closes', false) as is_before_boundary,
        {{ regexp_matches('matches.separator_before', '(^|[ (\\x22])$') }}
        and (matches.separator_before <> '' or matches.position = 1)
        and {{ regexp_matches('matches.separator_after', '^($|[ ,.;!?)\\x22])') }}
        and (matches.separator_after <> '' or matches.next_word is null) as is_whole
    from matches
    inner join terms using (term)
    left join openers on matches.previous_word = openers.word and matches.separator_before = ' '
    left join openers as outer_openers on matches.word_before_last = outer_openers.word
    left join {{ vocabulary('lexicon', 'boundaries', value='effect') }} as boundaries
        on matches.next_word = boundaries.word
    left join object_ends
        on
            matches.caption_id = object_ends.caption_id
            and matches.position = object_ends.end_position
),

licensed_readings as (
    select
        *,
        is_whole
        and not is_repeated
        and not coalesce(opener_kind = 'class_word', false)
        and case reading
            when 'head'
                then
                    is_closed
                    and not has_object_before
                    and case form
                        when 'singular'
                            then
                                case
                                    when plural_term = term then is_singular_opened
                                    else opener_kind is not null
                                end
                        when 'plural'
                            then
                                not coalesce(opener_kind = 'singular_determiner', false)
                                and not (has_singular and is_singular_opened)
                        else not has_singular or opener_kind is null
                    end
            when 'sport' then is_closed and not has_object_before
            when 'attribute' then true
            when 'relation' then next_word is not null
            -- "the right ways" are no side
            when 'side' then is_closed
            when 'phrase' then false
            -- numbers, ordinals and materials stand before what they speak of
            else next_word is not null and separator_after = ' ' and not is_before_boundary
        end as is_held
    from noun_phrases
)

-- a neighbour may narrow what is plausible: no purple dogs
select
    licensed_readings.caption_id, licensed_readings.position, licensed_readings.end_position,
    licensed_readings.term, licensed_readings.form, licensed_readings.concept,
    licensed_readings.change_type, licensed_readings.category, licensed_readings.subcategory,
    case
        when after.swap_set is not null then nullif(after.swap_set_there, '')
        when before.swap_set is not null then nullif(before.swap_set_there, '')
        else nullif(licensed_readings.swap_set, '')
    end as swap_set,
    licensed_readings.reading, licensed_readings.plural_term, licensed_readings.previous_word,
    licensed_readings.next_word, licensed_readings.word_after_next,
    licensed_readings.separator_before, licensed_readings.separator_after, licensed_readings.is_held
from licensed_readings
left join contexts as after
    on
        licensed_readings.swap_set = after.swap_set
        and licensed_readings.next_word = after.word
        and after.neighbour = 'next'
left join contexts as before
    on
        licensed_readings.swap_set = before.swap_set
        and licensed_readings.previous_word = before.word
        and before.neighbour = 'previous'
