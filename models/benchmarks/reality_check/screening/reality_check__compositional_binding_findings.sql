{%- set neutral_colors = var('reality_check_neutral_colors') -%}
with
label_counts as (select * from {{ ref('reality_check__label_counts') }}),

objects as (
    select * from {{ ref('reality_check__objects') }}
    where not is_crowd
),

-- a label that stands once, so that its colour says which object is meant
unique_objects as (
    select
        label_counts.image_id, label_counts.label, label_counts.truth_source, objects.object_id,
        objects.area_fraction,
        {{ list_extract('objects.bbox', 1) }} + {{ list_extract('objects.bbox', 3) }} / 2
            as center_x,
        row_number() over (
            partition by label_counts.image_id
            order by objects.area_fraction desc, label_counts.label asc
        ) as size_rank
    from label_counts
    inner join objects
        on
            label_counts.image_id = objects.source_image_id
            and label_counts.label = objects.label
    where
        label_counts.n_objects = 1
        and label_counts.n_crowds = 0
        and objects.area_fraction >= {{ rc_threshold('least_bound_area') }}
        and label_counts.label not in (
            select uncolored_labels.word
            from {{ ref('reality_check_vocabulary') }} as uncolored_labels
            where uncolored_labels.list_name = 'uncolored_labels'
        )
),

-- the two largest, from left to right
colored_objects as (
    select
        unique_objects.image_id, unique_objects.label, unique_objects.truth_source,
        -- a label that no caption has may be an annotator's slip
        coalesce(label_namings.n_naming > 0, true) as is_named,
        object_colors.color, object_colors.color_share, object_colors.color_margin,
        object_colors.lightness, object_colors.a, object_colors.b,
        row_number() over (
            partition by unique_objects.image_id
            order by unique_objects.center_x, unique_objects.label
        ) as place
    from unique_objects
    left join {{ ref('reality_check__object_colors') }} as object_colors
        on
            unique_objects.image_id = object_colors.source_image_id
            and unique_objects.object_id = object_colors.object_id
    left join {{ ref('reality_check__label_namings') }} as label_namings
        on
            unique_objects.image_id = label_namings.image_id
            and unique_objects.label = label_namings.label
    where unique_objects.size_rank <= 2
),

annotated_images as (
    select distinct image_id from label_counts
),

object_pairs as (
    select
        images.image_id, images.has_object_annotations,
        annotated_images.image_id is not null as is_annotated,
        left_objects.label as object_1,
        right_objects.label as object_2,
        left_objects.truth_source,
        case
            when not left_objects.is_named then left_objects.label
            when not right_objects.is_named then right_objects.label
        end as unnamed_label,
        left_objects.color as color_1,
        right_objects.color as color_2,
        left_objects.lightness as lightness_1,
        right_objects.lightness as lightness_2,
        least(left_objects.color_share, right_objects.color_share) as least_color_share,
        {%- for side in ('left', 'right') %}
            coalesce(
                {{ side }}_objects.color not in ({{ text_literals(neutral_colors) }})
                or {{ side }}_objects.color_share >= {{ rc_threshold('least_neutral_share') }},
                false
            ) as is_{{ side }}_plain,
        {%- endfor %}
        least(left_objects.color_margin, right_objects.color_margin) as least_color_margin,
        sqrt(
            power(left_objects.lightness - right_objects.lightness, 2)
            + power(left_objects.a - right_objects.a, 2)
            + power(left_objects.b - right_objects.b, 2)
        ) as color_difference
    from {{ ref('reality_check__images') }} as images
    left join annotated_images using (image_id)
    left join colored_objects as left_objects
        on images.image_id = left_objects.image_id and left_objects.place = 1
    left join colored_objects as right_objects
        on images.image_id = right_objects.image_id and right_objects.place = 2
),

-- equal words are told apart by their shade, where they have one
shaded_pairs as (
    select
        *,
        {%- for number in (1, 2) %}
            case
                when color_1 <> color_2 then color_{{ number }}
                when lightness_{{ number }} < {{ rc_threshold('dark_lightness') }}
                    then 'dark ' || color_{{ number }}
                when lightness_{{ number }} > {{ rc_threshold('light_lightness') }}
                    then 'light ' || color_{{ number }}
                else color_{{ number }}
            end as word_{{ number }},
        {%- endfor %}
        greatest(lightness_1, lightness_2) < {{ rc_threshold('dark_lightness') }}
        or least(lightness_1, lightness_2) > {{ rc_threshold('light_lightness') }}
            as are_of_one_shade
    from object_pairs
),

findings as (
    select
        'compositional_binding::' || image_id as candidate_id,
        'compositional_binding' as bias_type,
        image_id, truth_source,
        case
            when
                are_of_one_shade
                or color_difference < {{ rc_threshold('medium_color_difference') }}
                then 'hard'
            when color_difference >= {{ rc_threshold('easy_color_difference') }} then 'easy'
            else 'medium'
        end as difficulty,
        {{ list_value('object_1', 'object_2') }} as evidence_words,
        {{ json_object(
            color_1='word_1', color_2='word_2', color_difference='round(color_difference, 1)',
            least_color_margin='round(least_color_margin, 3)',
            least_color_share='round(least_color_share, 3)', object_1='object_1',
            object_2='object_2'
        ) }} as evidence,
        -- some object of the picture is known
        is_annotated as passes_annotation,
        case
            when has_object_annotations then 'its annotations name no object'
            else 'no annotations landed'
        end as annotation_detail,
        -- two labels have one clear instance each, and captions name them
        not is_annotated or (object_2 is not null and unnamed_label is null) as passes_objects,
        case
            when object_2 is not null then 'no caption names the ' || unnamed_label
        end as objects_detail,
        -- each object is mostly of one colour, and the two colours are told apart
        object_2 is null
        or (
            coalesce(least_color_share, 0) >= {{ rc_threshold('least_color_share') }}
            and is_left_plain
            and is_right_plain
            and coalesce(least_color_margin >= {{ rc_threshold('least_color_margin') }}, true)
            and coalesce(color_difference, 0) >= {{ rc_threshold('least_color_difference') }}
            and coalesce(word_1 <> word_2, true)
        ) as passes_colors,
        object_1, object_2,
        word_1 as color_1,
        word_2 as color_2,
        color_difference
    from shaded_pairs
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_compositional_binding', 'reality_check__compositional_binding_findings'
    ) }} as is_possible
from findings
