-- each bias and each compound screens every image once; a screening without rows has none of them
{%- set n_screenings =
    (var('reality_check_biases') | length) + (var('reality_check_compounds') | length)
%}
with
images as (
    select count(*) as n_images
    from {{ ref('reality_check__images') }}
),

screenings as (
    select
        combination,
        count(*) as n_rows
    from {{ ref('reality_check__pairing_findings') }}
    group by combination
),

wrong_counts as (
    select
        screenings.combination,
        screenings.n_rows as n_found,
        images.n_images as n_expected
    from screenings
    cross join images
    where screenings.n_rows <> images.n_images
),

missing_screenings as (
    select
        'screenings with rows' as combination,
        (select count(*) from screenings) as n_found,
        {{ n_screenings }} as n_expected
    from images
    where
        n_images > 0
        and (select count(*) from screenings) <> {{ n_screenings }}
)

select * from wrong_counts
union all
select * from missing_screenings
