with
evidence as (
    select * from {{ ref('conflict_suite__evidence') }}
    where evidence_is_strict or not {{ var('refined_requires_strict_evidence') }}
),

-- "Is there a snow", "Is there a skis": what comes in no number, and what only in several
article_nouns as (
    select
        question,
        {{ regexp_replace(
            normalized_text('question'),
            '^is there an? |( in the (image|picture|photo))?[ ?]*$',
            ''
        ) }} as word
    from {{ ref('conflict_suite__bases') }}
    where {{ regexp_matches(normalized_text('question'), '^is there an? ') }}
    group by question
),

object_words as (
    select distinct phrase
    from {{ ref('object_words') }}
    where is_certain
),

-- how many captions name what the question asks for, and whether the scene has a place for it
asked_scenes as (
    select
        bases.base_id,
        max(scenes.n_captions) as n_captions,
        cast(coalesce(max(scenes.n_naming_captions), 0) as double) / max(scenes.n_captions)
            as naming_share,
        coalesce(bool_or(scenes.has_place), false) as has_place
    from {{ ref('conflict_suite__bases') }} as bases
    inner join {{ ref('lexicon__question_objects') }} as question_objects using (question)
    left join {{ ref('conflict_suite_refined__scenes') }} as scenes
        on
            bases.source_image_id = scenes.source_image_id
            and question_objects.category = scenes.category
    where bases.family = 'existence'
    group by bases.base_id
)

select
    bases.base_id, bases.source_image_id, bases.image_file, bases.question, bases.family,
    bases.answer_type, bases.gold_answer, bases.caption, bases.noun_tokens, bases.base_split,
    asked_nouns.asked_noun,
    case
        when nouns_without_article.value = 'mass'
            then {{ regexp_replace('bases.question', '^[Ii]s there an? ', 'Is there ') }}
        when nouns_without_article.value = 'plural'
            then {{ regexp_replace('bases.question', '^[Ii]s there an? ', 'Are there ') }}
        else bases.question
    end as asked_question,
    -- two questions with the same words here ask the same of any picture
    case
        when asked_nouns.question_gap is null and asked_nouns.asked_noun is not null
            then concat_ws(
                ' | ',
                asked_nouns.asked_noun,
                coalesce({{ array_join('asked_nouns.asked_modifiers', "' '") }}, ''),
                coalesce(asked_nouns.asked_owner, ''),
                coalesce(asked_nouns.asked_restriction, '')
            )
        else {{ normalized_text('bases.question') }}
    end as asked_words,
    object_words.phrase is not null as is_about_object,
    -- "a toy car" is no car, so that annotations of cars say nothing of it
    object_words.phrase is not null
    and coalesce({{ list_length('asked_nouns.asked_modifiers') }}, 0) = 0
        as is_about_category,
    -- where most of several captions do not name a thing, some may see something else in it
    bases.gold_answer <> 'yes'
    or asked_scenes.base_id is null
    or coalesce(asked_scenes.n_captions, {{ threshold('conflict_suite', 'captions_that_outvote') }})
    < {{ threshold('conflict_suite', 'captions_that_outvote') }}
    or coalesce(asked_scenes.naming_share, 0)
    >= {{ threshold('conflict_suite', 'least_naming_share') }} as is_plain,
    -- nobody asks for a horse on a tennis court, nor for a "sports ball"
    (bases.family <> 'existence' or class_names.word is null)
    and (bases.gold_answer <> 'no' or coalesce(asked_scenes.has_place, true)) as is_askable
from {{ ref('conflict_suite__bases') }} as bases
inner join evidence using (base_id)
left join {{ ref('lexicon__asked_nouns') }} as asked_nouns using (question)
left join article_nouns using (question)
left join {{ vocabulary('conflict_suite', 'nouns_without_article', value='value') }}
    as nouns_without_article
    on article_nouns.word = nouns_without_article.word
left join object_words on asked_nouns.asked_noun = object_words.phrase
left join asked_scenes on bases.base_id = asked_scenes.base_id
left join {{ vocabulary('conflict_suite', 'class_names') }} as class_names
    on asked_nouns.asked_noun = class_names.word
