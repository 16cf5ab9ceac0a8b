{{ walk_ring(
    ref('conflict_suite__hard_ring'), none,
    var('conflict_suite_hard_nearby_window'), may_be_hard_donor(), is_hard_donor()
) }}
