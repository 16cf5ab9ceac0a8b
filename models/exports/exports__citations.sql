with
release_texts as (
    select * from {{ ref('exports__release_texts') }}
    where field = 'paper'
)

-- a key without its paper stays, so that the contract finds it
select
    release_texts.benchmark,
    release_texts.place,
    release_texts.text as paper_key,
    papers.authors, papers.title, papers.venue, papers.year, papers.url
from release_texts
left join {{ ref('papers') }} as papers on release_texts.text = papers.key
