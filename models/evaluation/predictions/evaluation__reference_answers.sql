-- a view: it is as long as eight models' answers, and read only where a var asks for it
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('conflicts__examples') }}),
reference_models as (select * from {{ ref('reference_models') }}),

uncertain_examples as (
    {%- if 'certainly_uncertain' in var('benchmarks') %}
        select * from {{ ref('certainly_uncertain__examples') }}
    {%- else %}
        select
            example_id, example_id as pair_id, question, gold_answer as answer,
            gold_answer as target
        from examples
        where false
    {%- endif %}
),

colors as (
    select distinct canonical as color, position
    from {{ ref('answer_forms') }}
    where answer_type = 'color'
),

numbered_colors as (
    select *, count(*) over () as n_colors from colors
),

gold_counts as (
    select benchmark, family, gold_answer, count(*) as n
    from examples
    group by benchmark, family, gold_answer
),

majorities as (
    select
        benchmark, family,
        gold_answer as majority_answer,
        row_number() over (
            partition by benchmark, family
            order by n desc, gold_answer asc
        ) as place
    from gold_counts
),

-- an answer that is surely wrong, a guess, and a level of confidence for every example
possible_answers as (
    select
        examples.benchmark, examples.example_id, examples.question, examples.oracle_action,
        examples.text_state, examples.image_state, examples.gold_answer, majorities.majority_answer,
        case examples.answer_type
            when 'boolean' then case examples.gold_answer when 'yes' then 'no' else 'yes' end
            when 'integer' then {{ next_number('examples.gold_answer') }}
            else other_colors.color
        end as wrong_answer,
        case examples.answer_type
            when 'boolean'
                then
                    case {{ seeded_int('guess', 'examples.example_id', 2) }}
                        when 0 then 'no' else 'yes'
                    end
            when 'integer'
                then
                    cast({{ seeded_int('guess', 'examples.example_id', 10) }} as string)
            else guessed_colors.color
        end as guess,
        {{ seeded_int('confidence', 'examples.example_id', 10) }} as level
    from examples
    inner join majorities
        on
            examples.benchmark = majorities.benchmark
            and examples.family = majorities.family
            and majorities.place = 1
    left join numbered_colors as colors on examples.gold_answer = colors.color
    left join numbered_colors as other_colors
        on colors.position % colors.n_colors + 1 = other_colors.position
    left join numbered_colors as guessed_colors
        on
            examples.answer_type = 'color'
            and {{ seeded_int(
                'guess', 'examples.example_id', 'guessed_colors.n_colors'
            ) }} + 1 = guessed_colors.position
),

-- of the examples of a level, the share that its confidence says succeeds
confidence_levels as (
    select
        *,
        cast(2 * level + 1 as double) / 20 as level_confidence,
        cast(
            2 * row_number() over (
                partition by benchmark, level
                order by {{ seeded_order('success', 'example_id') }}, example_id
            ) - 1 as double
        ) / (2 * count(*) over (partition by benchmark, level)) as level_quantile
    from possible_answers
),

-- what succeeds and what fails under the oracle action
outcomes as (
    select
        *,
        case
            when
                oracle_action = 'abstain'
                or (
                    oracle_action = 'require_agreement'
                    and not (text_state = 'clean' and image_state = 'clean')
                )
                then 'cannot answer'
            else gold_answer
        end as right_answer,
        case when oracle_action = 'abstain' then gold_answer else wrong_answer end as failure,
        level_quantile < level_confidence as is_success
    from confidence_levels
),

conflict_answers as (
    select
        outcomes.benchmark, reference_models.model, outcomes.example_id, outcomes.question,
        outcomes.oracle_action,
        case reference_models.model
            when 'oracle' then outcomes.right_answer
            when 'always_vision'
                then
                    case
                        when outcomes.image_state = 'clean' then outcomes.gold_answer
                        else outcomes.wrong_answer
                    end
            when 'always_text'
                then
                    case
                        when outcomes.text_state = 'clean' then outcomes.gold_answer
                        else outcomes.wrong_answer
                    end
            when 'majority' then outcomes.majority_answer
            when 'random' then outcomes.guess
            when 'always_abstain' then 'cannot answer'
            else case when outcomes.is_success then outcomes.right_answer else outcomes.failure end
        end as prediction,
        case reference_models.model
            when 'oracle' then outcomes.oracle_action
            when 'always_vision' then 'trust_vision'
            when 'always_text' then 'trust_text'
            when 'always_abstain' then 'abstain'
        end as stated_action,
        case reference_models.model
            when 'oracle' then cast(1 as double)
            when 'calibrated' then outcomes.level_confidence
            when 'overconfident' then cast(0.95 as double)
        end as confidence
    from outcomes
    cross join reference_models
    where reference_models.is_of_conflicts
),

-- who never abstains answers the other side of a pair as the one that can be answered
pair_answers as (
    select pair_id, min(target) as answer
    from uncertain_examples
    group by pair_id
),

uncertain_answers as (
    select
        'certainly_uncertain' as benchmark, reference_models.model, uncertain_examples.example_id,
        uncertain_examples.question, cast(null as string) as oracle_action,
        case reference_models.model
            when 'oracle' then uncertain_examples.answer
            when 'never_abstain' then pair_answers.answer
            else {{ instruction('certainly_uncertain_abstention') }}
        end as prediction,
        cast(null as string) as stated_action,
        cast(1 as double) as confidence
    from uncertain_examples
    inner join pair_answers using (pair_id)
    cross join reference_models
    where reference_models.is_of_uncertainty
),

answers as (
    select * from conflict_answers
    union all
    select * from uncertain_answers
)

select
    benchmark, 'open_ended' as task, 'default' as condition, model, 'reference' as run,
    'predictions/' || benchmark || '/open_ended/default/reference/' || model as source_file,
    example_id as example_key,
    question, prediction, cast(null as string) as gold_answer, stated_action,
    cast(null as string) as image_only_answer, cast(null as string) as text_only_answer,
    cast(null as string) as distractor_answer, cast(null as string) as image_only_letter,
    cast(null as string) as text_only_letter, cast(null as string) as distractor_letter,
    cast(null as string) as contradiction_letter, cast(null as string) as confidence_kind,
    cast(null as string) as prompt_version, cast(null as string) as prompt_sha256,
    cast(null as string) as parameters, cast(null as string) as answered_model,
    null as judge_labels,
    row_number() over (
        partition by benchmark, model
        order by example_id
    ) - 1 as file_position,
    cast(null as bigint) as lave_rating, confidence, cast(null as double) as p_yes,
    cast(null as double) as p_no,
    null as token_logprobs,
    cast(null as boolean) as published_is_contradiction,
    cast(null as boolean) as published_is_image_only,
    cast(null as boolean) as published_is_text_only,
    cast(null as boolean) as published_is_distractor, cast(null as boolean) as published_is_none
from answers
