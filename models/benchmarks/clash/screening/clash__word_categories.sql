with
words as (
    select terms.term as word, terms.change_type, terms.category, terms.concept, subgroups.subgroup
    from {{ ref('lexicon__terms') }} as terms
    inner join {{ ref('clash_subgroups') }} as subgroups using (change_type, category, subcategory)
    union all
    select word, change_type, category, word as concept, subgroup
    from {{ ref('clash_words') }}
)

select
    word, change_type,
    {{ list_sort_distinct(array_agg('category', order_by='category')) }} as categories,
    min(concept) as concept,
    min(subgroup) as subgroup
from words
group by word, change_type
