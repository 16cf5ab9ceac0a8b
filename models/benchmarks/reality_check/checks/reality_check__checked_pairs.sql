with
factor_verdicts as (
    select
        pair_id,
        {{ array_agg(
            "case when policy <> 'recorded' and is_varied then factor_text end", order_by='factor'
        ) }} as varying_factors,
        {{ array_agg("case when policy = 'varies' then factor_text end", order_by='factor') }}
            as intended_factors,
        cast(sum(case when policy = 'holds' and is_varied is null then 1 else 0 end) as bigint)
            as n_unmeasured,
        min(case when policy = 'varies' then case when is_varied then 1 else 0 end end) = 1
            as is_intended_varied,
        max(case when policy = 'holds' and is_varied then 1 else 0 end) = 0 as are_others_held
    from (
        select
            *,
            factor || ' (' || coalesce(measured_a, 'unknown') || ', '
            || coalesce(measured_b, 'unknown') || ')' as factor_text
        from {{ ref('reality_check__factors') }}
    ) as told_factors
    group by pair_id
),

review_questions as (
    select distinct queue, question
    from {{ ref('review_questions') }}
    where benchmark = 'reality_check'
),

readers_verdicts as (
    select * from {{ ref('people__verdicts') }}
    where benchmark = 'reality_check' and is_decided
),

-- a verdict counts while the record is the one that its readers saw; two readers of two name an
-- outline, since one of two is no majority
readers_answers as (
    select
        readings.pair_id, readings.is_awaited,
        nullif(verdicts.verdict, 'undecided') as answer,
        verdicts.verdict as said,
        readings.queue || ', ' || questions.question as asked,
        case when verdicts.verdict = 'undecided' then ': readers differ' else '' end as doubt,
        case
            when readings.right_answer is null then verdicts.is_accepted
            when verdicts.verdict <> 'undecided' then verdicts.verdict = readings.right_answer
        end as is_borne_out
    from {{ ref('reality_check__readings') }} as readings
    inner join review_questions as questions using (queue)
    left join readers_verdicts as verdicts
        on
            readings.queue = verdicts.queue
            and readings.record_id = verdicts.record_id
            and readings.record_md5 = verdicts.record_md5
            and questions.question = verdicts.question
),

reading_findings as (
    select
        pair_id,
        -- no answer speaks against it
        count(case when not is_borne_out then 1 end) = 0 as passes_readers,
        min(case when not is_borne_out then asked || ': ' || answer end) as readers_detail,
        -- nothing that is awaited is missing, and readers agree on all that they answered
        count(case when answer is null and (is_awaited or said is not null) then 1 end) = 0
            as has_readings,
        min(case when answer is null and (is_awaited or said is not null) then asked || doubt end)
            as awaiting_detail
    from readers_answers
    group by pair_id
),

findings as (
    select
        pairs.*,
        edits.rendered_file, factor_verdicts.n_unmeasured,
        -- the build needs the pair, or holds it in reserve
        pairs.is_drawn as passes_draw,
        -- the picture that its recipe asks for was made
        edits.error is null as passes_rendering,
        edits.error as rendering_detail,
        -- the factor that the pair is about differs
        factor_verdicts.is_intended_varied as passes_intended_factor,
        {{ array_join('factor_verdicts.intended_factors', "', '") }} as intended_factor_detail,
        -- no factor that must hold differs
        factor_verdicts.are_others_held as passes_factors,
        {{ array_join('factor_verdicts.varying_factors', "', '") }} as factors_detail,
        -- readers see in it what the challenge says
        reading_findings.passes_readers, reading_findings.readers_detail,
        -- they have said what no rule can see
        coalesce(reading_findings.has_readings, true) as has_readings,
        reading_findings.awaiting_detail,
        factor_verdicts.is_intended_varied
        and factor_verdicts.are_others_held as confound_check_passed
    from {{ ref('reality_check__pairs') }} as pairs
    left join factor_verdicts using (pair_id)
    left join {{ ref('reality_check__edits') }} as edits using (pair_id)
    left join reading_findings using (pair_id)
),

sound_pairs as (
    select
        *,
        passes_draw
        and passes_rendering
        and coalesce(passes_intended_factor, true)
        and coalesce(passes_factors, true)
        and coalesce(passes_readers, true) as is_sound
    from findings
),

-- of the sound pairs, the first of the draw are kept, those that await no reader before others
kept_pairs as (
    select
        *,
        row_number() over (
            partition by combination, difficulty
            order by
                case when is_sound then 0 else 1 end,
                case when has_readings then 0 else 1 end,
                draw_rank
        ) as keep_rank
    from sound_pairs
)

select
    {{ reality_check_pair_columns() | join(',\n        ') }},
    combination, expected_failure_mode, rendered_file, rendering_detail, intended_factor_detail,
    factors_detail, draw_rank, n_unmeasured, is_drawn, passes_draw, passes_rendering,
    passes_intended_factor, passes_factors, passes_readers, readers_detail,
    -- its level has no more pairs than it needs
    case when is_sound then keep_rank <= n_wanted end as passes_target,
    case when is_sound and keep_rank <= n_wanted then has_readings end as passes_awaiting,
    awaiting_detail, confound_check_passed,
    is_sound and keep_rank <= n_wanted and has_readings as is_retained
from kept_pairs
