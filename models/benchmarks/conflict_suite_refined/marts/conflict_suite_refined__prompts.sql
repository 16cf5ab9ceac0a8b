{{ conflict_prompts('conflict_suite_refined') }}
