with

mix as (

    select * from {{ ref('conflict_suite_refined__mix') }}

),

screened as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

edits as (

    select * from {{ ref('conflict_suite_refined__edits') }}

),

-- the closed vocabularies as one row of lists
vocabulary as (

    select
        (select {{ array_agg('color', order_by='position') }} from {{ ref('colors') }}) as colors,
        (select {{ array_agg('word', order_by='value') }} from {{ ref('number_words') }})
            as number_words

),

texts as (

    select
        mix.base_id,
        mix.mix_state,
        screened.answer_type,
        screened.gold_answer,
        screened.caption,
        screened.evidence_words,
        edits.edit_kind,
        edits.edited_from,
        edits.edited_to,
        edits.edited_caption,
        edits.response_reason,
        coalesce(edits.editor, 'none') as editor,
        coalesce(edits.preference, 1) as preference,
        {{ tokens('screened.caption') }} as caption_tokens,
        coalesce({{ tokens('edits.edited_caption') }}, {{ empty_list(dbt.type_string()) }})
            as edited_tokens
    from mix
    inner join screened
        on mix.base_id = screened.base_id
    left join edits
        on mix.base_id = edits.base_id

),

-- the tokens that answer, as A2 reads them
evidence as (

    select
        texts.*,
        case texts.answer_type
            when 'color' then {{ list_intersect('texts.caption_tokens', 'vocabulary.colors') }}
            when 'boolean' then {{ list_intersect('texts.caption_tokens', 'texts.evidence_words') }}
            else {{ number_tokens('texts.caption_tokens', 'vocabulary.number_words') }}
        end as caption_evidence,
        case texts.answer_type
            when 'color' then {{ list_intersect('texts.edited_tokens', 'vocabulary.colors') }}
            when 'boolean' then {{ list_intersect('texts.edited_tokens', 'texts.evidence_words') }}
            else {{ number_tokens('texts.edited_tokens', 'vocabulary.number_words') }}
        end as edited_evidence
    from texts
    cross join vocabulary

),

-- what the edited caption answers and the original did not
answered as (

    select
        *,
        case answer_type
            when 'boolean'
                then
                    {{ list_value(
                        "case when " ~ list_length('edited_evidence') ~ " > 0 then 'yes' else 'no' end"
                    ) }}
            else
                {{ list_sort_distinct(list_filter(
                    'edited_evidence', 'answer',
                    'not ' ~ list_contains('caption_evidence', 'answer')
                )) }}
        end as new_answers,
        case answer_type
            when 'boolean'
                then ({{ list_length('edited_evidence') }} > 0) = (gold_answer = 'yes')
            else {{ list_contains('edited_evidence', 'gold_answer') }}
        end as is_gold_supported
    from evidence

),

-- the first failing stage wins
final as (

    select
        base_id,
        editor,
        mix_state,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption,
        caption_evidence,
        edited_evidence,
        new_answers,
        case
            when mix_state = 'clean' then null
            when response_reason = 'response_missing' then 'response'
            when response_reason = 'response_refused' then 'refusal'
            when response_reason = 'response_invalid' then 'validity'
            when trim(edited_caption) = trim(caption) then 'unchanged'
            when mix_state = 'different' and edited_caption is null then 'answerable'
            when
                mix_state = 'different'
                and answer_type <> 'boolean'
                and {{ list_length('new_answers') }} <> 1
                then 'answerable'
            when mix_state = 'different' and is_gold_supported then 'gold_support'
            when
                mix_state = 'irrelevant'
                and (edited_caption is null or {{ list_length('edited_evidence') }} > 0)
                then 'other_answers'
        end as drop_stage,
        preference
    from answered

)

select * from final
