{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_walk_1'),
    var('conflict_suite_hard_walk_windows')[1], may_be_hard_donor(), is_hard_donor()
) }}
