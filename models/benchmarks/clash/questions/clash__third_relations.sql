with

frames as (

    select * from {{ ref('clash__frames') }}

),

relation_distractors as (

    select * from {{ ref('clash_relation_distractors') }}

),

caption_words as (

    select * from {{ ref('contradictions__caption_words') }}

),

final as (

    select
        frames.proposal_id,
        {{ min_by(
            'relation_distractors.distractor',
            seeded_order(
                'relation_distractor', "frames.proposal_id || ':' || relation_distractors.distractor"
            )
        ) }} as distractor
    from frames
    inner join relation_distractors
        on frames.subcategory = relation_distractors.relation
    inner join caption_words
        on
            frames.caption_id = caption_words.caption_id
            and not {{ list_contains('caption_words.words', 'relation_distractors.word') }}
    group by frames.proposal_id

)

select * from final
