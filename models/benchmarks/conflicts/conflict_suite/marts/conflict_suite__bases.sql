with
screened as (select * from {{ ref('conflict_suite__screened') }}),

retained_candidates as (
    select * from screened
    where is_retained
),

-- a picture that was taken down keeps its place, so that no other one moves to another split
source_images as (
    select distinct source_image_id
    from screened
    where is_retained or drop_stage = 'withdrawal'
),

placed_images as (
    {{ seeded_places('source_images', 'split', 'source_image_id') }}
),

-- shares are decimals: in floating point 0.7 * 90 is 62.99999999999999, whose floor is not 63
image_splits as (
    select
        source_image_id,
        case
            when seeded_place < floor({{ decimal_var('conflict_suite_train_share') }} * n_places)
                then 'train'
            when
                seeded_place < floor({{ decimal_var('conflict_suite_train_share') }} * n_places)
                + floor({{ decimal_var('conflict_suite_val_share') }} * n_places)
                then 'val'
            else 'test_id'
        end as base_split
    from placed_images
),

-- one row that carries the whole list
noun_stop_words as (
    select {{ array_agg('word', order_by='word') }} as stop_words
    from {{ vocabulary('conflict_suite', 'noun_stop_words') }} as listed_words
)

select
    retained_candidates.base_id,
    retained_candidates.question_id,
    retained_candidates.image_id,
    retained_candidates.source_image_id,
    retained_candidates.image_file,
    retained_candidates.question,
    retained_candidates.family,
    retained_candidates.answer_type,
    retained_candidates.evidence_modality,
    retained_candidates.gold_answer,
    retained_candidates.caption,
    {{ long_tokens('retained_candidates.caption', 'noun_stop_words.stop_words') }}
        as noun_tokens,
    -- the first twelve digits of the sha1 of the question's tokens
    substr(
        sha1({{ array_join(tokens('retained_candidates.question'), "' '") }}), 1, 12
    ) as template_id,
    image_splits.base_split
from retained_candidates
inner join image_splits using (source_image_id)
cross join noun_stop_words
