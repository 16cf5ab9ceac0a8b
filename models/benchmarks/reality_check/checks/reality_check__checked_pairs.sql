with

pairs as (

    select * from {{ ref('reality_check__pairs') }}

),

factors as (

    select * from {{ ref('reality_check__factors') }}

),

verdicts as (

    {{ factor_verdicts('factors') }}

),

edits as (

    select * from {{ ref('reality_check__edits') }}

),

judged_pairs as (

    select
        pairs.*,
        edits.rendered_file,
        verdicts.n_unmeasured,
        verdicts.is_intended_varied and verdicts.are_others_held as confound_check_passed,
        case
            when not pairs.is_drawn then 'draw'
            when edits.error is not null then 'rendering'
            when not verdicts.is_intended_varied then 'intended_factor'
            when not verdicts.are_others_held then 'factors'
        end as failed_stage,
        case
            when edits.error is not null then edits.error
            when not verdicts.is_intended_varied
                then {{ array_join('verdicts.intended_factors', "', '") }}
            when not verdicts.are_others_held
                then {{ array_join('verdicts.varying_factors', "', '") }}
        end as drop_detail
    from pairs
    left join verdicts
        on pairs.pair_id = verdicts.pair_id
    left join edits
        on pairs.pair_id = edits.pair_id

),

-- of what passes, the first pairs of the draw are kept
kept_pairs as (

    select
        *,
        row_number() over (
            partition by combination, difficulty
            order by
                case when failed_stage is null then 0 else 1 end,
                draw_rank
        ) as keep_rank
    from judged_pairs

),

final as (

    select
        {{ reality_check_pair_columns() | join(',\n        ') }},
        combination,
        expected_failure_mode,
        case
            when failed_stage is not null then failed_stage
            when keep_rank > n_wanted then 'target'
        end as drop_stage,
        drop_detail,
        rendered_file,
        draw_rank,
        n_unmeasured,
        is_drawn,
        confound_check_passed,
        failed_stage is null and keep_rank <= n_wanted as is_retained
    from kept_pairs

)

select * from final
