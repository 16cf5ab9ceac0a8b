with

-- what people reject, or whose picture was taken down, keeps its place in the order, so that
-- neither moves anything
pairs as (

    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained or drop_stage in ('verification', 'undecided', 'withdrawal')

),

source_images as (

    select distinct source_image_id
    from pairs

),

ranked_images as (

    select
        source_image_id,
        row_number() over (
            order by
                {{ seeded_order('uncertainty_split', 'source_image_id') }}, source_image_id
        ) - 1 as image_rank,
        count(*) over () as n_images
    from source_images

),

-- shares are decimals, so that floor(0.1 * 90) is 9 and not what floating point makes of it
test_images as (

    select
        source_image_id,
        image_rank < floor({{ decimal_var('certainly_uncertain_test_share') }} * n_images)
            as is_test_image
    from ranked_images

),

ranked_pairs as (

    select
        pairs.pair_id,
        test_images.is_test_image,
        row_number() over (
            partition by pairs.category, test_images.is_test_image
            order by {{ seeded_order('uncertainty_test', 'pairs.pair_id') }}, pairs.pair_id
        ) as draw
    from pairs
    inner join test_images
        on pairs.source_image_id = test_images.source_image_id

),

-- what is too much for the test split is held back, because its picture is tested
final as (

    select
        pair_id,
        case
            when not is_test_image then 'train'
            when draw <= {{ var('certainly_uncertain_test_per_category') }} then 'test'
        end as split
    from ranked_pairs

)

select * from final
