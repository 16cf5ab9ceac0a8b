with
readings as (
    select distinct caption_id, position, end_position, category
    from {{ ref('contradictions__readings') }}
    where is_held
),

-- an edit may reach beyond the term itself: "one [dog is]"
proposals as (
    select all_proposals.*, coalesce(readings.end_position, all_proposals.end_position) as term_end
    from {{ ref('contradictions__proposals') }} as all_proposals
    left join readings
        on
            all_proposals.caption_id = readings.caption_id
            and all_proposals.word_position = readings.position
            and all_proposals.category = readings.category
),

-- where the clause behind a chunk ends: at a comma, "and", "while", ...
placed_chunks as (
    select
        *,
        row_number() over (partition by caption_id, sentence order by chunk) as place,
        case when has_break_before then ',' else '' end || tag as shape,
        case when tag = 'V' then gerund when tag in ('B', 'Q') then '' else text end as asked_text
    from {{ ref('clash__caption_chunks') }}
    where tag <> 'I'
),

clause_ends as (
    select
        *,
        min(case when shape like ',%' or tag in ('C', 'T') then place end) over (
            partition by caption_id, sentence
            order by place
            rows between 1 following and unbounded following
        ) as next_cut,
        min(case when tag = 'Q' then place end) over (
            partition by caption_id, sentence
            order by place
            rows between 2 following and unbounded following
        ) as next_relative,
        count(*) over (partition by caption_id, sentence) as n_chunks
    from placed_chunks
),

sentences as (
    select
        caption_id, sentence,
        {{ array_agg('shape', order_by='place') }} as shapes,
        {{ array_agg('asked_text', order_by='place') }} as texts
    from clause_ends
    group by caption_id, sentence
),

changed_chunks as (
    select
        proposals.proposal_id, proposals.caption_id, proposals.source_image_id, proposals.form,
        proposals.word_position, proposals.term_end, proposals.category, proposals.change_type,
        proposals.concept, proposals.subcategory, proposals.is_fitting,
        -- a capital within a caption begins a name: "Orange County"
        proposals.word_position > 1
        and {{ regexp_matches('proposals.changed_from', '^[A-Z]') }}
        and proposals.caption <> upper(proposals.caption) as is_name,
        lower(proposals.changed_from) as changed_from,
        lower(proposals.changed_to) as changed_to,
        proposals.alternative,
        clause_ends.shape like ',%' as is_behind_break,
        clause_ends.sentence, clause_ends.place,
        least(
            coalesce(clause_ends.next_cut - 1, clause_ends.n_chunks),
            coalesce(clause_ends.next_relative - 1, clause_ends.n_chunks)
        ) as last_place,
        clause_ends.words as chunk_words,
        proposals.word_position - clause_ends.first_position as n_words_before,
        least(proposals.term_end, clause_ends.last_position + 1) - proposals.word_position
            as n_words_changed
    from proposals
    inner join clause_ends
        on
            proposals.caption_id = clause_ends.caption_id
            and proposals.word_position between clause_ends.first_position
            and clause_ends.last_position
),

sentence_frames as (
    select
        changed_chunks.*,
        {{ array_join(list_head('sentences.shapes', 'changed_chunks.place - 1'), "''") }}
            as left_tags,
        {{ array_join(
            list_slice('sentences.shapes', 'changed_chunks.place + 1', 'changed_chunks.last_place'),
            "''"
        ) }} as right_tags,
        {{ list_extract('sentences.shapes', 'changed_chunks.last_place + 1') }} as cut_tag,
        {{ list_extract('sentences.shapes', 'changed_chunks.last_place + 2') }}
            as tag_behind_cut,
        {{ list_extract('sentences.texts', 'changed_chunks.place + 1') }} as next_text,
        {{ list_extract('sentences.texts', 'changed_chunks.last_place + 2') }} as other_text,
        sentences.texts
    from changed_chunks
    inner join sentences using (caption_id, sentence)
),

-- "a man in a red shirt riding a": what is before the verb is the subject
subjects as (
    select
        *,
        {{ regexp_matches('left_tags', '^N([LMP]N[BGVQH]|WN[BVQH])') }} as is_subject_long,
        {{ regexp_replace(
            array_join(list_head('chunk_words', 'n_words_before'), "' '"), '^.* of$', 'of'
        ) }} = 'of' as is_behind_of,
        case
            when is_subject_long then {{ array_join(list_head('texts', 3), "' '") }}
            else {{ list_extract('texts', 1) }}
        end as subject_text,
        case when is_subject_long then 4 else 2 end as left_start
    from sentence_frames
)

select
    proposal_id, caption_id, source_image_id, category, subcategory, concept, form, word_position,
    term_end, is_fitting, is_name, changed_from, changed_to, alternative, is_behind_break,
    coalesce(nullif(replace({{ regexp_replace(regexp_replace(
        "case when is_subject_long then 'N' || substr(left_tags, 4) else left_tags end",
        '^NQ', 'N'
    ), '^NB+', 'N') }}, 'V', 'G'), ''), 'none') as left_shape,
    coalesce(nullif(
        replace({{ regexp_replace('right_tags', '^Q?B*', '') }}, 'V', 'G'), ''
    ), 'none') as right_shape,
    left_tags, right_tags, cut_tag, tag_behind_cut, subject_text,
    trim({{ regexp_replace(array_join(
        list_slice('texts', 'left_start', 'place - 1'), "' '"
    ), '  +', ' ') }}) as left_text,
    trim({{ regexp_replace(array_join(
        list_slice('texts', 'left_start', 'place - 2'), "' '"
    ), '  +', ' ') }}) as action_text,
    trim({{ regexp_replace(array_join(
        list_slice('texts', 'place + 1', 'last_place'), "' '"
    ), '  +', ' ') }}) as rest_text,
    trim({{ regexp_replace(array_join(
        list_slice('texts', 'place + 2', 'last_place'), "' '"
    ), '  +', ' ') }}) as rest_behind_first,
    coalesce(next_text, '') as next_text, coalesce(other_text, '') as other_text,
    {{ array_join(list_head('chunk_words', 'n_words_before'), "' '") }} as words_before,
    {{ array_join(list_slice(
        'chunk_words', 'n_words_before + n_words_changed + 1', list_length('chunk_words')
    ), "' '") }} as words_after
from subjects
