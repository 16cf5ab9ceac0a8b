with

pairs as (

    select * from {{ ref('certainly_uncertain__rule_pairs') }}

),

contradicted_facts as (

    select * from {{ ref('certainly_uncertain__contradicted_facts') }}

),

final as (

    select
        pairs.pair_id as candidate_id,
        coalesce(contradicted_facts.contradiction, contradicted_rivals.contradiction)
            as drop_detail,
        contradicted_facts.fact_id is null and contradicted_rivals.fact_id is null as is_passed
    from pairs
    left join contradicted_facts
        on pairs.fact_id = contradicted_facts.fact_id
    left join contradicted_facts as contradicted_rivals
        on pairs.rival_fact_id = contradicted_rivals.fact_id

)

select * from final
