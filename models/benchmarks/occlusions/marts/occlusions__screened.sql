{%- set box_width = occlusion_side('objects.width', 'examples.vision_area_fraction') %}
{%- set box_height = occlusion_side('objects.height', 'examples.vision_area_fraction') -%}
with

objects as (

    select
        question_objects.*,
        masks.object_rle,
        masks.target_rle,
        masks.mask_error,
        masks.object_area,
        masks.target_area,
        coalesce(masks.object_area, 0) > 0 as has_objects
    from {{ ref('occlusions__question_objects') }} as question_objects
    left join {{ ref('occlusions__object_masks') }} as masks
        on
            question_objects.source_image_id = masks.source_image_id
            and question_objects.categories = masks.categories

),

examples as (

    select * from {{ ref('conflict_suite__examples') }}
    where operator = 'vision_corrupt'

),

oracle_policy as (

    select * from {{ ref('oracle_policy') }}
    where
        protocol = '{{ var("occlusions_oracle_protocol") }}'
        and text_state = 'clean'

),

bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

gates as (

    select * from {{ ref('occlusions__gates') }}

),

controls as (

    select
        base_id,
        gs_control_mask(
            object_rle, height, width, target_area,
            {{ seeded_order('occlusion_control', 'base_id') }}
        ) as control_mask
    from objects
    where has_objects

),

boxes as (

    select
        examples.example_id,
        examples.base_id,
        examples.vision_family as family,
        examples.vision_scale as scale,
        examples.severity,
        {{ occlusion_start('x', 'examples.example_id', 'objects.width', box_width) }} as box_left,
        {{ occlusion_start('y', 'examples.example_id', 'objects.height', box_height) }} as box_top,
        {{ box_width }} as box_width,
        {{ box_height }} as box_height
    from examples
    inner join objects
        on examples.base_id = objects.base_id

),

masks as (

    select
        base_id,
        'occlusion_target' as family,
        target_rle as rle,
        cast(null as {{ dbt.type_string() }}) as recipe_error,
        gs_common_area(object_rle, target_rle, height, width) as covered_area
    from objects
    union all
    select
        objects.base_id,
        'occlusion_control' as family,
        {{ struct_extract('controls.control_mask', 'rle') }} as rle,
        {{ struct_extract('controls.control_mask', 'error') }} as recipe_error,
        gs_common_area(
            objects.object_rle,
            {{ struct_extract('controls.control_mask', 'rle') }},
            objects.height,
            objects.width
        ) as covered_area
    from objects
    left join controls
        on objects.base_id = controls.base_id
    union all
    -- the mask is dilated when it is painted over, so nothing of the objects stays
    select
        base_id,
        'inpaint_remove' as family,
        object_rle as rle,
        cast(null as {{ dbt.type_string() }}) as recipe_error,
        object_area as covered_area
    from objects

),

occlusions as (

    select
        boxes.example_id,
        boxes.base_id,
        boxes.family,
        boxes.scale,
        cast(null as {{ dbt.type_string() }}) as rle,
        cast(null as {{ dbt.type_string() }}) as recipe_error,
        boxes.severity,
        boxes.box_left,
        boxes.box_top,
        boxes.box_width,
        boxes.box_height,
        gs_covered_area(
            objects.object_rle, objects.height, objects.width,
            boxes.box_left, boxes.box_top, boxes.box_width, boxes.box_height
        ) as covered_area
    from boxes
    inner join objects
        on boxes.base_id = objects.base_id
    union all
    select
        base_id || '::' || family as example_id,
        base_id,
        family,
        'coco_mask' as scale,
        rle,
        recipe_error,
        1 as severity,
        cast(null as bigint) as box_left,
        cast(null as bigint) as box_top,
        cast(null as bigint) as box_width,
        cast(null as bigint) as box_height,
        covered_area
    from masks

),

measured as (

    select
        occlusions.*,
        objects.source_image_id,
        objects.question,
        objects.categories,
        objects.object_rle,
        objects.mask_error,
        objects.object_area,
        objects.has_objects,
        objects.width as image_width,
        objects.height as image_height,
        case
            when objects.has_objects
                then cast(occlusions.covered_area as double) / objects.object_area
        end as covered_share
    from occlusions
    inner join objects
        on occlusions.base_id = objects.base_id

),

-- the first failing stage wins
judged as (

    select
        *,
        case
            when mask_error is not null then 'masks'
            when not has_objects then 'objects'
            when recipe_error is not null then 'control'
            when covered_share >= {{ var('occlusions_answerable_no_more_share') }} then null
            when covered_share <= {{ var('occlusions_still_answerable_share') }} then null
            else 'answerability'
        end as drop_stage,
        case
            when covered_share >= {{ var('occlusions_answerable_no_more_share') }} then 'irrelevant'
            when covered_share <= {{ var('occlusions_still_answerable_share') }} then 'clean'
        end as image_state,
        case family
            when 'occlusion_target' then base_id || '::occlusion_control'
            when 'occlusion_control' then base_id || '::occlusion_target'
        end as partner_id
    from measured

),

final as (

    select
        judged.example_id,
        judged.base_id,
        judged.source_image_id,
        judged.question,
        judged.categories,
        judged.family,
        judged.scale,
        judged.rle,
        judged.object_rle,
        case when judged.drop_stage is null then judged.image_state end as image_state,
        case when judged.drop_stage is null then oracle_policy.oracle_action end as oracle_action,
        -- a pair is two rows that name each other
        case when judged.drop_stage is null then partners.example_id end as paired_example_id,
        judged.drop_stage,
        gates.reason as drop_reason,
        coalesce(judged.mask_error, judged.recipe_error) as drop_detail,
        judged.severity,
        judged.image_width,
        judged.image_height,
        judged.box_left,
        judged.box_top,
        judged.box_width,
        judged.box_height,
        judged.object_area,
        judged.covered_area,
        judged.covered_share,
        judged.example_id as candidate_id,
        'occlusions' as screening,
        bases.question_id,
        bases.image_id,
        bases.image_file,
        bases.multiple_choice_answer as answer,
        bases.gold_answer,
        {{ list_value('judged.categories') }} as evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        judged.drop_stage is null as is_retained
    from judged
    left join judged as partners
        on
            judged.partner_id = partners.example_id
            and partners.drop_stage is null
    left join bases
        on judged.base_id = bases.base_id
    left join gates
        on judged.drop_stage = gates.stage
    left join oracle_policy
        on judged.image_state = oracle_policy.image_state

)

select * from final
