{{ walk_ring(
    ref('conflict_suite__image_ring'), none, var('image_donor_window'),
    is_irrelevant_image(), seekers=ref('conflict_suite__image_seekers')
) }}
