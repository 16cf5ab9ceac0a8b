with
candidates as (
    select * from {{ ref('reality_check__compositional_binding_findings') }}
    where is_possible
),

descriptions as (
    select
        *,
        {{ described_colors('color_1', 'object_1', 'color_2', 'object_2') }} as right_text,
        {{ described_colors('color_2', 'object_1', 'color_1', 'object_2') }} as swapped_text,
        {{ described_colors('color_1', 'object_1', 'color_1', 'object_2') }} as both_first_text,
        {{ described_colors('color_2', 'object_1', 'color_2', 'object_2') }} as both_second_text
    from candidates
),

{#- which of the four descriptions comes first is chosen by seed -#}
{%- set keys = ['right', 'swapped', 'both_first', 'both_second'] %}
option_keys as (
    {%- for key in keys %}
        select candidate_id, '{{ key }}' as option_key, {{ key }}_text as option_text
        from descriptions
        {%- if not loop.last %}
            union all
        {%- endif %}
    {%- endfor %}
),

ordered_options as (
    select
        *,
        row_number() over (
            partition by candidate_id
            order by {{ seeded_order(
                'rc_options', "candidate_id || ':' || option_key", seed_var='reality_check_seed'
            ) }}
        ) as place
    from option_keys
),

options as (
    select
        candidate_id,
        '[' || {{ array_join(
            array_agg(
                json_object(key='option_key', letter="substr('ABCD', cast(place as int), 1)",
                            text='option_text'),
                order_by='place'
            ),
            "','"
        ) }} || ']' as options,
        min(
            case when option_key = 'right' then substr('ABCD', cast(place as int), 1) end
        ) as right_letter,
        {{ list_filter(
            array_agg(
                "case when option_key <> 'right' then substr('ABCD', cast(place as int), 1) end",
                order_by='place'
            ),
            'letter',
            'letter is not null'
        ) }} as other_letters
    from ordered_options
    group by candidate_id
)

select
    descriptions.candidate_id as pair_id,
    descriptions.bias_type,
    descriptions.image_id as image_a_id,
    descriptions.image_id as image_b_id,
    descriptions.difficulty,
    {{ json_object(
        color_1='descriptions.color_1', color_2='descriptions.color_2',
        object_1='descriptions.object_1', object_2='descriptions.object_2'
    ) }} as slots,
    options.options,
    options.right_letter as correct_answer,
    options.other_letters as distractor_answers,
    descriptions.right_text as binding_a,
    descriptions.swapped_text as binding_b,
    {{ json_object(
        color_1='descriptions.color_1', color_2='descriptions.color_2',
        color_difference='round(descriptions.color_difference, 1)',
        object_1='descriptions.object_1', object_2='descriptions.object_2'
    ) }} as metadata,
    descriptions.truth_source,
    {{ absent_pair_columns(
        'image_c_id', 'asked_label', 'recipe_family', 'recipe_parameters', 'recipe_rle',
        'edit_families'
    ) }}
from descriptions
inner join options using (candidate_id)
