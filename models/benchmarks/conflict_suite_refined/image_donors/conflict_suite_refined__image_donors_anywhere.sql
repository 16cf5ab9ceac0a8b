{{ walk_ring(
    ref('conflict_suite_refined__image_ring'),
    ref('conflict_suite_refined__image_donors_nearby'),
    none,
    is_irrelevant_image(),
    seekers=ref('conflict_suite_refined__image_seekers')
) }}
