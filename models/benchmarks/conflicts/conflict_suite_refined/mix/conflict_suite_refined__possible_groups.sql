with
chosen_edits as (
    select * from {{ ref('conflict_suite_refined__chosen_edits') }}
    where is_retained
),

pictures as (
    select * from {{ ref('conflict_suite_refined__pictures') }}
    where image_source <> 'own'
),

texts as (
    select
        bases.base_id, bases.asked_words, bases.family, bases.gold_answer,
        bool_or(chosen_edits.mix_state = 'clean') as has_clean_text,
        bool_or(chosen_edits.mix_state = 'irrelevant') as has_irrelevant_text,
        bool_or(chosen_edits.mix_state = 'different') as has_different_text,
        max(chosen_edits.text_supported_target) as different_answer
    from chosen_edits
    inner join {{ ref('conflict_suite_refined__bases') }} as bases
        on chosen_edits.base_id = bases.base_id
    where bases.is_plain and bases.is_askable
    group by bases.base_id, bases.asked_words, bases.family, bases.gold_answer
),

-- what the other picture answers, the base's different text says, where it has one
other_pictures as (
    select
        pictures.base_id, pictures.image_source, pictures.image_supported_target,
        pictures.fitting_share,
        row_number() over (
            partition by pictures.base_id
            order by
                -- the less the rest of the caption tells it from the base's own, the better
                round(1000000 * coalesce(pictures.fitting_share, 0)) desc,
                -- of a partner people said what it shows
                case when pictures.image_source = 'partner' then 1 else 2 end,
                {{ seeded_order(
                    'other_picture',
                    "pictures.base_id || ':' || pictures.image_source || ':' || pictures.image_supported_target"
                ) }}
        ) as place
    from pictures
    inner join texts on pictures.base_id = texts.base_id
    where
        pictures.image_supported_target <> texts.gold_answer
        and pictures.image_supported_target
        = coalesce(texts.different_answer, pictures.image_supported_target)
),

open_pictures as (
    select
        base_id, image_source,
        row_number() over (
            partition by base_id
            order by {{ seeded_order('open_picture', "base_id || ':' || image_source") }}
        ) as place
    from pictures
    where image_supported_target is null
),

-- Whether a thing is there is said by a sentence, too. It stands alone where the caption can't be
-- edited, and where the caption fits one of the two photographs only: whoever knows the scene would
-- know the right move by what else it says.
grouped_bases as (
    select
        texts.base_id, texts.asked_words, texts.family,
        texts.has_clean_text and (
            texts.has_different_text
            or (
                texts.family = 'existence'
                and coalesce(other_pictures.image_source <> 'removed', true)
            )
        ) as has_texts_of_two_answers,
        texts.has_clean_text and texts.has_irrelevant_text as has_texts_of_open_question,
        other_pictures.image_source as other_source,
        other_pictures.image_supported_target as other_answer,
        open_pictures.image_source as open_source,
        texts.family = 'existence'
        and (
            not texts.has_different_text
            or coalesce(
                other_pictures.fitting_share
                < {{ threshold('conflict_suite', 'least_fitting_words') }},
                false
            )
        )
            as says_sentence_alone
    from texts
    left join other_pictures on texts.base_id = other_pictures.base_id and other_pictures.place = 1
    left join open_pictures on texts.base_id = open_pictures.base_id and open_pictures.place = 1
),

possible_groups as (
    select
        *,
        has_texts_of_two_answers and other_source is not null as can_be_two_answers,
        has_texts_of_open_question and other_source is not null and open_source is not null
            as can_be_open_question
    from grouped_bases
),

-- the groups of a question that a caption stands beside come before those of a sentence alone
ranked_groups as (
    select
        base_id,
        row_number() over (
            partition by asked_words
            order by
                case when says_sentence_alone then 1 else 0 end,
                {{ seeded_order('group_of_question', 'base_id') }}
        ) as place_in_question,
        count(*) over () as n_groups
    from possible_groups
    where can_be_two_answers or can_be_open_question
)

select
    possible_groups.*,
    ranked_groups.place_in_question <= greatest(
        {{ threshold('conflict_suite', 'least_of_one_question') }},
        {{ threshold('conflict_suite', 'most_of_one_question') }} * ranked_groups.n_groups
    ) as is_within_share
from possible_groups
left join ranked_groups on possible_groups.base_id = ranked_groups.base_id
