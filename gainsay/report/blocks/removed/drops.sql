-- some records of each reason, drawn by seed, and behind them those chosen for their picture
select
    candidate_id,
    benchmark,
    screening,
    stage,
    source_image_id,
    image_file,
    family,
    question,
    answer,
    gold_answer,
    evidence_words,
    captions_seen,
    what_failed,
    is_chosen_for_picture
from report.report__drop_examples
order by benchmark, screening, stage, is_chosen_for_picture, place
