{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_walk_1'),
    var('hard_walk_windows')[1], is_hard_donor()
) }}
