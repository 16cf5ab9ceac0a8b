with
bias_failures as (select * from {{ ref('reality_check__bias_failures') }}),

compound_failures as (
    {{ first_failures('reality_check', 'reality_check_compound') }}
),

pairing_failures as (
    {{ first_failures('reality_check', none) }}
),

-- a candidate that fails alone is in no pair
failures as (
    select * from bias_failures
    union all
    select * from compound_failures
    union all
    select * from pairing_failures
),

images as (select * from {{ ref('reality_check__images') }}),

pair_questions as (
    select * from {{ ref('reality_check__pair_questions') }}
    where role_order = 1
),

pair_screenings as (
    select
        candidates.candidate_id, candidates.screening, candidates.bias_type, candidates.combination,
        candidates.pair_id, candidates.difficulty,
        coalesce(candidates.difficulty, 'none') as family,
        candidates.image_id as source_image_id,
        cast(null as bigint) as question_id,
        {{ try_cast_bigint(regexp_extract(
            regexp_extract('candidates.image_id', '^coco-[0-9]+$'), '[0-9]+$'
        )) }} as image_id,
        images.image_file, pair_questions.question, cast(null as string) as answer,
        pair_questions.correct_answer as gold_answer,
        candidates.evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        candidates.evidence, failures.drop_stage, failures.drop_reason, failures.drop_detail,
        failures.candidate_id is null as is_retained
    from {{ ref('reality_check__pairing_findings') }} as candidates
    inner join images using (image_id)
    left join pair_questions using (pair_id)
    left join failures using (candidate_id)
),

-- a picture that was never fetched has the name that it would have
image_screenings as (
    select
        images_screened.candidate_id, 'reality_check_images' as screening,
        cast(null as string) as bias_type, cast(null as string) as combination,
        cast(null as string) as pair_id, cast(null as string) as difficulty,
        images_screened.source as family,
        images_screened.image_id as source_image_id,
        cast(null as bigint) as question_id,
        {{ try_cast_bigint(regexp_extract(
            regexp_extract('images_screened.image_id', '^coco-[0-9]+$'), '[0-9]+$'
        )) }} as image_id,
        coalesce(images.image_file, images_screened.image_id || '.jpg') as image_file,
        cast(null as string) as question, cast(null as string) as answer,
        cast(null as string) as gold_answer,
        {{ empty_list('string') }} as evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        {{ json_object(url='images_screened.url', license='images_screened.license') }}
            as evidence,
        images_screened.drop_stage, images_screened.drop_reason, images_screened.drop_detail,
        images_screened.is_retained
    from {{ ref('reality_check__images_screened') }} as images_screened
    left join images using (image_id)
),

translation_screenings as (
    select
        candidate_id, 'reality_check_translation' as screening,
        case
            when bias_type = 'description' or contains(bias_type, '+') then null
            else bias_type
        end as bias_type,
        bias_type as combination,
        cast(null as string) as pair_id, cast(null as string) as difficulty,
        language as family,
        cast(null as string) as source_image_id, cast(null as bigint) as question_id,
        cast(null as bigint) as image_id, cast(null as string) as image_file,
        text as question,
        cast(null as string) as answer, cast(null as string) as gold_answer,
        {{ empty_list('string') }} as evidence_words,
        {{ list_value('text_en') }} as texts_seen,
        {{ json_object(
            template_id='template_id',
            translator='translator',
            translator_version='translator_version',
        ) }} as evidence,
        drop_stage, drop_reason, drop_detail, is_retained
    from {{ ref('reality_check__translations_screened') }}
)

select * from pair_screenings
union all
select * from image_screenings
union all
select * from translation_screenings
