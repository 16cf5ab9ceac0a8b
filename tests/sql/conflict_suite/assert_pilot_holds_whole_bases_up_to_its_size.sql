with
-- every base has variants; under the refined protocols those with an edit that holds
bases as (
    select count(distinct base_id) as n_bases
    from {{ ref('conflict_suite__examples') }}
),

variants as (
    select
        base_id,
        count(*) as n_variants
    from {{ ref('conflict_suite__examples') }}
    group by base_id
),

sampled as (
    select
        base_id,
        count(*) as n_variants
    from {{ ref('conflict_suite__pilot') }}
    group by base_id
),

wrong_size as (
    select
        'bases of the pilot' as what,
        (select count(*) from sampled) as n_found,
        least({{ var('conflict_suite_pilot_size') }}, bases.n_bases) as n_expected
    from bases
),

torn_bases as (
    select
        sampled.base_id as what,
        sampled.n_variants as n_found,
        variants.n_variants as n_expected
    from sampled
    inner join variants
        on sampled.base_id = variants.base_id
)

select * from wrong_size
where n_found <> n_expected
union all
select * from torn_bases
where n_found <> n_expected
