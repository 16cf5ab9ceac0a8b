-- what two windows leave, only where one picture or text fills most of a corpus
{{ walk_ring(
    ref('conflict_suite__easy_ring'), ref('conflict_suite__easy_walk_2'), none, is_other_base()
) }}
