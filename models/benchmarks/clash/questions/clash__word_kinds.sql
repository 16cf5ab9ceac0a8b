with
openers as (
    select * from {{ vocabulary('lexicon', 'openers', value='kind') }} as listed_words
    where kind = 'modifier'
),

-- "bathroom", and not "orange"
object_terms as (
    select term
    from {{ ref('lexicon__terms') }}
    group by term
    having count(case when change_type <> 'object' then 1 end) = 0
)

-- "bathroom" is a modifier and a room
select term as word, 'object' as kind
from object_terms
union all
select openers.word, 'modifier' as kind
from openers
left join object_terms on openers.word = object_terms.term
where object_terms.term is null
