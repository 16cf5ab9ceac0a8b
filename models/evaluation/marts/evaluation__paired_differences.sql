with
matches as (
    select benchmark, task, condition, matcher, model, run, example_id, source_image_id, credit
    from {{ ref('evaluation__matches') }}
    where credit is not null and not is_held_back
),

examples as (
    select distinct benchmark, example_id, source_image_id from matches
),

shared_images as (
    select benchmark, source_image_id
    from examples
    group by benchmark, source_image_id
    having count(*) > 1
),

answer_pairs as (
    select
        matches.*,
        others.model as other_model,
        others.run as other_run,
        shared_images.source_image_id as shared_image_id,
        matches.credit - others.credit as difference
    from matches
    inner join matches as others
        on
            matches.benchmark = others.benchmark
            and matches.task = others.task
            and matches.condition = others.condition
            and matches.matcher = others.matcher
            and matches.example_id = others.example_id
            and (
                matches.model < others.model
                or (matches.model = others.model and matches.run < others.run)
            )
    left join shared_images
        on
            matches.benchmark = shared_images.benchmark
            and matches.source_image_id = shared_images.source_image_id
),

-- a picture with one example is a cluster of one: nothing has to be added up by picture
lone_sums as (
    select
        benchmark, task, condition, matcher, model, run, other_model, other_run,
        sum(difference) as difference,
        sum(difference * difference) as squares,
        sum(difference * difference) as cluster_squares,
        sum(difference) as cluster_products,
        count(*) as cluster_sizes,
        count(*) as n
    from answer_pairs
    where shared_image_id is null
    group by benchmark, task, condition, matcher, model, run, other_model, other_run
),

image_sums as (
    select
        benchmark, task, condition, matcher, model, run, other_model, other_run, shared_image_id,
        sum(difference) as difference,
        sum(difference * difference) as squares,
        count(*) as n
    from answer_pairs
    where shared_image_id is not null
    group by
        benchmark, task, condition, matcher, model, run, other_model, other_run,
        shared_image_id
),

shared_sums as (
    select
        benchmark, task, condition, matcher, model, run, other_model, other_run,
        sum(difference) as difference,
        sum(squares) as squares,
        sum(difference * difference) as cluster_squares,
        sum(difference * n) as cluster_products,
        sum(n * n) as cluster_sizes,
        sum(n) as n
    from image_sums
    group by benchmark, task, condition, matcher, model, run, other_model, other_run
),

both_sums as (
    select * from lone_sums
    union all
    select * from shared_sums
),

-- the squares of the clusters' residuals add up to what follows from these sums
model_sums as (
    select
        benchmark, task, condition, matcher, model, run, other_model, other_run,
        sum(difference) / sum(n) as mean_difference,
        sum(squares) / sum(n) as mean_square,
        sum(cluster_squares) as cluster_squares,
        sum(cluster_products) as cluster_products,
        sum(cluster_sizes) as cluster_sizes,
        sum(n) as n
    from both_sums
    group by benchmark, task, condition, matcher, model, run, other_model, other_run
)

-- the deviation of a mean of differences, as of the bootstrap over the shared examples; clustered
-- with the residuals of a picture added up before they are squared. A variance below 0 is rounding
select
    benchmark,
    task,
    condition,
    matcher,
    model,
    run,
    other_model,
    other_run,
    {{ nine_places('mean_difference') }} as difference,
    round(
        sqrt(greatest(mean_square - mean_difference * mean_difference, 0) / n), 9
    ) as standard_error,
    round(
        sqrt(greatest(
            cluster_squares - 2 * mean_difference * cluster_products
            + mean_difference * mean_difference * cluster_sizes, 0
        )) / n, 9
    ) as clustered_standard_error,
    cast(n as bigint) as n
from model_sums
