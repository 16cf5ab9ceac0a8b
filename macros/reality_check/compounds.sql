{#-
    Compounds of VLM Reality Check: pairs that test two biases at once. One question asks both, and
    each of its options is a pair of answers, so that the option that was picked says which part
    failed.
-#}

{#-
    The options of each row of `pairs`, which has pair_id, the right and a wrong answer to both
    questions (`first_right`, `first_wrong`, `second_right`, `second_wrong`) and what stands between
    two answers (`answer_separator`): one row `pair_id, options, correct_answer, correct_text,
    distractor_answers, first_failure, second_failure`. The last two are the letters of the options
    that fail in one part alone. Which option comes first is chosen by seed.
-#}
{% macro compound_options(pairs) -%}
    {%- set letter %}substr('ABCD', cast(place as int), 1){% endset -%}
    with

    option_texts as (
        select
            pair_id,
            'right_right' as option_key,
            first_right || answer_separator || second_right as option_text
        from {{ pairs }}
        union all
        select
            pair_id,
            'right_wrong' as option_key,
            first_right || answer_separator || second_wrong as option_text
        from {{ pairs }}
        union all
        select
            pair_id,
            'wrong_right' as option_key,
            first_wrong || answer_separator || second_right as option_text
        from {{ pairs }}
        union all
        select
            pair_id,
            'wrong_wrong' as option_key,
            first_wrong || answer_separator || second_wrong as option_text
        from {{ pairs }}
    ),

    option_places as (
        select
            *,
            row_number() over (
                partition by pair_id
                order by {{ seeded_order(
                    'rc_options', "pair_id || ':' || option_key", seed_var='reality_check_seed'
                ) }}
            ) as place
        from option_texts
    ),

    lettered_options as (
        select
            *,
            {{ letter }} as letter
        from option_places
    )

    select
        pair_id,
        {{ json_list(array_agg(
            json_object(key='option_key', letter='letter', text='option_text'), order_by='place'
        )) }} as options,
        min(case when option_key = 'right_right' then letter end) as correct_answer,
        min(case when option_key = 'right_right' then option_text end) as correct_text,
        {{ list_filter(
            array_agg(
                "case when option_key <> 'right_right' then letter end", order_by='place'
            ),
            'letter', 'letter is not null'
        ) }} as distractor_answers,
        min(case when option_key = 'wrong_right' then letter end) as first_failure,
        min(case when option_key = 'right_wrong' then letter end) as second_failure
    from lettered_options
    group by pair_id
{%- endmacro %}


{#-
    Which option says that one part alone failed, as a JSON list: the biases of `combinations`, rows
    of `reality_check_compound_combinations`, with the letters of `options`, rows of
    `compound_options`.
-#}
{% macro failure_modes(combinations, options) -%}
    {%- set first_mode -%}
        {{ json_object(bias_type=combinations ~ '.first_bias', letter=options ~ '.first_failure') }}
    {%- endset %}
    {%- set second_mode -%}
        {{ json_object(
            bias_type=combinations ~ '.second_bias', letter=options ~ '.second_failure'
        ) }}
    {%- endset -%}
    {{ json_list(list_value(first_mode, second_mode)) }}
{%- endmacro %}


{#- The text of the option with this letter, of a JSON list of options; null where there is none. -#}
{% macro option_text(options, letter) -%}
    case {{ letter }}
        when {{ json_extract_string(options, '$[0].letter') }}
            then {{ json_extract_string(options, '$[0].text') }}
        when {{ json_extract_string(options, '$[1].letter') }}
            then {{ json_extract_string(options, '$[1].text') }}
        when {{ json_extract_string(options, '$[2].letter') }}
            then {{ json_extract_string(options, '$[2].text') }}
        when {{ json_extract_string(options, '$[3].letter') }}
            then {{ json_extract_string(options, '$[3].text') }}
    end
{%- endmacro %}
