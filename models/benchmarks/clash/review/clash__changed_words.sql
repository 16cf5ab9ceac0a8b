with

samples as (

    select * from {{ ref('clash__screened') }}
    where is_retained or drop_stage in ('human_check', 'undecided')

),

captions as (

    select
        sample_id,
        original_caption,
        conflicting_caption,
        {{ regexp_split('original_caption', ' ') }} as original_words,
        {{ regexp_split('conflicting_caption', ' ') }} as conflicting_words
    from samples

),

counted_captions as (

    select
        *,
        {{ list_length('original_words') }} as n_original,
        {{ list_length('conflicting_words') }} as n_conflicting
    from captions

),

places as (

    select
        *,
        {{ unnest_list(integer_series(1, 'least(n_original, n_conflicting)')) }} as place
    from counted_captions

),

-- the first place at which the captions differ, from either end
first_differences as (

    select
        sample_id,
        min(case
            when
                {{ list_extract('original_words', 'place') }}
                <> {{ list_extract('conflicting_words', 'place') }}
                then place
        end) as from_start,
        min(case
            when
                {{ list_extract('original_words', 'n_original + 1 - place') }}
                <> {{ list_extract('conflicting_words', 'n_conflicting + 1 - place') }}
                then place
        end) as from_end
    from places
    group by sample_id

),

compared_captions as (

    select
        counted_captions.*,
        least(counted_captions.n_original, counted_captions.n_conflicting) as n_shorter,
        first_differences.from_start,
        first_differences.from_end
    from counted_captions
    inner join first_differences
        on counted_captions.sample_id = first_differences.sample_id

),

alike_words as (

    select
        *,
        coalesce(from_start - 1, n_shorter) as n_before,
        coalesce(from_end - 1, n_shorter) as n_behind
    from compared_captions

),

-- words that are alike in front are not alike behind as well: "a red red bus" became "a red bus"
surroundings as (

    select
        sample_id,
        n_before,
        least(n_behind, n_shorter - n_before) as n_after,
        original_caption,
        conflicting_caption,
        original_words,
        n_original
    from alike_words

),

unchanged_lengths as (

    select
        sample_id,
        original_caption,
        conflicting_caption,
        length({{ array_join(list_head('original_words', 'n_before'), "' '") }})
        + case when n_before > 0 then 1 else 0 end as length_before,
        length({{ array_join(
            list_slice('original_words', 'n_original - n_after + 1', 'n_original'), "' '"
        ) }})
        + case when n_after > 0 then 1 else 0 end as length_after
    from surroundings

),

final as (

    select
        sample_id,
        cast(length_before as bigint) as original_start,
        cast(greatest(length_before, length(original_caption) - length_after) as bigint)
            as original_end,
        cast(length_before as bigint) as conflicting_start,
        cast(greatest(length_before, length(conflicting_caption) - length_after) as bigint)
            as conflicting_end
    from unchanged_lengths

)

select * from final
