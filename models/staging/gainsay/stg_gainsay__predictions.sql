{%- set thoughts -%} ^[\s\S]*(?:{{ text_patterns(var('answer_thought_ends')) }}) {%- endset -%}
{%- set marks -%} {{ thoughts }}|{{ text_patterns(var('answer_chat_tokens')) }} {%- endset -%}
select
    benchmark, task, condition, model, run,
    _source_file as source_file,
    example_key, question,
    -- few answers have any, and a look for them costs little
    case
        when
            (prediction like '%<%' or prediction like '%[/%')
            and {{ regexp_matches('prediction', marks) }}
            then
                {{ regexp_replace(
                    regexp_replace('prediction', marks, ''), '^\\s+|\\s+$', ''
                ) }}
        else prediction
    end as prediction,
    gold_answer, stated_action, image_only_answer,
    text_only_answer, distractor_answer, image_only_letter, text_only_letter, distractor_letter,
    contradiction_letter, confidence_kind, prompt_version, prompt_sha256, parameters,
    answered_model, judge_labels,
    _position as file_position,
    lave_rating, confidence, p_yes, p_no, token_logprobs, published_is_contradiction,
    published_is_image_only, published_is_text_only, published_is_distractor, published_is_none
from {{ source('raw', 'predictions') }}
