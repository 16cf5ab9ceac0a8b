{%- set color_and_noun -%}
    {{ tagged('color') }}{{ tagged('singular') }}
{%- endset -%}
{%- set predicate -%}
    {{ tagged('verb') }}(?:{{ tagged('preposition') }}){0,3}{{ tagged_noun_phrase() }}
{%- endset -%}
{%- set whereabouts -%}
    (?:{{ tagged('preposition') }}){1,3}{{ tagged_noun_phrase() }}
{%- endset -%}
with
nouns as (select * from {{ ref('certainly_uncertain__nouns') }}),

answer_forms as (
    select * from {{ ref('answer_forms') }}
    where answer_type = 'integer'
),

-- the parts of a clause, still tagged
parts as (
    select
        text_id, source_image_id, kind, clause,
        case
            when kind = 'count' then {{ regexp_extract('clause', tagged('plural')) }}
            else {{ regexp_extract('clause', tagged('singular')) }}
        end as subject,
        {{ regexp_extract('clause', tagged('verb')) }} as verb,
        {{ regexp_extract('clause', tagged('color')) }} as color,
        {{ regexp_matches('clause', '^[^ ]+/joint ') }} as is_shared,
        {{ regexp_extract('clause', tagged('quantity')) }} as quantity,
        {{ regexp_extract('clause', color_and_noun) }} as colored_noun,
        {{ regexp_extract('clause', predicate) }} as predicate,
        {{ regexp_extract('clause', whereabouts) }} as place
    from {{ ref('certainly_uncertain__clauses') }}
),

plain_parts as (
    select
        text_id, source_image_id, kind, clause,
        {{ without_tags('subject') }} as noun,
        {{ without_tags('verb') }} as verb,
        {{ without_tags('color') }} as color,
        {{ without_tags('quantity') }} as quantity,
        {{ without_tags(regexp_extract('colored_noun', tagged('singular'))) }} as garment,
        {{ without_tags(regexp_extract('colored_noun', tagged('color'))) }} as garment_color,
        {{ without_tags('predicate') }} as predicate,
        -- "down on a blanket" is on it, "down the street" goes on being there
        case
            when {{ regexp_matches('place', '^(down|up|over|off)/preposition [^ ]+/preposition ') }}
                then {{ without_tags(regexp_replace('place', '^[^ ]+ ', '')) }}
            else {{ without_tags('place') }}
        end as place,
        {{ regexp_matches('predicate', '^[^ ]+/verb [^ ]+/preposition ') }}
            as has_preposition,
        {{ without_tags(regexp_extract('predicate', '[^ ]+/[a-z]+ $')) }} as last_word,
        {{ without_tags(regexp_extract('place', '[^ ]+/[a-z]+ $')) }} as last_word_of_place,
        {{ regexp_matches('predicate', '^[^ ]+/verb [^ ]+/(article|quantity|measure) ') }}
            as has_article,
        {{ regexp_matches(
            'place', '/(article|quantity|measure) ([^ ]+/[a-z]+ ){1,4}$'
        ) }} as has_article_of_place,
        is_shared
    from parts
),

facts as (
    select
        plain_parts.*,
        nouns.form, nouns.concept, nouns.class, nouns.gender, nouns.plural_term, nouns.is_generic,
        nouns.instance_category,
        last_nouns.class as last_class,
        place_nouns.class as place_class,
        place_nouns.form as place_form,
        garment_nouns.class as garment_class,
        rides.word is not null as is_ride,
        verbs.takes_object, verbs.takes_place, verbs.is_activity, verbs.needs_object_or_place,
        answer_forms.canonical as number
    from plain_parts
    inner join nouns on plain_parts.noun = nouns.term
    left join nouns as last_nouns on plain_parts.last_word = last_nouns.term
    left join nouns as place_nouns on plain_parts.last_word_of_place = place_nouns.term
    left join {{ vocabulary('certainly_uncertain', 'rides', value='ride') }} as rides
        on plain_parts.last_word_of_place = rides.word
    left join nouns as garment_nouns on plain_parts.garment = garment_nouns.term
    left join {{ ref('uncertainty_verbs') }} as verbs using (verb)
    left join answer_forms on plain_parts.quantity = answer_forms.surface
),

answers as (
    select *, 'activity' as rule, case when kind = 'activity' then predicate else verb end as answer
    from facts
    where
        is_activity
        and class in ('person', 'animal')
        -- "kneeling to speak" names the purpose, not the activity
        and not {{ regexp_matches("coalesce(predicate, '')", '^[a-z]+ to [a-z]+$') }}
        and (
            (kind = 'activity' and (not takes_object or not has_preposition))
            or (kind = 'lone_activity' and not takes_object and not needs_object_or_place)
        )
    union all
    select *, 'object' as rule, trim(substr(predicate, length(verb) + 1)) as answer
    from facts
    where
        kind = 'activity'
        and takes_object
        and not has_preposition
        and class in ('person', 'animal')
        and (has_article or last_class is not null)
    union all
    select *, 'place' as rule, place as answer
    from facts
    where
        (kind = 'place' or (kind = 'activity' and takes_place and has_preposition))
        and place_class in (
            'furniture', 'place', 'building', 'nature', 'kitchenware', 'container', 'appliance',
            'fixture', 'vehicle', 'street_object', 'thing', 'device'
        )
        and class not in ('place', 'building', 'clothing')
        -- "on a cell phone" and "on skis" are activities
        and not (
            class = 'person'
            and place like 'on %'
            and (place_class = 'device' or is_ride)
        )
        -- "a kid with a bat on a field": it is the kid who is there
        and not (
            clause like 'with/with %'
            and place_class in ('place', 'nature')
            and class not in ('person', 'animal', 'vehicle')
        )
        and (has_article_of_place or place_form <> 'singular')
        -- a way, and not a place
        and not {{ regexp_matches(
            'place', '^(through|down|across|along|into|onto|toward|towards|up|over|around|off|to) '
        ) }}
    union all
    select *, 'posture' as rule, verb as answer
    from facts
    where
        kind in ('activity', 'lone_activity')
        and verb in ('sitting', 'standing')
        and class = 'person'
    union all
    select *, 'color' as rule, color as answer
    from facts
    where kind = 'color' and class <> 'person'
    union all
    select *, 'worn_color' as rule, garment_color as answer
    from facts
    where kind = 'garment' and class = 'person' and garment_class = 'clothing'
    union all
    select *, 'count' as rule, number as answer
    from facts
    where kind = 'count'
)

select
    text_id, source_image_id, kind, clause, rule, noun, form, concept, class, gender,
    instance_category,
    case when kind in ('activity', 'lone_activity') then verb end as verb,
    case when kind = 'activity' then predicate when kind = 'lone_activity' then verb end
        as predicate,
    quantity,
    case when kind = 'garment' then garment end as garment,
    plural_term, answer, place_class, is_shared
from answers
where class not in ('picture', 'sport') and (class = 'person' or not is_generic)
