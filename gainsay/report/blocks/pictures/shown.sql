-- the pictures of the records that the report shows, and whether they may be shown
select *
from report.report__pictures
