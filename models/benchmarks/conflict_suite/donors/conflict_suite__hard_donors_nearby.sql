{{ walk_ring(
    ref('conflict_suite__hard_ring'), none,
    var('conflict_suite_hard_nearby_window'), may_share_enough_seen_tokens(), hard_donor()
) }}
