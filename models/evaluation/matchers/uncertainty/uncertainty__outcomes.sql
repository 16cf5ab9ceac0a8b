with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where benchmark in ('certainly_uncertain', 'unk_vqa', 'tdiuc') and reason is null
),

questions as (
    select * from {{ ref('question_sets__questions') }}
    where benchmark in ('unk_vqa', 'tdiuc')
),

examples as (
    {%- if 'certainly_uncertain' in var('benchmarks') %}
        select
            'certainly_uncertain' as benchmark, example_id,
            answer as gold_answer,
            {{ list_value(
                "'category=' || category",
                "'kind=' || kind",
                "'source=' || source",
                "'side=' || operator",
                "'split=' || split"
            ) }} as slices,
            is_answerable,
            category = 'complexity' and not is_answerable as is_hopeless_to_count
        from {{ ref('certainly_uncertain__examples') }}
        union all
    {%- endif %}
    select
        benchmark, example_id, cast(null as string) as gold_answer,
        {{ empty_list('string') }} as slices,
        is_answerable,
        false as is_hopeless_to_count
    from questions
),

-- of what is hopeless to count "many" says as little as that one does not know
vague_answers as (
    {%- if 'certainly_uncertain' in var('benchmarks') %}
        select distinct words from {{ ref('uncertainty_people_words') }}
        where says = 'vague'
    {%- else %}
        select cast(null as string) as words where false
    {%- endif %}
),

-- an answer to an example of others brings its gold answer along
answered_examples as (
    select
        predictions.benchmark, predictions.source_file, predictions.file_position,
        predictions.example_id, predictions.prediction, answer_ratings.lave_rating,
        answer_ratings.is_idk
        or (vague_answers.words is not null and examples.is_hopeless_to_count) as is_idk,
        predictions.confidence, predictions.p_yes, predictions.p_no,
        coalesce(examples.gold_answer, predictions.gold_answer) as gold_answer,
        case
            when predictions.benchmark <> 'certainly_uncertain' then examples.slices
            when examples.example_id is null
                then {{ list_value("'condition=' || predictions.condition") }}
            else
                {{ list_concat(
                    list_value("'condition=' || predictions.condition"), 'examples.slices'
                ) }}
        end as slices,
        not examples.is_answerable as is_gold_idk
    from predictions
    left join {{ ref('evaluation__answer_ratings') }} as answer_ratings
        using (source_file, file_position)
    left join examples
        on
            predictions.benchmark = examples.benchmark
            and predictions.example_id = examples.example_id
    left join vague_answers
        on {{ plain_words('predictions.prediction') }} = vague_answers.words
),

ratings as (
    select
        answered_examples.benchmark, answered_examples.source_file, answered_examples.file_position,
        answered_examples.example_id, answered_examples.slices, answered_examples.is_idk,
        coalesce(answered_examples.is_gold_idk, of_gold.is_idk, false) as is_gold_idk,
        -- no answer is worth nothing, and the gold answer itself needs no judge
        case
            when coalesce(trim(answered_examples.prediction), '') = '' then cast(0 as double)
            when answered_examples.lave_rating is not null
                then cast(answered_examples.lave_rating - 1 as double) / 2
            when
                {{ plain_words('answered_examples.prediction') }}
                = {{ plain_words('answered_examples.gold_answer') }}
                then cast(1 as double)
        end as lave,
        coalesce(
            case
                when answered_examples.p_yes + answered_examples.p_no > 0
                    then
                        answered_examples.p_yes
                        / (answered_examples.p_yes + answered_examples.p_no)
            end,
            answered_examples.confidence
        ) as p_correct
    from answered_examples
    left join {{ ref('evaluation__phrases') }} as of_gold
        on answered_examples.gold_answer = of_gold.text
)

select
    benchmark, source_file, file_position, 'lave_idk' as matcher, example_id, slices,
    -- an answer without a rating is worth nothing, and is told apart by `is_rated`
    case
        when is_idk and is_gold_idk then cast(1 as double)
        when is_idk or is_gold_idk then cast(0 as double)
        when not is_idk then coalesce(lave, 0)
        else cast(0 as double)
    end as credit,
    p_correct as confidence,
    is_idk as is_abstained,
    is_gold_idk as is_gold_abstained,
    -- a judge that is named may not have spoken yet
    is_idk is not null and (is_idk or is_gold_idk or lave is not null) as is_rated,
    {{ other_outcomes('is_abstained', 'is_gold_abstained', 'is_rated') }}
from ratings
