with

feasible_states as (

    select * from {{ ref('conflict_suite_refined__feasible_states') }}

),

booleans as (

    select true as is_member
    union all
    select false as is_member

),

-- the seven groups of states that a base may be tied to
state_groups as (

    select
        clean.is_member as has_clean,
        irrelevant.is_member as has_irrelevant,
        different.is_member as has_different,
        case when clean.is_member then 1 else 0 end
        + case when irrelevant.is_member then 1 else 0 end
        + case when different.is_member then 1 else 0 end as n_states
    from booleans as clean
    cross join booleans as irrelevant
    cross join booleans as different
    where clean.is_member or irrelevant.is_member or different.is_member

),

families as (

    select
        family,
        count(*) as n_bases
    from feasible_states
    group by family

),

-- bases that can be in no state outside a group: those states get at least so many
tied_bases as (

    select
        families.family,
        families.n_bases,
        state_groups.has_clean,
        state_groups.has_irrelevant,
        state_groups.has_different,
        state_groups.n_states,
        count(feasible_states.base_id) as n_tied
    from families
    cross join state_groups
    left join feasible_states
        on
            families.family = feasible_states.family
            and (state_groups.has_clean or not feasible_states.can_be_clean)
            and (state_groups.has_irrelevant or not feasible_states.can_be_irrelevant)
            and (state_groups.has_different or not feasible_states.can_be_different)
    group by
        families.family,
        families.n_bases,
        state_groups.has_clean,
        state_groups.has_irrelevant,
        state_groups.has_different,
        state_groups.n_states

),

-- a group can have no more than what is not tied to the states outside it
reachable_bases as (

    select
        tied_bases.family,
        tied_bases.n_bases,
        tied_bases.n_states,
        tied_bases.n_tied,
        tied_bases.n_bases - coalesce(outside.n_tied, 0) as n_reachable
    from tied_bases
    left join tied_bases as outside
        on
            tied_bases.family = outside.family
            and tied_bases.has_clean <> outside.has_clean
            and tied_bases.has_irrelevant <> outside.has_irrelevant
            and tied_bases.has_different <> outside.has_different

),

-- no division has a smaller largest share, and none a larger smallest one
extreme_shares as (

    select
        family,
        n_bases,
        max({{ integer_division('(n_tied + n_states - 1)', 'n_states') }}) as largest,
        min({{ integer_division('n_reachable', 'n_states') }}) as smallest
    from reachable_bases
    group by family, n_bases

),

sizes as (

    select
        family,
        1 as size_rank,
        largest as n_bases
    from extreme_shares
    union all
    select
        family,
        2 as size_rank,
        n_bases - largest - smallest as n_bases
    from extreme_shares
    union all
    select
        family,
        3 as size_rank,
        smallest as n_bases
    from extreme_shares

),

divisions as (

    select
        clean.family,
        clean.size_rank * 10 + irrelevant.size_rank as preference,
        clean.n_bases as n_clean,
        irrelevant.n_bases as n_irrelevant,
        different.n_bases as n_different
    from sizes as clean
    inner join sizes as irrelevant
        on
            clean.family = irrelevant.family
            and clean.size_rank <> irrelevant.size_rank
    inner join sizes as different
        on
            clean.family = different.family
            and clean.size_rank + irrelevant.size_rank + different.size_rank = 6
            and different.size_rank not in (clean.size_rank, irrelevant.size_rank)

),

impossible_divisions as (

    select distinct
        divisions.family,
        divisions.preference
    from divisions
    inner join tied_bases
        on divisions.family = tied_bases.family
    where
        case when tied_bases.has_clean then divisions.n_clean else 0 end
        + case when tied_bases.has_irrelevant then divisions.n_irrelevant else 0 end
        + case when tied_bases.has_different then divisions.n_different else 0 end
        < tied_bases.n_tied

),

ranked_divisions as (

    select
        divisions.*,
        row_number() over (partition by divisions.family order by divisions.preference)
            as division_rank
    from divisions
    left join impossible_divisions
        on
            divisions.family = impossible_divisions.family
            and divisions.preference = impossible_divisions.preference
    where impossible_divisions.family is null

),

final as (

    select
        family,
        n_clean,
        n_irrelevant,
        n_different
    from ranked_divisions
    where division_rank = 1

)

select * from final
