with

verdicts as (

    select * from {{ ref('people__verdicts') }}
    where benchmark = 'clash' and queue = 'validation' and is_decided

),

record_hashes as (

    select * from {{ ref('clash__record_hashes') }}

),

-- a verdict counts while the sample is the one that its readers saw
final as (

    select
        record_hashes.sample_id,
        verdicts.question,
        verdicts.verdict,
        verdicts.n_votes,
        verdicts.n_accepting,
        verdicts.is_accepted
    from verdicts
    inner join record_hashes
        on
            verdicts.record_id = record_hashes.sample_id
            and verdicts.record_md5 = record_hashes.record_md5

)

select * from final
