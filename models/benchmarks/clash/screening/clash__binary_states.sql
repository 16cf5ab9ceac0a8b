with

texts as (

    select * from {{ ref('clash__texts') }}

),

binary_states as (

    select * from {{ ref('clash_binary_states') }}

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

final as (

    select
        texts.sample_id as candidate_id,
        case when policy.hears_rules then binary_states.word is null end as is_passed,
        binary_states.word is not null as is_binary_state
    from texts
    cross join policy
    left join binary_states
        on
            texts.original_plain = binary_states.word
            and texts.conflicting_plain = binary_states.opposite

)

select * from final
