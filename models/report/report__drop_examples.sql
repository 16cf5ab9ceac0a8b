with

drops as (

    select * from {{ ref('audit__drops') }}

),

photographs as (

    select * from {{ ref('report__photographs') }}

),

-- what can be shown with its picture comes first
ranked_drops as (

    select
        drops.benchmark,
        drops.screening,
        drops.candidate_id,
        row_number() over (
            partition by drops.benchmark, drops.screening, drops.stage
            order by
                case when photographs.picture_state = 'shown' then 0 else 1 end,
                {{ seeded_order('report', 'drops.candidate_id') }},
                drops.candidate_id
        ) as place
    from drops
    left join photographs
        on drops.source_image_id = photographs.source_image_id

),

chosen_drops as (

    select * from ranked_drops
    where place <= {{ var('report_examples_per_reason') }}

),

final as (

    select
        drops.benchmark,
        drops.screening,
        drops.stage,
        drops.reason,
        drops.candidate_id,
        drops.family,
        drops.source_image_id,
        drops.image_file,
        drops.question,
        drops.answer,
        drops.gold_answer,
        drops.evidence_words,
        drops.captions_seen,
        drops.what_failed,
        cast(chosen_drops.place as bigint) as place
    from chosen_drops
    inner join drops
        on
            chosen_drops.benchmark = drops.benchmark
            and chosen_drops.screening = drops.screening
            and chosen_drops.candidate_id = drops.candidate_id

)

select * from final
