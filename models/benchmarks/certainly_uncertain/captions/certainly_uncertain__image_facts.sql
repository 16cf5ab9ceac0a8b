with
facts as (select * from {{ ref('certainly_uncertain__facts') }}),

-- answers that follow from a number: its multiple of parts, one more, one less
counted_facts as (
    select
        facts.*,
        'count_of_' || parts.part as derived_rule,
        cast(cast(facts.answer as bigint) * parts.n_parts as string) as derived_answer
    from facts
    inner join {{ ref('uncertainty_parts') }} as parts on facts.concept = parts.concept
    where facts.rule = 'count'
    union all
    select
        *,
        'count_minus_one' as derived_rule,
        cast(cast(answer as bigint) - 1 as string) as derived_answer
    from facts
    where rule = 'count' and cast(answer as bigint) > 1
    union all
    select
        *,
        'count_plus_one' as derived_rule,
        cast(cast(answer as bigint) + 1 as string) as derived_answer
    from facts
    where rule = 'count'
),

-- the food on a plate or the like, for questions that name the plate
contents as (
    select *, 'contents' as derived_rule, noun as derived_answer
    from facts
    where
        rule = 'place'
        and class = 'food'
        and place_class = 'kitchenware'
        and {{ regexp_matches('answer', '^(on|in) (a|the) [a-z ]+$') }}
        and not contains(answer, ' of ')
),

-- one text names two of a kind, each with a color of its own
color_pairs as (
    select text_id, concept, min(answer) as first_color, max(answer) as second_color
    from facts
    where rule = 'color'
    group by text_id, concept
    having count(*) = 2 and count(distinct answer) = 2
),

two_colors as (
    select
        facts.*,
        'two_colors' as derived_rule,
        color_pairs.first_color || ' and ' || color_pairs.second_color as derived_answer
    from facts
    inner join color_pairs
        on
            facts.text_id = color_pairs.text_id
            and facts.concept = color_pairs.concept
            and facts.answer = color_pairs.first_color
    where facts.rule = 'color' and facts.plural_term is not null
),

all_facts as (
    select *, rule as derived_rule, answer as derived_answer from facts
    union all
    select * from counted_facts
    union all
    select * from contents
    union all
    select * from two_colors
)

select
    md5(concat_ws(
        '|',
        all_facts.source_image_id, all_facts.concept, all_facts.form, all_facts.derived_rule,
        coalesce(all_facts.verb, ''),
        coalesce(all_facts.garment, ''),
        all_facts.derived_answer
    )) as fact_id,
    all_facts.source_image_id, all_facts.concept, all_facts.form,
    all_facts.rule as source_rule,
    all_facts.derived_rule as rule,
    all_facts.verb, all_facts.garment,
    all_facts.derived_answer as answer,
    min(all_facts.class) as class,
    min(all_facts.gender) as gender,
    {{ min_by('all_facts.instance_category', 'all_facts.text_id') }} as instance_category,
    {{ regexp_extract('all_facts.derived_answer', '[a-z0-9]+$') }} as last_word,
    {{ min_by('all_facts.noun', 'all_facts.text_id') }} as noun,
    {{ min_by('all_facts.predicate', 'all_facts.text_id') }} as predicate,
    {{ min_by('all_facts.plural_term', 'all_facts.text_id') }} as plural_term,
    {{ min_by('all_facts.quantity', 'all_facts.text_id') }} as quantity,
    {{ min_by('all_facts.answer', 'all_facts.text_id') }} as source_answer,
    {{ min_by('all_facts.place_class', 'all_facts.text_id') }} as place_class,
    {{ list_sort_distinct(array_agg_unordered('texts.text')) }} as texts_seen,
    coalesce(bool_or(all_facts.is_shared), false) as is_shared
from all_facts
inner join {{ ref('certainly_uncertain__texts') }} as texts using (text_id)
group by
    all_facts.source_image_id,
    all_facts.concept, all_facts.form, all_facts.rule, all_facts.derived_rule, all_facts.verb,
    all_facts.garment, all_facts.derived_answer
