-- which pictures each example shows, one by one
select * exclude (benchmark)
from exports.exports__release_shown_pictures
where benchmark = coalesce(getvariable('benchmark'), benchmark)
order by example_id, place
