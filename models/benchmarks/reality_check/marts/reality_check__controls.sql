with
control_pairs as (select * from {{ ref('reality_check__control_pairs') }}),

pairs as (
    select * from {{ ref('reality_check__checked_pairs') }}
    where is_retained
),

compound_combinations as (select * from {{ ref('reality_check_compound_combinations') }}),
licensed_images as (select * from {{ ref('reality_check__licensed_images') }}),

answer_pairs as (
    select
        control_id as pair_id,
        first_right, first_wrong, second_right, second_wrong, '; ' as answer_separator
    from control_pairs
    where second_right is not null
),

options as (
    {{ compound_options('answer_pairs') }}
),

-- the pair's own photograph and edit, or the edit of a pair whose object has another label
controls as (
    select
        control_pairs.*,
        pairs.bias_type, pairs.difficulty, pairs.image_a_id,
        coalesce(other_pairs.image_a_id, pairs.image_a_id) as image_b_id,
        case when control_pairs.first_picture = 'edited' then pairs.rendered_file end
            as rendered_a_file,
        case control_pairs.second_picture
            when 'edited' then pairs.rendered_file
            when 'another_label' then other_pairs.rendered_file
        end as rendered_b_file,
        case when control_pairs.first_picture = 'edited' then pairs.pair_id || '::b' end
            as recipe_a_id,
        case control_pairs.second_picture
            when 'edited' then pairs.pair_id || '::b'
            when 'another_label' then other_pairs.pair_id || '::b'
        end as recipe_b_id,
        pairs.slots, pairs.asked_label,
        other_pairs.asked_label as other_label,
        pairs.truth_source, pair_questions.asked_images, pair_questions.answer_format,
        pair_questions.template_id, pair_questions.question_template,
        combinations.bias_types_combined,
        {{ ground_truth_method('combinations.ground_truth_method', 'pairs.truth_source') }}
            as ground_truth_method
    from control_pairs
    inner join pairs using (pair_id)
    inner join {{ ref('reality_check__pair_questions') }} as pair_questions
        using (pair_id, question_role)
    inner join {{ ref('reality_check__combinations') }} as combinations
        on control_pairs.combination = combinations.combination
    left join pairs as other_pairs on control_pairs.other_pair_id = other_pairs.pair_id
)

select
    controls.control_id as challenge_id,
    controls.control_of,
    controls.pair_id,
    controls.bias_type,
    controls.bias_types_combined,
    controls.question_role,
    controls.difficulty,
    'control' as split,
    controls.image_a_id,
    controls.image_b_id,
    coalesce(controls.rendered_a_file, images_a.image_file) as image_a_file,
    coalesce(controls.rendered_b_file, images_b.image_file) as image_b_file,
    controls.recipe_a_id,
    controls.recipe_b_id,
    controls.asked_images,
    controls.template_id,
    controls.question_template,
    controls.slots,
    options.options,
    controls.answer_format,
    coalesce(options.correct_answer, controls.first_right) as correct_answer,
    coalesce(options.correct_text, controls.first_right) as correct_text,
    coalesce(
        options.distractor_answers, {{ list_value('controls.first_wrong') }}
    ) as distractor_answers,
    case
        when options.pair_id is not null
            then {{ failure_modes('compound_combinations', 'options') }}
    end as expected_failure_mode,
    controls.ground_truth_method,
    controls.truth_source,
    case when images_a.n_uses <= images_b.n_uses then images_a.license else images_b.license end
        as license,
    {{ json_object(label_a='controls.asked_label', label_b='controls.other_label') }}
        as metadata,
    images_a.is_redistributable and images_b.is_redistributable as is_redistributable
from controls
inner join licensed_images as images_a on controls.image_a_id = images_a.image_id
inner join licensed_images as images_b on controls.image_b_id = images_b.image_id
left join options on controls.control_id = options.pair_id
left join compound_combinations using (combination)
