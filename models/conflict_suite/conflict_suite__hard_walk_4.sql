{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_walk_3'),
    var('hard_walk_windows')[3], is_hard_donor()
) }}
