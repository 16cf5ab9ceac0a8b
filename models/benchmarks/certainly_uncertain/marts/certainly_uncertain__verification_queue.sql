with

pairs as (

    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained or drop_stage = 'verification'

),

splits as (

    select * from {{ ref('certainly_uncertain__pair_splits') }}

),

verification as (

    select * from {{ ref('certainly_uncertain__verification_gate') }}

),

-- people verify what is tested, also what people rejected before
final as (

    select
        pairs.pair_id,
        {{ shown_pair_md5('pairs') }} as record_md5,
        splits.split,
        pairs.category,
        pairs.source,
        pairs.source_image_id,
        pairs.image_file,
        pairs.object_words,
        pairs.answerable_question,
        pairs.answerable_answer,
        pairs.unanswerable_question,
        pairs.unanswerable_answer,
        cast(row_number() over (
            partition by splits.split
            order by {{ seeded_order('uncertainty_verification', 'pairs.pair_id') }}, pairs.pair_id
        ) as bigint) as draw,
        coalesce(verification.n_verdicts, 0) as n_verdicts,
        coalesce(verification.n_keeps, 0) as n_keeps
    from pairs
    inner join splits
        on pairs.pair_id = splits.pair_id
    left join verification
        on pairs.pair_id = verification.candidate_id
    where splits.split is not null

)

select * from final
