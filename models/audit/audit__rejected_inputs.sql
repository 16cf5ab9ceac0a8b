with
questions as (select * from {{ ref('stg_vqa__questions') }}),
annotations as (select * from {{ ref('stg_vqa__annotations') }}),
captions as (select * from {{ ref('stg_coco__captions') }}),

-- a row of a manifest may have several faults
first_violations as (
    select
        *,
        row_number() over (
            partition by source_file, array_name, file_position
            order by field
        ) as place
    from {{ ref('stg_gainsay__rejected_records') }}
    where not is_of_landed_record
),

layout_violations as (
    select
        source_file, file_position,
        array_name as record_kind,
        'layout_violation' as reason, record,
        field || ' is ' || found || ', expected ' || expected as what_failed
    from first_violations
    where place = 1
),

repeated_questions as (
    select
        source_file, file_position, 'questions' as record_kind, 'duplicate_question_id' as reason,
        question as record,
        'question id ' || cast(question_id as string)
        || ' is taken by another record' as what_failed
    from questions
    where occurrence > 1
),

repeated_annotations as (
    select
        source_file, file_position, 'annotations' as record_kind, 'duplicate_annotation' as reason,
        multiple_choice_answer as record,
        'question ' || cast(question_id as string)
        || ' has another annotation' as what_failed
    from annotations
    where occurrence > 1
),

-- an annotation of an unknown question, or one that names another image than its question
unmatched_annotations as (
    select
        annotations.source_file, annotations.file_position, 'annotations' as record_kind,
        case
            when questions.question_id is null then 'annotation_without_question'
            else 'annotation_of_other_image'
        end as reason,
        annotations.multiple_choice_answer as record,
        case
            when questions.question_id is null
                then
                    'no question has id '
                    || cast(annotations.question_id as string)
            else
                'the annotation names image '
                || cast(annotations.image_id as string)
                || ', its question image ' || cast(questions.image_id as string)
        end as what_failed
    from annotations
    left join questions
        on annotations.question_id = questions.question_id and questions.occurrence = 1
    where
        annotations.occurrence = 1
        and (questions.question_id is null or annotations.image_id <> questions.image_id)
),

repeated_captions as (
    select
        source_file, file_position, 'captions' as record_kind, 'duplicate_caption_id' as reason,
        caption as record,
        'caption id ' || cast(caption_id as string)
        || ' is taken by another record' as what_failed
    from captions
    where occurrence > 1
),

orphan_captions as (
    select
        captions.source_file, captions.file_position, 'captions' as record_kind,
        'caption_of_unknown_image' as reason,
        captions.caption as record,
        'no file lists image ' || cast(captions.image_id as string)
            as what_failed
    from captions
    left join {{ ref('images__source_images') }} as images using (source_image_id)
    where captions.occurrence = 1 and images.source_image_id is null
)

select * from layout_violations
union all
select * from repeated_questions
union all
select * from repeated_annotations
union all
select * from unmatched_annotations
union all
select * from repeated_captions
union all
select * from orphan_captions
