{%- set open_label -%}
    case
        when pairs.open_image_id <> pairs.source_image_id then 'The other picture leaves open'
        when pairs.recipe_family is null then 'The picture leaves open'
        else 'The picture without the object leaves open'
    end
{%- endset -%}
with
-- people verify tested pairs, also those that they rejected before
pairs as (
    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained or drop_stage in ('verification', 'undecided')
),

splits as (
    select * from {{ ref('certainly_uncertain__pair_splits') }}
    where split <> 'held_back'
),

split_pairs as (
    select pairs.pair_id, splits.split, splits.split = 'test' as is_tested
    from pairs
    inner join splits using (pair_id)
),

placed_pairs as (
    {{ seeded_places(
        'split_pairs', 'uncertainty_verification', 'pair_id', partition_by=['is_tested']
    ) }}
),

n_tested as (
    select count(*) as n
    from split_pairs
    where is_tested
)

-- tested pairs come first
select
    'verification' as queue,
    pairs.pair_id as record_id,
    record_hashes.record_md5,
    pairs.source_image_id as image_id,
    placed_pairs.split,
    cast(
        placed_pairs.seeded_place + 1
        + case when placed_pairs.is_tested then 0 else n_tested.n end
        as bigint
    ) as draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    case
        when pairs.open_image_id <> pairs.source_image_id
            then {{ list_value(
                "'the picture that answers'", "'the picture that leaves it open'"
            ) }}
        when pairs.recipe_family is null then {{ list_value("'picture'") }}
        else {{ list_value("'with the object'", "'without the object'") }}
    end as picture_roles,
    case
        when pairs.open_image_id <> pairs.source_image_id
            then {{ list_value('pairs.source_image_id', 'pairs.open_image_id') }}
        when pairs.recipe_family is null then {{ list_value('pairs.source_image_id') }}
        else {{ list_value(
            'pairs.source_image_id',
            "pairs.source_image_id || '::' || pairs.pair_id || '::unanswerable'"
        ) }}
    end as picture_ids,
    {{ shown_texts(
        shown_text("'Category'", 'pairs.category'),
        shown_text("'The picture answers'", 'pairs.answerable_question'),
        shown_text("'Its answer'", 'pairs.answerable_answer'),
        shown_text(open_label, 'pairs.unanswerable_question'),
        shown_text("'What is answered then'", 'pairs.unanswerable_answer')
    ) }} as texts,
    '[]' as choices
from pairs
inner join placed_pairs using (pair_id)
inner join {{ ref('certainly_uncertain__record_hashes') }} as record_hashes using (pair_id)
cross join n_tested
