with
prompts as (
    {{ union_of_ports('prompts') }}
)

select * from prompts
