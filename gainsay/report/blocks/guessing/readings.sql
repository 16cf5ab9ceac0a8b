-- title: What readers judged, record by record
-- folded: yes
-- code: reading
-- prose: what_was_judged
select
    benchmark,
    name as reading,
    read_on as last_on,
    n as n_records,
    share_right as right_share,
    n_second as n_read_twice,
    share_agreed as alike_share,
    judged as what_was_judged
from audit.audit__readings
order by benchmark, place
