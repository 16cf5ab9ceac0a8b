with

verdicts as (

    select * from {{ ref('people__verdicts') }}
    where benchmark = 'certainly_uncertain' and queue = 'verification' and is_decided

),

record_hashes as (

    select * from {{ ref('certainly_uncertain__record_hashes') }}

),

-- a verdict counts while the pair is the one that its readers saw
final as (

    select
        record_hashes.pair_id,
        verdicts.verdict,
        verdicts.n_votes,
        verdicts.n_accepting,
        verdicts.is_accepted
    from verdicts
    inner join record_hashes
        on
            verdicts.record_id = record_hashes.pair_id
            and verdicts.record_md5 = record_hashes.record_md5
    where verdicts.question = 'verdict'

)

select * from final
