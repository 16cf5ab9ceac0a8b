-- how many pictures each screening began with and retained, with how many challenges came of them:
-- the one of all pictures first, the one of two biases at once last
with challenges as (
    select 'reality_check_' || bias_type as screening, count(*) as n_challenges
    from reality_check.reality_check__challenges
    group by all
)

select
    screened.screening,
    count(*) as n_candidates,
    count(*) filter (where screened.is_retained) as n_retained,
    coalesce(any_value(challenges.n_challenges), 0) as n_challenges
from reality_check.reality_check__screened as screened
left join challenges using (screening)
where screened.source_image_id is not null
group by screened.screening
order by
    case screened.screening
        when 'reality_check_images' then 1
        when 'reality_check_compound' then 3
        else 2
    end,
    screened.screening
