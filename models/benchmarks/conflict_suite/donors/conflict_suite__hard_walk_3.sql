{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_walk_2'),
    var('conflict_suite_hard_walk_windows')[2], may_be_hard_donor(), is_hard_donor()
) }}
