with
votes as (
    select * from {{ ref('review__votes') }}
    where is_counted
),

questions as (
    select benchmark, queue, question, count(*) as n_answers
    from {{ ref('review_questions') }}
    group by benchmark, queue, question
),

ratings as (
    select
        votes.benchmark, votes.queue, votes.question, votes.record_id, votes.reader, votes.answer,
        {{ resampling_key('coalesce(records.image_id, records.record_id)') }} as picture_key
    from votes
    inner join {{ ref('review__records') }} as records using (benchmark, queue, record_id)
),

paired_ratings as (
    select ratings.*, other_ratings.reader as other_reader, other_ratings.answer as other_answer
    from ratings
    inner join ratings as other_ratings
        on
            ratings.benchmark = other_ratings.benchmark
            and ratings.queue = other_ratings.queue
            and ratings.question = other_ratings.question
            and ratings.record_id = other_ratings.record_id
            and ratings.reader < other_ratings.reader
),

-- all readers, then each two of them over what both answered
compared_ratings as (
    select benchmark, queue, question, record_id, picture_key, reader, answer, 'all' as readers
    from ratings
    union all
    select
        benchmark, queue, question, record_id, picture_key, reader, answer,
        reader || ' & ' || other_reader as readers
    from paired_ratings
    union all
    select
        benchmark, queue, question, record_id, picture_key,
        other_reader as reader,
        other_answer as answer,
        reader || ' & ' || other_reader as readers
    from paired_ratings
),

record_counts as (
    select benchmark, queue, question, readers, record_id, count(*) as n_readers
    from compared_ratings
    group by benchmark, queue, question, readers, record_id
),

counts as (
    select
        benchmark, queue, question, readers,
        cast(sum(n_readers) as bigint) as n_votes,
        cast(count(case when n_readers > 1 then 1 end) as bigint) as n_records
    from record_counts
    group by benchmark, queue, question, readers
),

grouped_ratings as (
    select
        benchmark, queue, question, readers,
        {{ array_agg_unordered(struct_pack(
            record='record_id', reader='reader', answer='answer', cluster='picture_key'
        )) }} as ratings
    from compared_ratings
    group by benchmark, queue, question, readers
),

measured_groups as (
    select
        grouped_ratings.benchmark, grouped_ratings.queue, grouped_ratings.question,
        grouped_ratings.readers,
        gs_agreement(
            grouped_ratings.ratings,
            questions.n_answers,
            {{ var('review_bootstrap_resamples') }},
            cast({{ var('review_interval') }} as double)
        ) as agreement
    from grouped_ratings
    inner join questions using (benchmark, queue, question)
)

-- nine digits are the same on every engine
select
    measured_groups.benchmark, measured_groups.queue, measured_groups.question,
    measured_groups.readers, counts.n_records, counts.n_votes,
    round(agreement.percent, 9) as percent,
    round(agreement.percent_low, 9) as percent_low,
    round(agreement.percent_high, 9) as percent_high,
    round(agreement.krippendorff_alpha, 9) as krippendorff_alpha,
    round(agreement.krippendorff_alpha_low, 9)
        as krippendorff_alpha_low,
    round(agreement.krippendorff_alpha_high, 9)
        as krippendorff_alpha_high,
    round(agreement.fleiss_kappa, 9) as fleiss_kappa,
    round(agreement.fleiss_kappa_low, 9) as fleiss_kappa_low,
    round(agreement.fleiss_kappa_high, 9) as fleiss_kappa_high,
    round(agreement.cohen_kappa, 9) as cohen_kappa,
    round(agreement.cohen_kappa_low, 9) as cohen_kappa_low,
    round(agreement.cohen_kappa_high, 9) as cohen_kappa_high,
    round(agreement.gwet_ac1, 9) as gwet_ac1,
    round(agreement.gwet_ac1_low, 9) as gwet_ac1_low,
    round(agreement.gwet_ac1_high, 9) as gwet_ac1_high
from measured_groups
inner join counts using (benchmark, queue, question, readers)
