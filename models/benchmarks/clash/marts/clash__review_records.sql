with
-- people see every sample that passes all other gates, also those that they rejected before
samples as (
    select * from {{ ref('clash__screened') }}
    where is_retained or drop_stage in ('human_check', 'undecided')
),

choices as (select * from {{ ref('clash__choices') }}),

captions as (
    select
        sample_id, original_caption, conflicting_caption,
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
    select *, {{ unnest_list(integer_series(1, 'least(n_original, n_conflicting)')) }} as place
    from counted_captions
),

-- the first place at which the captions differ, from either end. Positions of characters count from
-- 0, and an end is the character after the last
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
        first_differences.from_start, first_differences.from_end
    from counted_captions
    inner join first_differences using (sample_id)
),

alike_words as (
    select
        *,
        coalesce(from_start - 1, n_shorter) as n_before,
        coalesce(from_end - 1, n_shorter) as n_behind
    from compared_captions
),

-- a word that both captions share at the start is not shared at the end as well: "a red red bus"
-- became "a red bus"
surroundings as (
    select
        sample_id, n_before,
        least(n_behind, n_shorter - n_before) as n_after,
        original_caption, conflicting_caption, original_words, n_original
    from alike_words
),

unchanged_lengths as (
    select
        sample_id, original_caption, conflicting_caption,
        length({{ array_join(list_head('original_words', 'n_before'), "' '") }})
        + case when n_before > 0 then 1 else 0 end as length_before,
        length({{ array_join(
            list_slice('original_words', 'n_original - n_after + 1', 'n_original'), "' '"
        ) }})
        + case when n_after > 0 then 1 else 0 end as length_after
    from surroundings
),

changed_words as (
    select
        sample_id,
        cast(length_before as bigint) as original_start,
        cast(greatest(length_before, length(original_caption) - length_after) as bigint)
            as original_end,
        cast(length_before as bigint) as conflicting_start,
        cast(greatest(length_before, length(conflicting_caption) - length_after) as bigint)
            as conflicting_end
    from unchanged_lengths
),

marked_captions as (
    select
        sample_id,
        case
            when original_end > original_start
                then {{ list_value('original_start', 'original_end') }}
        end as original_mark,
        case
            when conflicting_end > conflicting_start
                then {{ list_value('conflicting_start', 'conflicting_end') }}
        end as conflicting_mark
    from changed_words
),

choice_objects as (
    select sample_id, letter, {{ json_object(letter='letter', text='choice') }} as choice_object
    from choices
),

listed_choices as (
    select sample_id, {{ array_agg('choice_object', order_by='letter') }} as choices
    from choice_objects
    group by sample_id
),

sample_splits as (
    select
        samples.sample_id,
        case when test_images.source_image_id is null then 'train' else 'test' end as split
    from samples
    left join {{ ref('clash__test_images') }} as test_images using (source_image_id)
),

placed_samples as (
    {{ seeded_places('sample_splits', 'validation', 'sample_id', partition_by=['split']) }}
),

n_tested as (
    select count(*) as n
    from sample_splits
    where split = 'test'
)

-- tested samples come first: all of them are to be validated
select
    'validation' as queue,
    samples.sample_id as record_id,
    record_hashes.record_md5,
    samples.source_image_id as image_id,
    placed_samples.split,
    cast(
        placed_samples.seeded_place + 1
        + case when placed_samples.split = 'test' then 0 else n_tested.n end
        as bigint
    ) as draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    {{ list_value("'picture'") }} as picture_roles,
    {{ list_value('samples.source_image_id') }} as picture_ids,
    {{ shown_texts(
        shown_text(
            "'Original caption'", 'samples.original_caption',
            marks=list_value('marked_captions.original_mark')
        ),
        shown_text(
            "'Conflicting caption'", 'samples.conflicting_caption',
            marks=list_value('marked_captions.conflicting_mark')
        ),
        shown_text("'Question'", 'samples.question')
    ) }} as texts,
    {{ json_list('listed_choices.choices') }} as choices
from samples
inner join {{ ref('clash__record_hashes') }} as record_hashes using (sample_id)
left join marked_captions using (sample_id)
inner join listed_choices using (sample_id)
inner join placed_samples using (sample_id)
cross join n_tested
