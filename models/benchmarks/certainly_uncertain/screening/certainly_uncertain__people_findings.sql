select
    pair_id as candidate_id,
    -- nobody, or one of ten, says that the picture has nothing of what the question speaks of
    n_denials <= {{ threshold('certainly_uncertain', 'people_denials') }} as passes_premise,
    -- nobody answers yes or no: such a question asks nothing else, or reads badly
    n_misreadings = 0 as passes_reading,
    -- it does not ask for a kind that somebody who knows such things tells from the picture,
    coalesce(kind_reason <> 'expert_knows', true) as passes_expertise,
    -- nor what somebody thinks of it,
    coalesce(kind_reason <> 'asks_an_opinion', true) as passes_opinion,
    -- nor for a number of what one may count in several ways: those who count lights mean lamps or
    -- what shines
    coalesce(kind_reason <> 'counted_in_several_ways', true) as passes_counting,
    -- and what it asks for says why it is open
    is_sorted as passes_kind,
    -- no answer, nor one that comes to the same, is that of many, and none has full marks by VQA's
    -- metric; a clock or a sign that so many read alike can be read
    n_agreeing <= {{ threshold('certainly_uncertain', 'people_doubt_agreement') }}
    and (
        category <> 'perception'
        or n_agreeing < {{ threshold('certainly_uncertain', 'people_rival') }}
    )
    and n_of_first_answer
    < {{ threshold('certainly_uncertain', 'people_rival') }} as passes_agreement,
    agreed_answers as agreement_detail,
    -- few of those who answer are sure
    n_sure <= {{ threshold('certainly_uncertain', 'people_doubt_sure') }} as passes_sureness,
    -- as many doubt as such a question needs: a count or a date is open where nobody agrees, the
    -- color of a thing is not. Where one cannot read a clock and the others all read something
    -- else, that is doubt; of places and doings people name the coarse and the fine
    n_doubts >= case
        when
            category = 'perception'
            and least_doubts > 1
            and n_answers >= {{ threshold('certainly_uncertain', 'people_different_answers') }}
            then 1
        else least_doubts
    end as passes_doubt,
    -- a count is hopeless where most say that there are many, or more than one doubts it
    case
        when category = 'complexity'
            then
                n_doubts > 1
                or n_many >= {{ threshold('certainly_uncertain', 'people_who_say_many') }}
    end as passes_count,
    -- no caption says what two people answered
    told_answer is null as passes_told,
    told_answer as told_detail
from {{ ref('certainly_uncertain__people_sides') }}
where is_doubted
