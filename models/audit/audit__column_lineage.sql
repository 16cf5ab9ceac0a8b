with

edges as (

    select * from {{ ref('stg_gainsay__column_edges') }}

),

final as (

    select
        edge_id,
        model,
        column_name,
        from_model,
        from_column,
        from_type,
        kind,
        literal,
        code_md5 = '{{ code_fingerprint() }}' as is_current
    from edges

)

select * from final
