with
-- every sample of the test set is asked as it was released; of the generated ones only those that
-- pass the filters
samples as (
    select * from {{ ref('clash__screened') }}
    where is_retained or origin = 'released'
),

choices as (select * from {{ ref('clash__choices') }}),

samples_shown as (
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

listed_choices as (
    select
        sample_id,
        {{ listagg_lines("'(' || letter || ') ' || choice", order_by='letter') }} as choices_text
    from choices
    group by sample_id
)

-- the fine-tuning mix shows each sample outside the test set once; a coin decides under which
-- condition
select
    samples_shown.sample_id || '::' || samples_shown.condition as example_id,
    samples_shown.sample_id as group_id,
    samples_shown.sample_id,
    samples_shown.origin,
    samples_shown.condition,
    samples_shown.image_id,
    samples_shown.source_image_id,
    samples_shown.source_image_id as shown_image_id,
    cast(null as string) as recipe_id,
    samples_shown.image_file,
    samples_shown.caption_shown,
    samples_shown.caption_shown as text_input,
    samples_shown.question,
    samples_shown.image_only_answer as gold_answer,
    -- where caption and picture disagree the right move is to say so
    case when samples_shown.right_kind = 'image_only' then samples_shown.image_only_answer end
        as target,
    -- an open question is answered in the words of the right choice
    right_choices.choice as answer,
    {{ instruction('clash_instruction') }} as instruction,
    -- the released test set is a split of its own: published models answered that. Readers signed
    -- two of four positions, which is not enough to score a model by
    case
        when samples_shown.origin = 'released' then 'test'
        when test_images.source_image_id is not null and samples_shown.change_type = 'relation'
            then 'held_back'
        when test_images.source_image_id is not null then 'test_generated'
        else 'train'
    end as split,
    samples_shown.family,
    samples_shown.condition as operator,
    listed_choices.choices_text,
    right_choices.letter as right_letter,
    right_choices.choice as right_choice,
    samples_shown.change_type,
    samples_shown.category,
    samples_shown.subgroup,
    samples_shown.relation,
    {{ text_literal(var('record_versions').clash) }} as record_version,
    samples_shown.change_type = 'relation' as is_spatial,
    test_images.source_image_id is null
    and (samples_shown.condition = 'conflicting')
    = ({{ seeded_int('finetuning', 'samples_shown.sample_id', 2) }} = 0)
        as is_in_finetuning_mix,
    samples_shown.is_retained
from samples_shown
inner join listed_choices using (sample_id)
inner join choices as right_choices
    on
        samples_shown.sample_id = right_choices.sample_id
        and samples_shown.right_kind = right_choices.choice_kind
left join {{ ref('clash__test_images') }} as test_images using (source_image_id)
