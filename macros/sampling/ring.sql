{#-
    Donors stand on rings: shuffled once, then walked. A walk looks at every candidate in a window
    right behind each seeker and keeps the nearest that fits. A walk that finds one has found the
    donor, so only seekers without one look farther.

    Rings are cut into blocks, and a window is a whole number of them, so that the pairs of a window
    come from an equality join: no Cartesian product, and the pairs grow with the ring, not with its
    square.
-#}

{#-
    The body of a model that walks: one row per seeker with the distance to its donor, null where
    the window holds none.

    ring: relation of the candidates with ring, ring_position (from 0), ring_size, and with
        base_id where they seek or `is_donor` is given
    nearer_walk: the model of the walk before this one, whose seekers without a donor seek now;
        none where all seek
    window: how many positions to look at; none for the whole ring
    may_be_donor: cheap condition on `seeker.` and `candidate.`, columns of the ring both. Millions
        of pairs carry each column of the candidate that it names, so that it had better be few.
    closer: what the pairs that `may_be_donor` lets through must meet, none where that is exact:
        `key`, the ring's column to find the candidate by; `condition`, on `seeker.` and
        `candidate.`; `compared`, expressions of both by name; `is_donor`, the exact condition on
        these
    nearer_window: how many positions the walk before this one looked at
    seekers: relation with base_id, ring, ring_position and ring_size, where others than the
        candidates seek on their ring
-#}
{% macro walk_ring(
    ring, nearer_walk, window, may_be_donor, closer=none, nearer_window=0, seekers=none
) -%}
    {%- set blocks_per_window = 8 %}
    {%- set block_size = [(window or 0) // blocks_per_window, 1] | max %}
    {#- all of a seeker's own block was near enough, unless the window comes round to it -#}
    {%- set first_step -%}
        {%- if nearer_window and nearer_window >= block_size -%}
        case when last_block > {{ blocks_per_window }} then 1 else 0 end
        {%- else -%}
        0
        {%- endif -%}
    {%- endset %}
    {%- set pair -%}
        {%- if closer -%}
        seeker.*,
        candidate.{{ closer.key }} as candidate_key,
        {%- else -%}
        seeker.base_id,
        {%- endif -%}
    {%- endset %}
    {%- set last_step %}least({{ blocks_per_window }}, last_block){% endset -%}
with
ring as (
    select * from {{ ring }}
),

seekers as (
    select all_seekers.*
    from {{ seekers or 'ring' }} as all_seekers
    {%- if nearer_walk %}
    inner join {{ nearer_walk }} as nearer_walk
        on
            all_seekers.base_id = nearer_walk.base_id
            and nearer_walk.donor_distance is null
    {%- endif %}
),

{% if window -%}
ring_blocks as (
    select
        *,
        {{ integer_division('ring_position', block_size) }} as block
    from ring
),

seeker_blocks as (
    select
        *,
        {{ integer_division('ring_position', block_size) }} as own_block,
        {{ integer_division('(ring_size - 1)', block_size) }} as last_block
    from seekers
),

-- the blocks that a window touches: the seeker's own and the next ones
steps as (
    select
        *,
        {{ unnest_list(integer_series(first_step, last_step)) }} as step
    from seeker_blocks
),

blocks_in_window as (
    select
        *,
        -- round the ring
        (own_block + step) % (last_block + 1) as block
    from steps
),

-- the last block of a window is seen in part only, so what lies beyond the window does not count
pairs as (
    select
        {{ pair }}
        {{ ring_distance() }} as distance
    from blocks_in_window as seeker
    inner join ring_blocks as candidate
        on
            seeker.ring = candidate.ring
            and seeker.block = candidate.block
    where
        {{ may_be_donor }}
        and {{ ring_distance() }} between 1 and {{ window }}
),

{% else -%}
pairs as (
    select
        {{ pair }}
        {{ ring_distance() }} as distance
    from seekers as seeker
    inner join ring as candidate
        on seeker.ring = candidate.ring
    where {{ may_be_donor }}
),

{% endif -%}
{% if closer -%}
compared_pairs as (
    select
        {%- for name, expression in closer.compared.items() %}
        {{ expression }} as {{ name }},
        {%- endfor %}
        seeker.base_id,
        seeker.distance
    from pairs as seeker
    inner join ring as candidate
        on seeker.candidate_key = candidate.{{ closer.key }}
    where {{ closer.condition }}
),

{% endif -%}
nearest_donors as (
    select
        base_id,
        min(distance) as donor_distance
    from {% if closer %}compared_pairs
    where {{ closer.is_donor }}{% else %}pairs{% endif %}
    group by base_id
)

select
    seekers.base_id,
    nearest_donors.donor_distance
from seekers
left join nearest_donors
    on seekers.base_id = nearest_donors.base_id
{%- endmacro %}


{#-
    Steps from a seeker to a candidate round the ring, 1 to its size: a candidate at the seeker's own
    place is the last that a walk reaches.
-#}
{% macro ring_distance() -%}
    (candidate.ring_position - seeker.ring_position + seeker.ring_size - 1)
        % seeker.ring_size + 1
{%- endmacro %}


{#- Another image and another text: what any donor must bring. -#}
{% macro is_other_base() -%}
    seeker.image_id <> candidate.image_id
        and seeker.caption_key <> candidate.caption_key
{%- endmacro %}


{#-
    Whether two captions may share as many tokens as a hard donor and its seeker do.

    The bitmaps bound the tokens two captions share from above: each frequent token has a
    bit of its own, the others share bits, and `n_hidden_tokens` is how many more tokens a
    caption has than bits, hence the most that shared bits can hide. A Jaccard of at least
    m takes m / (1 + m) of both captions' tokens, `least_shared` for each of the two.
-#}
{% macro may_share_enough_tokens() -%}
    -- the slack keeps a pair right on the boundary; the exact test follows
    bit_count(seeker.own_bits & candidate.own_bits)
        + bit_count(seeker.shared_bits & candidate.shared_bits)
        + least(seeker.n_hidden_tokens, candidate.n_hidden_tokens)
        >= seeker.least_shared + candidate.least_shared - 1e-6
{%- endmacro %}


{#-
    The same bound as if all tokens that the seeker hides were shared, which lets a few more pairs
    through for half the time: `least_seen` is `least_shared` without them.
-#}
{% macro may_share_enough_seen_tokens() -%}
    bit_count(seeker.own_bits & candidate.own_bits)
        + bit_count(seeker.shared_bits & candidate.shared_bits)
        >= seeker.least_seen + candidate.least_shared - 1e-6
{%- endmacro %}


{#-
    What any donor for a hard swap meets, from the columns of `conflict_suite__hard_ring` that are
    quick to compare.
-#}
{% macro may_be_hard_donor() -%}
    {{ is_other_base() }}
        and {{ may_share_enough_tokens() }}
{%- endmacro %}


{#- The conditions on a donor of a hard swap, for `walk_ring`. -#}
{% macro hard_donor() -%}
    {{ return({
        'condition': may_be_hard_donor(),
        'key': 'question_id',
        'compared': compared_tokens(),
        'is_donor': is_hard_donor(),
    }) }}
{%- endmacro %}


{#- How many noun tokens a seeker and a candidate have in common, and have each. -#}
{% macro compared_tokens() -%}
    {{ return({
        'n_shared': list_intersect_size('seeker.token_ids', 'candidate.token_ids'),
        'n_of_seeker': 'seeker.n_tokens',
        'n_of_candidate': 'candidate.n_tokens',
    }) }}
{%- endmacro %}


{#- The noun tokens of two captions, as `compared_tokens` counts them, alike as a hard donor's are. -#}
{% macro is_hard_donor() -%}
    {{ jaccard('n_shared', 'n_of_seeker', 'n_of_candidate') }}
    between {{ var('conflict_suite_jaccard_min') }} and {{ var('conflict_suite_jaccard_max') }}
{%- endmacro %}


{#-
    Another picture than the seeker's own, of which the question names nothing, though its scene has a
    place for it: by outlines and captions, or by captions alone where these always name it.
-#}
{% macro is_irrelevant_image() -%}
    candidate.is_donor
        and seeker.source_image_id <> candidate.source_image_id
        and {{ list_intersect_size('seeker.categories', 'candidate.categories') }} = 0
        and {{ list_intersect_size('seeker.categories', 'candidate.fitting_categories') }} > 0
        and (candidate.is_annotated or seeker.is_always_named)
{%- endmacro %}
