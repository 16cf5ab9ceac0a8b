{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_donors_farther'),
    var('conflict_suite_donor_windows').farthest, may_share_enough_seen_tokens(), hard_donor(),
    nearer_window=var('conflict_suite_donor_windows').farther
) }}
