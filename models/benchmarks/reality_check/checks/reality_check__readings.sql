with
-- the queues without whose verdicts a bias or a compound of it is not asked
awaited_queues as (
    select distinct combinations.combination, biases.awaited_queue
    from {{ ref('reality_check__combinations') }} as combinations
    inner join {{ ref('reality_check_biases') }} as biases
        on array_contains(combinations.bias_types_combined, biases.bias_type)
    where biases.awaited_queue in ({{ text_literals(var('reality_check_awaited_queues')) }})
),

pairs as (
    select
        pair_id, combination, image_a_id, image_b_id, image_c_id, asked_label, options, metadata,
        recipe_family, recipe_parameters, recipe_rle, edit_families,
        case
            when recipe_family is null then image_b_id
            else image_a_id || '::' || pair_id || '::b'
        end as picture_b_id
    from {{ ref('reality_check__pairs') }}
    where is_drawn
),

outline_pairs as (
    select * from pairs
    where array_contains(edit_families, 'silhouette')
),

-- five other names beside the right one, of its group before others
named_things as (
    select
        outline_pairs.pair_id,
        category_names.label,
        category_names.label = outline_pairs.asked_label as is_right,
        row_number() over (
            partition by outline_pairs.pair_id
            order by
                case
                    when category_names.label = outline_pairs.asked_label then 0
                    when category_names.group_name = asked_names.group_name then 1
                    else 2
                end,
                {{ seeded_order(
                    'rc_outline', "outline_pairs.pair_id || ':' || category_names.label",
                    seed_var='reality_check_seed'
                ) }}
        ) as place
    from outline_pairs
    cross join {{ ref('reality_check_category_names') }} as category_names
    left join {{ ref('reality_check_category_names') }} as asked_names
        on outline_pairs.asked_label = asked_names.label
),

lettered_things as (
    select
        *,
        substr('ABCDEF', cast(row_number() over (
            partition by pair_id
            order by {{ seeded_order(
                'rc_outline_letter', "pair_id || ':' || label", seed_var='reality_check_seed'
            ) }}
        ) as int), 1) as letter
    from named_things
    where place <= 6
),

listed_things as (
    select
        pair_id,
        min(case when is_right then letter end) as right_answer,
        {{ json_list(array_agg(
            json_object(letter='letter', text='label'), order_by='letter'
        )) }} as choices
    from lettered_things
    group by pair_id
),

records as (
    select
        'outline' as queue,
        pairs.pair_id as record_id,
        pairs.pair_id, listed_things.right_answer,
        {{ list_value("'outline'") }} as picture_roles,
        {{ list_value('pairs.picture_b_id') }} as picture_ids,
        '[]' as texts,
        listed_things.choices
    from outline_pairs as pairs
    inner join listed_things using (pair_id)
    union all
    select
        'shadow' as queue,
        pair_id as record_id,
        pair_id,
        cast(null as string) as right_answer,
        {{ list_value("'photograph'", "'region'", "'changed'") }} as picture_roles,
        {{ list_value(
            'image_a_id', "image_a_id || '::' || pair_id || '::region'", 'picture_b_id'
        ) }} as picture_ids,
        '[]' as texts,
        '[]' as choices
    from pairs
    where array_contains(edit_families, 'shadow_turn')
    union all
    select
        'challenge' as queue,
        case
            when combinations.questions_per_pair > 1
                then pairs.pair_id || '::' || pair_questions.question_role
            else pairs.pair_id
        end as record_id,
        pairs.pair_id,
        cast(null as string) as right_answer,
        case pair_questions.asked_images
            when 'ab' then {{ list_value("'A'", "'B'") }}
            when 'abc' then {{ list_value("'A'", "'B'", "'C'") }}
            else {{ list_value("'picture'") }}
        end as picture_roles,
        case pair_questions.asked_images
            when 'a' then {{ list_value('pairs.image_a_id') }}
            when 'b' then {{ list_value('pairs.picture_b_id') }}
            when 'ab' then {{ list_value('pairs.image_a_id', 'pairs.picture_b_id') }}
            else {{ list_value('pairs.image_a_id', 'pairs.picture_b_id', 'pairs.image_c_id') }}
        end as picture_ids,
        {{ shown_texts(
            shown_text("'Question'", 'pair_questions.question'),
            shown_text("'Answer'", 'pair_questions.correct_answer')
        ) }} as texts,
        coalesce(pairs.options, '[]') as choices
    from pairs
    inner join {{ ref('reality_check__combinations') }} as combinations using (combination)
    inner join {{ ref('reality_check__pair_questions') }} as pair_questions using (pair_id)
)

select
    records.queue, records.record_id, records.pair_id, records.right_answer, records.picture_roles,
    records.picture_ids, records.texts, records.choices,
    -- an outline that people drew tells alone what it is, unless it is a person's
    awaited_queues.combination is not null
    and (
        records.queue <> 'outline'
        or pairs.asked_label = 'person'
        or {{ json_field('pairs.metadata', "'method'") }} <> 'mask'
    ) as is_awaited,
    md5({{ canonical_row([
        'pairs.image_a_id', 'pairs.image_b_id', 'pairs.image_c_id', 'pairs.recipe_family',
        'pairs.recipe_parameters', 'pairs.recipe_rle', 'records.texts', 'records.choices',
    ]) }}) as record_md5
from records
inner join pairs using (pair_id)
left join awaited_queues
    on
        pairs.combination = awaited_queues.combination
        and records.queue = awaited_queues.awaited_queue
