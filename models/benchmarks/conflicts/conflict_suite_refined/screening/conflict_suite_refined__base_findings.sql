with
-- the Conflict Suite's bases, and those that it drops for their withdrawn picture alone
suite_bases as (
    select * from {{ ref('conflict_suite__screened') }}
    where is_retained or drop_stage = 'withdrawal'
),

groups as (
    select
        *,
        has_texts_of_two_answers or has_texts_of_open_question as has_texts,
        can_be_two_answers or can_be_open_question as is_possible
    from {{ ref('conflict_suite_refined__possible_groups') }}
)

select
    suite_bases.base_id as candidate_id,
    suite_bases.drop_detail as withdrawal_detail,
    evidence.evidence_gap as evidence_detail,
    -- `gainsay withdraw` did not take the picture down
    suite_bases.is_retained as passes_withdrawal,
    -- the caption is strict evidence of the gold answer (A2b)
    case
        when evidence.base_id is not null
            then
                evidence.evidence_is_strict
                or not {{ var('refined_requires_strict_evidence') }}
    end as passes_evidence,
    -- most captions name the thing that people say is there
    bases.is_plain as passes_shown,
    -- somebody who sees the picture would ask for the thing, and in these words
    bases.is_askable as passes_asked,
    -- the base has the two texts of a group
    case
        when bases.is_plain and bases.is_askable then coalesce(groups.has_texts, false)
    end as passes_text,
    -- Another picture answers the question as the base's other text does. An open question
    -- needs any picture with another answer.
    case when groups.has_texts then groups.other_source is not null end as passes_partner,
    -- A base whose texts make an open question only has a picture that leaves it open.
    case when groups.has_texts and groups.other_source is not null then groups.is_possible end
        as passes_open_picture,
    -- other groups that ask the same leave its question a place
    case when groups.is_possible then groups.is_within_share end as passes_variety
from suite_bases
left join {{ ref('conflict_suite__evidence') }} as evidence using (base_id)
left join {{ ref('conflict_suite_refined__bases') }} as bases using (base_id)
left join groups on bases.base_id = groups.base_id
