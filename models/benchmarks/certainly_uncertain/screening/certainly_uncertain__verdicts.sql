with

pairs as (

    select * from {{ ref('certainly_uncertain__pair_candidates') }}

),

votes as (

    select * from {{ ref('stg_gainsay__votes') }}
    where
        benchmark = 'certainly_uncertain'
        and queue = 'verification'
        and occurrence = 1

),

final as (

    select
        votes.record_id as pair_id,
        votes.reader,
        votes.verdict,
        votes.note,
        votes.record_md5 = {{ shown_pair_md5('pairs') }} as is_current
    from votes
    inner join pairs
        on votes.record_id = pairs.pair_id

)

select * from final
