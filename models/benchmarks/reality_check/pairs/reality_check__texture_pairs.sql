with

candidates as (

    select * from {{ ref('reality_check__texture_candidates') }}
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
        {{ json_object(label='label', method='method') }} as metadata,
        truth_source,
        'silhouette' as recipe_family,
        {{ json_object(method='method', object_id='object_id') }} as recipe_parameters,
        outline_rle as recipe_rle,
        {{ list_value("'silhouette'") }} as edit_families
    from candidates

)

select * from final
