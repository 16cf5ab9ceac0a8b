with

mix as (

    select * from {{ ref('conflict_suite_refined__mix') }}
    where mix_state <> 'clean'

),

screened as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

answer_forms as (

    select * from {{ ref('answer_forms') }}
    where is_gold_form

),

captions as (

    select
        screened.base_id,
        mix.mix_state,
        screened.caption_id,
        screened.caption,
        screened.answer_type,
        screened.gold_answer,
        screened.evidence_words,
        {{ regexp_extract_all('screened.caption', '[A-Za-z0-9]+') }} as words,
        {{ regexp_split('screened.caption', '[A-Za-z0-9]+') }} as separators
    from mix
    inner join screened
        on mix.base_id = screened.base_id

),

positions as (

    select
        *,
        {{ unnest_list(integer_series(1, list_length('words'))) }} as position
    from captions

),

caption_words as (

    select
        base_id,
        mix_state,
        caption_id,
        answer_type,
        gold_answer,
        evidence_words,
        position,
        {{ list_length('words') }} as n_words,
        {{ list_extract('words', 'position') }} as word,
        lower({{ list_extract('words', 'position') }}) as word_lower,
        {{ list_extract('separators', 'position') }} as separator,
        case
            when position = {{ list_length('words') }}
                then {{ list_extract('separators', 'position + 1') }}
            else ''
        end as tail
    from positions

),

-- the words that bear on the answer, whatever it is
final as (

    select
        caption_words.base_id,
        caption_words.mix_state,
        caption_words.caption_id,
        caption_words.position,
        caption_words.answer_type,
        caption_words.gold_answer,
        caption_words.separator,
        caption_words.word,
        caption_words.word_lower,
        caption_words.tail,
        case caption_words.answer_type
            when 'boolean'
                then
                    case
                        when
                            {{ list_contains(
                                'caption_words.evidence_words', 'caption_words.word_lower'
                            ) }}
                            then caption_words.word_lower
                    end
            else {{ canonical_answer(
                'caption_words.word_lower', 'caption_words.answer_type', 'answer_forms.canonical'
            ) }}
        end as said
    from caption_words
    left join answer_forms
        on
            caption_words.answer_type = answer_forms.answer_type
            and caption_words.word_lower = answer_forms.surface

)

select * from final
