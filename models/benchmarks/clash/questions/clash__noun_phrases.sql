with

frames as (

    select * from {{ ref('clash__frames') }}

),

kinds as (

    select * from {{ ref('clash_kinds') }}

),

measure_nouns as (

    select * from {{ ref('clash_measure_nouns') }}

),

word_classes as (

    select * from {{ ref('clash_word_classes') }}

),

verbs as (

    select * from {{ ref('clash_verbs') }}

),

modifiers as (

    select * from {{ ref('clash__modifiers') }}

),

material_things as (

    select * from {{ ref('clash_material_things') }}

),

color_degrees as (

    select * from {{ ref('clash_color_degrees') }}

),

abstract_nouns as (

    select * from {{ ref('clash_abstract_nouns') }}

),

terms as (

    select * from {{ ref('lexicon__terms') }}

),

color_terms as (

    select distinct term
    from {{ ref('lexicon__terms') }}
    where category = 'colors'

),

animal_terms as (

    select distinct term
    from {{ ref('lexicon__terms') }}
    where category = 'animals'

),

fur_colors as (

    select * from {{ ref('lexicon_swaps') }}
    where swap_set = 'color_fur'

),

caption_words as (

    select * from {{ ref('contradictions__caption_words') }}

),

object_words as (

    select * from {{ ref('object_words') }}

),

instances as (

    select * from {{ ref('images__instances') }}

),

third_relations as (

    select * from {{ ref('clash__third_relations') }}

),

-- of the rows that a proposal may be, the narrowest: a concept's, a sub-category's, a category's
ranked_kinds as (

    select
        frames.*,
        kinds.kind,
        kinds.singular_asked,
        kinds.plural_asked,
        kinds.is_object,
        case
            when frames.form = 'plural' then kinds.plural_distractor
            else kinds.singular_distractor
        end as fallback_distractor,
        row_number() over (
            partition by frames.proposal_id
            order by
                case
                    when kinds.concept <> 'any' then 1
                    when kinds.subcategory <> 'any' then 2
                    else 3
                end
        ) as preference
    from frames
    inner join kinds
        on
            frames.category = kinds.category
            and kinds.subcategory in ('any', frames.subcategory)
            and kinds.concept in ('any', frames.concept)

),

kind_words as (

    select distinct
        kinds.kind,
        terms.term as word
    from terms
    inner join kinds
        on
            terms.category = kinds.category
            and kinds.subcategory in ('any', terms.subcategory)
            and kinds.concept in ('any', terms.concept)
    where terms.n_words = 1
    union
    select distinct
        kind,
        {{ regexp_extract('lower(singular_asked)', '[a-z]+$') }} as word
    from kinds
    where singular_asked like 'Which %'
    union
    select distinct
        kind,
        {{ regexp_extract('lower(plural_asked)', '[a-z]+$') }} as word
    from kinds
    where plural_asked like 'Which %'

),

caption_positions as (

    select
        caption_id,
        {{ unnest_list_with_position('words', 'word', 'position') }}
    from caption_words

),

-- other words of the kind that the caption has: "Which animal" asks for the only one
kind_counts as (

    select
        frames.proposal_id,
        kind_words.kind,
        count(*) as n_others
    from frames
    inner join caption_positions
        on
            frames.caption_id = caption_positions.caption_id
            and (
                frames.word_position > caption_positions.position
                or frames.term_end <= caption_positions.position
            )
    inner join kind_words
        on caption_positions.word = kind_words.word
    group by frames.proposal_id, kind_words.kind

),

instance_counts as (

    select
        source_image_id,
        category,
        supercategory,
        count(*) as n_instances
    from instances
    group by source_image_id, category, supercategory

),

-- a word may name several categories
word_counts as (

    select
        instance_counts.source_image_id,
        object_words.phrase as word,
        max(instance_counts.n_instances) as n_instances
    from instance_counts
    inner join object_words
        on instance_counts.category = object_words.category
    group by instance_counts.source_image_id, object_words.phrase

),

person_words as (

    select phrase as word
    from object_words
    where category = 'person'

),

-- COCO's super-categories are called as the kinds are: animal, vehicle, food
shown_kinds as (

    select
        source_image_id,
        supercategory,
        count(*) as n_categories
    from instance_counts
    group by source_image_id, supercategory

),

-- "a couple of men" and "several men" are the men
plain_phrases as (

    select
        *,
        {{ without_determiner(regexp_replace(
            'lower(subject_text)',
            '^(a |an |the |some )?(couple|lot|lots|bunch|number|variety) of (the )?', ''
        )) }} as plain_subject,
        {{ regexp_extract('lower(subject_text)', '^[a-z]+') }} as subject_opening,
        {{ regexp_extract(
            regexp_replace('words_before', ' of( a| an| the| some)?( [a-z]+)?( [a-z]+)?$', ''),
            '[a-z]+$'
        ) }} as measure_noun,
        {{ regexp_matches('words_before', '(^| )of( |$)') }} as is_behind_of,
        {{ regexp_replace('words_after', ' of .*$', '') }} as noun_phrase_head,
        {{ without_determiner('lower(other_text)') }} as plain_other,
        {{ without_determiner('lower(next_text)') }} as plain_next
    from ranked_kinds
    where preference = 1

),

ends_of_phrases as (

    select
        *,
        {{ regexp_extract('noun_phrase_head', '[a-z0-9]+$') }} as noun,
        {{ regexp_extract(
            regexp_replace('plain_subject', ' (of|in|on|with|at|by|near|from|for|to|next) .*$', ''),
            '[a-z0-9]+$'
        ) }} as subject_noun,
        {{ regexp_extract('plain_subject', '[a-z0-9]+$') }} as subject_end,
        {{ regexp_extract('words_before', '[a-z0-9]+$') }} as word_before,
        {{ regexp_extract('words_after', '[a-z0-9]+$') }} as contents_noun,
        {{ regexp_extract('words_after', '^[a-z0-9]+') }} as first_noun_word,
        {{ regexp_extract('rest_text', '[A-Za-z0-9]+$') }} as rest_end,
        {{ regexp_extract('plain_other', '[a-z0-9]+$') }} as other_noun
    from plain_phrases

),

-- a noun and its other number, as far as an "s" makes it; a number counts the very word
head_nouns as (

    select
        *,
        case when kind <> 'number' then noun || 's' end as noun_plural,
        case when kind <> 'number' then {{ regexp_replace('noun', 's$', '') }} end as noun_singular,
        subject_noun || 's' as subject_plural,
        {{ regexp_replace('subject_noun', 's$', '') }} as subject_singular
    from ends_of_phrases

),

final as (

    select
        head_nouns.proposal_id,
        head_nouns.caption_id,
        head_nouns.kind,
        head_nouns.left_shape,
        head_nouns.right_shape,
        head_nouns.left_text,
        head_nouns.action_text,
        head_nouns.rest_text,
        head_nouns.rest_behind_first,
        head_nouns.words_after as noun_text,
        -- "a bowl of the hot soup": what a container's name is followed by
        case
            when
                head_nouns.subcategory in ('containers', 'kitchen_items')
                and {{ regexp_matches(
                    'head_nouns.words_after', '^of [a-z]+( [a-z]+)?( [a-z]+)?$'
                ) }}
                and not {{ regexp_matches('head_nouns.words_after', ' (and|or|s)( |$)') }}
                and not head_nouns.is_behind_of
                and {{ list_length(list_filter(
                    'caption_words.words', 'word', 'word = contents_noun'
                )) }} = 1
                then {{ regexp_replace('head_nouns.words_after', '^of (a |an |the |some )?', '') }}
        end as contents_text,
        case
            when head_nouns.form = 'plural' then head_nouns.plural_asked
            else head_nouns.singular_asked
        end as asked,
        case
            when head_nouns.kind not in ('animal', 'person', 'room') then 'What'
            when head_nouns.form = 'plural' then head_nouns.plural_asked
            else head_nouns.singular_asked
        end as asked_object,
        case
            when
                {{ is_owned_phrase('head_nouns.subject_opening') }}
                then head_nouns.plain_subject
            else 'the ' || head_nouns.plain_subject
        end as subject_text,
        case
            when
                {{ is_owned_phrase('lower(head_nouns.next_text)') }}
                then lower(head_nouns.next_text)
            else 'the ' || head_nouns.plain_next
        end as next_text,
        head_nouns.changed_from,
        head_nouns.changed_to,
        'the ' || head_nouns.plain_other as other_text,
        head_nouns.measure_noun,
        measures.preposition as container_preposition,
        subject_measures.preposition as subject_preposition,
        coalesce(
            third_relations.distractor, head_nouns.alternative, head_nouns.fallback_distractor
        ) as distractor,
        {{ is_owned_phrase('lower(head_nouns.next_text)') }}
            as is_next_owned,
        ' ' || {{ array_join('caption_words.words', "' '") }} || ' ' as caption_text,
        head_nouns.subcategory,
        coalesce(measures.role, 'none') as measure_role,
        head_nouns.is_object,
        -- "show horses" are horses, and none are red
        head_nouns.is_fitting
        and not head_nouns.is_name
        and (
            head_nouns.kind <> 'color'
            or animal_terms.term is null
            or {{ regexp_matches('head_nouns.words_after', '^[a-z]+$|(^| )(teddy|stuffed|toy) ') }}
            or fur_colors.replacement is not null
        ) as is_fitting,
        head_nouns.form = 'plural' as is_plural,
        (
            {{ is_plural_noun('head_nouns.subject_noun') }}
            or {{ regexp_matches(
            'head_nouns.subject_opening',
            '^(two|three|four|five|six|seven|eight|nine|ten|several|many)$'
        ) }}
        )
        and not (
            head_nouns.subject_noun in ('sheep', 'cattle')
            and {{ regexp_matches('head_nouns.subject_opening', '^(a|an|one|this)$') }}
            and lower(head_nouns.subject_text) not like '% of %'
        ) as is_subject_plural,
        {{ is_plural_noun('head_nouns.noun') }}
        and not {{ regexp_matches(
            'head_nouns.words_before', '^(a|an|one|this|that|each|another)( [a-z]+)*$'
        ) }}
        or (
            {{ regexp_matches('head_nouns.words_before', '(^| )of( |$)') }}
            and {{ is_plural_noun('head_nouns.noun') }}
        ) as is_noun_plural,
        -- an object's term ends its phrase and stands behind no "of" but that of a measure
        (not head_nouns.is_object and head_nouns.kind <> 'relation')
        or (
            head_nouns.kind = 'relation'
            and head_nouns.words_before = ''
            and head_nouns.words_after = ''
            -- "in front of a house, in front of a tree"
            and length(replace(lower(caption_words.caption), head_nouns.changed_from, ''))
            = length(lower(caption_words.caption)) - length(head_nouns.changed_from)
        )
        or (
            head_nouns.is_object
            and head_nouns.words_after = ''
            and (not head_nouns.is_behind_of or measures.role is not null)
            and before_verbs.base is null
        ) as is_whole_object,
        -- one of two colors is not the color: "brown and white", "light blue"
        not {{ regexp_matches('head_nouns.kind', '^(color|pattern|material|shape)$') }}
        or not (
            (
                head_nouns.words_before = ''
                and {{ regexp_matches('head_nouns.left_tags', 'C$') }}
                and joined_modifiers.word is not null
            )
            or (head_nouns.words_before = '' and head_nouns.is_behind_break)
            or {{ regexp_matches('head_nouns.words_before', '(^| )and$') }}
            or color_degrees.word is not null
        ) as is_only_attribute,
        head_nouns.subject_text is not null
        and subject_verbs.base is null
        and subject_classes.word is null
        and subject_modifiers.word is null
        and subject_abstracts.word is null
        and {{ list_length(
            list_filter(
                'caption_words.words', 'word',
                'word in (subject_noun, subject_plural, subject_singular)'
            )
        ) }} = 1 as is_only_subject,
        head_nouns.words_after <> ''
        and noun_modifiers.word is null
        and noun_finites.third_person is null
        and (head_nouns.kind <> 'material' or material_things.word is not null)
        and (head_nouns.kind <> 'material' or color_terms.term is null)
        and noun_gerunds.gerund is null
        and (noun_abstracts.word is null or head_nouns.kind = 'ground')
        and (
            head_nouns.kind <> 'number'
            or (
                noun_verbs.base is null
                and {{ is_plural_noun('head_nouns.noun') }}
            )
        )
        and (head_nouns.kind <> 'number' or head_nouns.changed_from not like '% %')
        and not {{ regexp_matches('head_nouns.words_after', '(^| )(s|and|or)( |$)') }}
        and {{ list_length(list_filter(
            'caption_words.words', 'word',
            'word in (noun, noun_plural, noun_singular)'
        )) }} = 1 as is_only_noun,
        person_words.word is not null as is_subject_person,
        coalesce(subject_counts.n_instances, 0) <= 1 as is_subject_shown_once,
        coalesce(noun_counts.n_instances, 0) <= 1 as is_noun_shown_once,
        kind_counts.n_others is null
        and coalesce(shown_kinds.n_categories, 0) <= 1 as is_only_of_kind,
        {{ list_length(
            list_filter('caption_words.words', 'word', 'word = measure_noun')
        ) }} = 1 as is_only_container,
        -- "a tie and sunglasses": the answer would be one of several
        not coalesce(
            head_nouns.right_shape = 'none'
            and head_nouns.cut_tag in ('C', ',C', ',N')
            and coalesce(head_nouns.tag_behind_cut, '') not in ('G', 'V', 'B', 'H', 'D'),
            false
        ) as is_last,
        not {{ regexp_matches('caption_words.caption', ' ([Oo]ne|[Aa]nother)([ .,]|$)') }}
            as is_counted,
        not {{ regexp_matches(
            "head_nouns.changed_from || ' ' || head_nouns.changed_to", '(en|y|ed)( |$)'
        ) }} as are_material_nouns,
        head_nouns.left_text = 'in' as is_worn,
        -- "a dog and a cat": the other one names it
        head_nouns.right_shape = 'none'
        and coalesce(head_nouns.cut_tag, '') = 'C'
        and coalesce(head_nouns.tag_behind_cut, '') = 'N'
        and coalesce(kind_counts.n_others, 0) <= 1
        and other_modifiers.word is null
        and other_verbs.base is null
        and not {{ regexp_matches(
            'lower(head_nouns.other_text)', '^(one|another|his|her|their|its|other)( |$)'
        ) }}
        and {{ list_length(list_filter('caption_words.words', 'word', 'word = other_noun')) }} = 1
            as has_other,
        -- what stands behind a subject is a clause, and says enough
        {{ regexp_matches('head_nouns.right_tags', '^Q?B*[GVDLPMWH][^BVHQT]*$') }}
        and rest_modifiers.word is null
        and not {{ regexp_matches('head_nouns.right_tags', 'N[NR]|^[WH]N.*G') }}
        and coalesce(rest_classes.tag <> 'E', true)
        and not {{ regexp_matches('head_nouns.rest_text', '(^| )between ') }}
        -- "with trees in the background": nothing has them
        and not (
            head_nouns.right_shape like 'W%'
            and {{ regexp_matches(
                'head_nouns.rest_text', '(^| )(background|foreground|distance|view)( |$)'
            ) }}
        )
        and not (
            coalesce(head_nouns.cut_tag, '') = 'C'
            and {{ regexp_matches('head_nouns.right_tags', '[LMPW]$') }}
        )
        and not (
            head_nouns.singular_asked in ('What', 'Who')
            and {{ regexp_matches(
                'head_nouns.rest_text',
                '(^| )(each other|together|one another|side by side|them|their)( |$)'
            ) }}
        ) as is_rest_whole,
        {{ regexp_matches('head_nouns.rest_text', '(^| )(it|its)( |$)') }} as is_rest_about_it
    from head_nouns
    inner join caption_words
        on head_nouns.caption_id = caption_words.caption_id
    left join measure_nouns as measures
        on head_nouns.measure_noun = measures.word and head_nouns.is_behind_of
    left join measure_nouns as subject_measures
        on
            head_nouns.subject_noun = subject_measures.word
            and subject_measures.role in ('container', 'surface')
    left join verbs as subject_verbs
        on head_nouns.subject_end = subject_verbs.base
    left join word_classes as subject_classes
        on head_nouns.subject_noun = subject_classes.word
    left join abstract_nouns as subject_abstracts
        on head_nouns.subject_noun = subject_abstracts.word
    left join abstract_nouns as noun_abstracts
        on head_nouns.noun = noun_abstracts.word
    left join material_things
        on head_nouns.noun = material_things.word
    left join color_terms
        on head_nouns.first_noun_word = color_terms.term
    left join verbs as noun_finites
        on head_nouns.noun = noun_finites.third_person
        -- "chairs", "boards": forms that are mostly nouns are no question here
        and noun_finites.plural is not null
    left join verbs as other_verbs
        on head_nouns.other_noun = other_verbs.base
    left join animal_terms
        on head_nouns.noun = animal_terms.term
    left join fur_colors
        on head_nouns.changed_to = fur_colors.replacement
    left join color_degrees
        on head_nouns.word_before = color_degrees.word
    left join verbs as before_verbs
        on head_nouns.word_before = before_verbs.base
    left join verbs as noun_verbs
        on head_nouns.noun = noun_verbs.base
    left join verbs as noun_gerunds
        on head_nouns.first_noun_word = noun_gerunds.gerund
    left join modifiers as noun_modifiers
        on head_nouns.noun = noun_modifiers.word
    left join modifiers as subject_modifiers
        on head_nouns.subject_noun = subject_modifiers.word
    left join modifiers as other_modifiers
        on head_nouns.other_noun = other_modifiers.word
    left join modifiers as joined_modifiers
        on
            {{ list_extract('caption_words.words', 'head_nouns.word_position - 2') }}
            = joined_modifiers.word
    left join modifiers as rest_modifiers
        on head_nouns.rest_end = rest_modifiers.word
    left join word_classes as rest_classes
        on head_nouns.rest_end = rest_classes.word
    left join person_words
        on head_nouns.subject_noun = person_words.word
    left join word_counts as subject_counts
        on
            head_nouns.source_image_id = subject_counts.source_image_id
            and head_nouns.subject_noun = subject_counts.word
    left join word_counts as noun_counts
        on
            head_nouns.source_image_id = noun_counts.source_image_id
            and head_nouns.noun = noun_counts.word
    left join third_relations
        on head_nouns.proposal_id = third_relations.proposal_id
    left join kind_counts
        on
            head_nouns.proposal_id = kind_counts.proposal_id
            and head_nouns.kind = kind_counts.kind
    left join shown_kinds
        on
            head_nouns.source_image_id = shown_kinds.source_image_id
            and head_nouns.kind = shown_kinds.supercategory

)

select * from final
