with

crops as (

    select * from {{ ref('reality_check__scale_crops') }}

),

crop_details as (

    select * from {{ ref('reality_check__crop_details') }}

),

detailed_crops as (

    select
        crops.*,
        crop_details.detail_share
    from crops
    left join crop_details
        on crops.image_id = crop_details.image_id

),

final as (

    select
        'scale_invariance::' || image_id as candidate_id,
        'scale_invariance' as bias_type,
        image_id,
        label,
        truth_source,
        case zoom
            {%- for zoom, level in var('reality_check_zoom_levels').items() %}
                when {{ zoom }} then '{{ level }}'
            {%- endfor %}
        end as difficulty,
        {{ list_value('label') }} as evidence_words,
        {{ json_object(
            area_fraction='round(area_fraction, 4)',
            detail_share='round(detail_share, 4)', label='label',
            share_on_object='round(share_on_object, 4)', zoom='zoom'
        ) }} as evidence,
        case
            when object_id is null then 'annotation'
            when
                not is_of_size
                or doubt is not null
                or n_cut_sides > {{ var('reality_check_most_cut_sides') }}
                then 'object'
            when
                least(crop_width, crop_height) < {{ var('reality_check_least_crop_side') }}
                or share_on_object < {{ var('reality_check_crop_on_object') }}
                then 'crop'
            when detail_share < {{ var('reality_check_least_crop_detail') }} then 'detail'
        end as drop_stage,
        case
            when not is_of_size then cast(null as {{ dbt.type_string() }})
            when doubt is not null then doubt
            when n_cut_sides > {{ var('reality_check_most_cut_sides') }}
                then 'the picture cuts the object off on ' || n_cut_sides || ' sides'
        end as drop_detail,
        zoom,
        crop_left,
        crop_top,
        crop_width,
        crop_height
    from detailed_crops

)

select * from final
