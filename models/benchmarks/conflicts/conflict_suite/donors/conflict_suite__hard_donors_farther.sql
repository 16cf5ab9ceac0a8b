{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_donors_nearby'),
    var('conflict_suite_donor_windows').farther, may_share_enough_seen_tokens(), hard_donor(),
    nearer_window=var('conflict_suite_donor_windows').nearby
) }}
