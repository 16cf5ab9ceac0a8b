with
verdicts as (
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

findings as (
    select
        pairs.*,
        edits.rendered_file, verdicts.n_unmeasured,
        -- the build needs the pair, or holds it in reserve
        pairs.is_drawn as passes_draw,
        -- the picture that its recipe asks for was made
        edits.error is null as passes_rendering,
        edits.error as rendering_detail,
        -- the factor that the pair is about differs
        verdicts.is_intended_varied as passes_intended_factor,
        {{ array_join('verdicts.intended_factors', "', '") }} as intended_factor_detail,
        -- no factor that must hold differs
        verdicts.are_others_held as passes_factors,
        {{ array_join('verdicts.varying_factors', "', '") }} as factors_detail,
        -- readers see in it what the challenge says
        reading_findings.passes_readers, reading_findings.readers_detail,
        -- they have said what no rule can see
        coalesce(reading_findings.has_readings, true) as has_readings,
        reading_findings.awaiting_detail,
        verdicts.is_intended_varied and verdicts.are_others_held as confound_check_passed
    from {{ ref('reality_check__pairs') }} as pairs
    left join verdicts using (pair_id)
    left join {{ ref('reality_check__edits') }} as edits using (pair_id)
    left join {{ ref('reality_check__reading_findings') }} as reading_findings using (pair_id)
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
