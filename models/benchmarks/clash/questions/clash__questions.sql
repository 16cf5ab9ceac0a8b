with
limits as (select {{ threshold('clash', 'question_most_tokens') }} as most_tokens),

material_adjectives as (
    select *
    from {{ vocabulary('clash', 'material_adjectives', word='adjective', value='noun') }}
),

noun_phrases as (select * from {{ ref('clash__noun_phrases') }}),

-- a proposal is asked as its kind, and as what several kinds are
asked_kinds as (
    select proposal_id, kind as asked_as
    from noun_phrases
    where not is_object or measure_role <> 'container'
    union all
    select proposal_id, 'object' as asked_as
    from noun_phrases
    where is_object and measure_role <> 'container'
    union all
    select proposal_id, 'contained' as asked_as
    from noun_phrases
    where is_object and measure_role = 'container'
    union all
    select proposal_id, 'small_thing' as asked_as
    from noun_phrases
    where
        measure_role <> 'container'
        and subcategory in ('electronics', 'kitchen_items', 'containers', 'prepared_food')
),

fitting_patterns as (
    select noun_phrases.*, patterns.pattern, patterns.priority, patterns.question as pattern_text
    from noun_phrases
    inner join asked_kinds using (proposal_id)
    inner join {{ ref('clash_question_patterns') }} as patterns
        on
            asked_kinds.asked_as = patterns.kind
            and noun_phrases.left_shape like patterns.left_shape
            and noun_phrases.right_shape like patterns.right_shape
    left join {{ vocabulary('clash', 'grounds') }} as grounds
        on noun_phrases.concept = grounds.word
    left join {{ ref('clash__disputed_edits') }} as disputed_edits using (proposal_id)
    where
        noun_phrases.is_fitting
        and disputed_edits.proposal_id is null
        and noun_phrases.is_whole_object
        and noun_phrases.is_only_attribute
        and noun_phrases.caption_text not like '% ' || noun_phrases.distractor || ' %'
        and (patterns.question not like '%{subject}%' or noun_phrases.is_only_subject)
        and (patterns.question not like '%{container}%' or noun_phrases.is_only_container)
        and (patterns.question not like '%{rest%' or noun_phrases.is_rest_whole)
        and (not patterns.needs_noun or noun_phrases.is_only_noun)
        and (not patterns.needs_no_noun or noun_phrases.noun_text = '')
        and (
            not patterns.needs_single_noun
            or noun_phrases.is_noun_plural
            or noun_phrases.is_noun_shown_once
        )
        and (
            not patterns.needs_single_subject
            or noun_phrases.is_subject_plural
            or noun_phrases.is_subject_shown_once
        )
        and (not patterns.needs_last or noun_phrases.is_last)
        and (not patterns.needs_only_kind or noun_phrases.is_only_of_kind)
        and (not patterns.needs_singular or not noun_phrases.is_plural)
        and (not patterns.needs_counted or noun_phrases.is_counted)
        -- "What is in the bowl of oatmeal?" has its answer
        and (
            not patterns.needs_container
            or (
                noun_phrases.subject_preposition is not null
                and noun_phrases.subject_text not like '% of %'
            )
        )
        and (not patterns.needs_worn or noun_phrases.is_worn)
        and (not patterns.needs_person or noun_phrases.is_subject_person)
        and (noun_phrases.kind <> 'relation' or noun_phrases.is_next_landmark)
        -- "What place is this?" asks for more than what lies underfoot
        and (patterns.question <> 'What place is this?' or grounds.word is null)
        -- drinks are no food to show
        and not (noun_phrases.subcategory = 'drinks' and patterns.pattern like 'food_%')
        -- a person "on a computer" uses it
        and not (
            noun_phrases.subcategory = 'electronics'
            and noun_phrases.is_subject_person
            and patterns.kind = 'object'
            and patterns.left_shape = 'NL'
        )
        -- who sits at a table is not asked at what
        and not (
            patterns.kind = 'object'
            and {{ regexp_matches('noun_phrases.left_text', '(^| )at$') }}
        )
        -- clothes are worn: a person is not on, in or with them
        and not (
            noun_phrases.kind = 'clothing'
            and patterns.kind = 'object'
            and patterns.left_shape in ('NL', 'NW', 'NDL')
        )
),

agreeing_words as (
    select
        *,
        case when is_plural then 'are' else 'is' end as be,
        case when is_plural then 'have' else 'has' end as has,
        case when is_subject_plural then 'are' else 'is' end as subject_be,
        case when is_noun_plural then 'are' else 'is' end as noun_be,
        case when is_noun_plural then 'do' else 'does' end as noun_do
    from fitting_patterns
),

filled_questions as (
    select
        proposal_id, caption_id, kind, pattern, priority, distractor, changed_from, changed_to,
        -- "in front of" is no answer: "in front of a building" is
        case when kind = 'relation' then ' ' || landmark_text else '' end as answer_ending,
        {{ filled_slots('pattern_text', {
            'who': 'asked', 'what': 'asked_object', 'be': 'be', 'has': 'has',
            'subject': 'subject_text', 'subject_be': 'subject_be',
            'subject_in': 'subject_preposition',
            'noun': 'noun_text', 'noun_be': 'noun_be', 'noun_do': 'noun_do',
            'container': 'measure_noun', 'in': 'container_preposition',
            'rest': 'rest_text', 'rest_with': 'rest_behind_first',
            'left': 'left_text', 'action': 'action_text',
        }) }} as question
    from agreeing_words
),

-- "Which room is this?" asks for a living room
opened_questions as (
    select *, {{ regexp_replace('question', '^Which [a-z]+ ', '') }} as question_behind_opening
    from filled_questions
),

-- a question that holds a changed word, of either side, would tell or mislead; one of what no
-- other caption speaks of is asked by nobody else
neutral_questions as (
    select opened_questions.*
    from opened_questions
    left join {{ ref('clash__lone_words') }} as lone_words using (caption_id)
    cross join limits
    where
        {{ list_length(tokens('opened_questions.question')) }} <= limits.most_tokens
        and (
            lone_words.caption_id is null
            or {{ list_intersect_size(
                tokens('opened_questions.question'), 'lone_words.words'
            ) }} = 0
        )
        and case
            when opened_questions.kind in ('relation', 'side', 'hand')
                then
                    lower(opened_questions.question)
                    not like '% ' || opened_questions.changed_from || ' %'
                    and lower(opened_questions.question)
                    not like '% ' || opened_questions.changed_to || ' %'
            else {{ list_intersect_size(
                tokens('question_behind_opening'),
                tokens_without_articles("changed_from || ' ' || changed_to")
            ) }} = 0
        end
),

ranked_questions as (
    select *, row_number() over (partition by proposal_id order by priority, pattern) as preference
    from neutral_questions
)

-- what is at the left has it on the left of something; a thing is made of wood, not of wooden
select
    questions.proposal_id, questions.caption_id, questions.kind, questions.pattern,
    lower(coalesce(old_materials.noun, questions.changed_from)) || questions.answer_ending
        as image_only_answer,
    lower(coalesce(new_materials.noun, questions.changed_to)) || questions.answer_ending
        as text_only_answer,
    coalesce(other_materials.noun, questions.distractor)
    || case
        when
            questions.answer_ending <> ''
            and {{ regexp_matches('questions.distractor', '(left|right)$') }}
            then ' of'
        else ''
    end
    || questions.answer_ending as distractor,
    upper(substr(questions.question, 1, 1))
    || substr({{ regexp_replace('questions.question', '  +', ' ') }}, 2) as question
from ranked_questions as questions
left join material_adjectives as old_materials
    on questions.kind = 'material' and lower(questions.changed_from) = old_materials.adjective
left join material_adjectives as new_materials
    on questions.kind = 'material' and lower(questions.changed_to) = new_materials.adjective
left join material_adjectives as other_materials
    on questions.kind = 'material' and questions.distractor = other_materials.adjective
where
    questions.preference = 1
    -- nothing is made of what has no noun, as "paved"
    and (old_materials.adjective is null or old_materials.noun is not null)
    and (new_materials.adjective is null or new_materials.noun is not null)
    and (other_materials.adjective is null or other_materials.noun is not null)
