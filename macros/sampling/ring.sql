{#-
    Donors stand on rings: shuffled once, then walked. A walk looks at every candidate of
    a window right behind each seeker and keeps the nearest that fits, so a walk that
    finds one has found the donor, and only the bases that found none walk on, farther.

    Rings are cut in blocks, and a window is a whole number of them, so that the pairs of
    a window come out of an equality join: no Cartesian product, and the pairs grow with
    the ring, not with its square.
-#}

{#-
    The body of a walk model: one row per seeker with the distance to its donor, null
    where the window holds none.

    ring: relation of the candidates with ring, ring_position (from 0), ring_size, and with
        base_id where they seek or `is_donor` is given
    previous_walk: the walk model whose empty-handed bases seek now; none for the first
    window: how many positions to look at; none for the whole ring
    may_be_donor: cheap condition on `seeker.` and `candidate.`, columns of the ring both
    is_donor: the exact condition on what `may_be_donor` lets through; none where that is
        exact itself. Only these pairs fetch the wide columns of the ring.
    seekers: relation with base_id, ring, ring_position and ring_size, where others than the
        candidates seek on their ring
-#}
{% macro walk_ring(ring, previous_walk, window, may_be_donor, is_donor=none, seekers=none) -%}
    {%- set blocks_per_window = 8 %}
    {%- set block_size = [(window or 0) // blocks_per_window, 1] | max %}
    {#- 1 to the size of the ring: what stands on the seeker's own place is the last to be met -#}
    {%- set distance = '(candidate.ring_position - seeker.ring_position + seeker.ring_size - 1)'
        ~ ' % seeker.ring_size + 1' %}
with

ring as (

    select * from {{ ring }}

),

seekers as (

    select seeking.*
    from {{ seekers or 'ring' }} as seeking
    {%- if previous_walk %}
    inner join {{ previous_walk }} as previous_walk
        on
            seeking.base_id = previous_walk.base_id
            and previous_walk.donor_distance is null
    {%- endif %}

),

{% if window -%}
-- the blocks that a window touches: a seeker's own and the next ones, round the ring
steps as (

    select
        *,
        {{ unnest_list(integer_series(
            0,
            'least(' ~ blocks_per_window ~ ', ' ~ integer_division('(ring_size - 1)', block_size) ~ ')'
        )) }} as step
    from seekers

),

lookouts as (

    select
        *,
        ({{ integer_division('ring_position', block_size) }} + step)
        % ({{ integer_division('(ring_size - 1)', block_size) }} + 1) as block
    from steps

),

-- beyond the window the last block is seen in part only, so it does not count
met as (

    select
        seeker.base_id,
        {%- if is_donor %}
        candidate.base_id as candidate_base_id,
        {%- endif %}
        {{ distance }} as distance
    from lookouts as seeker
    inner join ring as candidate
        on
            seeker.ring = candidate.ring
            and seeker.block = {{ integer_division('candidate.ring_position', block_size) }}
    where
        {{ may_be_donor }}
        and {{ distance }} between 1 and {{ window }}

),

{% else -%}
met as (

    select
        seeker.base_id,
        {%- if is_donor %}
        candidate.base_id as candidate_base_id,
        {%- endif %}
        {{ distance }} as distance
    from seekers as seeker
    inner join ring as candidate
        on seeker.ring = candidate.ring
    where {{ may_be_donor }}

),

{% endif -%}
nearest as (

    select
        met.base_id,
        min(met.distance) as donor_distance
    from met
    {%- if is_donor %}
    inner join ring as seeker
        on met.base_id = seeker.base_id
    inner join ring as candidate
        on met.candidate_base_id = candidate.base_id
    where {{ is_donor }}
    {%- endif %}
    group by met.base_id

),

final as (

    select
        seekers.base_id,
        nearest.donor_distance
    from seekers
    left join nearest
        on seekers.base_id = nearest.base_id

)

select * from final
{%- endmacro %}


{#- Another image and another text: what any donor must bring. -#}
{% macro is_other_base() -%}
    seeker.image_id <> candidate.image_id
        and seeker.caption_key <> candidate.caption_key
{%- endmacro %}


{#-
    What any donor for a hard swap meets, from the columns of `conflict_suite__hard_ring`
    that are quick to compare.

    The bitmaps bound the tokens two captions share from above: each frequent token has a
    bit of its own, the others share bits, and `n_hidden_tokens` is how many more tokens a
    caption has than bits, hence the most that shared bits can hide. A Jaccard of at least
    m takes m / (1 + m) of both captions' tokens, `least_shared` for each of the two.
-#}
{% macro may_be_hard_donor() -%}
    -- the slack keeps a pair right on the boundary; the exact test follows
    bit_count(seeker.own_bits & candidate.own_bits)
        + bit_count(seeker.shared_bits & candidate.shared_bits)
        + least(seeker.n_hidden_tokens, candidate.n_hidden_tokens)
        >= seeker.least_shared + candidate.least_shared - 1e-6
        and {{ is_other_base() }}
{%- endmacro %}


{#- The noun tokens of two captions, alike as far as a hard donor's are. -#}
{% macro is_hard_donor() -%}
    {{ jaccard(
        list_intersect_size('seeker.token_ids', 'candidate.token_ids'),
        'seeker.n_tokens', 'candidate.n_tokens'
    ) }} between {{ var('conflict_suite_jaccard_min') }} and {{ var('conflict_suite_jaccard_max') }}
{%- endmacro %}


{#- Another picture than the seeker's own, of which the question names nothing. -#}
{% macro is_irrelevant_image() -%}
    candidate.is_donor
        and seeker.source_image_id <> candidate.source_image_id
        and {{ list_intersect_size('seeker.categories', 'candidate.categories') }} = 0
{%- endmacro %}
