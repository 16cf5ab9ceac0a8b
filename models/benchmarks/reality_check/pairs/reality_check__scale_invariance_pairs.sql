with

candidates as (

    select * from {{ ref('reality_check__scale_invariance_candidates') }}
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
        label as asked_label,
        '{}' as slots,
        cast(null as {{ dbt.type_string() }}) as options,
        cast(null as {{ dbt.type_string() }}) as correct_answer,
        cast(null as {{ engine_type('varchar[]') }}) as distractor_answers,
        cast(null as {{ dbt.type_string() }}) as binding_a,
        cast(null as {{ dbt.type_string() }}) as binding_b,
        {{ json_object(label='label', zoom='zoom') }} as metadata,
        truth_source,
        'zoom' as recipe_family,
        {{ json_object(
            height='crop_height', left='crop_left', top='crop_top', width='crop_width'
        ) }} as recipe_parameters,
        cast(null as {{ dbt.type_string() }}) as recipe_rle,
        {{ list_value("'zoom'") }} as edit_families
    from candidates

)

select * from final
