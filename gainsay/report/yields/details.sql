-- what the reasons alone do not say, and of how many pictures it is said
select screening, drop_stage as stage, drop_detail as detail, count(*) as n
from reality_check.reality_check__screened
where not is_retained and drop_detail is not null and source_image_id is not null
group by all
order by n desc, detail asc
