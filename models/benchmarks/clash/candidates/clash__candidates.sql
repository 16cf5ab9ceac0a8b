{%- set picture = 'coalesce(cast(image_id as string), source_image_id)' -%}
with
released as (select * from {{ ref('clash__samples') }}),
proposals as (select * from {{ ref('contradictions__proposals') }}),
spatial_questions as (select * from {{ ref('clash__llm_spatial_questions') }}),

editors as (
    select * from {{ ref('editor_policies') }}
    where policy = '{{ var("editor_policy") }}'
),

released_counts as (
    select source_image_id, count(*) as n_released
    from released
    group by source_image_id
),

-- edits of the same words of a caption ask one question: the first of them is a sample. Spatial
-- edits are drawn apart from the others, so that neither takes the other's place
ranked_proposals as (
    select
        proposals.*,
        questions.question, questions.distractor, questions.pattern,
        questions.image_only_answer, questions.text_only_answer,
        disputed_edits.dispute,
        case when proposals.change_type = 'relation' then 'spatial' else 'other' end as drawn_among,
        {{ seeded_order('clash', 'proposals.proposal_id') }} as edit_order,
        row_number() over (
            partition by
                proposals.source_image_id,
                case when proposals.change_type = 'relation' then 'spatial' else 'other' end,
                coalesce(questions.question, proposals.proposal_id)
            order by {{ seeded_order('clash', 'proposals.proposal_id') }}, proposals.proposal_id
        ) as place_in_question
    from proposals
    left join {{ ref('clash__questions') }} as questions using (proposal_id)
    left join {{ ref('clash__disputed_edits') }} as disputed_edits using (proposal_id)
),

-- how often a word is put in the place of others, and others in its place, by edits with a question
word_uses as (
    select lower(changed_from) as word, 1 as n_replaced, 0 as n_put
    from ranked_proposals
    where question is not null
    union all
    select lower(changed_to) as word, 0 as n_replaced, 1 as n_put
    from ranked_proposals
    where question is not null
),

limits as (select {{ threshold('clash', 'word_most_ratio') }} as word_most_ratio),

word_counts as (
    select word, sum(n_replaced) as n_replaced, sum(n_put) as n_put
    from word_uses
    group by word
),

-- an edit without a natural question is drawn only where its image has none with one; an edit whose
-- words would say which caption was changed comes behind the others
numbered_proposals as (
    select
        ranked_proposals.*,
        row_number() over (
            partition by ranked_proposals.source_image_id, ranked_proposals.drawn_among
            order by
                case when ranked_proposals.question is null then 1 else 0 end,
                case
                    when
                        old_words.n_replaced
                        <= limits.word_most_ratio * old_words.n_put
                        and new_words.n_put
                        <= limits.word_most_ratio * new_words.n_replaced
                        then 0
                    else 1
                end,
                ranked_proposals.edit_order, ranked_proposals.proposal_id
        ) as draw
    from ranked_proposals
    cross join limits
    left join word_counts as old_words on lower(ranked_proposals.changed_from) = old_words.word
    left join word_counts as new_words on lower(ranked_proposals.changed_to) = new_words.word
    where ranked_proposals.place_in_question = 1
),

-- no more than can be drawn: each released sample of an image may take the place of one proposal
drawn_proposals as (
    select numbered_proposals.*
    from numbered_proposals
    left join released_counts using (source_image_id)
    where
        numbered_proposals.draw
        <= {{ var('clash_samples_per_image') }} + coalesce(released_counts.n_released, 0)
),

-- "one dog is" became "two dogs are": the answer is the number alone
rule_samples as (
    select
        proposals.proposal_id, proposals.edit_order, proposals.drawn_among, images.image_id,
        proposals.source_image_id,
        trim(proposals.caption) as original_caption,
        trim(proposals.edited_caption) as conflicting_caption,
        proposals.question, proposals.change_type,
        proposals.image_only_answer, proposals.text_only_answer,
        proposals.distractor as distractor_answer, proposals.changed_from as original_words,
        proposals.changed_to as conflicting_words,
        {{ list_value('proposals.category') }} as categories,
        proposals.subcategory, proposals.pattern as question_pattern, proposals.is_fitting,
        proposals.dispute
    from drawn_proposals as proposals
    left join {{ ref('images__source_images') }} as images using (source_image_id)
),

edits as (
    select
        {{ clash_sample_id(picture, 'coalesce(question, proposal_id)') }} as sample_id,
        'rules' as editor, drawn_among,
        {{ clash_sample_columns() }},
        subcategory, question_pattern, is_fitting, dispute, cast(null as string) as response_reason,
        edit_order, proposal_id as edit_id
    from rule_samples
    union all
    select
        sample_id, 'llm' as editor, 'other' as drawn_among,
        {{ clash_sample_columns() }},
        cast(null as string) as subcategory, cast(null as string) as question_pattern,
        cast(null as boolean) as is_fitting, cast(null as string) as dispute, response_reason,
        {{ seeded_order('clash', 'sample_id') }} as edit_order, sample_id as edit_id
    from {{ ref('clash__llm_samples') }}
    union all
    select
        sample_id, 'llm' as editor, 'spatial' as drawn_among,
        {{ clash_sample_columns() }},
        subcategory, cast(null as string) as question_pattern, cast(null as boolean) as is_fitting,
        cast(null as string) as dispute, response_reason,
        {{ seeded_order('clash', 'sample_id') }} as edit_order, sample_id as edit_id
    from spatial_questions
    where is_sample
),

-- two edits that ask the same question would be one sample: the first of them is
ranked_edits as (
    select
        edits.*, editors.preference,
        row_number() over (
            partition by edits.sample_id
            order by editors.preference, edits.edit_order, edits.edit_id
        ) as place_among_alike
    from edits
    inner join editors using (editor)
    left join released using (sample_id)
    -- an edit that repeats a released sample is that sample
    where released.sample_id is null
),

drawn_edits as (
    select
        *,
        row_number() over (
            partition by source_image_id, drawn_among
            order by case when question is null then 1 else 0 end, preference, edit_order, edit_id
        ) as draw
    from ranked_edits
    where place_among_alike = 1
),

-- a request that made no sample is a candidate of its own; it takes the place of no drawn edit
unanswered_requests as (
    select custom_id, image_id, source_image_id, original_caption, response_reason
    from {{ ref('clash__llm_generations') }}
    where response_reason is not null
    union all
    select custom_id, image_id, source_image_id, original_caption, response_reason
    from spatial_questions
    where response_reason is not null
)

select
    sample_id, 'released' as origin, cast(null as string) as editor,
    {{ clash_sample_columns() }},
    cast(null as string) as subcategory, cast(null as string) as question_pattern,
    cast(null as boolean) as is_fitting, cast(null as string) as dispute,
    cast(null as string) as response_reason
from released
union all
select
    sample_id, 'generated' as origin, editor,
    {{ clash_sample_columns() }},
    subcategory, question_pattern, is_fitting, dispute, response_reason
from drawn_edits
where draw <= {{ var('clash_samples_per_image') }}
union all
select
    unanswered_requests.custom_id as sample_id,
    'generated' as origin, 'llm' as editor, unanswered_requests.image_id,
    unanswered_requests.source_image_id, unanswered_requests.original_caption,
    cast(null as string) as conflicting_caption, cast(null as string) as question,
    cast(null as string) as change_type, cast(null as string) as image_only_answer,
    cast(null as string) as text_only_answer, cast(null as string) as distractor_answer,
    cast(null as string) as original_words, cast(null as string) as conflicting_words,
    {{ empty_list('string') }} as categories,
    cast(null as string) as subcategory, cast(null as string) as question_pattern,
    cast(null as boolean) as is_fitting, cast(null as string) as dispute,
    unanswered_requests.response_reason
from unanswered_requests
inner join editors on editors.editor = 'llm'
