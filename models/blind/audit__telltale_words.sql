with
examples as (select * from {{ ref('audit__blind_examples') }}),
text_words as (select * from {{ ref('audit__blind_words') }}),
counts as (select * from {{ ref('audit__blind_counts') }}),

label_counts as (
    select
        benchmark, task, condition, view, guessed, view_number, label,
        count(*) as n,
        sum(count(*)) over (partition by view_number) as n_examples
    from examples
    group by benchmark, task, condition, view, guessed, view_number, label
),

feature_labels as (
    select view_number, feature_key, label, sum(n) as n
    from counts
    group by view_number, feature_key, label
),

-- a word of one fold alone tells the reader nothing
features as (
    select view_number, feature_key, sum(n) as n
    from counts
    group by view_number, feature_key
    having min(fold) < max(fold)
),

-- each label with and without the words
told_labels as (
    select
        label_counts.*,
        features.feature_key,
        cast(coalesce(feature_labels.n, 0) as double) as n_with_words,
        cast(features.n as double) as n_words
    from features
    inner join label_counts on features.view_number = label_counts.view_number
    left join feature_labels
        on
            features.feature_key = feature_labels.feature_key
            and label_counts.label = feature_labels.label
),

-- what the words tell of the label, in nats, and for which label they speak most
label_shares as (
    select
        *,
        case
            when n_with_words > 0
                then n_with_words * ln(n_with_words * n_examples / (n_words * n))
            else 0
        end
        + case
            when n_with_words < n
                then
                    (n - n_with_words)
                    * ln((n - n_with_words) * n_examples / ((n_examples - n_words) * n))
            else 0
        end as information,
        ln(
            (n_with_words + 1) * (n_examples - n + 2)
            / ((n + 2) * (n_words - n_with_words + 1))
        ) as log_odds
    from told_labels
),

measured_features as (
    select
        view_number, feature_key,
        sum(information) / max(n_examples) as information,
        {{ min_by('label', struct_pack(rank='-round(1000000 * log_odds)', label='label')) }}
            as label
    from label_shares
    group by view_number, feature_key
),

named_features as (
    select distinct part, words, feature_key from text_words
),

ranked_features as (
    select
        label_shares.*,
        measured_features.information as all_information,
        named_features.part, named_features.words,
        case
            when substr(named_features.words, 1, 1) = '#' then 'form'
            when replace(named_features.words, ' ', '') <> named_features.words then 'pair'
            else 'word'
        end as kind
    from measured_features
    inner join label_shares
        on
            measured_features.feature_key = label_shares.feature_key
            and measured_features.label = label_shares.label
    inner join named_features on measured_features.feature_key = named_features.feature_key
),

placed_features as (
    select
        *,
        row_number() over (
            partition by view_number
            order by
                round(1000000 * all_information) desc,
                case kind when 'word' then 1 when 'pair' then 2 else 3 end,
                part asc,
                words asc
        ) as place
    from ranked_features
),

telltale_features as (
    select * from placed_features
    where place <= {{ threshold('shared', 'telltale_words_most') }}
),

shown_examples as (
    select text_words.feature_key, examples.label, min(examples.example_id) as example_id
    from telltale_features
    inner join text_words using (feature_key)
    inner join examples
        on
            text_words.text_key = examples.text_key
            and telltale_features.label = examples.label
    group by text_words.feature_key, examples.label
)

select
    telltale_features.benchmark, telltale_features.task, telltale_features.condition,
    telltale_features.view, telltale_features.guessed, telltale_features.part,
    telltale_features.kind,
    replace(telltale_features.words, '#', '') as words,
    telltale_features.label, shown_examples.example_id,
    cast(telltale_features.place as bigint) as place,
    cast(telltale_features.n_with_words as bigint) as n_with_label,
    cast(telltale_features.n_words - telltale_features.n_with_words as bigint)
        as n_with_other_labels,
    {{ nine_places('telltale_features.log_odds') }} as log_odds
from telltale_features
inner join shown_examples using (feature_key)
