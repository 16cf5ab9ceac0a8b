with

-- a pair that people reject, or whose picture was taken down, keeps its place in the order, so that
-- no other pair changes its split
pairs as (

    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained or drop_stage in ('verification', 'undecided', 'withdrawal')

),

source_images as (

    select distinct source_image_id
    from pairs

),

placed_images as (

    {{ seeded_places('source_images', 'uncertainty_split', 'source_image_id') }}

),

-- shares are decimals, so that floor(0.1 * 90) is 9 and not what floating point makes of it
test_images as (

    select
        source_image_id,
        seeded_place < floor({{ decimal_var('certainly_uncertain_test_share') }} * n_places)
            as is_test_image
    from placed_images

),

split_pairs as (

    select
        pairs.pair_id,
        pairs.category,
        test_images.is_test_image
    from pairs
    inner join test_images
        on pairs.source_image_id = test_images.source_image_id

),

placed_pairs as (

    {{ seeded_places(
        'split_pairs', 'uncertainty_test', 'pair_id', partition_by=['category', 'is_test_image']
    ) }}

),

-- pairs beyond the size of the test split are held back, because their picture is tested
final as (

    select
        pair_id,
        case
            when not is_test_image then 'train'
            when seeded_place < {{ var('certainly_uncertain_test_per_category') }} then 'test'
        end as split
    from placed_pairs

)

select * from final
