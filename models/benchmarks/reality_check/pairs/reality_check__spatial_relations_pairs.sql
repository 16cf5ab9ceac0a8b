with

candidates as (

    select * from {{ ref('reality_check__spatial_relations_candidates') }}
    where drop_stage is null

),

final as (

    select
        candidate_id as pair_id,
        bias_type,
        image_id as image_a_id,
        image_id as image_b_id,
        cast(null as {{ dbt.type_string() }}) as image_c_id,
        difficulty,
        cast(null as {{ dbt.type_string() }}) as asked_label,
        '{}' as slots,
        cast(null as {{ dbt.type_string() }}) as options,
        cast(null as {{ dbt.type_string() }}) as correct_answer,
        cast(null as {{ engine_type('varchar[]') }}) as distractor_answers,
        cast(null as {{ dbt.type_string() }}) as binding_a,
        cast(null as {{ dbt.type_string() }}) as binding_b,
        {{ json_object(
            axis='axis', depth_difference='depth_difference', mirror_difference='mirror_difference'
        ) }} as metadata,
        'flip_recipe' as truth_source,
        'flip' as recipe_family,
        {{ json_object(axis='axis') }} as recipe_parameters,
        cast(null as {{ dbt.type_string() }}) as recipe_rle,
        {{ list_value("'flip'") }} as edit_families
    from candidates

)

select * from final
