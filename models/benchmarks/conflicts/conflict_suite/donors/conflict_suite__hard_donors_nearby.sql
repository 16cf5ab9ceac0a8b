{{ walk_ring(
    ref('conflict_suite__hard_ring'), none,
    var('conflict_suite_donor_windows').nearby, may_share_enough_seen_tokens(), hard_donor()
) }}
