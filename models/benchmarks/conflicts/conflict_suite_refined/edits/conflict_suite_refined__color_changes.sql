with
words as (
    select * from {{ ref('conflict_suite_refined__words') }}
    where family = 'attribute_color'
),

-- no colour is made up for a person
people as (
    select noun
    from {{ ref('noun_kinds') }}
    where kind = 'person'
),

colors as (
    select canonical as color
    from {{ ref('answer_forms') }}
    where answer_type = 'color' and is_gold_form
),

asked_heads as (
    select words.base_id, words.phrase, words.position
    from words
    left join people using (noun)
    where
        words.is_asked
        and words.position = words.head_position
        and words.noun <> 'person'
        and people.noun is null
),

-- the colour of what is asked for: in its noun phrase, or behind its verb
gold_colors as (
    select color_words.base_id, min(color_words.position) as position
    from words as color_words
    inner join asked_heads
        on
            color_words.base_id = asked_heads.base_id
            and (
                color_words.phrase = asked_heads.phrase
                or (
                    color_words.previous_class = 'copula'
                    and color_words.position = asked_heads.position + 2
                )
            )
    where color_words.color_said = color_words.gold_answer
    group by color_words.base_id
),

named_colors as (
    select distinct base_id, color_said
    from words
    where color_said is not null
),

-- A colour that the caption names anyway is no choice. One that a partner's picture shows comes
-- first, for without such a picture there is no crossed group.
other_colors as (
    select
        gold_colors.base_id, gold_colors.position, colors.color,
        case when partners.base_id is null then 'z' else '' end
        || {{ seeded_order('different', "gold_colors.base_id || ':' || colors.color") }}
            as color_order
    from gold_colors
    cross join colors
    left join {{ ref('conflict_suite_refined__partners') }} as partners
        on gold_colors.base_id = partners.base_id and colors.color = partners.answer
    left join named_colors
        on
            gold_colors.base_id = named_colors.base_id
            and colors.color = named_colors.color_said
    where named_colors.base_id is null
),

chosen_colors as (
    select base_id, position, {{ min_by('color', order_by='color_order') }} as color
    from other_colors
    group by base_id, position
),

-- "light blue" is one colour
shaded_words as (
    select
        words.base_id, words.position, words.head_position, words.phrase, words.color_said,
        words.word_class, words.next_class,
        coalesce(
            shades.word is not null
            and lead(words.color_said) over (partition by words.base_id order by words.position)
            is not null, false
        ) as is_shade
    from words
    left join {{ vocabulary('conflict_suite', 'shades') }} as shades using (word)
),

colors_before_nouns as (
    select
        *,
        coalesce(
            is_shade
            or color_said is not null
            -- what stands between the colours of "red, white and blue"
            or (
                phrase is not null
                and word_class in ('conjunction', 'punctuation')
            ), false
        ) as is_of_color,
        color_said is not null and coalesce(position >= head_position, true) as is_bare
    from shaded_words
),

-- a colour that describes no noun ("in red", "is red") can't go
captions_with_bare_colors as (
    select distinct base_id
    from colors_before_nouns
    where is_bare
)

select
    base_id, 'different' as mix_state, position,
    color as replacement,
    'replace_color' as edit_kind
from chosen_colors
union all
select
    colors_before_nouns.base_id, 'different' as mix_state, colors_before_nouns.position,
    '' as replacement, 'replace_color' as edit_kind
from colors_before_nouns
inner join chosen_colors
    on
        colors_before_nouns.base_id = chosen_colors.base_id
        and colors_before_nouns.position = chosen_colors.position - 1
where colors_before_nouns.is_shade
union all
select
    colors_before_nouns.base_id, 'irrelevant' as mix_state, colors_before_nouns.position,
    '' as replacement, 'remove_color' as edit_kind
from colors_before_nouns
inner join gold_colors using (base_id)
left join captions_with_bare_colors using (base_id)
where colors_before_nouns.is_of_color and captions_with_bare_colors.base_id is null
