with

-- the test set is asked as it was released; of our own what fails a filter is no sample
samples as (

    select * from {{ ref('clash__screened') }}
    where is_retained or origin = 'released'

),

-- pictures of the test set are for testing alone
test_images as (

    select distinct source_image_id
    from samples
    where origin = 'released'

),

choices as (

    select * from {{ ref('clash__choices') }}

),

shown as (

    select
        *,
        'conflicting' as condition,
        conflicting_caption as caption_shown,
        'conflict' as right_kind
    from samples
    union all
    select
        *,
        'original' as condition,
        original_caption as caption_shown,
        'image_only' as right_kind
    from samples

),

listed as (

    select
        sample_id,
        {{ listagg_lines("'(' || letter || ') ' || choice", order_by='letter') }} as choices_text
    from choices
    group by sample_id

),

-- the fine-tuning mix shows each sample that is not for testing once, under either condition
-- by the toss of a coin
final as (

    select
        shown.sample_id || '::' || shown.condition as example_id,
        shown.sample_id,
        shown.origin,
        shown.condition,
        shown.image_id,
        shown.source_image_id,
        shown.caption_shown,
        shown.question,
        listed.choices_text,
        right_choices.letter as right_letter,
        right_choices.choice as right_choice,
        shown.change_type,
        shown.category,
        shown.change_type = 'relation' as is_spatial,
        test_images.source_image_id is null
        and (shown.condition = 'conflicting')
        = ({{ seeded_int('finetuning', 'shown.sample_id', 2) }} = 0) as is_in_finetuning_mix,
        shown.is_retained
    from shown
    inner join listed
        on shown.sample_id = listed.sample_id
    inner join choices as right_choices
        on
            shown.sample_id = right_choices.sample_id
            and shown.right_kind = right_choices.choice_kind
    left join test_images
        on shown.source_image_id = test_images.source_image_id

)

select * from final
