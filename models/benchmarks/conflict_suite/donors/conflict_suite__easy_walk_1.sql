{{ walk_ring(
    ref('conflict_suite__easy_ring'), none, var('conflict_suite_easy_walk_windows')[0], is_other_base()
) }}
