{{ walk_ring(
    ref('conflict_suite_refined__image_ring'),
    none,
    var('conflict_suite_refined_image_donor_window'),
    is_irrelevant_image(),
    seekers=ref('conflict_suite_refined__image_seekers')
) }}
