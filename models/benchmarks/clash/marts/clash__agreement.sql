with

verdicts as (

    select * from {{ ref('clash__human_verdicts') }}

),

yes_no_answers as (

    select
        sample_id,
        annotator,
        'is_contradicted' as asked,
        is_contradicted as is_yes
    from verdicts
    union all
    select
        sample_id,
        annotator,
        'is_question_clear' as asked,
        is_question_clear as is_yes
    from verdicts
    union all
    select
        sample_id,
        annotator,
        'are_answers_right' as asked,
        are_answers_right as is_yes
    from verdicts
    union all
    select
        sample_id,
        annotator,
        'is_accepted' as asked,
        is_accepted as is_yes
    from verdicts

),

sample_counts as (

    select
        asked,
        sample_id,
        count(*) as n_people,
        count(case when is_yes then 1 end) as n_yes
    from yes_no_answers
    group by asked, sample_id

),

-- the share of pairs of people who say the same of a sample
sample_agreement as (

    select
        asked,
        n_people,
        n_yes,
        cast(n_yes * (n_yes - 1) + (n_people - n_yes) * (n_people - n_yes - 1) as double)
        / nullif(n_people * (n_people - 1), 0) as agreement
    from sample_counts

),

totals as (

    select
        asked,
        count(*) as n_samples,
        count(agreement) as n_samples_of_several,
        sum(n_people) as n_verdicts,
        cast(sum(n_yes) as double) / sum(n_people) as yes_share,
        avg(agreement) as observed_agreement,
        cast(sum(case when n_people > 1 then n_yes end) as double)
        / nullif(sum(case when n_people > 1 then n_people end), 0) as several_yes_share
    from sample_agreement
    group by asked

),

chance_agreement as (

    select
        *,
        several_yes_share * several_yes_share
        + (1 - several_yes_share) * (1 - several_yes_share) as expected_agreement
    from totals

),

-- where everybody says the same, agreement beyond chance has no meaning
final as (

    select
        asked,
        cast(n_samples as bigint) as n_samples,
        cast(n_samples_of_several as bigint) as n_samples_of_several,
        cast(n_verdicts as bigint) as n_verdicts,
        yes_share,
        observed_agreement,
        expected_agreement,
        (observed_agreement - expected_agreement) / nullif(1 - expected_agreement, 0)
            as fleiss_kappa
    from chance_agreement

)

select * from final
