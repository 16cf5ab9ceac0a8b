with
pairs as (
    select * from {{ ref('reality_check__checked_pairs') }}
    where is_retained
),

licensed_images as (select * from {{ ref('reality_check__licensed_images') }}),

questions as (
    select
        pairs.*,
        {{ ground_truth_method('combinations.ground_truth_method', 'pairs.truth_source') }}
            as ground_truth_method,
        combinations.bias_types_combined, pair_questions.question_role, pair_questions.asked_images,
        pair_questions.answer_format, pair_questions.template_id, pair_questions.question_template,
        pair_questions.correct_answer as right_answer,
        pair_questions.distractor_answers as other_answers,
        case
            when combinations.questions_per_pair > 1
                then pairs.pair_id || '::' || pair_questions.question_role
            else pairs.pair_id
        end as challenge_id
    from pairs
    inner join {{ ref('reality_check__combinations') }} as combinations using (combination)
    inner join {{ ref('reality_check__pair_questions') }} as pair_questions using (pair_id)
)

select
    questions.challenge_id,
    questions.pair_id,
    questions.bias_type,
    questions.bias_types_combined,
    questions.question_role,
    questions.difficulty,
    case
        when
            images_a.split = 'dev'
            and images_b.split = 'dev'
            and coalesce(images_c.split, 'dev') = 'dev'
            then 'dev'
        else 'test'
    end as split,
    questions.image_a_id,
    questions.image_b_id,
    questions.image_c_id,
    images_a.image_file as image_a_file,
    coalesce(questions.rendered_file, images_b.image_file) as image_b_file,
    images_c.image_file as image_c_file,
    questions.asked_images,
    questions.template_id,
    questions.question_template,
    questions.slots,
    questions.options,
    questions.answer_format,
    questions.right_answer as correct_answer,
    coalesce(
        {{ option_text('questions.options', 'questions.right_answer') }},
        questions.right_answer
    ) as correct_text,
    questions.other_answers as distractor_answers,
    questions.expected_failure_mode,
    questions.ground_truth_method,
    questions.truth_source,
    case
        when
            images_a.n_uses <= images_b.n_uses
            and images_a.n_uses <= coalesce(images_c.n_uses, images_a.n_uses)
            then images_a.license
        when images_b.n_uses <= coalesce(images_c.n_uses, images_b.n_uses)
            then images_b.license
        else images_c.license
    end as license,
    questions.metadata,
    questions.n_unmeasured,
    questions.confound_check_passed,
    images_a.is_redistributable
    and images_b.is_redistributable
    and coalesce(images_c.is_redistributable, true) as is_redistributable
from questions
inner join licensed_images as images_a on questions.image_a_id = images_a.image_id
inner join licensed_images as images_b on questions.image_b_id = images_b.image_id
left join licensed_images as images_c on questions.image_c_id = images_c.image_id
