with
release_texts as (
    {{ union_of_ports('release_texts') }}
)

select * from release_texts
