with
pairs as (
    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained
),

-- the unanswerable side may have a recipe, or a picture, of its own
sides as (
    select
        pair_id, category, kind, source, source_image_id, 'answerable' as side,
        answerable_question as side_question,
        answerable_answer as side_answer,
        unanswerable_answer as other_answer,
        cast(null as string) as recipe_id, generator, stem_is_one_sided, is_verified,
        true as is_answerable
    from pairs
    union all
    select
        pair_id, category, kind, source,
        open_image_id as source_image_id,
        'unanswerable' as side,
        unanswerable_question as side_question,
        unanswerable_answer as side_answer,
        answerable_answer as other_answer,
        case when recipe_family is not null then pair_id || '::unanswerable' end as recipe_id,
        generator, stem_is_one_sided, is_verified, false as is_answerable
    from pairs
)

select
    sides.pair_id || '::' || sides.side as example_id,
    sides.pair_id as group_id,
    sides.pair_id,
    sides.category,
    sides.kind,
    sides.source,
    sides.source_image_id,
    sides.source_image_id as shown_image_id,
    sides.recipe_id,
    images.image_id,
    coalesce(images.file_name, sides.source_image_id) as image_file,
    splits.split,
    sides.category as family,
    sides.side as operator,
    cast(null as string) as text_input,
    sides.side_question as question,
    sides.side_answer as answer,
    sides.side_answer as gold_answer,
    -- the right move is to abstain where the picture leaves the question open
    case when sides.is_answerable then sides.side_answer end as target,
    sides.other_answer,
    {{ instruction('certainly_uncertain_instruction') }} as instruction,
    sides.generator,
    case
        when sides.is_answerable then people_pairs.answer_shares
        else people_pairs.open_answer_shares
    end as answer_shares,
    case
        when sides.is_answerable then people_pairs.doubt_share
        else people_pairs.open_doubt_share
    end as doubt_share,
    {{ text_literal(var('record_versions').certainly_uncertain) }} as record_version,
    sides.is_answerable,
    sides.is_verified,
    sides.stem_is_one_sided
from sides
inner join {{ ref('certainly_uncertain__pair_splits') }} as splits using (pair_id)
left join {{ ref('certainly_uncertain__people_pairs') }} as people_pairs using (pair_id)
left join {{ ref('images__source_images') }} as images
    on sides.source_image_id = images.source_image_id
