-- the papers that a benchmark's protocol and data come from; a key without its paper stays, so that
-- the release stops at it
select
    release_texts.text as paper_key, papers.authors, papers.title, papers.venue, papers.year,
    papers.url
from exports.exports__release_texts as release_texts
left join vocabulary.papers as papers on release_texts.text = papers.key
where
    release_texts.field = 'paper'
    and release_texts.benchmark = coalesce(getvariable('benchmark'), release_texts.benchmark)
order by release_texts.place
