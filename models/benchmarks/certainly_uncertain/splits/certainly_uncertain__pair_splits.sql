{%- set place = seeded_int('uncertainty_split', 'source_image_id', 10000) -%}
with
-- a pair that people reject, or whose picture was taken down, keeps its place in the order, so that
-- no other pair changes its split
pairs as (
    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained or drop_stage in ('verification', 'undecided', 'withdrawal')
),

-- partners were sought within the pictures for testing and within the others, so that both pictures
-- of a pair are of one kind; fewer pictures are tested with pairs of their own
testable_pairs as (
    select
        pair_id,
        category,
        source_image_id,
        open_image_id
    from pairs
    where
        not stem_is_one_sided
        and {{ place }} < 10000 * case
            when source_image_id = open_image_id
                then {{ decimal_var('certainly_uncertain_test_share') }}
            else {{ decimal_var('certainly_uncertain_two_picture_test_share') }}
        end
),

test_images as (
    select source_image_id
    from testable_pairs
    union
    select open_image_id as source_image_id
    from testable_pairs
),

placed_pairs as (
    {{ seeded_places('testable_pairs', 'uncertainty_test', 'pair_id', partition_by=['category']) }}
)

-- the other pairs of a tested picture, and those beyond the size of the test split, are held back
select
    pairs.pair_id,
    case
        when
            placed_pairs.seeded_place < {{ var('certainly_uncertain_test_per_category') }}
            then 'test'
        when
            test_images.source_image_id is null and open_test_images.source_image_id is null
            then 'train'
        else 'held_back'
    end as split
from pairs
left join placed_pairs using (pair_id)
left join test_images
    on pairs.source_image_id = test_images.source_image_id
left join test_images as open_test_images
    on pairs.open_image_id = open_test_images.source_image_id
