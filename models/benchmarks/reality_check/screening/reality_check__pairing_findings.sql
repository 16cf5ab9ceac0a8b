with
candidates as (
    {{ union_of_biases(var('reality_check_biases'), 'findings', [
        'candidate_id', 'bias_type', 'bias_type as combination', 'image_id', 'difficulty',
        'evidence_words', 'evidence', 'is_possible',
    ]) }}
    union all
    select
        candidate_id, bias_type, combination, image_id, difficulty, evidence_words, evidence,
        is_possible
    from {{ ref('reality_check__compound_findings') }}
),

pairs as (select * from {{ ref('reality_check__checked_pairs') }}),

-- the stage that fails an image for which no partners were found
pairing_stages as (
    select screening, stage
    from {{ ref('reality_check__gates') }}
    where stage in ('partner', 'sequence')
),

-- an image is in one pair of a bias or combination at most
pair_images as (
    select combination, pair_id, image_a_id as image_id
    from pairs
    union
    select combination, pair_id, image_b_id as image_id
    from pairs
    union
    select combination, pair_id, image_c_id as image_id
    from pairs
    where image_c_id is not null
)

select
    candidates.candidate_id,
    'reality_check_' || candidates.bias_type as screening,
    candidates.bias_type, candidates.combination, candidates.image_id, candidates.evidence_words,
    candidates.evidence, pairs.pair_id,
    coalesce(pairs.difficulty, candidates.difficulty) as difficulty,
    -- another image fits beside it
    case
        when candidates.is_possible and pairing_stages.stage = 'partner'
            then pairs.pair_id is not null
    end as passes_partner,
    -- two other pictures of its place make a sequence with it
    case
        when candidates.is_possible and pairing_stages.stage = 'sequence'
            then pairs.pair_id is not null
    end as passes_sequence,
    -- what `reality_check__checked_pairs` finds of its pair
    pairs.passes_draw,
    pairs.passes_rendering, pairs.rendering_detail, pairs.passes_intended_factor,
    pairs.intended_factor_detail, pairs.passes_factors, pairs.factors_detail,
    pairs.passes_readers, pairs.readers_detail, pairs.passes_target, pairs.passes_awaiting,
    pairs.awaiting_detail
from candidates
left join pair_images
    on
        candidates.combination = pair_images.combination
        and candidates.image_id = pair_images.image_id
        and candidates.is_possible
left join pairs on pair_images.pair_id = pairs.pair_id
left join pairing_stages on 'reality_check_' || candidates.bias_type = pairing_stages.screening
