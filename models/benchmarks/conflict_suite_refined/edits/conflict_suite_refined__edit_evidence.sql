{%- set is_new_answer %}not {{ list_contains('caption_evidence', 'answer') }}{% endset -%}
with

mix as (

    select * from {{ ref('conflict_suite_refined__mix') }}

),

bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

edits as (

    select * from {{ ref('conflict_suite_refined__edits') }}

),

colors as (

    select
        canonical as color,
        position
    from {{ ref('answer_forms') }}
    where
        answer_type = 'color'
        and is_gold_form

),

number_words as (

    select
        surface as word,
        cast(canonical as integer) as value
    from {{ ref('answer_forms') }}
    where
        answer_type = 'integer'
        and is_gold_form

),

-- the closed vocabularies as one row of lists
vocabulary as (

    select
        (select {{ array_agg('color', order_by='position') }} from colors) as colors,
        (select {{ array_agg('word', order_by='value') }} from number_words) as number_words

),

-- a base that stays clean has one row, without an edit
texts as (

    select
        mix.base_id,
        mix.mix_state,
        bases.answer_type,
        bases.gold_answer,
        bases.caption,
        bases.evidence_words,
        edits.edit_kind,
        edits.edited_from,
        edits.edited_to,
        edits.edited_caption,
        edits.response_reason,
        coalesce(edits.editor, 'none') as editor,
        coalesce(edits.preference, 1) as preference,
        {{ tokens('bases.caption') }} as caption_tokens,
        coalesce({{ tokens('edits.edited_caption') }}, {{ empty_list(dbt.type_string()) }})
            as edited_tokens
    from mix
    inner join bases
        on mix.base_id = bases.base_id
    left join edits
        on mix.base_id = edits.base_id

),

-- the tokens that answer, as A2 reads them
answering_tokens as (

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

-- every caption answers a question about existence: a thing that it does not name is not there
answers as (

    select
        *,
        case when {{ list_length('edited_evidence') }} > 0 then 'yes' else 'no' end
            as existence_answer
    from answering_tokens

),

final as (

    select
        base_id || '::' || editor as candidate_id,
        base_id,
        editor,
        mix_state,
        answer_type,
        gold_answer,
        caption,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption,
        response_reason,
        caption_evidence,
        edited_evidence,
        case answer_type
            when 'boolean' then {{ list_value('existence_answer') }}
            else
                {{ list_sort_distinct(list_filter('edited_evidence', 'answer', is_new_answer)) }}
        end as new_answers,
        case answer_type
            when 'boolean' then existence_answer = gold_answer
            else {{ list_contains('edited_evidence', 'gold_answer') }}
        end as is_gold_supported,
        preference
    from answers

)

select * from final
