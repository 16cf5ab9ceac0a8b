with
pairs as (select * from {{ ref('certainly_uncertain__llm_pairs') }}),

words_of_texts as (
    select source_image_id, {{ unnest_list('words') }} as word
    from {{ ref('certainly_uncertain__texts') }}
),

image_words as (
    select source_image_id, {{ list_sort_distinct(array_agg_unordered('word')) }} as words
    from words_of_texts
    group by source_image_id
),

question_words as (
    select
        pair_id,
        {{ array_join(tokens('unanswerable_question'), "' '") }} as open_question,
        {{ list_sort_distinct(tokens('answerable_question')) }} as answerable_words,
        {{ list_sort_distinct(tokens('unanswerable_question')) }} as unanswerable_words
    from pairs
),

-- the questions that a fact of the picture answers
answered_questions as (
    select distinct
        source_image_id,
        {{ array_join(tokens('answerable_question'), "' '") }} as question
    from {{ ref('certainly_uncertain__rule_pairs') }}
    where category <> 'ambiguity'
),

findings as (
    select
        pairs.pair_id, pairs.answerable_answer, pairs.unanswerable_question,
        answered_questions.question as answered_question,
        case
            when pairs.answerable_question is not null and pairs.unanswerable_question is not null
                then {{ jaccard(
                    list_intersect_size(
                        'question_words.answerable_words', 'question_words.unanswerable_words'
                    ),
                    list_length('question_words.answerable_words'),
                    list_length('question_words.unanswerable_words')
                ) }}
        end as shared_words,
        pairs.response_reason is null as is_answered,
        pairs.is_good_question
        and pairs.answerable_question is not null
        and pairs.answerable_answer is not null
        and pairs.unanswerable_question is not null as is_good_pair,
        {{ has_all_words('image_words.words', 'pairs.evidence_words') }} as has_evidence,
        caption_pair_findings.is_answer_confirmed,
        image_words.source_image_id is not null as has_texts
    from pairs
    inner join question_words using (pair_id)
    left join image_words using (source_image_id)
    inner join {{ ref('certainly_uncertain__caption_pair_findings') }} as caption_pair_findings
        on pairs.pair_id = caption_pair_findings.candidate_id
    left join answered_questions
        on
            pairs.source_image_id = answered_questions.source_image_id
            and question_words.open_question = answered_questions.question
)

select
    pair_id as candidate_id,
    shared_words,
    -- the language model found a good question, and gave both questions and the answer
    case when is_answered then is_good_pair end as passes_good_question,
    -- the captions hold the words of the answer, or a second model confirms it in other words;
    -- what rules make has its words by construction
    case
        when answerable_answer is not null and has_texts then has_evidence or is_answer_confirmed
    end as passes_evidence,
    -- no fact of the picture answers the open question
    case when unanswerable_question is not null then answered_question is null end
        as passes_open,
    answered_question as open_detail,
    -- the two questions share enough words
    shared_words >= {{ threshold('certainly_uncertain', 'least_pair_overlap') }} as passes_overlap
from findings
