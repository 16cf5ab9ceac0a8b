with
-- "a man and a boy are talking" may speak of both
facts as (
    select * from {{ ref('certainly_uncertain__image_facts') }}
    where not is_shared
),

mentions as (
    select * from {{ ref('certainly_uncertain__mentions') }}
    where form = 'singular' and not is_within_longer and not is_generic
),

-- two kinds of a class that one text names together are two things
named_together as (
    select distinct mentions.source_image_id, mentions.concept, others.concept as other_concept
    from mentions
    inner join mentions as others using (text_id, class)
    where mentions.concept <> others.concept
),

rivals as (
    select
        facts.fact_id,
        others.fact_id as rival_fact_id,
        row_number() over (
            partition by facts.fact_id
            order by {{ seeded_order('uncertainty_rival', 'others.fact_id') }}, others.fact_id
        ) as draw
    from facts
    inner join facts as others using (source_image_id, class, rule, form)
    inner join named_together
        on
            facts.source_image_id = named_together.source_image_id
            and facts.concept = named_together.concept
            and others.concept = named_together.other_concept
    where
        facts.form = 'singular'
        and {{ regexp_extract('facts.answer', '[a-z]+$') }}
        <> {{ regexp_extract('others.answer', '[a-z]+$') }}
        and (facts.rule <> 'object' or facts.verb = others.verb)
        and (facts.rule <> 'activity' or facts.verb <> others.verb)
        and (facts.rule <> 'worn_color' or facts.garment = others.garment)
)

-- two of one kind in two colors are each other's rivals
select fact_id, rival_fact_id
from rivals
where draw = 1
union all
select fact_id, fact_id as rival_fact_id
from facts
where rule = 'two_colors'
