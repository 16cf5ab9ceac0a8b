with
classes as (select * from {{ ref('uncertainty_classes') }}),
people as (select * from {{ ref('uncertainty_nouns') }}),

-- a concept's own class counts before that of its subcategory; phrases are no nouns, but what
-- stands within them is no noun of its own either
lexicon_nouns as (
    select distinct
        terms.term,
        case when terms.change_type = 'none' then 'phrase' else terms.form end as form,
        terms.concept,
        coalesce(concept_classes.class, subcategory_classes.class, 'none') as class,
        cast(null as string) as gender, cast(null as string) as age, terms.plural_term,
        false as is_generic
    from {{ ref('lexicon__terms') }} as terms
    left join classes as subcategory_classes
        on
            terms.category = subcategory_classes.category
            and terms.subcategory = subcategory_classes.subcategory
            and subcategory_classes.concept = '*'
    left join classes as concept_classes
        on
            terms.category = concept_classes.category
            and terms.subcategory = concept_classes.subcategory
            and terms.concept = concept_classes.concept
    where terms.change_type in ('object', 'none')
),

nouns as (
    select * from lexicon_nouns
    union all
    select people.* {{ exclude('is_generic') }}, plurals.term as plural_term, people.is_generic
    from people
    left join people as plurals
        on
            people.concept = plurals.concept
            and people.form = 'singular'
            and plurals.form = 'plural'
            and plurals.term in (people.term || 's', people.term || 'es')
),

-- a word that may be one or many is read as many: "sheep"
ranked_nouns as (
    select
        *,
        row_number() over (
            partition by term
            order by
                case form when 'plural' then 1 when 'singular' then 2 when 'mass' then 3 else 4 end,
                concept
        ) as preference
    from nouns
),

noun_categories as (
    select phrase, {{ min_by('category', 'category') }} as category
    from {{ ref('object_words') }}
    where is_certain
    group by phrase
    having count(*) = 1
)

select
    ranked_nouns.* {{ exclude('preference') }},
    noun_categories.category as instance_category,
    {{ tokens('ranked_nouns.term') }} as words
from ranked_nouns
left join noun_categories on ranked_nouns.term = noun_categories.phrase
where ranked_nouns.preference = 1
