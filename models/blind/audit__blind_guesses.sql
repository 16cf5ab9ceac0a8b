{%- set all_folds = var('blind_folds') %}
with
examples as (select * from {{ ref('audit__blind_examples') }}),
counts as (select * from {{ ref('audit__blind_counts') }}),

-- a word of one fold alone is never read where it was learned
feature_counts as (
    select view_number, feature_key, cast(sum(n_training) as bigint) as n_training
    from counts
    group by view_number, feature_key
    having min(fold) < max(fold)
),

fold_labels as (
    select
        view_number, fold, label,
        count(*) as n,
        sum(case when split_role = 'training' then 1 else 0 end) as n_training
    from examples
    group by view_number, fold, label
),

label_counts as (
    select
        view_number, label,
        cast(sum(n) as bigint) as n,
        cast(sum(n_training) as bigint) as n_training
    from fold_labels
    group by view_number, label
),

-- each fold is read by what the others teach; behind the folds stands the reading of the test
-- split by what the training split teaches
readings as (
    select view_number, fold as reading, 'cross_fitted' as reader
    from fold_labels
    group by view_number, fold
    union all
    select view_number, {{ all_folds }} as reading, 'train_to_test' as reader
    from label_counts
    group by view_number
    having sum(n_training) > 0
),

kept_counts as (
    select counts.*, feature_counts.n_training as n_training_of_all
    from counts
    inner join feature_counts using (feature_key)
),

feature_labels as (
    select
        view_number, feature_key, label,
        cast(sum(n) as bigint) as n,
        cast(sum(n_training) as bigint) as n_training
    from kept_counts
    group by view_number, feature_key, label
),

-- how often the readings saw each label, and words with it
taught_labels as (
    select
        readings.view_number, readings.reading, label_counts.label,
        case
            when readings.reader = 'train_to_test' then label_counts.n_training
            else label_counts.n - coalesce(fold_labels.n, 0)
        end as n
    from readings
    inner join label_counts using (view_number)
    left join fold_labels
        on
            readings.view_number = fold_labels.view_number
            and readings.reading = fold_labels.fold
            and label_counts.label = fold_labels.label
),

taught_examples as (
    select view_number, reading, sum(n) as n_examples
    from taught_labels
    group by view_number, reading
),

taught_features as (
    select
        readings.view_number, readings.reading, feature_labels.feature_key, feature_labels.label,
        case
            when readings.reader = 'train_to_test' then feature_labels.n_training
            else feature_labels.n - coalesce(kept_counts.n, 0)
        end as n
    from readings
    inner join feature_labels using (view_number)
    left join kept_counts
        on
            readings.reading = kept_counts.fold
            and feature_labels.feature_key = kept_counts.feature_key
            and feature_labels.label = kept_counts.label
),

feature_shares as (
    select
        taught_features.view_number, taught_features.reading, taught_features.feature_key,
        taught_examples.n_examples,
        sum(taught_features.n) as n,
        sum(cast(taught_features.n * taught_features.n as double) / taught_labels.n)
            as sum_of_shares
    from taught_features
    inner join taught_labels using (view_number, reading, label)
    inner join taught_examples using (view_number, reading)
    where taught_features.n > 0
    group by
        taught_features.view_number, taught_features.reading, taught_features.feature_key,
        taught_examples.n_examples
),

-- a word whose chi-square with the label is small stands where chance would put it, and is not
-- heard. In millionths, as weights are
heard_features as (
    select view_number, reading, feature_key
    from feature_shares
    where
        n < n_examples
        and round(
            1000000 * (n_examples * sum_of_shares / n - n) * n_examples / (n_examples - n)
        ) > 1000000 * {{ threshold('shared', 'blind_least_chi_square') }}
),

heard_counts as (
    select taught_features.*
    from taught_features
    inner join heard_features using (reading, feature_key)
),

vocabularies as (
    select view_number, reading, count(*) as n_features
    from heard_features
    group by view_number, reading
),

label_words as (
    select view_number, reading, label, cast(sum(n) as bigint) as n_words
    from heard_counts
    group by view_number, reading, label
),

-- smoothed by one, in millionths
label_weights as (
    select
        taught_labels.view_number, taught_labels.reading, taught_labels.label,
        cast(round(1000000 * ln(taught_labels.n + 1)) as bigint) as prior,
        -- a reading that hears nothing has no use for it
        cast(round(1000000 * ln(
            greatest(coalesce(label_words.n_words, 0) + coalesce(vocabularies.n_features, 0), 1)
        )) as bigint) as denominator
    from taught_labels
    left join vocabularies using (view_number, reading)
    left join label_words using (view_number, reading, label)
),

feature_weights as (
    select reading, feature_key, label, cast(round(1000000 * ln(n + 1)) as bigint) as weight
    from heard_counts
    where n > 0
),

read_texts as (
    select view_number, text_key, fold as reading
    from examples
    group by view_number, text_key, fold
    union all
    select examples.view_number, examples.text_key, readings.reading
    from examples
    inner join readings
        on
            examples.view_number = readings.view_number
            and readings.reader = 'train_to_test'
    where examples.split_role = 'test'
    group by examples.view_number, examples.text_key, readings.reading
),

read_words as (
    select read_texts.view_number, read_texts.text_key, read_texts.reading, words.feature_key
    from read_texts
    inner join {{ ref('audit__blind_words') }} as words using (text_key)
    inner join heard_features
        on
            read_texts.reading = heard_features.reading
            and words.feature_key = heard_features.feature_key
),

n_read_words as (
    select view_number, text_key, reading, count(*) as n_words
    from read_words
    group by view_number, text_key, reading
),

word_sums as (
    select
        read_words.text_key, read_words.reading, feature_weights.label,
        cast(sum(feature_weights.weight) as bigint) as weight
    from read_words
    inner join feature_weights using (feature_key, reading)
    group by read_words.text_key, read_words.reading, feature_weights.label
),

scored_labels as (
    select
        read_texts.view_number, read_texts.text_key, read_texts.reading, label_weights.label,
        label_weights.prior
        - coalesce(n_read_words.n_words, 0) * label_weights.denominator
        + coalesce(word_sums.weight, 0) as score
    from read_texts
    inner join label_weights using (view_number, reading)
    left join n_read_words using (text_key, reading)
    left join word_sums
        on
            read_texts.text_key = word_sums.text_key
            and read_texts.reading = word_sums.reading
            and label_weights.label = word_sums.label
),

ranked_labels as (
    select
        text_key, reading, label,
        score - lead(score) over (
            partition by text_key, reading
            order by score desc, label asc
        ) as lead,
        row_number() over (
            partition by text_key, reading
            order by score desc, label asc
        ) as place
    from scored_labels
),

text_guesses as (
    select text_key, reading, label as guess, lead
    from ranked_labels
    where place = 1
)

select
    examples.benchmark, examples.task, examples.condition, examples.view, examples.guessed,
    readings.reader, examples.example_id, examples.group_id, examples.split, examples.label,
    text_guesses.guess, examples.slices, text_guesses.lead,
    text_guesses.guess = examples.label as is_right
from examples
inner join readings
    on
        examples.view_number = readings.view_number
        and case
            when readings.reader = 'cross_fitted' then examples.fold = readings.reading
            else examples.split_role = 'test'
        end
inner join text_guesses
    on
        examples.text_key = text_guesses.text_key
        and readings.reading = text_guesses.reading
