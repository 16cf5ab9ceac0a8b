with
findings_of_pictures as (select * from {{ ref('reality_check__annotator_results') }}),

-- the letters on it are seen where text recognition reads none, if it is not too small
lettered_images as (
    select label_counts.image_id, min(label_counts.label) as label
    from {{ ref('reality_check__label_counts') }} as label_counts
    inner join {{ ref('reality_check_lettered_labels') }} as lettered using (label)
    where label_counts.largest_side >= lettered.least_side
    group by label_counts.image_id
),

writing_lines as (
    select image_sha256, {{ unnest_list('writing_lines') }} as line from findings_of_pictures
),

lines_with_sizes as (
    select image_sha256, line.confidence as confidence, line.bbox as bbox
    from writing_lines
),

-- writing that text recognition cannot read, people can
images_with_writing as (
    select distinct image_sha256
    from lines_with_sizes
    where
        confidence >= {{ rc_threshold('writing_confidence') }}
        and least({{ list_extract('bbox', 3) }}, {{ list_extract('bbox', 4) }})
        >= {{ rc_threshold('writing_least_side') }}
),

flips as (
    select
        images.image_id,
        case
            when images_with_writing.image_sha256 is not null then 'writing that was not read'
            else lettered_images.label
        end as lettered_label,
        case
            when
                {{ seeded_int('rc_flip', 'images.image_id', 10, seed_var='reality_check_seed') }}
                < {{ rc_threshold('vertical_flip_tenths') }}
                then 'vertical'
            else 'horizontal'
        end as axis,
        annotations.has_text, findings_of_pictures.horizontal_difference,
        findings_of_pictures.vertical_difference,
        abs(annotations.depth_left - annotations.depth_right) as depth_difference
    from {{ ref('reality_check__images') }} as images
    inner join {{ ref('images__files') }} as files on images.image_id = files.source_image_id
    left join findings_of_pictures on files.sha256 = findings_of_pictures.image_sha256
    left join {{ ref('images__annotations') }} as annotations
        on images.image_id = annotations.source_image_id
    left join lettered_images on images.image_id = lettered_images.image_id
    left join images_with_writing on files.sha256 = images_with_writing.image_sha256
),

measured_flips as (
    select
        *,
        case axis when 'vertical' then vertical_difference else horizontal_difference end
            as mirror_difference,
        case
            when has_text then 'text that was read'
            -- upside down, letters tell no more than everything else does
            when axis = 'horizontal' then lettered_label
        end as mirrored_label
    from flips
),

-- a mirror image is easier to tell the more the halves differ, in colour or in depth
findings as (
    select
        'spatial_relations::' || image_id as candidate_id,
        'spatial_relations' as bias_type,
        image_id, axis,
        case
            when axis = 'vertical' then 'easy'
            when
                greatest(mirror_difference, coalesce(depth_difference, 0))
                >= {{ rc_threshold('medium_mirror_difference') }}
                then 'medium'
            else 'hard'
        end as difficulty,
        {{ list_value('axis') }} as evidence_words,
        {{ json_object(
            axis='axis', depth_difference='depth_difference', has_text='has_text',
            mirror_difference='mirror_difference'
        ) }} as evidence,
        -- text was looked for, and the picture compared with its mirror image
        has_text is not null and mirror_difference is not null as passes_annotation,
        case
            when has_text is null then 'its text was not read'
            else 'it was not compared with its mirror image'
        end as annotation_detail,
        -- no letters give the flip away
        mirrored_label is null as passes_text,
        mirrored_label as text_detail,
        -- the picture and its mirror image look different
        coalesce(mirror_difference >= {{ rc_threshold('least_mirror_difference') }}, true)
            as passes_symmetry,
        mirror_difference, depth_difference
    from measured_flips
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_spatial_relations', 'reality_check__spatial_relations_findings'
    ) }} as is_possible
from findings
