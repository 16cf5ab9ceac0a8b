with

no_pairs as (

    select
        cast(null as {{ dbt.type_string() }}) as pair_id,
        cast(null as {{ dbt.type_string() }}) as category,
        cast(null as {{ dbt.type_string() }}) as source_image_id,
        cast(null as bigint) as image_id,
        cast(null as bigint) as question_id,
        cast(null as {{ dbt.type_string() }}) as generator,
        cast(null as {{ dbt.type_string() }}) as prompt_sha256,
        cast(null as {{ dbt.type_string() }}) as answerable_rule,
        cast(null as {{ dbt.type_string() }}) as unanswerable_rule,
        cast(null as {{ dbt.type_string() }}) as object_words,
        cast(null as {{ dbt.type_string() }}) as answerable_question,
        cast(null as {{ dbt.type_string() }}) as answerable_answer,
        cast(null as {{ dbt.type_string() }}) as unanswerable_question,
        cast(null as {{ dbt.type_string() }}) as unanswerable_answer,
        cast(null as {{ engine_type('varchar[]') }}) as evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        cast(null as {{ dbt.type_string() }}) as response_reason,
        cast(null as {{ dbt.type_string() }}) as recipe_family,
        cast(null as {{ dbt.type_string() }}) as rle,
        cast(null as boolean) as is_instance_checked
    where false

)

select * from no_pairs
