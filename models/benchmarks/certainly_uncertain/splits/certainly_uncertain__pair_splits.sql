{%- set place = seeded_int('uncertainty_split', 'split_key', 10000) -%}
with
statements as (select * from {{ ref('images__own_statements') }}),

-- a pair that people reject, or whose picture was taken down, keeps its place in the order, so that
-- no other pair changes its split
-- pictures that belong together by their manifest are in one split
pairs as (
    select
        screened.*,
        coalesce('group-' || statements.split_group, screened.source_image_id) as split_key,
        coalesce('group-' || open_statements.split_group, screened.open_image_id)
            as open_split_key
    from {{ ref('certainly_uncertain__screened') }} as screened
    left join statements on screened.source_image_id = statements.source_image_id
    left join statements as open_statements
        on screened.open_image_id = open_statements.source_image_id
    where
        screened.is_retained
        or screened.drop_stage in ('verification', 'undecided', 'withdrawal')
),

-- partners were sought within the pictures for testing and within the others, so that both pictures
-- of a pair are of one kind; fewer pictures are tested with pairs of their own
testable_pairs as (
    select
        pairs.pair_id, pairs.category,
        pairs.answerable_question as question,
        pairs.answerable_answer as answer,
        pairs.source_image_id, pairs.open_image_id, pairs.split_key, pairs.open_split_key
    from pairs
    inner join {{ ref('uncertainty_categories') }} as categories
        on pairs.category = categories.category
    left join {{ ref('uncertainty_stems') }} as stems on pairs.unanswerable_rule = stems.stem
    left join {{ ref('uncertainty_templates') }} as templates
        on pairs.unanswerable_rule = templates.template
    where
        categories.is_tested
        -- of two dogs nobody who sees both says "the dog"
        and coalesce(stems.is_tested, templates.template is null)
        and not pairs.stem_is_one_sided
        and {{ place }} < 10000 * case
            when pairs.source_image_id = pairs.open_image_id
                then {{ threshold('certainly_uncertain', 'test_share') }}
            else {{ threshold('certainly_uncertain', 'two_picture_test_share') }}
        end
),

test_keys as (
    select split_key
    from testable_pairs
    union
    select open_split_key as split_key
    from testable_pairs
),

placed_pairs as (
    {{ seeded_places('testable_pairs', 'uncertainty_test', 'pair_id', partition_by=['category']) }}
),

-- the first pair of each answer to a question before the second of any, and the first pair of a
-- picture before its second
rounds as (
    select
        *,
        row_number() over (
            partition by question, answer
            order by {{ seeded_order('uncertainty_answer', 'pair_id') }}, pair_id
        ) as answer_round,
        row_number() over (
            partition by source_image_id
            order by {{ seeded_order('uncertainty_picture', 'pair_id') }}, pair_id
        ) as picture_round,
        count(*) over (partition by question) as n_of_question,
        count(*) over (partition by question, answer) as n_of_answer
    from placed_pairs
    where seeded_place < {{ threshold('certainly_uncertain', 'test_per_category') }}
),

-- no answer is right in more than half of a question's pairs, where it has others
question_places as (
    select
        *,
        row_number() over (
            partition by question
            order by
                answer_round asc,
                picture_round asc,
                {{ seeded_order('uncertainty_question', 'pair_id') }} asc,
                pair_id asc
        ) as question_place
    from rounds
    where n_of_answer = n_of_question or answer_round <= n_of_question - n_of_answer
),

-- how many pairs the test split has with so many of each question at most
sizes as (
    select question_place as per_question, sum(count(*)) over (order by question_place) as n_tested
    from question_places
    group by question_place
),

-- the most of each question with which none takes more than its share, and not fewer than the least
quotas as (
    select
        greatest(
            {{ threshold('certainly_uncertain', 'test_question_least') }},
            coalesce(max(case
                when
                    per_question
                    <= {{ threshold('certainly_uncertain', 'test_question_share') }} * n_tested
                    then per_question
            end), 0)
        ) as per_question
    from sizes
),

-- a pair beyond a quota, beyond the size of the test split, or of a picture that is tested is held
-- back, with that reason
reasons as (
    select
        pairs.pair_id,
        placed_pairs.pair_id is not null as is_testable,
        case
            when placed_pairs.pair_id is null
                then
                    case
                        when
                            test_keys.split_key is not null
                            or open_test_keys.split_key is not null
                            then 'picture_is_tested'
                    end
            when
                placed_pairs.seeded_place
                >= {{ threshold('certainly_uncertain', 'test_per_category') }}
                then 'category_quota'
            when question_places.pair_id is null then 'answer_quota'
            when question_places.question_place > quotas.per_question then 'question_quota'
        end as held_back_reason
    from pairs
    cross join quotas
    left join placed_pairs using (pair_id)
    left join question_places using (pair_id)
    left join test_keys on pairs.split_key = test_keys.split_key
    left join test_keys as open_test_keys on pairs.open_split_key = open_test_keys.split_key
)

select
    pair_id,
    case
        when held_back_reason is not null then 'held_back'
        when is_testable then 'test'
        else 'train'
    end as split,
    held_back_reason
from reasons
