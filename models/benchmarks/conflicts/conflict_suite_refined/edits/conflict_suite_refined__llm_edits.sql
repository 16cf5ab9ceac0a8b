with
outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task in ('edit_different', 'edit_irrelevant')
),

base_states as (
    select * from {{ ref('conflict_suite_refined__base_states') }}
    where text_source = 'refined_edit'
),

-- a request counts only if it quotes caption, question and answer as they are now; of several,
-- an answered one comes first, then the latest
requests as (
    select
        base_states.candidate_id, base_states.base_id, base_states.mix_state, base_states.caption,
        outcomes.custom_id, outcomes.reason,
        trim({{ json_extract_string('outcomes.answer', '$.edited_caption') }}) as edited_caption,
        row_number() over (
            partition by base_states.candidate_id
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from base_states
    inner join outcomes
        on
            base_states.base_id = outcomes.input_id
            and outcomes.task = 'edit_' || base_states.mix_state
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'caption': 'base_states.caption',
        'question': 'base_states.question',
        'gold_answer': 'base_states.gold_answer',
    }) }}
),

word_lists as (
    select
        *,
        case when edited_caption = '' then coalesce(reason, 'response_invalid') else reason end
            as response_reason,
        {{ regexp_extract_all('caption', '[A-Za-z0-9]+') }} as words,
        coalesce(
            {{ regexp_extract_all('edited_caption', '[A-Za-z0-9]+') }},
            {{ empty_list('string') }}
        ) as edited_words
    from requests
    where preference = 1
),

word_counts as (
    select
        candidate_id, words, edited_words,
        {{ list_length('words') }} as n_words,
        {{ list_length('edited_words') }} as n_edited_words,
        greatest({{ list_length('words') }}, {{ list_length('edited_words') }}) + 1
            as n_positions
    from word_lists
),

positions as (
    select *, {{ unnest_list(integer_series(1, 'n_positions')) }} as position
    from word_counts
),

-- the same position counted from either end
mirrored_positions as (
    select
        *,
        n_words + 1 - position as position_from_end,
        n_edited_words + 1 - position as edited_position_from_end
    from positions
),

-- how many words the captions share in front and at the end
shared_words as (
    select
        candidate_id, n_words, n_edited_words,
        min(case
            when
                {{ list_extract('words', 'position') }}
                is distinct from {{ list_extract('edited_words', 'position') }}
                then position - 1
        end) as n_in_front,
        min(case
            when
                {{ list_extract('words', 'position_from_end') }}
                is distinct from {{ list_extract('edited_words', 'edited_position_from_end') }}
                then position - 1
        end) as n_at_the_end
    from mirrored_positions
    group by candidate_id, n_words, n_edited_words
),

-- the edit is what stands between the words that the captions share; where front and end both
-- count a word, it belongs to the front
edited_spans as (
    select
        candidate_id,
        n_in_front + 1 as first_position,
        n_words - least(n_at_the_end, least(n_words, n_edited_words) - n_in_front)
            as last_position,
        n_edited_words - least(n_at_the_end, least(n_words, n_edited_words) - n_in_front)
            as last_edited_position
    from shared_words
),

span_words as (
    select
        word_lists.*,
        {{ list_slice(
            'word_lists.words', 'edited_spans.first_position', 'edited_spans.last_position'
        ) }} as old_words,
        {{ list_slice(
            'word_lists.edited_words',
            'edited_spans.first_position',
            'edited_spans.last_edited_position'
        ) }} as new_words
    from word_lists
    inner join edited_spans using (candidate_id)
)

select
    base_id, mix_state, custom_id, 'rewrite' as edit_kind,
    case
        when response_reason is null then coalesce({{ array_join('old_words', "' '") }}, '')
    end as edited_from,
    case
        when response_reason is null then coalesce({{ array_join('new_words', "' '") }}, '')
    end as edited_to,
    case when response_reason is null then edited_caption end as edited_caption,
    response_reason
from span_words
