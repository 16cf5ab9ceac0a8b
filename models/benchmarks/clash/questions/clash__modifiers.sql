with

openers as (

    select * from {{ ref('lexicon_openers') }}
    where kind = 'modifier'

),

object_terms as (

    select * from {{ ref('clash__object_terms') }}

),

-- "bathroom" is a modifier and a room
final as (

    select openers.word
    from openers
    left join object_terms
        on openers.word = object_terms.term
    where object_terms.term is null

)

select * from final
