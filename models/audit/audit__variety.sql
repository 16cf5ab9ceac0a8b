with
examples as (
    select
        benchmark, example_id,
        coalesce(split, 'none') as split,
        coalesce(family, 'none') as family,
        group_id, shown_image_id,
        {{ normalized_text('question') }} as question,
        target, false as is_question_set
    from (
        {{ union_of_ports('examples', [
            'example_id', 'group_id', 'split', 'family', 'shown_image_id', 'question', 'target'
        ]) | indent(8) }}
    ) as all_examples
    where question is not null
    union all
    -- sets of others, each question by itself
    select
        benchmark, example_id, 'all' as split, 'none' as family,
        example_id as group_id,
        source_image_id as shown_image_id,
        {{ normalized_text('question') }} as question,
        {{ normalized_text('gold_answer') }} as target,
        true as is_question_set
    from {{ ref('question_sets__questions') }}
    where is_asked
),

slices as (
    select 'all' as slice_name, false as is_of_split
    union all
    select 'all' as slice_name, true as is_of_split
    union all
    select 'family' as slice_name, true as is_of_split
),

-- variants of a base, sides of a pair and captions of a sample ask once, and for each answer of
-- theirs
asked as (
    select
        benchmark, split, family, group_id, question,
        target as answer,
        is_question_set,
        min(example_id) as example_id,
        count(*) as n_records
    from examples
    group by benchmark, split, family, group_id, question, target, is_question_set
),

sliced as (
    select
        asked.benchmark, asked.group_id, asked.question, asked.answer, asked.example_id,
        asked.n_records,
        case when slices.is_of_split then asked.split else 'all' end as split,
        slices.slice_name,
        case when slices.slice_name = 'family' then asked.family else 'all' end as slice_value
    from asked
    inner join slices on not asked.is_question_set or not slices.is_of_split
),

answers as (
    select
        benchmark, split, slice_name, slice_value, question, answer,
        cast(count(*) as double) as n
    from sliced
    where answer is not null
    group by benchmark, split, slice_name, slice_value, question, answer
),

-- which answer the others of a question have most, and how many have it
ranked_answers as (
    select
        *,
        row_number() over question_answers as place,
        lead(answer) over question_answers as next_answer,
        coalesce(lead(n) over question_answers, 0) as n_next,
        sum(n) over (
            partition by benchmark, split, slice_name, slice_value, question
        ) as n_of_question
    from answers
    window question_answers as (
        partition by benchmark, split, slice_name, slice_value, question
        order by n desc, answer asc
    )
),

-- without itself, an answer must still be ahead of all others to be told by them
told_answers as (
    select
        *,
        case
            when
                place = 1
                and n > 1
                and (n - 1 > n_next or (n - 1 = n_next and answer < next_answer))
                then n
            else 0
        end as n_told,
        -n / n_of_question * ln(n / n_of_question) as entropy
    from ranked_answers
),

answered_questions as (
    select
        benchmark, split, slice_name, slice_value, question,
        sum(n) as n_answered,
        sum(n_told) as n_told,
        exp(sum(entropy)) as effective_answers
    from told_answers
    group by benchmark, split, slice_name, slice_value, question
),

questions as (
    select
        benchmark, split, slice_name, slice_value, question,
        cast(count(distinct group_id) as double) as n,
        sum(n_records) as n_records,
        min(example_id) as example_id
    from sliced
    group by benchmark, split, slice_name, slice_value, question
),

shares as (
    select
        *,
        n / sum(n) over slices as share,
        row_number() over (
            partition by benchmark, split, slice_name, slice_value
            order by n desc, question asc
        ) as place
    from questions
    window slices as (partition by benchmark, split, slice_name, slice_value)
),

measured as (
    select
        shares.benchmark, shares.split, shares.slice_name, shares.slice_value,
        max(case when shares.place = 1 then shares.question end) as most_frequent_question,
        max(case when shares.place = 1 then shares.example_id end) as example_id,
        cast(sum(shares.n_records) as bigint) as n_records,
        cast(sum(shares.n) as bigint) as n_groups,
        cast(count(*) as bigint) as n_questions,
        exp(-sum(shares.share * ln(shares.share))) as effective_questions,
        max(shares.share) as most_frequent_share,
        sum(answered_questions.n_told) / sum(answered_questions.n_answered) as told_share,
        sum(answered_questions.n_answered * answered_questions.effective_answers)
        / sum(answered_questions.n_answered) as effective_answers
    from shares
    left join answered_questions
        on
            shares.benchmark = answered_questions.benchmark
            and shares.split = answered_questions.split
            and shares.slice_name = answered_questions.slice_name
            and shares.slice_value = answered_questions.slice_value
            and shares.question = answered_questions.question
    group by shares.benchmark, shares.split, shares.slice_name, shares.slice_value
),

shown_pictures as (
    select distinct benchmark, split, family, group_id, shown_image_id, is_question_set
    from examples
),

sliced_pictures as (
    select
        shown_pictures.benchmark, shown_pictures.group_id, shown_pictures.shown_image_id,
        case when slices.is_of_split then shown_pictures.split else 'all' end as split,
        slices.slice_name,
        case when slices.slice_name = 'family' then shown_pictures.family else 'all' end
            as slice_value
    from shown_pictures
    inner join slices on not shown_pictures.is_question_set or not slices.is_of_split
),

pictures as (
    select
        benchmark, split, slice_name, slice_value, shown_image_id,
        count(distinct group_id) as n_groups
    from sliced_pictures
    group by benchmark, split, slice_name, slice_value, shown_image_id
),

measured_pictures as (
    select
        benchmark, split, slice_name, slice_value,
        cast(count(*) as bigint) as n_pictures,
        cast(max(n_groups) as bigint) as most_groups_of_picture
    from pictures
    group by benchmark, split, slice_name, slice_value
),

-- a limit of a slice holds for each of its name
limited as (
    select
        measured.*,
        measured_pictures.n_pictures, measured_pictures.most_groups_of_picture,
        limits.least_effective_questions, limits.most_frequent_limit, limits.told_limit,
        measured.n_groups >= limits.least_groups as is_limited
    from measured
    inner join measured_pictures
        on
            measured.benchmark = measured_pictures.benchmark
            and measured.split = measured_pictures.split
            and measured.slice_name = measured_pictures.slice_name
            and measured.slice_value = measured_pictures.slice_value
    left join {{ ref('variety_limits') }} as limits
        on
            measured.benchmark = limits.benchmark
            and measured.split = limits.split
            and measured.slice_name = limits.slice_name
)

select
    benchmark, split, slice_name, slice_value, most_frequent_question, example_id, n_records,
    n_groups, n_questions, n_pictures, most_groups_of_picture,
    {{ nine_places('effective_questions') }} as effective_questions,
    {{ nine_places('most_frequent_share') }} as most_frequent_share,
    {{ nine_places('told_share') }} as told_share,
    {{ nine_places('effective_answers') }} as effective_answers,
    least_effective_questions, most_frequent_limit, told_limit,
    case
        when is_limited
            then
                {{ nine_places('effective_questions') }}
                >= coalesce(least_effective_questions, 0)
                and {{ nine_places('most_frequent_share') }} <= coalesce(most_frequent_limit, 1)
                and coalesce({{ nine_places('told_share') }}, 0) <= coalesce(told_limit, 1)
    end as is_limit_met
from limited
