{%- set stem_length %}cast({{ threshold('clash', 'stem_length') }} as integer){% endset -%}
with
texts as (select * from {{ ref('clash__texts') }}),
words as (select * from {{ ref('clash__words') }}),

-- every place where the changed words may stand: replacing one occurrence of them must give the
-- other caption
possible_places as (
    select
        sample_id, original_text, conflicting_text, original_span, conflicting_span,
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

changes as (
    select
        texts.sample_id, texts.change_type,
        coalesce(original_words.subgroup, conflicting_words.subgroup) as lexicon_subgroup,
        original_words.concept as original_concept,
        original_words.forbidden_reason as original_forbidden_reason,
        original_words.categories as original_categories,
        original_words.change_types as original_types,
        conflicting_words.concept as conflicting_concept,
        conflicting_words.forbidden_reason as conflicting_forbidden_reason,
        conflicting_words.categories as conflicting_categories,
        conflicting_words.change_types as conflicting_types,
        {{ list_intersect('original_words.categories', 'conflicting_words.categories') }}
            as common_categories,
        image_answers.concept as image_concept,
        text_answers.concept as text_concept
    from texts
    left join words as original_words
        on
            texts.sample_id = original_words.sample_id
            and original_words.said_as = 'original'
    left join words as conflicting_words
        on
            texts.sample_id = conflicting_words.sample_id
            and conflicting_words.said_as = 'conflicting'
    left join words as image_answers
        on
            texts.sample_id = image_answers.sample_id
            and image_answers.said_as = 'image_only'
    left join words as text_answers
        on
            texts.sample_id = text_answers.sample_id
            and text_answers.said_as = 'text_only'
),

answers as (
    select
        sample_id, word,
        coalesce(concept, word) as meaning,
        concept is not null as is_known,
        forbidden_reason,
        {{ tokens('word') }} as answer_words
    from words
    where said_as in ('image_only', 'text_only', 'distractor')
),

-- answers mean the same by the lexicon, or by their words where it does not know them
compared_answers as (
    select
        sample_id,
        count(distinct meaning) = count(*) as are_answers_no_synonyms,
        count(case when forbidden_reason = 'vague' then 1 end) = 0 as are_answers_unambiguous
    from answers
    group by sample_id
),

-- a name that the lexicon has as a whole is definite: "parking lot"
answer_words as (
    select sample_id, word as answer, {{ unnest_list('answer_words') }} as word
    from answers
    where not is_known
),

-- an answer is vague as a whole ("animal"), or by any of its words ("several dogs")
vague_answers as (
    select sample_id, '"' || word || '" says no definite thing' as vagueness
    from answers
    where forbidden_reason = 'vague'
    union all
    select
        answer_words.sample_id,
        '"' || answer_words.word || '" in "' || answer_words.answer || '"' as vagueness
    from answer_words
    inner join {{ vocabulary('clash', 'vague_words') }} as vague_words using (word)
),

vague_samples as (
    select sample_id, min(vagueness) as vagueness
    from vague_answers
    group by sample_id
),

findings as (
    select
        texts.sample_id, changes.lexicon_subgroup,
        case
            when {{ list_length('changes.common_categories') }} > 0
                then {{ list_extract('changes.common_categories', 1) }}
            when (changes.original_categories is null) = (changes.conflicting_categories is null)
                then 'other'
            else coalesce(
                {{ list_extract('changes.original_categories', 1) }},
                {{ list_extract('changes.conflicting_categories', 1) }}
            )
        end as lexicon_category,
        greatest(
            {{ list_length(tokens('texts.image_only_plain')) }},
            {{ list_length(tokens('texts.text_only_plain')) }},
            {{ list_length(tokens('texts.distractor_plain')) }}
        ) as n_answer_words,
        texts.change_type = 'relation' as is_position,
        texts.is_answered,
        -- "wood" answers for a wooden bench
        texts.original_text like '% ' || texts.image_only_plain || ' %'
        or coalesce(changes.image_concept = changes.original_concept, false) as has_image_answer,
        texts.conflicting_text like '% ' || texts.text_only_plain || ' %'
        or coalesce(changes.text_concept = changes.conflicting_concept, false) as has_text_answer,
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
        substr(texts.image_only_plain, 1, {{ stem_length }})
        <> substr(texts.text_only_plain, 1, {{ stem_length }})
        or texts.image_only_plain = texts.text_only_plain
        -- grass and gravel: two words that the lexicon knows as two things
        or coalesce(changes.image_concept <> changes.text_concept, false) as are_stems_distinct,
        changes.original_categories is not null
        or changes.conflicting_categories is not null as is_known_change,
        -- the change type is wrong only where the lexicons know both words and neither as that type
        coalesce(
            array_contains(changes.original_types, changes.change_type)
            or array_contains(changes.conflicting_types, changes.change_type), true
        ) as is_of_change_type,
        changes.change_type <> 'attribute'
        or (
            changes.original_forbidden_reason is null
            and changes.conflicting_forbidden_reason is null
        ) as is_objective,
        changes.change_type <> 'attribute'
        or (
            coalesce(changes.original_forbidden_reason, '') <> 'subjective'
            and coalesce(changes.conflicting_forbidden_reason, '') <> 'subjective'
        ) as is_no_opinion,
        coalesce(changes.original_concept <> changes.conflicting_concept, true) as is_no_synonym,
        coalesce(changes.original_forbidden_reason, '') <> 'vague'
        and coalesce(changes.conflicting_forbidden_reason, '') <> 'vague' as is_unambiguous,
        binary_states.word is not null as is_binary_state,
        compared_answers.are_answers_no_synonyms, compared_answers.are_answers_unambiguous,
        vague_samples.sample_id is not null as is_answer_vague, vague_samples.vagueness,
        texts.has_question_mark
        and texts.n_question_tokens
        >= {{ threshold('clash', 'question_least_tokens') }} as is_question_clear,
        texts.question_text not like '% ' || texts.image_only_plain || ' %'
        and texts.question_text not like '% ' || texts.text_only_plain || ' %'
            as is_question_focused,
        closed_openings.opening is null as is_question_open
    from texts
    inner join changes using (sample_id)
    left join one_span_samples using (sample_id)
    left join compared_answers using (sample_id)
    left join vague_samples using (sample_id)
    left join {{ vocabulary('clash', 'binary_states', value='opposite') }} as binary_states
        on
            texts.original_plain = binary_states.word
            and texts.conflicting_plain = binary_states.opposite
    left join {{ vocabulary('clash', 'closed_openings', word='opening') }} as closed_openings
        on texts.question_opening = closed_openings.opening
),

limits as (
    select
        {{ threshold('clash', 'answer_most_words') }} as answer_most_words,
        {{ threshold('clash', 'position_most_words') }} as position_most_words
)

select
    findings.sample_id as candidate_id,
    findings.* {{ exclude(
        'sample_id', 'n_answer_words', 'is_position', 'is_answered', 'is_no_opinion', 'is_binary_state',
        'is_answer_vague', 'vagueness'
    ) }},
    -- the answers and the changed words stand where they should, and the captions differ
    -- nowhere else; no lexicon is needed to see it, and no sample without answers is looked at
    case
        when findings.is_answered
            then
                findings.has_image_answer
                and findings.has_text_answer
                and findings.has_changed_words
                and findings.is_one_span
                and findings.is_distractor_absent
                and findings.are_answers_distinct
                and findings.are_stems_distinct
    end as passes_rule_check,
    -- people measure or see a changed attribute alike: it is no opinion and no relative word
    case when policy.hears_rules then findings.is_no_opinion end as passes_objective_change,
    -- the change is not between two states such as open and closed
    case when policy.hears_rules then not findings.is_binary_state end as passes_binary_states,
    -- no answer has more words, articles apart, than a concise one
    case
        when policy.hears_rules and findings.is_answered
            then
                findings.n_answer_words <= case
                    when findings.is_position then limits.position_most_words
                    else limits.answer_most_words
                end
    end as passes_answer_length,
    -- every answer says a definite thing
    case when policy.hears_rules then not findings.is_answer_vague end as passes_answer_words,
    findings.vagueness as answer_words_detail
from findings
cross join limits
inner join {{ ref('clash_judge_policies') }} as policy
    on policy.policy = '{{ var("clash_judges") }}'
