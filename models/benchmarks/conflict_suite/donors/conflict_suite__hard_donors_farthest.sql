{{ walk_ring(
    ref('conflict_suite__hard_ring'), ref('conflict_suite__hard_donors_farther'),
    var('conflict_suite_hard_farthest_window'), may_be_hard_donor(), is_hard_donor()
) }}
