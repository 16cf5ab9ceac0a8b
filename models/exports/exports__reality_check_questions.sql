with
challenges as (
    {{ union_of_models(
        ['reality_check__challenges', 'reality_check__controls'],
        [
            'challenge_id', 'bias_type', 'bias_types_combined', 'question_role', 'difficulty',
            'split', 'asked_images', 'distractor_answers',
        ]
    ) }}
),

questions as (select * from {{ ref('reality_check__record_questions') }}),
prompts as (select * from {{ ref('reality_check__prompts') }}),

challenge_pictures as (
    select * from {{ ref('exports__example_pictures') }}
    where benchmark = 'reality_check'
),

released_pictures as (
    select * from {{ ref('exports__release_pictures') }}
    where benchmark = 'reality_check'
),

-- controls are no examples; prompts list their pictures, each of which is a challenge's, too
control_lists as (
    select questions.challenge_id, prompts.shown_pictures
    from prompts
    inner join questions
        on
            prompts.example_id = questions.challenge_id || '::' || questions.language
            and questions.language = 'en'
    inner join challenges using (challenge_id)
    where challenges.split = 'control'
),

control_pictures as (
    {{ listed_pictures('control_lists', ['challenge_id']) }}
),

pictures as (
    select
        example_id as challenge_id,
        place, image, image_path, image_archive, license_name, license_url, picture_state
    from challenge_pictures
    union all
    select
        control_pictures.challenge_id, control_pictures.place, released_pictures.image,
        released_pictures.image_path, released_pictures.image_archive,
        released_pictures.license_name, released_pictures.license_url,
        coalesce(released_pictures.picture_state, 'not_landed') as picture_state
    from control_pictures
    left join released_pictures
        on
            control_pictures.shown_image_id = released_pictures.source_image_id
            and control_pictures.recipe_id is not distinct from released_pictures.recipe_id
    where control_pictures.shown_image_id is not null
),

-- each picture by the letter that questions know it by; where only the second is asked about, b
lettered_pictures as (
    select pictures.*, substr(challenges.asked_images, pictures.place, 1) as letter
    from pictures
    inner join challenges using (challenge_id)
),

-- a question can be given along where all its pictures can
picture_sets as (
    select
        challenge_id,
        max(case letter when 'a' then image end) as image_a,
        max(case letter when 'a' then image_path end) as image_a_path,
        max(case letter when 'a' then image_archive end) as image_a_archive,
        max(case letter when 'b' then image end) as image_b,
        max(case letter when 'b' then image_path end) as image_b_path,
        max(case letter when 'b' then image_archive end) as image_b_archive,
        max(case letter when 'c' then image end) as image_c,
        max(case letter when 'c' then image_path end) as image_c_path,
        max(case letter when 'c' then image_archive end) as image_c_archive,
        nullif(
            {{ array_join(list_sort_distinct(array_agg('license_name', 'place')), "', '") }}, ''
        ) as license_name,
        nullif(
            {{ array_join(list_sort_distinct(array_agg('license_url', 'place')), "' '") }}, ''
        ) as license_url,
        min(nullif(picture_state, 'available')) as missing_state
    from lettered_pictures
    group by challenge_id
)

select
    'reality_check' as benchmark,
    prompts.example_id, questions.challenge_id, questions.language, challenges.bias_type,
    {{ array_join('challenges.bias_types_combined', "'+'") }} as combination,
    challenges.question_role, challenges.difficulty, challenges.split, questions.answer_format,
    questions.question, questions.options,
    concat_ws(
        chr(10),
        questions.question,
        '(A) ' || {{ json_extract_string('questions.options', '$[0].text') }},
        '(B) ' || {{ json_extract_string('questions.options', '$[1].text') }},
        '(C) ' || {{ json_extract_string('questions.options', '$[2].text') }},
        '(D) ' || {{ json_extract_string('questions.options', '$[3].text') }}
    ) as prompt,
    questions.answer as target,
    questions.answer_text,
    {{ array_join('challenges.distractor_answers', "'; '") }} as distractors,
    {{ text_literal(var('record_versions').reality_check) }} as record_version,
    picture_sets.image_a, picture_sets.image_a_path, picture_sets.image_a_archive,
    picture_sets.image_b, picture_sets.image_b_path, picture_sets.image_b_archive,
    picture_sets.image_c, picture_sets.image_c_path, picture_sets.image_c_archive,
    picture_sets.license_name, picture_sets.license_url,
    coalesce(picture_sets.missing_state, 'available') as picture_state,
    questions.is_right_to_left
from questions
inner join challenges using (challenge_id)
inner join prompts on prompts.example_id = questions.challenge_id || '::' || questions.language
inner join picture_sets using (challenge_id)
