with

feasible_states as (

    select * from {{ ref('conflict_suite_refined__feasible_states') }}

),

shares as (

    select * from {{ ref('conflict_suite_refined__shares') }}

),

-- bases of each family by the states that they can be in
set_sizes as (

    select
        family,
        count(case when can_be_clean and not can_be_irrelevant and not can_be_different then 1 end)
            as n_clean_only,
        count(case when can_be_irrelevant and not can_be_clean and not can_be_different then 1 end)
            as n_irrelevant_only,
        count(case when can_be_different and not can_be_clean and not can_be_irrelevant then 1 end)
            as n_different_only,
        count(case when can_be_clean and can_be_irrelevant and not can_be_different then 1 end)
            as n_clean_or_irrelevant,
        count(case when can_be_clean and can_be_different and not can_be_irrelevant then 1 end)
            as n_clean_or_different,
        count(case when can_be_irrelevant and can_be_different and not can_be_clean then 1 end)
            as n_irrelevant_or_different,
        count(case when can_be_clean and can_be_irrelevant and can_be_different then 1 end)
            as n_any
    from feasible_states
    group by family

),

-- what each state still needs when those bases have theirs that have no choice
open_shares as (

    select
        set_sizes.*,
        shares.n_clean - set_sizes.n_clean_only as open_clean,
        shares.n_irrelevant - set_sizes.n_irrelevant_only as open_irrelevant,
        shares.n_different - set_sizes.n_different_only as open_different
    from set_sizes
    inner join shares
        on set_sizes.family = shares.family

),

-- clean takes what the other state of a pair has no place for
surpluses as (

    select
        *,
        greatest(0, n_clean_or_irrelevant - open_irrelevant) as surplus_of_irrelevant,
        greatest(0, n_clean_or_different - open_different) as surplus_of_different
    from open_shares

),

-- then bases that can be in any state, then those of the pairs
clean_of_any as (

    select
        *,
        least(n_any, open_clean - surplus_of_irrelevant - surplus_of_different) as any_clean,
        open_clean - surplus_of_irrelevant - surplus_of_different
        - least(n_any, open_clean - surplus_of_irrelevant - surplus_of_different) as still_open
    from surpluses

),

clean_of_pairs as (

    select
        *,
        surplus_of_irrelevant + least(still_open, n_clean_or_irrelevant - surplus_of_irrelevant)
            as pair_clean_not_irrelevant,
        surplus_of_different
        + greatest(0, still_open - (n_clean_or_irrelevant - surplus_of_irrelevant))
            as pair_clean_not_different
    from clean_of_any

),

-- what irrelevant needs beside its share of the first pair; the rest of all is different
irrelevant_needs as (

    select
        *,
        open_irrelevant - (n_clean_or_irrelevant - pair_clean_not_irrelevant)
            as irrelevant_need
    from clean_of_pairs

),

quotas as (

    select
        family,
        true as can_be_clean,
        false as can_be_irrelevant,
        false as can_be_different,
        n_clean_only as n_clean,
        0 as n_irrelevant
    from irrelevant_needs
    union all
    select
        family,
        false as can_be_clean,
        true as can_be_irrelevant,
        false as can_be_different,
        0 as n_clean,
        n_irrelevant_only as n_irrelevant
    from irrelevant_needs
    union all
    select
        family,
        false as can_be_clean,
        false as can_be_irrelevant,
        true as can_be_different,
        0 as n_clean,
        0 as n_irrelevant
    from irrelevant_needs
    union all
    select
        family,
        true as can_be_clean,
        true as can_be_irrelevant,
        false as can_be_different,
        pair_clean_not_irrelevant as n_clean,
        n_clean_or_irrelevant - pair_clean_not_irrelevant as n_irrelevant
    from irrelevant_needs
    union all
    select
        family,
        true as can_be_clean,
        false as can_be_irrelevant,
        true as can_be_different,
        pair_clean_not_different as n_clean,
        0 as n_irrelevant
    from irrelevant_needs
    union all
    select
        family,
        false as can_be_clean,
        true as can_be_irrelevant,
        true as can_be_different,
        0 as n_clean,
        least(n_irrelevant_or_different, irrelevant_need) as n_irrelevant
    from irrelevant_needs
    union all
    select
        family,
        true as can_be_clean,
        true as can_be_irrelevant,
        true as can_be_different,
        any_clean as n_clean,
        greatest(0, irrelevant_need - n_irrelevant_or_different) as n_irrelevant
    from irrelevant_needs

)

-- the bases of a set that are left are different
select * from quotas
