with

candidates as (

    {{ union_of_biases(var('reality_check_compounds'), 'candidates', [
        'candidate_id', 'bias_type', 'combination', 'image_id', 'difficulty', 'evidence_words',
        'evidence', 'drop_stage', 'drop_detail',
    ]) }}

)

select * from candidates
