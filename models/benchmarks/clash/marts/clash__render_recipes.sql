-- pictures are shown as they are
select
    cast(null as {{ dbt.type_string() }}) as recipe_id,
    cast(null as {{ dbt.type_string() }}) as source_image_id,
    cast(null as {{ dbt.type_string() }}) as family,
    cast(null as {{ dbt.type_string() }}) as seed_key,
    cast(null as {{ dbt.type_string() }}) as rle,
    cast(null as {{ dbt.type_string() }}) as parameters,
    cast(null as {{ dbt.type_int() }}) as severity,
    cast(null as double) as area_fraction
where false
