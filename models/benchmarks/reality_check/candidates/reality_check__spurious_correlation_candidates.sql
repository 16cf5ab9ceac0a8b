{%- set areas = var('reality_check_spurious_areas') -%}
with

images as (

    select * from {{ ref('reality_check__images') }}

),

main_objects as (

    select * from {{ ref('reality_check__main_objects') }}

),

label_counts as (

    select * from {{ ref('reality_check__label_counts') }}

),

scenes as (

    select * from {{ ref('images__scenes') }}

),

label_scenes as (

    select * from {{ ref('reality_check__label_scenes') }}

),

category_names as (

    select * from {{ ref('reality_check_category_names') }}

),

found_objects as (

    select
        images.image_id,
        main_objects.label,
        main_objects.truth_source,
        main_objects.doubt,
        main_objects.area_fraction,
        scenes.scene,
        label_scenes.typicality,
        label_scenes.share,
        category_names.group_name,
        coalesce(
            label_counts.n_objects = 1
            and label_counts.n_crowds = 0
            and main_objects.area_fraction >= {{ areas['least'] }}
            -- a label that is the name of its group would be the question's own word
            and category_names.group_name <> main_objects.label,
            false
        ) as is_single
    from images
    left join main_objects
        on images.image_id = main_objects.image_id
    left join label_counts
        on
            main_objects.image_id = label_counts.image_id
            and main_objects.label = label_counts.label
    left join category_names
        on main_objects.label = category_names.label
    left join scenes
        on images.image_id = scenes.source_image_id
    left join label_scenes
        on
            main_objects.label = label_scenes.label
            and scenes.scene = label_scenes.scene

),

final as (

    select
        'spurious_correlation::' || image_id as candidate_id,
        'spurious_correlation' as bias_type,
        image_id,
        label,
        group_name,
        scene,
        typicality,
        truth_source,
        cast(null as {{ dbt.type_string() }}) as difficulty,
        {{ list_value('label', 'scene', 'typicality') }} as evidence_words,
        {{ json_object(
            area_fraction='area_fraction', label='label', scene='scene', share='share',
            typicality='typicality'
        ) }} as evidence,
        case
            when label is null then 'annotation'
            when not is_single or doubt is not null then 'object'
            when scene is null then 'scene'
            when typicality is null then 'typicality'
        end as drop_stage,
        case when is_single then doubt end as drop_detail,
        area_fraction,
        share
    from found_objects

)

select * from final
