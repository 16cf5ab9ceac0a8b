with

texts as (

    select * from {{ ref('clash__texts') }}

),

-- every place where the changed words may stand: replacing one occurrence of them must give the
-- other caption
possible_places as (

    select
        sample_id,
        original_text,
        conflicting_text,
        original_span,
        conflicting_span,
        {{ unnest_list(integer_series(1, 'length(original_text)')) }} as place
    from texts

),

one_span_samples as (

    select distinct sample_id
    from possible_places
    where
        substr(original_text, place, length(original_span)) = original_span
        and substr(original_text, 1, place - 1) || conflicting_span
        || substr(original_text, place + length(original_span)) = conflicting_text

),

findings as (

    select
        texts.sample_id,
        texts.is_answered,
        texts.original_text like '% ' || texts.image_only_plain || ' %' as has_image_answer,
        texts.conflicting_text like '% ' || texts.text_only_plain || ' %' as has_text_answer,
        texts.original_text like '%' || texts.original_span || '%'
        and texts.conflicting_text like '%' || texts.conflicting_span || '%' as has_changed_words,
        one_span_samples.sample_id is not null as is_one_span,
        texts.distractor_plain <> ''
        and texts.original_text not like '% ' || texts.distractor_plain || ' %'
        and texts.conflicting_text not like '% ' || texts.distractor_plain || ' %'
            as is_distractor_absent,
        texts.image_only_plain <> texts.text_only_plain
        and texts.image_only_plain <> texts.distractor_plain
        and texts.text_only_plain <> texts.distractor_plain as are_answers_distinct,
        substr(texts.image_only_plain, 1, {{ var('clash_stem_length') }})
        <> substr(texts.text_only_plain, 1, {{ var('clash_stem_length') }})
        or texts.image_only_plain = texts.text_only_plain as are_stems_distinct
    from texts
    left join one_span_samples
        on texts.sample_id = one_span_samples.sample_id

),

-- a sample without answers can't be checked: is_passed is null
final as (

    select
        sample_id as candidate_id,
        case
            when is_answered
                then
                    has_image_answer
                    and has_text_answer
                    and has_changed_words
                    and is_one_span
                    and is_distractor_absent
                    and are_answers_distinct
                    and are_stems_distinct
        end as is_passed,
        has_image_answer,
        has_text_answer,
        has_changed_words,
        is_one_span,
        is_distractor_absent,
        are_answers_distinct,
        are_stems_distinct
    from findings

)

select * from final
