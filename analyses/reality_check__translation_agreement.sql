with
-- English is what translations are compared with
records as (
    select * from {{ ref('reality_check__translation_sample') }}
    where language <> 'en'
),

verdicts as (
    select * from {{ ref('people__verdicts') }}
    where benchmark = 'reality_check' and queue = 'reality_check_language'
),

votes as (
    select * from {{ ref('people__votes') }}
    where
        benchmark = 'reality_check'
        and queue = 'reality_check_language'
        and not is_ruling
),

-- a vote with an answer that the question does not take, such as a flag, counts nowhere
answers as (
    select * from {{ ref('review_questions') }}
    where benchmark = 'reality_check' and queue = 'reality_check_language'
),

questions as (
    select question, count(*) as n_answers
    from answers
    group by question
),

sample_sizes as (
    select language, count(*) as n_records
    from records
    group by language
),

verdict_counts as (
    select
        records.language, verdicts.question,
        count(*) as n_judged,
        count(case when verdicts.is_decided then 1 end) as n_decided,
        count(case when verdicts.is_accepted then 1 end) as n_accepted,
        count(case when verdicts.is_accepted is null then 1 end) as n_undecided
    from records
    inner join verdicts using (record_id, record_md5)
    group by records.language, verdicts.question
),

ratings as (
    select
        records.language, votes.question, votes.record_id, votes.reader, votes.answer,
        {{ resampling_key('challenges.image_a_id') }} as picture_key
    from records
    inner join votes using (record_id, record_md5)
    inner join answers using (question, answer)
    inner join {{ ref('reality_check__challenges') }} as challenges using (challenge_id)
),

record_counts as (
    select language, question, record_id, count(*) as n_readers
    from ratings
    group by language, question, record_id
),

compared_counts as (
    select language, question, count(case when n_readers > 1 then 1 end) as n_compared
    from record_counts
    group by language, question
),

grouped_ratings as (
    select
        language, question,
        count(distinct reader) as n_readers,
        {{ array_agg_unordered(struct_pack(
            record='record_id', reader='reader', answer='answer', cluster='picture_key'
        )) }} as ratings
    from ratings
    group by language, question
),

measured_groups as (
    select
        grouped_ratings.language, grouped_ratings.question, grouped_ratings.n_readers,
        gs_agreement(
            grouped_ratings.ratings,
            questions.n_answers,
            {{ var('review_bootstrap_resamples') }},
            cast({{ var('review_interval') }} as double)
        ) as agreement
    from grouped_ratings
    inner join questions using (question)
)

-- every language of the sample has its rows before anybody has read it, too; nine digits are the
-- same on every engine
select
    languages.language,
    questions.question,
    cast(sample_sizes.n_records as bigint) as n_records,
    cast(coalesce(verdict_counts.n_judged, 0) as bigint) as n_judged,
    cast(coalesce(verdict_counts.n_decided, 0) as bigint) as n_decided,
    cast(coalesce(verdict_counts.n_accepted, 0) as bigint) as n_accepted,
    cast(coalesce(verdict_counts.n_undecided, 0) as bigint) as n_undecided,
    round(
        cast(verdict_counts.n_accepted as double) / verdict_counts.n_judged, 9
    ) as share_accepted,
    cast(coalesce(measured_groups.n_readers, 0) as bigint) as n_readers,
    cast(coalesce(compared_counts.n_compared, 0) as bigint) as n_compared,
    round(agreement.percent, 9) as percent,
    round(agreement.fleiss_kappa, 9) as fleiss_kappa,
    round(agreement.fleiss_kappa_low, 9) as fleiss_kappa_low,
    round(agreement.fleiss_kappa_high, 9) as fleiss_kappa_high,
    round(agreement.cohen_kappa, 9) as cohen_kappa,
    round(agreement.gwet_ac1, 9) as gwet_ac1
from {{ ref('reality_check_languages') }} as languages
inner join sample_sizes using (language)
cross join questions
left join verdict_counts
    on
        languages.language = verdict_counts.language
        and questions.question = verdict_counts.question
left join compared_counts
    on
        languages.language = compared_counts.language
        and questions.question = compared_counts.question
left join measured_groups
    on
        languages.language = measured_groups.language
        and questions.question = measured_groups.question
