with

llm_pairs as (

    select * from {{ ref('certainly_uncertain__llm_pairs') }}

),

texts as (

    select * from {{ ref('certainly_uncertain__texts') }}

),

verdicts as (

    select * from {{ ref('certainly_uncertain__check_verdicts') }}

),

words_of_texts as (

    select
        source_image_id,
        {{ unnest_list('words') }} as word
    from texts

),

image_words as (

    select
        source_image_id,
        {{ list_sort_distinct(array_agg_unordered('word')) }} as words
    from words_of_texts
    group by source_image_id

),

-- what rules make has its words by construction; a second model may confirm other words
final as (

    select
        llm_pairs.pair_id as candidate_id,
        {{ has_all_words('image_words.words', 'llm_pairs.evidence_words') }}
        or coalesce(verdicts.is_answerable and verdicts.is_answer_right, false) as is_passed
    from llm_pairs
    inner join image_words
        on llm_pairs.source_image_id = image_words.source_image_id
    left join verdicts
        on llm_pairs.pair_id = verdicts.pair_id
    where llm_pairs.answerable_answer is not null

)

select * from final
