{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_walk_2'),
    var('hard_walk_windows')[2], is_hard_donor()
) }}
