with

texts as (

    select * from {{ ref('reality_check__template_texts') }}

),

shares as (

    select
        candidate_id,
        gs_script_share(text, script) as script_share
    from texts
    where text is not null

),

-- a share above 0 is at least one letter of the script
final as (

    select
        candidate_id,
        script_share,
        script_share > 0
        and script_share >= {{ var('reality_check_script_share') }} as is_passed
    from shares

)

select * from final
