-- title: People on records of the review
select
    benchmark,
    queue,
    question,
    readers,
    n_records as n_records_of_several,
    percent as alike_share,
    percent_low as alike_share_low,
    percent_high as alike_share_high,
    krippendorff_alpha,
    krippendorff_alpha_low,
    krippendorff_alpha_high,
    fleiss_kappa,
    cohen_kappa,
    gwet_ac1,
    gwet_ac1_low,
    gwet_ac1_high
from review.review__agreement
order by benchmark, queue, question, readers <> 'all', readers
