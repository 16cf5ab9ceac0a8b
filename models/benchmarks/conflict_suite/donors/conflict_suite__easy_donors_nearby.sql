{{ walk_ring(
    ref('conflict_suite__easy_ring'), none,
    var('conflict_suite_easy_nearby_window'), is_other_base()
) }}
