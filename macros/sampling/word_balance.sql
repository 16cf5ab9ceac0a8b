{#-
    The rows of `word_changes` (sample_id, balanced_among, old_word, new_word, draw_order) whose words
    go both ways: of those that replace one word, or put one in the place of others, the first by
    `draw_order`, as many as go the other way times the threshold `word_most_ratio` and the var
    `clash_word_allowance` more.
-#}
{% macro words_in_balance(word_changes) -%}
    select
        ranked_changes.sample_id,
        ranked_changes.balanced_among,
        ranked_changes.old_word,
        ranked_changes.new_word,
        ranked_changes.draw_order
    from (
        select
            *,
            row_number() over (
                partition by balanced_among, old_word
                order by draw_order, sample_id
            ) as place_of_old,
            row_number() over (
                partition by balanced_among, new_word
                order by draw_order, sample_id
            ) as place_of_new
        from {{ word_changes }}
    ) as ranked_changes
    left join (
        select
            balanced_among,
            new_word as word,
            count(*) as n
        from {{ word_changes }}
        group by balanced_among, new_word
    ) as put_words
        on
            ranked_changes.balanced_among = put_words.balanced_among
            and ranked_changes.old_word = put_words.word
    left join (
        select
            balanced_among,
            old_word as word,
            count(*) as n
        from {{ word_changes }}
        group by balanced_among, old_word
    ) as replaced_words
        on
            ranked_changes.balanced_among = replaced_words.balanced_among
            and ranked_changes.new_word = replaced_words.word
    where
        ranked_changes.place_of_old
        <= {{ threshold('clash', 'word_most_ratio') }} * coalesce(put_words.n, 0)
        + {{ var('clash_word_allowance') }}
        and ranked_changes.place_of_new
        <= {{ threshold('clash', 'word_most_ratio') }} * coalesce(replaced_words.n, 0)
        + {{ var('clash_word_allowance') }}
{%- endmacro %}
