with

pairs as (

    select * from {{ ref('certainly_uncertain__caption_pairs') }}

),

first_failures as (

    {{ first_failed_gate('certainly_uncertain', {
        'sides': 'certainly_uncertain__sides_gate',
        'contradiction': 'certainly_uncertain__contradiction_gate',
        'only_one': 'certainly_uncertain__only_one_gate',
        'instances': 'certainly_uncertain__instances_gate',
        'open': 'certainly_uncertain__open_gate',
    }, screening='pairs_from_captions') }}

),

-- questions that begin alike come first, because the two are to be as alike as possible
ranked_pairs as (

    select
        pairs.pair_id,
        row_number() over (
            partition by pairs.source_image_id, pairs.category, pairs.generator
            order by
                case
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
    from pairs
    left join first_failures
        on pairs.pair_id = first_failures.candidate_id
    where first_failures.candidate_id is null

),

final as (

    select
        pair_id as candidate_id,
        draw <= {{ var('certainly_uncertain_pairs_per_image') }} as is_passed
    from ranked_pairs

)

select * from final
