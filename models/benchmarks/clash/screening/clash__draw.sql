with
-- a sample that an earlier stage drops says nothing to a reader, and takes no place
earlier_failures as (
    {{ first_failures('clash', 'clash', before='clash__draw') }}
),

candidates as (
    select candidates.*
    from {{ ref('clash__candidates') }} as candidates
    left join earlier_failures on candidates.sample_id = earlier_failures.candidate_id
    where earlier_failures.candidate_id is null
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
    where candidates.origin = 'generated'
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
),

word_balances as (
    select
        word_changes.sample_id,
        word_changes.old_word || ' -> ' || word_changes.new_word as word_balance_detail,
        third_round.sample_id is not null as is_in_balance
    from word_changes
    left join third_round using (sample_id)
),

spatial_places as (
    select
        candidates.sample_id,
        candidates.subcategory as relation,
        row_number() over (
            partition by candidates.subcategory
            order by {{ seeded_order('spatial', 'candidates.sample_id') }}, candidates.sample_id
        ) as place_in_relation
    from candidates
    left join word_balances using (sample_id)
    where candidates.change_type = 'relation' and coalesce(word_balances.is_in_balance, true)
)

select
    candidates.sample_id as candidate_id,
    word_balances.word_balance_detail, spatial_places.relation,
    cast(spatial_places.place_in_relation as bigint) as place_in_relation,
    -- the word is put in the place of others about as often as others are put in its
    word_balances.is_in_balance as passes_word_balance,
    -- the spatial subset has a place for the sample; a relation without a quota is not limited
    case
        when spatial_places.sample_id is not null
            then coalesce(spatial_places.place_in_relation <= quotas.value, true)
    end as passes_spatial_quota
from candidates
left join word_balances using (sample_id)
left join spatial_places using (sample_id)
left join {{ ref('clash_thresholds') }} as quotas
    on quotas.concern = 'spatial_quota' and spatial_places.relation = quotas.name
