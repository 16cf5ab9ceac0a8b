{%- set singular_category = singular_noun('categories.category') -%}
with
bases as (
    select * from {{ ref('conflict_suite__bases') }}
    where family = 'existence' and gold_answer = 'no'
),

asked_nouns as (
    select * from {{ ref('lexicon__asked_nouns') }}
    where question_gap is null
),

words as (
    {{ listed_words() }}
),

noun_kinds as (
    select * from {{ ref('noun_kinds') }}
    where is_certain
),

annotated_categories as (
    select distinct source_image_id, category from {{ ref('images__instances') }}
),

annotated_images as (
    select distinct source_image_id from annotated_categories
),

categories as (
    select distinct category from annotated_categories
),

-- as questions name them: "skis" is ski, "tv" is television
category_nouns as (
    select categories.category, coalesce(words.noun, {{ singular_category }}) as noun
    from categories
    left join words on categories.category = words.word
),

-- a category, and what is a kind of one: without a person there is no woman
covered_nouns as (
    select noun, category
    from category_nouns
    union
    select noun_kinds.noun, category_nouns.category
    from category_nouns
    inner join noun_kinds on category_nouns.noun = noun_kinds.kind
),

-- a "toy car" is no car
questions_about_categories as (
    select asked_nouns.question, covered_nouns.category
    from asked_nouns
    inner join covered_nouns on asked_nouns.asked_noun = covered_nouns.noun
    where {{ list_length('asked_nouns.asked_modifiers') }} = 0
),

findings as (
    select
        bases.base_id,
        bool_or(questions_about_categories.category is not null) as is_category,
        bool_or(annotated_images.source_image_id is not null) as is_annotated,
        bool_or(annotated_categories.category is not null) as is_present
    from bases
    left join questions_about_categories using (question)
    left join annotated_images using (source_image_id)
    left join annotated_categories
        on
            bases.source_image_id = annotated_categories.source_image_id
            and questions_about_categories.category = annotated_categories.category
    group by bases.base_id
)

select
    base_id,
    case
        when not is_category then 'no_coco_category'
        when not is_annotated then 'no_instance_annotations'
        when is_present then 'instance_annotated'
    end as absence_gap
from findings
