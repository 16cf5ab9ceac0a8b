-- numerator and denominator of every metric, in the order of `evaluation_metrics`; a view,
-- because nothing but its sums is looked at
{{ config(materialized='view') }}

with

matches as (

    select * from {{ ref('evaluation__matches') }}

),

cells as (

    select * from {{ ref('evaluation__cells') }}

),

measured as (

    select
        source_file,
        matcher,
        slices,
        example_id,
        source_image_id,
        case benchmark
            when 'clash' then {{ list_value(
                one_if('is_contradiction'), '1.0',
                one_if('is_image_only'), '1.0',
                one_if('is_text_only'), '1.0',
                one_if('is_distractor'), '1.0',
                one_if('is_none'), '1.0'
            ) }}
            when 'vqa' then {{ list_value('credit', '1.0') }}
            when 'conflict_suite' then {{ list_value(
                'credit', '1.0',
                one_if('is_correct'), '1.0',
                one_if('not is_abstained'), '1.0',
                one_if('is_correct'), one_if('not is_abstained'),
                one_if('stated_action = oracle_action'), one_if('stated_action is not null'),
                'coalesce((confidence - credit) * (confidence - credit), 0)',
                one_if('confidence is not null'),
                one_if('is_correct and not was_correct'), one_if('was_correct is not null'),
                f1_of_action("'trust_vision'"),
                f1_of_action("'trust_text'"),
                f1_of_action("'require_agreement'"),
                f1_of_action("'abstain'")
            ) }}
            when 'pope' then {{ list_value(
                'credit', '1.0',
                one_if('is_yes and is_gold_yes'), one_if('is_yes'),
                one_if('is_yes and is_gold_yes'), one_if('is_gold_yes'),
                '2 * ' ~ one_if('is_yes and is_gold_yes'),
                one_if('is_yes') ~ ' + ' ~ one_if('is_gold_yes'),
                one_if('is_yes'), '1.0'
            ) }}
            when 'certainly_uncertain' then {{ list_value(
                'coalesce(credit, 0)', one_if('credit is not null'),
                '2 * ' ~ one_if('is_abstained and is_gold_abstained'),
                one_if('is_abstained') ~ ' + ' ~ one_if('is_gold_abstained'),
                'coalesce(case when credit > 0 then credit * confidence'
                ~ ' when credit = 0 then -confidence end, 0)',
                one_if('credit is not null and confidence is not null')
            ) }}
        end as measures
    from matches

),

final as (

    select
        measured.source_file,
        measured.matcher,
        measured.example_id,
        measured.source_image_id,
        cells.cell,
        {{ list_transform('measured.measures', 'measure', 'cast(measure as double)') }} as measures
    from measured
    inner join cells
        on
            measured.source_file = cells.source_file
            and measured.matcher = cells.matcher
            and measured.slices = cells.slices

)

select * from final
