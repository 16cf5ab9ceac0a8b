with
-- of the rows that a proposal may be, the narrowest: a concept's, a sub-category's, a category's
ranked_kinds as (
    select
        frames.*,
        kinds.kind, kinds.singular_asked, kinds.plural_asked, kinds.is_object,
        case
            when frames.form = 'plural' then kinds.plural_distractor
            else kinds.singular_distractor
        end as fallback_distractor,
        row_number() over (
            partition by frames.proposal_id
            order by
                case
                    when kinds.concept <> 'any' then 1
                    when kinds.subcategory <> 'any' then 2
                    else 3
                end
        ) as preference
    from {{ ref('clash__frames') }} as frames
    inner join {{ ref('clash_kinds') }} as kinds
        on
            frames.category = kinds.category
            and kinds.subcategory in ('any', frames.subcategory)
            and kinds.concept in ('any', frames.concept)
),

-- "a couple of men" and "several men" are the men; a name keeps its capital where not all are ones
plain_phrases as (
    select
        *,
        {{ without_determiner(regexp_replace(
            'case when subject_text = upper(subject_text) then lower(subject_text) else subject_text end',
            '^(a |an |the |some )?(couple|lot|lots|bunch|number|variety) of (the )?', ''
        )) }} as plain_subject,
        {{ regexp_extract('lower(subject_text)', '^[a-z]+') }} as subject_opening,
        {{ regexp_extract(
            regexp_replace('words_before', ' of( a| an| the| some)?( [a-z]+)?( [a-z]+)?$', ''),
            '[a-z]+$'
        ) }} as measure_noun,
        {{ regexp_matches('words_before', '(^| )of( |$)') }} as is_behind_of,
        {{ regexp_replace('words_after', ' of .*$', '') }} as noun_phrase_head,
        {{ without_determiner('lower(other_text)') }} as plain_other,
        {{ without_determiner(
            'case when next_text = upper(next_text) then lower(next_text) else next_text end'
        ) }} as plain_next
    from ranked_kinds
    where preference = 1
),

ends_of_phrases as (
    select
        *,
        {{ regexp_extract('noun_phrase_head', '[a-z0-9]+$') }} as noun,
        {{ regexp_extract(
            regexp_replace(
                'lower(plain_subject)',
                ' (of|in|on|with|without|at|by|near|from|for|to|next) .*$', ''
            ),
            '[a-z0-9]+$'
        ) }} as subject_noun,
        {{ regexp_extract('lower(plain_subject)', '[a-z0-9]+$') }} as subject_end,
        {{ regexp_extract('words_before', '[a-z0-9]+$') }} as word_before,
        {{ regexp_extract('words_after', '^[a-z0-9]+') }} as first_noun_word,
        {{ regexp_extract('rest_text', '[A-Za-z0-9]+$') }} as rest_end,
        {{ regexp_extract('plain_other', '[a-z0-9]+$') }} as other_noun,
        {{ regexp_extract('lower(plain_next)', '[a-z0-9]+$') }} as next_noun
    from plain_phrases
)

-- a noun and its other number, as far as an "s" makes it; a number counts the very word
select
    *,
    case when kind <> 'number' then noun || 's' end as noun_plural,
    case when kind <> 'number' then {{ regexp_replace('noun', 's$', '') }} end as noun_singular,
    subject_noun || 's' as subject_plural,
    {{ regexp_replace('subject_noun', 's$', '') }} as subject_singular
from ends_of_phrases
