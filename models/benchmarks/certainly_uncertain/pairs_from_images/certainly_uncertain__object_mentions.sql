{%- set tokens_before -%}
    {{ list_slice('tokens', 'phrase_start - ending_length', 'phrase_start - 1') }}
{%- endset -%}
with
determiners as (
    select {{ array_agg('word', order_by='word') }} as words
    from {{ vocabulary('certainly_uncertain', 'phrase_bounds', value='kind') }} as phrase_bounds
    where kind = 'determiner'
),

boundaries as (
    select {{ array_agg('word', order_by='word') }} as words
    from {{ vocabulary('certainly_uncertain', 'phrase_bounds', value='kind') }} as phrase_bounds
),

question_mentions as (
    select *, {{ tokens('question') }} as tokens
    from {{ ref('lexicon__object_mentions') }}
),

-- the words in front of a mention, from the nearest on
words_in_front as (
    select
        question_mentions.*,
        determiners.words as determiners,
        boundaries.words as boundaries,
        {{ list_extract('tokens', 'position - 1') }} as word_1,
        {{ list_extract('tokens', 'position - 2') }} as word_2,
        {{ list_extract('tokens', 'position - 3') }} as word_3,
        {{ list_extract('tokens', 'end_position') }} as word_behind
    from question_mentions
    cross join determiners
    cross join boundaries
),

-- "the man's tie", "the man's red tie": the phrase is the owner's, and begins in front of it
owned_mentions as (
    select
        *,
        case
            when word_1 = 's' and not array_contains(boundaries, word_2) then position - 2
            when
                word_2 = 's'
                and not array_contains(boundaries, word_1)
                and not array_contains(boundaries, word_3)
                then position - 3
        end as owner_position
    from words_in_front
),

words_in_front_of_phrase as (
    select
        *,
        coalesce(owner_position, position) as head_position,
        {{ list_extract('tokens', 'coalesce(owner_position, position) - 1') }} as head_word_1,
        {{ list_extract('tokens', 'coalesce(owner_position, position) - 2') }} as head_word_2,
        {{ list_extract('tokens', 'coalesce(owner_position, position) - 3') }} as head_word_3
    from owned_mentions
),

-- a determiner opens the phrase, with at most two words between it and the head
phrase_starts as (
    select
        *,
        case
            when array_contains(determiners, head_word_1) then head_position - 1
            when array_contains(boundaries, head_word_1) then head_position
            when array_contains(determiners, head_word_2) then head_position - 2
            when array_contains(boundaries, head_word_2) then head_position
            when array_contains(determiners, head_word_3) then head_position - 3
            else head_position
        end as phrase_start
    from words_in_front_of_phrase
),

-- what stands in front of the phrase, as its last one to four words
lead_endings as (
    select
        question, position, category, tokens, phrase_start,
        {{ unnest_list(integer_series(1, 'least(4, phrase_start - 1)')) }} as ending_length
    from phrase_starts
),

ending_texts as (
    select
        question, position, category, ending_length,
        {{ array_join('tokens', "' '") }} || ' ' as text,
        {{ array_join(tokens_before, "' '") }} as ending
    from lead_endings
),

-- of the leads that fit, the longest says whether the object is asked about
chosen_leads as (
    select
        ending_texts.question, ending_texts.position, ending_texts.category,
        {{ min_by(
            'leads.is_asked',
            "-10 * ending_texts.ending_length - case when leads.opening = 'any' then 0 else 1 end"
        ) }} as is_asked,
        {{ min_by(
            'leads.needs_determiner',
            "-10 * ending_texts.ending_length - case when leads.opening = 'any' then 0 else 1 end"
        ) }} as needs_determiner
    from ending_texts
    inner join {{ ref('uncertainty_object_leads') }} as leads
        on
            ending_texts.ending = leads.words
            and (leads.opening = 'any' or ending_texts.text like leads.opening || ' %')
    group by ending_texts.question, ending_texts.position, ending_texts.category
),

-- the man's tie is asked about, and not the man
owners as (
    select distinct question, owner_position
    from owned_mentions
    where owner_position is not null
)

select
    phrase_starts.question, phrase_starts.category, phrase_starts.phrase, phrase_starts.position,
    phrase_starts.is_certain,
    coalesce(chosen_leads.is_asked, false)
    and (
        phrase_starts.phrase_start < phrase_starts.position
        or not chosen_leads.needs_determiner
    )
    and compound_heads.word is null
    and owners.question is null as is_asked
from phrase_starts
left join chosen_leads using (question, position, category)
left join {{ vocabulary('certainly_uncertain', 'compound_heads') }} as compound_heads
    on phrase_starts.word_behind = compound_heads.word
left join owners
    on
        phrase_starts.question = owners.question
        and phrase_starts.end_position - 1 = owners.owner_position
