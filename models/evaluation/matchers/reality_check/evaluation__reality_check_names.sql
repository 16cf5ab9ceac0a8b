with
answers as (
    select * from {{ ref('evaluation__reality_check_answers') }}
    where answer_format = 'label'
),

terms as (
    select * from {{ ref('reality_check_terms') }}
    where term_kind in ('label', 'plural')
),

category_names as (select * from {{ ref('reality_check_category_names') }}),

object_words as (
    select * from {{ ref('object_words') }}
    where is_certain
),

-- many answers to one question say the same
said_texts as (
    select distinct language, correct_answer, distractor_answers, spaced_prediction
    from answers
    where spaced_prediction is not null
),

valid_answers as (
    select
        *,
        {{ unnest_list(list_concat(list_value('correct_answer'), 'distractor_answers')) }} as label
    from said_texts
),

-- whatever a thing is called, in English and in the language of the question
names as (
    select label, 'en' as language, label as name
    from category_names
    union
    select label, 'en' as language, plural as name
    from category_names
    union
    select category as label, 'en' as language, phrase as name
    from object_words
    union
    select category_names.label, terms.language, terms.text as name
    from category_names
    inner join terms
        on terms.english = case terms.term_kind
            when 'label' then category_names.label
            else category_names.plural
        end
),

-- Chinese has no space around a word; a label that no seed lists is its own name
found_names as (
    select distinct
        valid_answers.language, valid_answers.correct_answer, valid_answers.distractor_answers,
        valid_answers.spaced_prediction, valid_answers.label,
        coalesce(names.name, valid_answers.label) as name
    from valid_answers
    left join names
        on
            valid_answers.label = names.label
            and names.language in (valid_answers.language, 'en')
    where
        (
            names.language = 'zh'
            and contains(valid_answers.spaced_prediction, names.name)
        )
        or contains(
            valid_answers.spaced_prediction,
            {{ spaced_signed_words('coalesce(names.name, valid_answers.label)') }}
        )
),

-- the dog of a hot dog is no dog
whole_names as (
    select
        found_names.language, found_names.correct_answer, found_names.distractor_answers,
        found_names.spaced_prediction, found_names.label
    from found_names
    left join found_names as longer_names
        on
            found_names.language = longer_names.language
            and found_names.correct_answer = longer_names.correct_answer
            and found_names.distractor_answers = longer_names.distractor_answers
            and found_names.spaced_prediction = longer_names.spaced_prediction
            and found_names.label <> longer_names.label
            and longer_names.name like '%' || found_names.name || '%'
    where longer_names.name is null
)

select
    language, correct_answer, distractor_answers, spaced_prediction,
    case when min(label) = max(label) then min(label) end as answer
from whole_names
group by language, correct_answer, distractor_answers, spaced_prediction
