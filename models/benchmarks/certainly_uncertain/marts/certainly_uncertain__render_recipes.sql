with

removals as (

    select * from {{ ref('certainly_uncertain__removals') }}

),

-- what fails by these is no pair whatever its picture looks like; the later gates look at pictures
failures as (

    {{ first_failed_gate('certainly_uncertain', removal_gates(), screening='pairs_from_images') }}

),

final as (

    select
        removals.pair_id || '::unanswerable' as recipe_id,
        removals.source_image_id,
        'inpaint_remove' as family,
        removals.pair_id as seed_key,
        removals.rle,
        cast(null as {{ dbt.type_string() }}) as parameters,
        1 as severity,
        cast(null as double) as area_fraction
    from removals
    left join failures
        on removals.pair_id = failures.candidate_id
    where failures.candidate_id is null

)

select * from final
