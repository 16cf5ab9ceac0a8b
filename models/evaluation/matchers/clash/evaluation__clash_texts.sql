with

tokenized as (

    select * from {{ ref('evaluation__clash_tokens') }}

),

stems as (

    select * from {{ ref('evaluation__clash_stems') }}

),

placed as (

    select
        text,
        {{ unnest_list_with_position('tokens', 'token', 'position') }}
    from tokenized

),

stemmed as (

    select
        placed.text,
        {{ array_join(array_agg('stems.stem', 'placed.position'), "' '") }} as stems
    from placed
    inner join stems
        on placed.token = stems.token
    group by placed.text

),

-- a text of nothing but articles and signs keeps its row, without stems
final as (

    select
        tokenized.text,
        ' ' || coalesce(stemmed.stems, '') || ' ' as spaced_stems
    from tokenized
    left join stemmed
        on tokenized.text = stemmed.text

)

select * from final
