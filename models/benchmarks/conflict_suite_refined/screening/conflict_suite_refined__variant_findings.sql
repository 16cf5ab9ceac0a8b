with

variants as (

    select * from {{ ref('conflict_suite_refined__variants') }}

),

oracle_policy as (

    select * from {{ ref('oracle_policy') }}

),

final as (

    select
        variants.candidate_id,

        -- The question asks for a COCO category, so that annotations tell whether a picture lacks
        -- it. The published labels ask of no picture what it shows.
        variants.is_about_object
        or variants.image_source = 'own'
        or variants.labels = 'published' as passes_object,

        -- the variant has the picture that it shows
        variants.shown_image_id is not null as passes_picture,

        -- a picture without the asked object supports another answer than the gold one, or none
        variants.image_source = 'own'
        or coalesce(variants.image_state <> 'clean', true) as passes_gold_picture,

        -- The oracle policy has an action for the states of text and picture. A text that says
        -- nothing beside a picture that answers otherwise is in no protocol.
        variants.image_state is null
        or oracle_policy.oracle_action is not null as passes_policy

    from variants
    left join oracle_policy
        on
            variants.protocol = oracle_policy.protocol
            and variants.text_state = oracle_policy.text_state
            and variants.image_state = oracle_policy.image_state

)

select * from final
