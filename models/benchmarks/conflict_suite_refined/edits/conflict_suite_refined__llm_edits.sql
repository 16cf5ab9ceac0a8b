with

outcomes as (

    select * from {{ ref('llm__outcomes') }}
    where task in ('edit_different', 'edit_irrelevant')

),

bases as (

    select
        mix.base_id,
        mix.mix_state,
        screened.caption,
        screened.question
    from {{ ref('conflict_suite_refined__mix') }} as mix
    inner join {{ ref('conflict_suite__screened') }} as screened
        on mix.base_id = screened.base_id
    where mix.mix_state <> 'clean'

),

-- a request counts that asked about the caption and the question as they are now; of several
-- an answered one, then the latest
asked as (

    select
        bases.*,
        outcomes.custom_id,
        outcomes.reason,
        outcomes.answer,
        row_number() over (
            partition by bases.base_id
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from bases
    inner join outcomes
        on
            bases.base_id = outcomes.input_id
            and outcomes.task = 'edit_' || bases.mix_state
    where
        contains(outcomes.request_text, bases.caption)
        and contains(outcomes.request_text, bases.question)

),

worded as (

    select
        base_id,
        mix_state,
        custom_id,
        caption,
        trim({{ json_extract_string('answer', '$.edited_caption') }}) as edited_caption,
        case
            when reason is not null then reason
            when trim({{ json_extract_string('answer', '$.edited_caption') }}) = ''
                then 'response_invalid'
        end as response_reason,
        {{ regexp_extract_all('caption', '[A-Za-z0-9]+') }} as words,
        coalesce(
            {{ regexp_extract_all(json_extract_string('answer', '$.edited_caption'), '[A-Za-z0-9]+') }},
            {{ empty_list(dbt.type_string()) }}
        ) as edited_words
    from asked
    where preference = 1

),

positions as (

    select
        base_id,
        words,
        edited_words,
        {{ unnest_list(integer_series(
            1, 'greatest(' ~ list_length('words') ~ ', ' ~ list_length('edited_words') ~ ') + 1'
        )) }} as position
    from worded

),

-- how many words the captions share in front and at the end
shared as (

    select
        base_id,
        min(case
            when
                {{ list_extract('words', 'position') }}
                is distinct from {{ list_extract('edited_words', 'position') }}
                then position - 1
        end) as n_in_front,
        min(case
            when
                {{ list_extract('words', list_length('words') ~ ' + 1 - position') }}
                is distinct from
                {{ list_extract('edited_words', list_length('edited_words') ~ ' + 1 - position') }}
                then position - 1
        end) as n_at_the_end
    from positions
    group by base_id

),

-- what stands between is what was edited; the end gives way where both claim a word
final as (

    select
        worded.base_id,
        worded.mix_state,
        worded.custom_id,
        'rewrite' as edit_kind,
        case
            when worded.response_reason is null
                then coalesce({{ array_join(list_slice(
                    'worded.words',
                    'shared.n_in_front + 1',
                    list_length('worded.words')
                    ~ ' - least(shared.n_at_the_end, least(' ~ list_length('worded.words') ~ ', '
                    ~ list_length('worded.edited_words') ~ ') - shared.n_in_front)'
                ), "' '") }}, '')
        end as edited_from,
        case
            when worded.response_reason is null
                then coalesce({{ array_join(list_slice(
                    'worded.edited_words',
                    'shared.n_in_front + 1',
                    list_length('worded.edited_words')
                    ~ ' - least(shared.n_at_the_end, least(' ~ list_length('worded.words') ~ ', '
                    ~ list_length('worded.edited_words') ~ ') - shared.n_in_front)'
                ), "' '") }}, '')
        end as edited_to,
        case when worded.response_reason is null then worded.edited_caption end
            as edited_caption,
        worded.response_reason
    from worded
    inner join shared
        on worded.base_id = shared.base_id

)

select * from final
