with
first_failures as (
    {{ first_failures(
        'certainly_uncertain', 'pairs_from_captions', before='certainly_uncertain__draw'
    ) }}
),

-- one question of two pictures comes first, then those that begin alike, because the two are to be
-- as alike as possible
ranked_pairs as (
    select
        pairs.pair_id, pairs.category,
        pairs.answerable_question = pairs.unanswerable_question as is_one_question,
        row_number() over (
            partition by pairs.source_image_id, pairs.category, pairs.generator
            order by
                case
                    when pairs.answerable_question = pairs.unanswerable_question then 0
                    when
                        {{ regexp_extract('pairs.answerable_question', '^[A-Za-z]+ [a-z]+') }}
                        = {{ regexp_extract('pairs.unanswerable_question', '^[A-Za-z]+ [a-z]+') }}
                        then 1
                    when
                        {{ regexp_extract('pairs.answerable_question', '^[A-Za-z]+') }}
                        = {{ regexp_extract('pairs.unanswerable_question', '^[A-Za-z]+') }}
                        then 2
                    else 3
                end,
                {{ seeded_order('uncertainty_draw', 'pairs.pair_id') }},
                pairs.pair_id
        ) as draw
    from {{ ref('certainly_uncertain__caption_pairs') }} as pairs
    left join first_failures on pairs.pair_id = first_failures.candidate_id
    where first_failures.candidate_id is null
)

select
    ranked_pairs.pair_id as candidate_id,
    coalesce(
        ranked_pairs.draw <= case
            when ranked_pairs.is_one_question
                then coalesce(categories.questions_per_image, categories.pairs_per_image)
            else categories.pairs_per_image
        end, true
    ) as passes_draw
from ranked_pairs
inner join {{ ref('uncertainty_categories') }} as categories using (category)
