-- the whole ring: seekers come here only where one picture or text fills most of a corpus
{{ walk_ring(
    ref('conflict_suite__easy_ring'), ref('conflict_suite__easy_donors_nearby'), none, is_other_base()
) }}
