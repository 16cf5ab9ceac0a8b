{{ walk_ring(
    ref('conflict_suite__hard_ring'), none,
    var('hard_walk_windows')[0], is_hard_donor()
) }}
