with
stems as (
    select * from {{ ref('uncertainty_stems') }}
    where slot is null
),

readings as (select * from {{ ref('certainly_uncertain__stem_readings') }}),
texts as (select * from {{ ref('certainly_uncertain__texts') }}),

text_counts as (
    select
        source_image_id,
        count(*) as n_texts
    from texts
    group by source_image_id
),

asked_stems as (
    select distinct stem
    from readings
    where says = 'asks'
),

-- what the texts of a picture say about a stem, all together
picture_readings as (
    select
        readings.source_image_id,
        readings.stem,
        min(case when readings.says = 'answers' then readings.answer end) as answer,
        count(distinct case when readings.says = 'answers' then readings.answer end) as n_answers,
        count(distinct case when readings.says = 'answers' then readings.text_id end)
            as n_answering_texts,
        count(distinct case when readings.says = 'opens' then readings.text_id end)
            as n_opening_texts,
        min(case when readings.says = 'bars_open' then readings.words end) as open_bar,
        bool_or(readings.says = 'asks') as has_thing,
        count(distinct case when readings.says = 'asks' then readings.text_id end)
            as n_asking_texts,
        bool_or(readings.says = 'bars') as is_barred
    from readings
    group by readings.source_image_id, readings.stem
),

-- words that speak against any answer of a stem, or against one of them
answer_bars as (
    select
        picture_readings.source_image_id,
        picture_readings.stem,
        min(readings.words) as answer_bar
    from picture_readings
    inner join readings using (source_image_id, stem)
    where
        readings.says = 'bars_answer'
        and readings.answer in ('', picture_readings.answer)
    group by picture_readings.source_image_id, picture_readings.stem
),

seen_texts as (
    select
        readings.source_image_id,
        readings.stem,
        {{ list_sort_distinct(array_agg_unordered('texts.text')) }} as texts_seen
    from readings
    inner join texts using (text_id)
    where readings.says in ('answers', 'opens')
    group by readings.source_image_id, readings.stem
),

-- a picture whose texts do not name what the stem asks about is none of its own, nor is one with
-- more of it than the stem means
asked_pictures as (
    select
        picture_readings.*,
        asked_stems.stem is null or picture_readings.n_asking_texts > 1 as is_named_again,
        answer_bars.answer_bar, seen_texts.texts_seen
    from picture_readings
    inner join seen_texts using (source_image_id, stem)
    left join answer_bars using (source_image_id, stem)
    left join asked_stems using (stem)
    where
        not picture_readings.is_barred
        and (asked_stems.stem is null or picture_readings.has_thing)
)

select
    asked_pictures.source_image_id, stems.stem, stems.category,
    'answerable' as side,
    stems.question,
    asked_pictures.answer,
    stems.stem as thing,
    asked_pictures.texts_seen,
    asked_pictures.n_answering_texts > 1
    or text_counts.n_texts < {{ threshold('certainly_uncertain', 'support_from_texts') }}
        as is_supported,
    case
        when asked_pictures.n_answers > 1 then 'several answers'
        else asked_pictures.answer_bar
    end as contradiction
from asked_pictures
inner join stems using (stem)
inner join text_counts using (source_image_id)
where asked_pictures.n_answers > 0
union all
select
    asked_pictures.source_image_id, stems.stem, stems.category,
    'unanswerable' as side,
    stems.question,
    cast(null as string) as answer,
    stems.stem as thing,
    asked_pictures.texts_seen,
    case
        -- what no text names is taken for absent, which takes several texts; one text alone that
        -- names what is asked about may mean something else, as "a person's face" on a kite
        when stems.is_open_by_silence
            then
                text_counts.n_texts >= {{ threshold('certainly_uncertain', 'support_from_texts') }}
                and asked_pictures.is_named_again
        -- that a crowd is there, and too large to count, takes two texts, as an answer does
        when stems.category = 'complexity'
            then
                asked_pictures.n_opening_texts > 1
                or text_counts.n_texts
                < {{ threshold('certainly_uncertain', 'support_from_texts') }}
        else true
    end as is_supported,
    case
        when asked_pictures.n_answers > 0 then asked_pictures.answer
        else asked_pictures.open_bar
    end as contradiction
from asked_pictures
inner join stems using (stem)
inner join text_counts using (source_image_id)
where asked_pictures.n_opening_texts > 0
