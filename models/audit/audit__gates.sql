with

gates as (

    {{ union_of_ports('gates') }}

)

select * from gates
