with
candidates as (
    select * from {{ ref('clash__candidates') }}
    where origin = 'generated'
),

-- a sample that an earlier stage drops says nothing to a reader
earlier_failures as (
    {{ first_failures('clash', 'clash', before='clash__word_balance') }}
),

-- one word put in another's place: the original caption has the one, the conflicting one the other
word_changes as (
    select
        candidates.sample_id,
        -- words of a split, a category and its part are balanced among themselves
        case when test_images.source_image_id is null then 'train' else 'test' end
        || '|' || coalesce({{ list_extract('candidates.categories', 1) }}, '')
        || '|' || coalesce(candidates.subcategory, '') as balanced_among,
        lower(candidates.original_words) as old_word,
        lower(candidates.conflicting_words) as new_word,
        {{ seeded_order('word_balance', 'candidates.sample_id') }} as draw_order
    from candidates
    left join {{ ref('clash__test_images') }} as test_images using (source_image_id)
    left join earlier_failures on candidates.sample_id = earlier_failures.candidate_id
    where earlier_failures.candidate_id is null
),

-- what one round drops leaves other words out of balance; after three few are
first_round as (
    {{ words_in_balance('word_changes') }}
),

second_round as (
    {{ words_in_balance('first_round') }}
),

third_round as (
    {{ words_in_balance('second_round') }}
)

select
    word_changes.sample_id as candidate_id,
    word_changes.old_word || ' -> ' || word_changes.new_word as word_balance_detail,
    third_round.sample_id is not null as passes_word_balance
from word_changes
left join third_round using (sample_id)
