with

release_texts as (

    select * from {{ ref('exports__release_texts') }}
    where field = 'paper'

),

papers as (

    select * from {{ ref('papers') }}

),

-- a key without its paper stays, so that the contract finds it
final as (

    select
        release_texts.benchmark,
        release_texts.place,
        release_texts.text as paper_key,
        papers.authors,
        papers.title,
        papers.venue,
        papers.year,
        papers.url
    from release_texts
    left join papers
        on release_texts.text = papers.key

)

select * from final
