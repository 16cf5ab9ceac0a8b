with
questions as (select * from {{ ref('reality_check__questions') }}),

-- each language as a column, null where the challenge is not asked in it
texts_by_language as (
    select
        challenge_id,
        max(case language when 'en' then question end) as question_en,
        max(case language when 'es' then question end) as question_es,
        max(case language when 'zh' then question end) as question_zh,
        max(case language when 'hi' then question end) as question_hi,
        max(case language when 'ar' then question end) as question_ar,
        max(case language when 'en' then answer end) as answer_en,
        max(case language when 'es' then answer end) as answer_es,
        max(case language when 'zh' then answer end) as answer_zh,
        max(case language when 'hi' then answer end) as answer_hi,
        max(case language when 'ar' then answer end) as answer_ar,
        max(case language when 'en' then options end) as options_en,
        max(case language when 'es' then options end) as options_es,
        max(case language when 'zh' then options end) as options_zh,
        max(case language when 'hi' then options end) as options_hi,
        max(case language when 'ar' then options end) as options_ar
    from questions
    group by challenge_id
)

select
    challenges.challenge_id,
    challenges.pair_id,
    challenges.bias_type,
    challenges.bias_types_combined,
    challenges.question_role,
    challenges.difficulty,
    challenges.split,
    challenges.image_a_id,
    challenges.image_b_id,
    challenges.image_c_id,
    challenges.asked_images,
    challenges.answer_format,
    challenges.correct_answer,
    challenges.distractor_answers,
    challenges.ground_truth_method,
    challenges.truth_source,
    challenges.metadata,
    {{ struct_pack(
        en='question_en', es='question_es', zh='question_zh', hi='question_hi',
        ar='question_ar'
    ) }} as questions,
    {{ struct_pack(
        en='answer_en', es='answer_es', zh='answer_zh', hi='answer_hi', ar='answer_ar'
    ) }} as answers,
    {{ struct_pack(
        en='options_en', es='options_es', zh='options_zh', hi='options_hi', ar='options_ar'
    ) }} as options,
    challenges.confound_check_passed
from {{ ref('reality_check__challenges') }} as challenges
left join texts_by_language using (challenge_id)
