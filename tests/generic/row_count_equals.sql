{#-
    The model has as many rows as `compare_model` has where `condition` holds: what enters
    a stage comes out of it. Shows the two counts where they differ.
-#}
{% test row_count_equals(model, compare_model, condition='true') %}

with
counted as (
    select
        (select count(*) from {{ model }}) as n_rows,
        (select count(*) from {{ compare_model }} where {{ condition }}) as n_expected
)

select * from counted
where n_rows <> n_expected

{% endtest %}
