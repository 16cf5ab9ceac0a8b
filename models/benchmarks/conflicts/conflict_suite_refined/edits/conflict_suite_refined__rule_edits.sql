with
words as (select * from {{ ref('conflict_suite_refined__words') }}),
sentences as (select * from {{ ref('conflict_suite_refined__existence_sentences') }}),

changes as (
    select * from {{ ref('conflict_suite_refined__color_changes') }}
    union all
    select * from {{ ref('conflict_suite_refined__count_changes') }}
    union all
    select * from {{ ref('conflict_suite_refined__existence_changes') }}
),

changed_captions as (
    select base_id, mix_state, min(edit_kind) as edit_kind
    from changes
    group by base_id, mix_state
),

-- every word of a caption that is edited, and what becomes of it; nothing of it stays where the
-- replacement is empty
edited_words as (
    select
        changed_captions.base_id, changed_captions.mix_state, changed_captions.edit_kind,
        words.position, words.spelled_word, words.separator, words.word, changes.replacement,
        words.word_class = 'punctuation' as is_mark,
        coalesce(words.previous_word in ('.', '!', '?'), words.position = 1) as is_sentence_start
    from changed_captions
    inner join words using (base_id)
    left join changes
        on
            changed_captions.base_id = changes.base_id
            and changed_captions.mix_state = changes.mix_state
            and words.position = changes.position
),

kept_words as (
    select
        *,
        replacement is not null as is_changed,
        coalesce(replacement, spelled_word) as kept_word,
        lead(coalesce(replacement, spelled_word)) over of_caption as next_kept_word,
        lead(position) over of_caption as next_kept_position,
        lead(replacement) over of_caption as next_replacement,
        lag(position) over of_caption as previous_kept_position,
        min(position) over (partition by base_id, mix_state) as first_kept_position
    from edited_words
    where coalesce(replacement, spelled_word) <> ''
    window of_caption as (partition by base_id, mix_state order by position)
),

-- an article agrees with what follows it now, and what begins a sentence keeps its capital; in
-- the middle of a sentence only a word in capitals throughout keeps them
agreeing_words as (
    select
        *,
        case
            when
                word in ('a', 'an')
                and not is_changed
                and (next_replacement is not null or next_kept_position > position + 1)
                then {{ capitalized_like(indefinite_article('next_kept_word'), 'spelled_word') }}
            when
                is_changed
                and (
                    {{ regexp_matches('spelled_word', '^[A-Z][A-Z]+$') }}
                    or (
                        {{ regexp_matches('spelled_word', '^[0-9]+$') }}
                        and {{ regexp_matches('next_kept_word', '^[A-Z][A-Z]+$') }}
                    )
                )
                then upper(kept_word)
            when
                is_changed
                and is_sentence_start
                and {{ regexp_matches('spelled_word', '^[A-Z0-9]') }}
                then {{ capitalized_like('kept_word', "'A'") }}
            else kept_word
        end as agreeing_word
    from kept_words
),

first_words as (
    select base_id, spelled_word
    from words
    where position = 1
),

texts as (
    select
        agreeing_words.base_id, agreeing_words.mix_state, agreeing_words.edit_kind,
        agreeing_words.position,
        case
            when agreeing_words.position = agreeing_words.first_kept_position
                then
                    {{ capitalized_like(
                        'agreeing_words.agreeing_word', 'first_words.spelled_word'
                    ) }}
            -- what follows a gap in the words stands where the gap began
            when agreeing_words.is_mark
                then agreeing_words.separator || agreeing_words.agreeing_word
            when agreeing_words.previous_kept_position < agreeing_words.position - 1
                then ' ' || agreeing_words.agreeing_word
            else agreeing_words.separator || agreeing_words.agreeing_word
        end as text
    from agreeing_words
    inner join first_words using (base_id)
),

joined_texts as (
    select
        base_id, mix_state,
        min(edit_kind) as edit_kind,
        {{ array_join(array_agg('text', order_by='position'), "''") }} as edited_caption
    from texts
    group by base_id, mix_state
),

changed_words as (
    select
        base_id, mix_state,
        {{ array_join(array_agg('spelled_word', order_by='position'), "' '") }} as edited_from,
        {{ array_join(array_agg("nullif(replacement, '')", order_by='position'), "' '") }}
            as edited_to
    from edited_words
    where replacement is not null
    group by base_id, mix_state
),

-- a sentence of its own can't clash with the caption's grammar
captions_with_sentences as (
    select
        sentences.*,
        case
            when bases.gold_answer = 'no' then bases.caption
            else joined_texts.edited_caption
        end as text
    from sentences
    inner join {{ ref('conflict_suite_refined__bases') }} as bases using (base_id)
    left join joined_texts using (base_id, mix_state)
),

ended_captions as (
    select *, {{ regexp_replace('text', '[ ,;:\\t\\n-]+$', '') }} as ended_text
    from captions_with_sentences
    where text is not null
),

edits as (
    select *
    from joined_texts
    where edit_kind not in ('generalise', 'remove_phrase') or mix_state = 'irrelevant'
    union all
    select
        base_id, mix_state, edit_kind, ended_text
        || case when {{ regexp_matches('ended_text', '[.!?]$') }} then ' ' else '. ' end
        || sentence as edited_caption
    from ended_captions
)

select
    edits.base_id, edits.mix_state, edits.edit_kind,
    coalesce(changed_words.edited_from, '') as edited_from,
    concat_ws(
        ' ',
        nullif(changed_words.edited_to, ''),
        case when edits.edit_kind in ('deny', 'assert') then sentences.sentence end
    ) as edited_to,
    edits.edited_caption
from edits
left join changed_words using (base_id, mix_state)
left join sentences using (base_id, mix_state)
