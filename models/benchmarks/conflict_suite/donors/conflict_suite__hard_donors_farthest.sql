{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_donors_farther'),
    var('conflict_suite_hard_farthest_window'), may_share_enough_seen_tokens(), hard_donor(),
    nearer_window=var('conflict_suite_hard_farther_window')
) }}
