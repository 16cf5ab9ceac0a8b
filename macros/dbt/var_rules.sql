{#-
    What the value of each var may be, in the order of dbt_project.yml: `type` is flag, text,
    integer, number, list or map (names with values); `least` and `most` are included, `above` is
    not; `of` is the rule of each value in a list or map, `keys` are the names that a map must have,
    and `empty` says that a text, list or map may be so. Which names a text may be, the seeds say.
    Of vars in `ascending` the first is no more than the second, those in `at_most_one` are no more
    than 1 together. dbt asks for it at each model that it parses with --vars: YAML would be read
    anew each time.
-#}
{% macro var_rules() -%}
    {%- set flag = {'type': 'flag'} %}
    {%- set text = {'type': 'text'} %}
    {%- set maybe_text = {'type': 'text', 'empty': true} %}
    {%- set names = {'type': 'list', 'of': text} %}
    {%- set maybe_names = {'type': 'list', 'empty': true, 'of': text} %}
    {%- set share = {'type': 'number', 'least': 0, 'most': 1} %}
    {%- set count = {'type': 'integer', 'least': 0, 'most': 2147483647} %}
    {%- set tenths = {'type': 'integer', 'least': 0, 'most': 10} %}
    {%- set amount = {'type': 'number', 'least': 0, 'most': 2147483647} %}
    {%- set degrees = {'type': 'number', 'least': 0, 'most': 360} %}
    {%- set seed = {'type': 'integer', 'least': 0, 'most': 9223372036854775807} %}
    {%- set rules = {} %}
    {%- do rules.update({
        'benchmarks': names,
        'question_sets': maybe_names,
        'shared_ports':
            {'type': 'map', 'empty': true, 'of': {'type': 'map', 'empty': true, 'of': maybe_names}},
        'absent_ports': {'type': 'map', 'empty': true, 'of': maybe_names},
        'reviewed': maybe_names,
        'review_votes_per_record': {'type': 'integer', 'least': 1, 'most': 100},
        'operating_vars': maybe_names,
    }) %}
    {#- all benchmarks -#}
    {%- do rules.update({
        'seed': seed,
        'short_token_length': count,
        'editor_policy': text,
        'code_version': text,
        'manifest_flat_hash_limit': count,
    }) %}
    {#- Conflict Suite -#}
    {%- do rules.update({
        'conflict_suite_consistency_filter': flag,
        'conflict_suite_jaccard_min': {'type': 'number', 'above': 0, 'most': 1},
        'conflict_suite_jaccard_max': share,
        'conflict_suite_last_number_edited_up': count,
        'conflict_suite_train_share': share,
        'conflict_suite_val_share': share,
        'conflict_suite_heldout_family': text,
        'conflict_suite_heldout_severity': {'type': 'integer', 'least': 1, 'most': 6},
        'conflict_suite_heldout_hard_swap': flag,
        'conflict_suite_include_both_variant': flag,
        'conflict_suite_require_disjoint_templates': flag,
        'conflict_suite_pilot_size': count,
        'conflict_suite_record_version': text,
        'conflict_suite_donor_windows':
            {'type': 'map', 'of': count,
             'keys': ['easy', 'nearby', 'farther', 'farthest', 'image']},
    }) %}
    {#- Conflict Suite, refined protocols -#}
    {%- do rules.update({
        'conflict_suite_refined_protocols': names,
        'refined_requires_strict_evidence': flag,
        'conflict_suite_refined_least_other_number': count,
        'conflict_suite_refined_most_other_number': count,
    }) %}
    {#- occlusions -#}
    {%- do rules.update({
        'occlusions_mask_dilation_pixels': count,
        'occlusions_answerable_no_more_share': share,
        'occlusions_still_answerable_share': share,
        'occlusions_oracle_protocol': text,
        'occlusions_answerability_judges': text,
    }) %}
    {#- CLASH -#}
    {%- do rules.update({
        'clash_test_share': share,
        'clash_samples_per_image': {'type': 'integer', 'least': 1, 'most': 1000},
        'clash_stem_length': count,
        'clash_word_most_ratio': amount,
        'clash_word_allowance': count,
        'clash_answer_most_words': count,
        'clash_question_min_tokens': count,
        'clash_judges': text,
        'clash_conflict_choice': text,
        'clash_instruction': text,
        'clash_record_version': text,
    }) %}
    {#- CertainlyUncertain -#}
    {%- do rules.update({
        'certainly_uncertain_support_from_texts': count,
        'certainly_uncertain_pair_overlap_min': share,
        'certainly_uncertain_object_chooser': text,
        'certainly_uncertain_annotator_agreement_min': tenths,
        'certainly_uncertain_removed_area_min': share,
        'certainly_uncertain_removed_area_max': share,
        'certainly_uncertain_needs_check': flag,
        'certainly_uncertain_test_share': share,
        'certainly_uncertain_test_per_category': count,
        'certainly_uncertain_test_question_share': share,
        'certainly_uncertain_test_question_least': count,
        'certainly_uncertain_two_picture_test_share': share,
        'certainly_uncertain_people_asked': count,
        'certainly_uncertain_people_agreement': tenths,
        'certainly_uncertain_people_sure': tenths,
        'certainly_uncertain_people_doubt_agreement': tenths,
        'certainly_uncertain_people_doubt_sure': tenths,
        'certainly_uncertain_people_denials': tenths,
        'certainly_uncertain_people_many_people': tenths,
        'certainly_uncertain_people_many': count,
        'certainly_uncertain_people_number_factor':
            {'type': 'number', 'least': 1, 'most': 2147483647},
        'certainly_uncertain_people_minutes': count,
        'certainly_uncertain_people_letters_min': count,
        'certainly_uncertain_people_letters_max': count,
        'certainly_uncertain_people_letters_differ': share,
        'certainly_uncertain_people_pairs_per_question': count,
        'certainly_uncertain_instruction': text,
        'certainly_uncertain_abstention': text,
        'certainly_uncertain_record_version': text,
    }) %}
    {#- VLM Reality Check -#}
    {%- do rules.update({
        'reality_check_seed': seed,
        'reality_check_biases': names,
        'reality_check_compounds': maybe_names,
        'reality_check_scale': {'type': 'number', 'above': 0, 'most': 100},
        'reality_check_target_dataset_size': count,
        'reality_check_compound_challenge_count': count,
        'reality_check_target_images': count,
        'reality_check_easy_share': share,
        'reality_check_medium_share': share,
        'reality_check_hard_share': share,
        'reality_check_image_sources': names,
        'reality_check_least_images_per_class': count,
        'reality_check_streetview_points': count,
        'reality_check_streetview_headings': {'type': 'list', 'of': degrees},
        'reality_check_yfcc_outdoor_confidence': share,
        'reality_check_yfcc_share': share,
        'reality_check_day_cell_degrees': {'type': 'number', 'above': 0, 'most': 180},
        'reality_check_unsure_confidence': share,
        'reality_check_neutral_colors': names,
        'reality_check_uncolored_labels': maybe_names,
        'reality_check_text_window': count,
        'reality_check_shadows_asked': flag,
        'reality_check_outlines_asked': flag,
        'reality_check_named_alone': flag,
        'reality_check_controls_share': share,
        'reality_check_control_window': count,
        'reality_check_dev_share': share,
        'reality_check_languages': names,
        'reality_check_slot_terms': text,
        'reality_check_translators': {'type': 'map', 'empty': true, 'of': {'type': 'text'}},
        'reality_check_sample_per_language': count,
        'reality_check_answer_balance_tolerance': share,
        'reality_check_answer_balance_from': count,
        'reality_check_enforce_gates': flag,
        'reality_check_record_version': text,
        'reality_check_picture_format': text,
        'reality_check_requests_per_second': {'type': 'number', 'above': 0, 'most': 1000},
        'reality_check_retry_pauses':
            {'type': 'list', 'empty': true, 'of': {'type': 'number', 'least': 0, 'most': 86400}},
        'reality_check_longest_retry_after': {'type': 'number', 'least': 0, 'most': 604800},
        'reality_check_wikimedia_depth': {'type': 'integer', 'least': 0, 'most': 100},
        'reality_check_openimages_url': text,
    }) %}
    {#- images -#}
    {%- do rules.update({
        'caption_origins': names,
        'caption_english_words': names,
        'caption_most_words': count,
        'max_image_bytes': {'type': 'integer', 'least': 1, 'most': 2147483647},
        'max_image_pixels': {'type': 'integer', 'least': 1, 'most': 2147483647},
        'duplicate_distance': tenths,
        'duplicate_group_size': count,
        'duplicate_neighbours': count,
        'inpainter': text,
        'detector': maybe_text,
        'detector_confidence': share,
        'depth_network': maybe_text,
        'text_network': maybe_text,
        'text_network_confidence': share,
        'text_network_least_side': count,
        'segmenter': maybe_text,
        'grounder': maybe_text,
        'grounder_confidence': share,
        'grounder_word_confidence': share,
        'sun_method': text,
        'shadow_tolerance_degrees': degrees,
        'shadow_area_share': share,
        'silhouette_edge_density': share,
        'silhouette_area_share': share,
        'own_box_slack': count,
        'colored_object_area': share,
        'ocr_confidence': {'type': 'number', 'least': 0, 'most': 100},
        'ocr_short_word_length': count,
        'render_images': flag,
        'picture_tasks': {'type': 'integer', 'least': 1, 'most': 100000},
        'annotate_shadow': flag,
        'annotate_texture': flag,
        'annotate_colors': flag,
        'annotate_ocr': flag,
    }) %}
    {#- evaluation -#}
    {%- do rules.update({
        'evaluation_rated_benchmarks': maybe_names,
        'evaluation_lave_judge': maybe_text,
        'evaluation_hallucination_judge': maybe_text,
        'evaluation_idk_judge': maybe_text,
        'evaluation_bootstrap_resamples': {'type': 'integer', 'least': 1, 'most': 1000000},
        'evaluation_bootstrap_most_resamples': {'type': 'integer', 'least': 1, 'most': 1000000},
        'evaluation_bootstrap_tolerance': {'type': 'number', 'above': 0, 'most': 1},
        'evaluation_calibration_bins': {'type': 'integer', 'least': 1, 'most': 10000},
        'evaluation_curve_points': {'type': 'integer', 'least': 1, 'most': 100000},
        'evaluation_risk_coverage': share,
        'evaluation_least_scored': share,
        'evaluation_reference_answers': flag,
        'gqa_questions_asked': text,
        'question_sets_most_refusals': count,
        'vizwiz_unanswerable': text,
    }) %}
    {#- exports -#}
    {%- do rules.update({
        'export_formats': maybe_names,
        'export_finetuning_formats': maybe_names,
        'export_mixes_read_blind': {'type': 'map', 'empty': true, 'of': text},
        'export_instruction': text,
        'export_abstention': text,
        'export_r_tuning_model': maybe_text,
        'export_r_tuning_refusal': text,
        'export_choice_instruction': text,
        'export_requires_derivatives': flag,
        'export_requires_commercial_use': flag,
        'export_keeps_out_test_pictures_of': maybe_names,
    }) %}
    {#- audit -#}
    {%- do rules.update({
        'blind_folds': count,
        'blind_least_chi_square': amount,
        'blind_most_groups': count,
        'blind_least_answers': count,
        'blind_most_group_accuracy': share,
        'blind_drop_confidence': share,
        'telltale_words_most': count,
    }) %}
    {#- review -#}
    {%- do rules.update({
        'gate_sample_size': count,
        'contradictions_reviewed_proposals': count,
        'evaluation_reviewed_answers': count,
        'review_bootstrap_resamples': count,
        'review_interval': share,
    }) %}
    {#- report -#}
    {%- do rules.update({
        'report_examples_per_reason': count,
        'report_pictured_examples_per_reason': count,
        'report_groups_per_split': count,
        'report_examples_per_group': count,
    }) %}
    {%- set ascending = [
        ['conflict_suite_jaccard_min', 'conflict_suite_jaccard_max'],
        ['conflict_suite_refined_least_other_number', 'conflict_suite_refined_most_other_number'],
        ['occlusions_still_answerable_share', 'occlusions_answerable_no_more_share'],
        ['certainly_uncertain_removed_area_min', 'certainly_uncertain_removed_area_max'],
        ['evaluation_bootstrap_resamples', 'evaluation_bootstrap_most_resamples'],
    ] %}
    {%- set at_most_one = [
        ['conflict_suite_train_share', 'conflict_suite_val_share'],
        ['reality_check_easy_share', 'reality_check_medium_share', 'reality_check_hard_share'],
    ] %}
    {{ return({'vars': rules, 'ascending': ascending, 'at_most_one': at_most_one}) }}
{%- endmacro %}
