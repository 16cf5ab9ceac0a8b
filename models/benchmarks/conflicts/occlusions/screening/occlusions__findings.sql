{%- set answer_normalized = normalized_text(json_field('outcomes.answer', "'answer'")) -%}
with
coverage as (select * from {{ ref('occlusions__coverage') }}),

outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'picture_answers' and state = 'answered'
),

judge_policy as (
    select * from {{ ref('occlusions_judge_policies') }}
    where policy = {{ text_literal(var('occlusions_answerability_judges')) }}
),

asked_categories as (
    select distinct source_image_id, asked_category
    from coverage
    where asked_category is not null
),

outlined_objects as (
    select
        asked_categories.source_image_id, asked_categories.asked_category,
        count(instances.instance_id) as n_outlined
    from asked_categories
    left join {{ ref('images__instances') }} as instances
        on
            asked_categories.source_image_id = instances.source_image_id
            and asked_categories.asked_category = instances.category
    group by asked_categories.source_image_id, asked_categories.asked_category
),

-- what each occlusion hides of the objects, and what its base says of them
base_facts as (
    select
        coverage.*,
        bases.answer_type, bases.gold_answer, evidence.evidence_is_strict, evidence.evidence_gap,
        absence_answers.answer as absence_answer,
        outlined_objects.n_outlined,
        -- a caption may mention a number even where the question does not ask for one
        case
            when bases.answer_type = 'integer' then bases.gold_answer
            else evidence.caption_number
        end as number_said,
        coalesce(
            coverage.covered_share >= {{ threshold('conflict_suite', 'answerable_no_more') }}, false
        ) as is_hidden,
        coalesce(
            coverage.covered_share <= {{ threshold('conflict_suite', 'still_answerable') }}, false
        ) as is_shown
    from coverage
    left join {{ ref('conflict_suite__bases') }} as bases using (base_id)
    left join {{ ref('conflict_suite__evidence') }} as evidence using (base_id)
    left join {{ ref('absence_answers') }} as absence_answers
        on
            coverage.family = absence_answers.absence
            and bases.answer_type = absence_answers.answer_type
    left join outlined_objects
        on
            coverage.source_image_id = outlined_objects.source_image_id
            and coverage.asked_category = outlined_objects.asked_category
),

-- An object that is painted over looks absent, so the picture answers "no" or 0. An occlusion that
-- hides a share between the two thresholds is in no state.
picture_states as (
    select
        *,
        case
            when is_hidden and absence_answer is not null then 'different'
            when is_hidden then 'irrelevant'
            when is_shown then 'clean'
        end as image_state,
        case
            when is_hidden then absence_answer
            when is_shown then gold_answer
        end as image_supported_target
    from base_facts
),

-- the latest verdict on a picture counts
ranked_verdicts as (
    select
        input_id, answer,
        row_number() over (
            partition by input_id
            order by requested_at desc, custom_id asc
        ) as preference
    from outcomes
),

verdicts as (
    select
        base_facts.candidate_id,
        {{ json_field('outcomes.answer', "'is_answerable'") }} = 'true' as is_answerable,
        {{ canonical_answer(
            answer_normalized, 'base_facts.answer_type', 'answer_forms.canonical'
        ) }}
            as judged_answer
    from base_facts
    inner join ranked_verdicts as outcomes on base_facts.judged_picture_id = outcomes.input_id
    left join {{ ref('answer_forms') }} as answer_forms
        on
            base_facts.answer_type = answer_forms.answer_type
            and {{ answer_normalized }} = answer_forms.surface
    where outcomes.preference = 1
)

select
    states.candidate_id, states.image_state, states.image_supported_target, states.number_said,
    verdicts.judged_answer, states.withdrawal_detail,
    states.evidence_gap as evidence_detail,
    states.mask_error as masks_detail,
    states.number_said || ' said, '
    || coalesce(cast(states.n_outlined as string), 'none of them')
    || ' outlined' as count_detail,
    states.recipe_error as control_detail,
    states.image_supported_target as gold_support_detail,
    case
        when verdicts.candidate_id is null then null
        when not verdicts.is_answerable then 'not answerable'
        else coalesce(verdicts.judged_answer, 'no answer of its kind')
    end as judge_detail,
    states.n_outlined, verdicts.is_answerable,
    -- `gainsay withdraw` did not take the picture down
    not states.is_withdrawn as passes_withdrawal,
    -- the caption stands beside every occluded picture and must answer: its evidence is strict
    states.evidence_is_strict
    or {{ not var('refined_requires_strict_evidence') }} as passes_evidence,
    -- the instances of the question's objects give a mask that fits the picture
    states.mask_error is null as passes_masks,
    -- The picture is known to show the objects. To paint over a bus says nothing about its
    -- wheels: only what the question asks for can become absent.
    states.has_objects
    and (states.absence_answer is null or states.is_about_object) as passes_objects,
    -- a crowd's outline covers an unknown number of people, so hiding it does not tell how
    -- many are left
    not states.has_crowd as passes_crowd,
    -- A count equals the number of outlined instances; for another answer at least as many are
    -- outlined as the caption counts. "Eleven players" beside one outline: ten stay in sight.
    case
        when states.answer_type = 'integer'
            then coalesce(states.number_said = cast(states.n_outlined as string), false)
        else coalesce(cast(states.number_said as double) <= states.n_outlined, true)
    end as passes_count,
    -- the hole around the question's objects fits beside them, too, or it tells
    states.recipe_error is null as passes_control,
    -- the picture is in one of the three states
    states.image_state is not null as passes_answerability,
    -- a picture that is to answer otherwise must not answer as the gold answer does
    states.image_state <> 'different'
    or states.image_supported_target <> states.gold_answer as passes_gold_support,
    -- A vision judge agrees with the masks. A verdict is further evidence: it only takes an
    -- occlusion away, and one without a verdict is known by its masks alone.
    case
        when verdicts.candidate_id is null then null
        when not judge_policy.hears_llm then true
        when states.image_state = 'irrelevant' then not verdicts.is_answerable
        else
            verdicts.is_answerable
            and coalesce(verdicts.judged_answer = states.image_supported_target, false)
    end as passes_judge
from picture_states as states
cross join judge_policy
left join verdicts using (candidate_id)
