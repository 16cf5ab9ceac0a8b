-- data/questions/<language>.jsonl: what is asked in one language, pictures in order
select
    to_json(struct_pack(
        challenge_id := challenges.challenge_id,
        language := questions.language,
        bias_type := challenges.bias_type,
        question_role := challenges.question_role,
        difficulty := challenges.difficulty,
        split := challenges.split,
        images := case challenges.asked_images
            when 'a' then [challenges.image_a_file]
            when 'b' then [challenges.image_b_file]
            when 'ab' then [challenges.image_a_file, challenges.image_b_file]
            else [challenges.image_a_file, challenges.image_b_file, challenges.image_c_file]
        end,
        question := questions.question,
        options := cast(questions.options as json),
        answer_format := questions.answer_format,
        answer := questions.answer,
        answer_text := questions.answer_text,
        translator := questions.translator
    )) as line
from reality_check.reality_check__questions as questions
inner join reality_check.reality_check__challenges as challenges
    on questions.challenge_id = challenges.challenge_id
where questions.language = coalesce(getvariable('language'), questions.language)
order by challenges.challenge_id
