{{ conflict_prompts('occlusions') }}
