with
-- examples of a group that share slices and label count together
group_labels as (
    select
        benchmark, task, condition, view, guessed, reader, group_id, label,
        {{ list_concat(list_value("'all'", "'split=' || split"), 'slices') }} as slices,
        count(*) as n,
        sum(case when is_right then 1 else 0 end) as n_right
    from {{ ref('audit__blind_guesses') }}
    group by
        benchmark, task, condition, view, guessed, reader, group_id, label, split, slices
),

slice_groups as (
    select
        * {{ exclude('slices') }}, {{ unnest_list('slices') }} as slice
    from group_labels
),

slice_labels as (
    select benchmark, task, condition, view, guessed, reader, slice, label, sum(n) as n
    from slice_groups
    group by benchmark, task, condition, view, guessed, reader, slice, label
),

slices as (
    select
        benchmark, task, condition, view, guessed, reader, slice,
        {{ min_by('label', struct_pack(rank='-n', label='label')) }} as most_frequent_label,
        cast(max(n) as double) / sum(n) as most_frequent_accuracy,
        cast(sum(n) as bigint) as n
    from slice_labels
    group by benchmark, task, condition, view, guessed, reader, slice
),

-- how many more of a group's examples the reader gets right than the most frequent label does
group_gains as (
    select
        slices.benchmark, slices.task, slices.condition, slices.view, slices.guessed, slices.reader,
        slices.slice, slice_groups.group_id,
        sum(slice_groups.n) as n,
        sum(slice_groups.n_right) as n_right,
        sum(slice_groups.n_right - case
            when slice_groups.label = slices.most_frequent_label then slice_groups.n else 0
        end) as n_gained
    from slices
    inner join slice_groups using (benchmark, task, condition, view, guessed, reader, slice)
    group by
        slices.benchmark, slices.task, slices.condition, slices.view, slices.guessed,
        slices.reader, slices.slice, slice_groups.group_id
),

-- sums from which the error clustered by group follows
sums as (
    select
        benchmark, task, condition, view, guessed, reader, slice,
        count(*) as n_groups,
        cast(sum(n_right) as double) as n_right,
        cast(sum(n_gained) as double) as n_gained,
        cast(sum(n_gained * n_gained) as double) as sum_gained_squared,
        cast(sum(n_gained * n) as double) as sum_gained_by_n,
        cast(sum(n * n) as double) as sum_n_squared
    from group_gains
    group by benchmark, task, condition, view, guessed, reader, slice
),

scores as (
    select
        slices.* {{ exclude('most_frequent_accuracy') }},
        sums.n_groups, slices.most_frequent_accuracy,
        sums.n_right / slices.n as blind_accuracy,
        sums.n_gained / slices.n as margin,
        case
            when sums.n_groups > 1
                then
                    sqrt(greatest(
                        sums.sum_gained_squared
                        - 2 * sums.n_gained / slices.n * sums.sum_gained_by_n
                        + power(sums.n_gained / slices.n, 2) * sums.sum_n_squared,
                        0
                    ) * sums.n_groups / (sums.n_groups - 1)) / slices.n
        end as margin_error
    from slices
    inner join sums using (benchmark, task, condition, view, guessed, reader, slice)
),

-- groups that are asked in the same words, in the slices of their first record
group_slices as (
    select
        benchmark, task, condition, view, guessed, reader, is_right,
        {{ unnest_list(list_concat(list_value("'all'", "'split=' || split"), 'slices')) }} as slice
    from {{ ref('audit__blind_groups') }}
    where is_first
),

group_scores as (
    select
        benchmark, task, condition, view, guessed, reader, slice,
        cast(count(*) as bigint) as n_counted_groups,
        avg(case when is_right then cast(1 as double) else cast(0 as double) end)
            as group_accuracy
    from group_slices
    group by benchmark, task, condition, view, guessed, reader, slice
),

-- a limit holds for the slices that are gated, one or all of a name, and says nothing of too few
-- groups
{%- set gated_slices = regexp_split('views.gated_slices', ' ') %}
{%- set slice_name = regexp_extract('scores.slice', '^[^=]*') %}
gated_scores as (
    select
        scores.*,
        group_scores.n_counted_groups, group_scores.group_accuracy, views.counts_groups,
        views.least_groups,
        {{ slice_name }} as slice_name,
        case
            when
                array_contains({{ gated_slices }}, scores.slice)
                or array_contains({{ gated_slices }}, {{ slice_name }})
                then views.margin_limit
        end as margin_limit
    from scores
    inner join {{ ref('blind_views') }} as views using (benchmark, task, condition, view, guessed)
    left join group_scores using (benchmark, task, condition, view, guessed, reader, slice)
)

select
    benchmark, task, condition, view, guessed, reader, slice_name,
    case when slice_name = slice then 'all' else substr(slice, length(slice_name) + 2) end
        as slice_value,
    most_frequent_label, n, n_groups, n_counted_groups,
    {{ nine_places('most_frequent_accuracy') }} as most_frequent_accuracy,
    {{ nine_places('blind_accuracy') }} as blind_accuracy,
    {{ nine_places('margin') }} as margin,
    {{ nine_places('margin_error') }} as margin_error,
    {{ nine_places('group_accuracy') }} as group_accuracy,
    margin_limit,
    case
        when counts_groups and slice = 'all'
            then cast({{ threshold('shared', 'blind_most_group_accuracy') }} as double)
    end as group_limit,
    case
        when n_groups >= least_groups
            then {{ nine_places('margin') }} <= margin_limit + 2 * {{ nine_places('margin_error') }}
    end as is_limit_met,
    case
        when counts_groups and slice = 'all'
            then
                {{ nine_places('group_accuracy') }}
                <= {{ threshold('shared', 'blind_most_group_accuracy') }}
    end as is_group_limit_met
from gated_scores
