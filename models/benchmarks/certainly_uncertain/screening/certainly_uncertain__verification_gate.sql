with

-- a verdict counts while the pair is the one that its reader saw
verdicts as (

    select * from {{ ref('certainly_uncertain__verdicts') }}
    where is_current

),

-- a tie drops the pair
final as (

    select
        pair_id as candidate_id,
        min(case when verdict <> 'keep' then verdict end) as drop_detail,
        count(*) as n_verdicts,
        count(case when verdict = 'keep' then 1 end) as n_keeps,
        count(case when verdict = 'keep' then 1 end) * 2 > count(*) as is_passed
    from verdicts
    group by pair_id

)

select * from final
