with

words as (

    select * from {{ ref('clash__words') }}

),

texts as (

    select * from {{ ref('clash__texts') }}

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

subjective_words as (

    select
        sample_id,
        count(*) as n_subjective_words
    from words
    where said_as in ('original', 'conflicting') and forbidden_reason = 'subjective'
    group by sample_id

),

-- only what people can measure or see alike is an attribute to change; an object is none. Where
-- the policy does not hear the rules there is no finding
final as (

    select
        texts.sample_id as candidate_id,
        case
            when policy.hears_rules
                then
                    texts.change_type <> 'attribute'
                    or coalesce(subjective_words.n_subjective_words, 0) = 0
        end as is_passed,
        cast(coalesce(subjective_words.n_subjective_words, 0) as bigint) as n_subjective_words
    from texts
    cross join policy
    left join subjective_words
        on texts.sample_id = subjective_words.sample_id

)

select * from final
