{{ walk_ring(
    ref('conflict_suite__easy_ring'), ref('conflict_suite__easy_walk_1'),
    var('conflict_suite_easy_walk_windows')[1], is_other_base()
) }}
