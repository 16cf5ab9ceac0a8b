{{ walk_ring(
    ref('conflict_suite__image_ring'), ref('conflict_suite__image_walk'), none,
    is_irrelevant_image(), seekers=ref('conflict_suite__image_seekers')
) }}
