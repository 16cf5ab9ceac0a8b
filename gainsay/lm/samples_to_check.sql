-- the samples of CLASH that a language model is to check: what falls by rules on its words alone is
-- not worth a verdict
select
    sample_id, original_caption, conflicting_caption, original_words, conflicting_words,
    change_type, question, image_only_answer, text_only_answer, distractor_answer
from clash.clash__screened
where
    image_only_answer is not null
    and coalesce(drop_stage, 'retained') not in (
        'rule_check', 'objective_change', 'binary_states', 'answer_length', 'answer_words'
    )
