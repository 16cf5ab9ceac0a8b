with
templates as (
    select * from {{ ref('reality_check_question_templates') }}
    where is_in_use
),

-- a template without a role is asked in any
role_templates as (
    select
        question_roles.*,
        templates.template_id, templates.text_en,
        row_number() over (
            partition by question_roles.combination, question_roles.question_role
            order by templates.template_id
        ) - 1 as place,
        count(*) over (
            partition by question_roles.combination, question_roles.question_role
        ) as n_templates
    from {{ ref('reality_check_question_roles') }} as question_roles
    inner join templates
        on
            question_roles.combination = templates.bias_type
            and (
                templates.question_role is null
                or question_roles.question_role = templates.question_role
            )
)

-- a pair is asked by the template of one number, in both of its roles
select
    pairs.pair_id, pairs.bias_type, role_templates.question_role, role_templates.role_order,
    role_templates.asked_images, role_templates.answer_format, role_templates.template_id,
    role_templates.text_en as question_template,
    {{ filled_slots('role_templates.text_en', {
        'object_category': json_field('pairs.slots', "'object_category'"),
        'supercategory': json_field('pairs.slots', "'supercategory'"),
    }) }} as question,
    coalesce(role_templates.correct_answer, pairs.correct_answer) as correct_answer,
    case
        when role_templates.correct_answer is null then pairs.distractor_answers
        else {{ list_value('role_templates.distractor_answer') }}
    end as distractor_answers
from {{ ref('reality_check__pairs') }} as pairs
inner join role_templates
    on
        pairs.combination = role_templates.combination
        and role_templates.place
        = {{ seeded_int(
            'rc_template', 'pairs.pair_id', 'role_templates.n_templates',
            seed_var='reality_check_seed'
        ) }}
