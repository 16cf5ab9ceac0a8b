with

verdicts as (

    select * from {{ ref('people__verdicts') }}

),

records as (

    select * from {{ ref('review__records') }}

),

-- a verdict stands for the record that its readers saw
final as (

    select
        verdicts.benchmark,
        verdicts.queue,
        verdicts.record_id,
        verdicts.question,
        records.image_id,
        records.split,
        verdicts.verdict,
        verdicts.n_votes,
        verdicts.n_accepting,
        verdicts.is_accepted,
        verdicts.is_decided,
        verdicts.is_settled
    from verdicts
    inner join records
        on
            verdicts.benchmark = records.benchmark
            and verdicts.queue = records.queue
            and verdicts.record_id = records.record_id
            and verdicts.record_md5 = records.record_md5

)

select * from final
