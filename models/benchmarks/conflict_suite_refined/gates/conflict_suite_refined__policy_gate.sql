with

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

oracle_policy as (

    select * from {{ ref('oracle_policy') }}

),

-- a text that says nothing beside a picture that says another thing is in no protocol
final as (

    select
        variants.candidate_id,
        variants.text_state,
        variants.image_state,
        oracle_policy.oracle_action,
        variants.image_state is null or oracle_policy.oracle_action is not null as is_passed
    from variants
    left join oracle_policy
        on
            variants.protocol = oracle_policy.protocol
            and variants.text_state = oracle_policy.text_state
            and variants.image_state = oracle_policy.image_state

)

select * from final
