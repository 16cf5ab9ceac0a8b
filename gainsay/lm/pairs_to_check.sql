-- the pairs from captions that a second language model is asked about: a pair that another rule
-- drops needs no verdict, unless only its answer's words are not those of the captions
select
    screened.pair_id, captions.captions, screened.answerable_question, screened.answerable_answer,
    screened.unanswerable_question, screened.category
from certainly_uncertain.certainly_uncertain__screened as screened
inner join certainly_uncertain.certainly_uncertain__image_captions as captions
    using (source_image_id)
where
    screened.source = 'caption'
    and screened.answerable_question is not null
    and screened.unanswerable_question is not null
    -- the prompt quotes one picture's captions
    and screened.source_image_id = screened.open_image_id
    and (
        screened.is_retained
        or screened.drop_stage in ('check', 'verification', 'undecided', 'evidence')
        or screened.drop_reason in ('response_missing', 'response_refused', 'response_invalid')
    )
