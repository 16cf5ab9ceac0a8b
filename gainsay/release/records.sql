-- how many records a release has of each split, by whether their pictures may be given along
select split, picture_state, count(*) as n
from exports.exports__release_records
where benchmark = coalesce(getvariable('benchmark'), benchmark)
group by split, picture_state
order by split, picture_state
