with

candidates as (

    {{ union_of_biases(var('reality_check_biases'), 'candidates', [
        'candidate_id', 'bias_type', 'bias_type as combination', 'image_id', 'difficulty',
        'evidence_words', 'evidence', 'drop_stage', 'drop_detail',
    ]) }}
    union all
    select
        candidate_id,
        bias_type,
        combination,
        image_id,
        difficulty,
        evidence_words,
        evidence,
        drop_stage,
        drop_detail
    from {{ ref('reality_check__compound_candidates') }}

),

images as (

    select * from {{ ref('reality_check__images') }}

),

images_screened as (

    select * from {{ ref('reality_check__images_screened') }}

),

translations_screened as (

    select * from {{ ref('reality_check__translations_screened') }}

),

pairs as (

    select * from {{ ref('reality_check__checked_pairs') }}

),

pair_questions as (

    select * from {{ ref('reality_check__pair_questions') }}
    where role_order = 1

),

gates as (

    select * from {{ ref('reality_check__gates') }}

),

-- an image is in one pair of a bias or combination at most
pair_images as (

    select
        combination,
        pair_id,
        image_a_id as image_id
    from pairs
    union
    select
        combination,
        pair_id,
        image_b_id as image_id
    from pairs
    union
    select
        combination,
        pair_id,
        image_c_id as image_id
    from pairs
    where image_c_id is not null

),

-- the stage of a bias that whoever ends in no pair fails
pairing_stages as (

    select
        screening,
        stage
    from gates
    where stage in ('partner', 'sequence')

),

endings as (

    select
        candidates.candidate_id,
        candidates.bias_type,
        candidates.combination,
        'reality_check_' || candidates.bias_type as screening,
        candidates.image_id,
        candidates.evidence_words,
        candidates.evidence,
        pairs.pair_id,
        pair_questions.question,
        pair_questions.correct_answer,
        coalesce(pairs.difficulty, candidates.difficulty) as difficulty,
        case
            when candidates.drop_stage is not null then candidates.drop_stage
            when pairs.pair_id is null then pairing_stages.stage
            else pairs.drop_stage
        end as drop_stage,
        case
            when candidates.drop_stage is not null then candidates.drop_detail
            else pairs.drop_detail
        end as drop_detail,
        coalesce(pairs.is_retained, false) as is_retained
    from candidates
    left join pair_images
        on
            candidates.combination = pair_images.combination
            and candidates.image_id = pair_images.image_id
            and candidates.drop_stage is null
    left join pairs
        on pair_images.pair_id = pairs.pair_id
    left join pair_questions
        on pairs.pair_id = pair_questions.pair_id
    left join pairing_stages
        on 'reality_check_' || candidates.bias_type = pairing_stages.screening

),

pair_screenings as (

    select
        endings.candidate_id,
        endings.screening,
        endings.bias_type,
        endings.combination,
        endings.pair_id,
        endings.difficulty,
        coalesce(endings.difficulty, 'none') as family,
        endings.image_id as source_image_id,
        cast(null as bigint) as question_id,
        {{ try_cast_bigint(regexp_extract(
            regexp_extract('endings.image_id', '^coco-[0-9]+$'), '[0-9]+$'
        )) }} as image_id,
        images.image_file,
        endings.question,
        cast(null as {{ dbt.type_string() }}) as answer,
        endings.correct_answer as gold_answer,
        endings.evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        endings.evidence,
        endings.drop_stage,
        gates.reason as drop_reason,
        endings.drop_detail,
        endings.is_retained
    from endings
    inner join images
        on endings.image_id = images.image_id
    left join gates
        on
            endings.screening = gates.screening
            and endings.drop_stage = gates.stage

),

-- a picture that was never fetched has the name that it would have
image_screenings as (

    select
        images_screened.candidate_id,
        'reality_check_images' as screening,
        cast(null as {{ dbt.type_string() }}) as bias_type,
        cast(null as {{ dbt.type_string() }}) as combination,
        cast(null as {{ dbt.type_string() }}) as pair_id,
        cast(null as {{ dbt.type_string() }}) as difficulty,
        images_screened.source as family,
        images_screened.image_id as source_image_id,
        cast(null as bigint) as question_id,
        {{ try_cast_bigint(regexp_extract(
            regexp_extract('images_screened.image_id', '^coco-[0-9]+$'), '[0-9]+$'
        )) }} as image_id,
        coalesce(images.image_file, images_screened.image_id || '.jpg') as image_file,
        cast(null as {{ dbt.type_string() }}) as question,
        cast(null as {{ dbt.type_string() }}) as answer,
        cast(null as {{ dbt.type_string() }}) as gold_answer,
        {{ empty_list(dbt.type_string()) }} as evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        {{ json_object(url='images_screened.url', license='images_screened.license') }}
            as evidence,
        images_screened.drop_stage,
        images_screened.drop_reason,
        images_screened.drop_detail,
        images_screened.is_retained
    from images_screened
    left join images
        on images_screened.image_id = images.image_id

),

translation_screenings as (

    select
        candidate_id,
        'reality_check_translation' as screening,
        case
            when bias_type = 'description' or contains(bias_type, '+') then null
            else bias_type
        end as bias_type,
        bias_type as combination,
        cast(null as {{ dbt.type_string() }}) as pair_id,
        cast(null as {{ dbt.type_string() }}) as difficulty,
        language as family,
        cast(null as {{ dbt.type_string() }}) as source_image_id,
        cast(null as bigint) as question_id,
        cast(null as bigint) as image_id,
        cast(null as {{ dbt.type_string() }}) as image_file,
        text as question,
        cast(null as {{ dbt.type_string() }}) as answer,
        cast(null as {{ dbt.type_string() }}) as gold_answer,
        {{ empty_list(dbt.type_string()) }} as evidence_words,
        {{ list_value('text_en') }} as texts_seen,
        {{ json_object(
            template_id='template_id',
            translator='translator',
            translator_version='translator_version',
        ) }} as evidence,
        drop_stage,
        drop_reason,
        drop_detail,
        is_retained
    from translations_screened

),

final as (

    select * from pair_screenings
    union all
    select * from image_screenings
    union all
    select * from translation_screenings

)

select * from final
