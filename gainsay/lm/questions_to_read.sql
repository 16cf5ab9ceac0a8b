-- the questions whose object a language model may choose: those with an answer that no language
-- model wrote, about pictures whose objects are known, that ask for neither presence nor number
select pair_id, question, gold_answer
from certainly_uncertain.certainly_uncertain__image_candidates
where
    is_picture_known
    and not is_written_by_model
    and gold_answer is not null
    and empty_answer_kind is null
    and presence_words is null
    and number_words is null
