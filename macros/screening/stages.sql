{#-
    The stages of every screening of the house, once: first failures, what may go on, and what a stage
    found are read from here.

    By benchmark and screening the findings models, in the order in which they are made, each with the
    stages that it decides, a column `passes_<stage>` each. A stage with a plus has a text
    `<stage>_detail` that says what it found. In which order stages drop, `<benchmark>__gates` says.
    The screening `each` is of findings whose rows name their screening.
-#}
{% macro stages_of(benchmark, screening=none) -%}
    {%- set stages = {
        'conflict_suite': {
            'conflict_suite': [
                ['conflict_suite__question_findings', [
                    'annotation', 'family', 'normalization', 'withdrawal+',
                ]],
                ['conflict_suite__caption_findings', ['caption', 'consistency']],
            ],
        },
        'conflict_suite_refined': {
            'bases': [
                ['conflict_suite_refined__base_findings', [
                    'withdrawal+', 'evidence+', 'shown', 'asked', 'text', 'partner',
                    'open_picture', 'variety',
                ]],
            ],
            'edits': [
                ['conflict_suite_refined__edit_findings', [
                    'response', 'refusal', 'validity', 'edit', 'unchanged', 'clarity', 'clean_text+',
                    'gold_support', 'answerable+', 'other_answers',
                ]],
            ],
        },
        'occlusions': {
            'occlusions': [
                ['occlusions__findings', [
                    'withdrawal+', 'evidence+', 'masks+', 'objects', 'crowd', 'count+', 'control+',
                    'answerability', 'gold_support+', 'judge+',
                ]],
            ],
        },
        'clash': {
            'clash': [
                ['clash__text_findings', [
                    'rule_check', 'objective_change', 'binary_states', 'answer_length',
                    'answer_words+',
                ]],
                ['clash__sample_findings', [
                    'response', 'refusal', 'validity', 'change_check', 'answers_check',
                    'agreement+', 'natural_question+', 'question_check',
                ]],
                ['clash__draw', ['word_balance+', 'spatial_quota']],
                ['clash__people_findings', ['human_check+', 'undecided+']],
                ['clash__sample_findings', ['withdrawal+']],
            ],
        },
        'certainly_uncertain': {
            'pairs_from_captions': [
                ['certainly_uncertain__caption_pair_findings', [
                    'response', 'refusal', 'validity', 'sides', 'topic+', 'check+',
                ]],
                ['certainly_uncertain__llm_pair_findings', [
                    'good_question', 'evidence', 'open+', 'overlap',
                ]],
                ['certainly_uncertain__rule_pair_findings', [
                    'support', 'contradiction+', 'only_one', 'instances+', 'open+', 'overlap',
                ]],
                ['certainly_uncertain__stem_pairs', [
                    'support', 'contradiction+', 'partner', 'draw',
                ]],
                ['certainly_uncertain__draw', ['draw']],
                ['certainly_uncertain__guess_findings', ['guessed+']],
                ['certainly_uncertain__pair_findings', ['verification+', 'undecided', 'withdrawal+']],
            ],
            'pairs_from_images': [
                ['certainly_uncertain__object_findings', [
                    'object_response', 'object_refusal', 'object_validity', 'question_of_presence+',
                    'question_of_number+', 'object_choice', 'second_answer+', 'whole_picture+',
                    'world_knowledge+', 'no_question_object+', 'several_categories',
                    'object_not_asked', 'object_is_crowd',
                ]],
                ['certainly_uncertain__removal_findings', [
                    'mask_unusable+', 'object_too_small', 'object_too_large',
                    'object_not_outlined+', 'still_answerable+',
                ]],
                ['certainly_uncertain__object_findings', ['open_answer+', 'annotators_disagree']],
                ['certainly_uncertain__pair_findings', [
                    'withdrawal+', 'picture_missing', 'render_failed+', 'verification+', 'undecided',
                ]],
            ],
            'pairs_from_people': [
                ['certainly_uncertain__people_findings', [
                    'premise', 'reading', 'expertise', 'opinion', 'counting', 'kind', 'agreement+',
                    'sureness', 'doubt', 'count', 'told+',
                ]],
                ['certainly_uncertain__people_pairs', ['draw', 'partner']],
                ['certainly_uncertain__pair_findings', ['verification+', 'undecided', 'withdrawal+']],
            ],
        },
        'reality_check': {
            'reality_check_images': [
                ['reality_check__listing_findings', [
                    'licence+', 'size+', 'media+', 'place+', 'setting+', 'date+', 'objects',
                    'class+',
                ]],
                ['reality_check__picture_findings', [
                    'quota', 'withdrawal+', 'download+', 'picture+', 'duplicate+',
                ]],
            ],
            'reality_check_texture': [
                ['reality_check__texture_findings', [
                    'annotation+', 'object+', 'silhouette+', 'naming+',
                ]],
            ],
            'reality_check_counting': [
                ['reality_check__counting_findings', [
                    'annotation+', 'category', 'certainty+',
                ]],
            ],
            'reality_check_spatial_relations': [
                ['reality_check__spatial_relations_findings', ['annotation+', 'text+', 'symmetry']],
            ],
            'reality_check_physical_plausibility': [
                ['reality_check__physical_plausibility_findings', [
                    'place_and_time', 'shadow', 'plausibility+', 'region', 'comparison',
                ]],
            ],
            'reality_check_temporal_reasoning': [
                ['reality_check__temporal_reasoning_findings', ['time', 'daylight', 'scene']],
            ],
            'reality_check_spurious_correlation': [
                ['reality_check__spurious_correlation_findings', [
                    'annotation+', 'object+', 'scene', 'typicality',
                ]],
            ],
            'reality_check_compositional_binding': [
                ['reality_check__compositional_binding_findings', [
                    'annotation+', 'objects+', 'colors',
                ]],
            ],
            'reality_check_text_in_image': [
                ['reality_check__text_in_image_findings', ['annotation+', 'text', 'name']],
            ],
            'reality_check_scale_invariance': [
                ['reality_check__scale_invariance_findings', [
                    'annotation+', 'object+', 'crop', 'detail', 'naming+',
                ]],
            ],
            'reality_check_compound': [
                ['reality_check__compound_findings', ['components+', 'fit']],
            ],
            'each': [
                ['reality_check__pairing_findings', [
                    'partner', 'sequence', 'draw', 'rendering+', 'intended_factor+', 'factors+',
                    'readers+', 'target', 'awaiting+',
                ]],
            ],
            'reality_check_translation': [
                ['reality_check__translation_findings', [
                    'translation+', 'slots+', 'length', 'script', 'change',
                ]],
            ],
        },
    } %}
    {%- set screenings = stages.get(benchmark, {}) %}
    {%- if (screening or 'each') not in screenings %}
        {{ exceptions.raise_compiler_error(
            "no stages of the screening '" ~ screening ~ "' of " ~ benchmark
            ~ " stand in macros/screening/stages.sql"
        ) }}
    {%- endif %}
    {{ return(screenings[screening or 'each']) }}
{%- endmacro %}


{#-
    Whether no stage that a findings model decides failed, as an expression over its columns
    `passes_<stage>`: what the drops of `first_failures` are made of, and as there null fails nothing.
-#}
{% macro no_stage_failed(benchmark, screening, model) -%}
    {%- for name, names in stages_of(benchmark, screening) if name == model %}
        {%- set outer = loop %}
        {%- for stage in names -%}
            {{ 'and ' if not (outer.first and loop.first) }}coalesce(passes_{{ stage.rstrip('+') }}, true)
            {{- ' ' if not (outer.last and loop.last) }}
        {%- endfor %}
    {%- endfor %}
{%- endmacro %}
