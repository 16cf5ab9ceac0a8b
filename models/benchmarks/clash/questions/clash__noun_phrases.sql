with
phrase_nouns as (select * from {{ ref('clash__phrase_nouns') }}),
measure_nouns as (select * from {{ ref('clash_measure_nouns') }}),
word_classes as (
    select word, value as tag
    from {{ ref('clash_vocabulary') }}
    where list_name = 'word_classes'
),
verbs as (select * from {{ ref('clash_verbs') }}),

modifiers as (
    select * from {{ ref('clash__word_kinds') }}
    where kind = 'modifier'
),

abstract_nouns as (
    select word
    from {{ ref('clash_vocabulary') }}
    where list_name = 'abstract_nouns'
),

-- "a dirt", "a grass": what has no plural is not counted
uncounted_terms as (
    select distinct term
    from {{ ref('lexicon__terms') }}
    where form = 'mass' and not has_singular
),

-- things by their last words, and what only looks like a verb's form
known_nouns as (
    select word
    from {{ vocabulary('clash', 'verb_nouns') }} as verb_nouns
    union
    select word
    from {{ vocabulary('lexicon', 'boundaries', value='effect') }} as boundaries
    where effect = 'continues'
    union
    select term as word
    from {{ ref('lexicon__terms') }}
    where change_type = 'object'
    union
    select phrase as word
    from {{ ref('object_words') }}
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

caption_words as (select * from {{ ref('contradictions__caption_words') }}),

person_words as (
    select phrase as word
    from {{ ref('object_words') }}
    where category = 'person'
),

-- the third relation that a spatial question offers: one that the caption does not speak of
third_relations as (
    select
        phrase_nouns.proposal_id,
        {{ min_by(
            'relation_distractors.distractor',
            seeded_order(
                'relation_distractor', "phrase_nouns.proposal_id || ':' || relation_distractors.distractor"
            )
        ) }} as distractor
    from phrase_nouns
    inner join
        {{ vocabulary('clash', 'relation_distractors', word='distractor', value='relation') }}
            as relation_distractors
        on phrase_nouns.subcategory = relation_distractors.relation
    inner join caption_words
        on
            phrase_nouns.caption_id = caption_words.caption_id
            -- the word that tells it, "front" of "in front of"
            and not array_contains(
                caption_words.words,
                {{ regexp_replace('relation_distractors.distractor', '^(in|to the) | of$', '') }}
            )
    group by phrase_nouns.proposal_id
)

select
    phrase_nouns.proposal_id, phrase_nouns.caption_id, phrase_nouns.kind, phrase_nouns.left_shape,
    phrase_nouns.right_shape, phrase_nouns.left_text, phrase_nouns.action_text,
    phrase_nouns.rest_text, phrase_nouns.rest_behind_first,
    -- the right "of a road" is a side "of the road"
    {{ regexp_replace('phrase_nouns.words_after', '^of (a|an|one) ', 'of the ') }} as noun_text,
    case
        when phrase_nouns.form = 'plural' then phrase_nouns.plural_asked
        else phrase_nouns.singular_asked
    end as asked,
    case
        when phrase_nouns.kind not in ('animal', 'person', 'room') then 'What'
        when phrase_nouns.form = 'plural' then phrase_nouns.plural_asked
        else phrase_nouns.singular_asked
    end as asked_object,
    case
        when
            {{ is_owned_phrase('phrase_nouns.subject_opening') }}
            then phrase_nouns.plain_subject
        else 'the ' || phrase_nouns.plain_subject
    end as subject_text,
    lower(phrase_nouns.next_text) as landmark_text,
    phrase_nouns.changed_from, phrase_nouns.changed_to,
    phrase_nouns.measure_noun,
    measures.preposition as container_preposition,
    subject_measures.preposition as subject_preposition,
    coalesce(
        third_relations.distractor, phrase_nouns.alternative, phrase_nouns.fallback_distractor
    ) as distractor,
    landmarks.word is not null
    -- "his bed" is somebody's own
    and not {{ is_owned_phrase('lower(phrase_nouns.next_text)') }}
    -- "cutting a cake on top of a plate": the cake is there, not the person who cuts it
    and (phrase_nouns.subcategory <> 'above_below' or phrase_nouns.left_shape not like 'NG%N')
    -- "sitting directly"
    and not {{ regexp_matches('phrase_nouns.left_text', 'ly$') }} as is_next_landmark,
    ' ' || {{ array_join('caption_words.words', "' '") }} || ' ' as caption_text,
    phrase_nouns.subcategory, phrase_nouns.concept,
    coalesce(measures.role, 'none') as measure_role,
    phrase_nouns.is_object,
    -- "show horses" are horses, and none are red
    phrase_nouns.is_fitting
    and not phrase_nouns.is_name
    -- "a large white sheep" is one
    and not (
        phrase_nouns.is_object
        and phrase_nouns.form = 'plural'
        and {{ regexp_matches('phrase_nouns.words_before', '^(a|an|one|each|every|another)( |$)') }}
        and not phrase_nouns.is_behind_of
    )
    -- among the cars of a street may be trucks
    and not (phrase_nouns.concept = 'car' and phrase_nouns.form = 'plural')
    and (
        phrase_nouns.kind <> 'color'
        or animal_terms.term is null
        or {{ regexp_matches(
            'phrase_nouns.words_after', '^[a-z]+$|(^| )(teddy|stuffed|toy) '
        ) }}
        or fur_colors.replacement is not null
    ) as is_fitting,
    phrase_nouns.form = 'plural' as is_plural,
    (
        {{ is_plural_noun('phrase_nouns.subject_noun') }}
        or {{ regexp_matches(
        'phrase_nouns.subject_opening',
        '^(two|three|four|five|six|seven|eight|nine|ten|several|many)$'
    ) }}
    )
    -- "a sheep", "a street sign prohibiting vehicles": one, unless it is one of several
    and not (
        {{ regexp_matches('phrase_nouns.subject_opening', '^(a|an|one|this)$') }}
        and lower(phrase_nouns.subject_text) not like '% of %'
    ) as is_subject_plural,
    {{ is_plural_noun('phrase_nouns.noun') }}
    and not {{ regexp_matches(
        'phrase_nouns.words_before', '^(a|an|one|this|that|each|another)( [a-z]+)*$'
    ) }}
    or (
        {{ regexp_matches('phrase_nouns.words_before', '(^| )of( |$)') }}
        and {{ is_plural_noun('phrase_nouns.noun') }}
    ) as is_noun_plural,
    -- an object's term ends its phrase and stands behind no "of" but that of a measure
    (not phrase_nouns.is_object and phrase_nouns.kind not in ('relation', 'side'))
    -- "his left side" is no side of the picture
    or (phrase_nouns.kind = 'side' and phrase_nouns.words_before = '')
    or (
        phrase_nouns.kind = 'relation'
        and phrase_nouns.words_before = ''
        and phrase_nouns.words_after = ''
        -- "in front of a house, in front of a tree"
        and length(replace(lower(caption_words.caption), phrase_nouns.changed_from, ''))
        = length(lower(caption_words.caption)) - length(phrase_nouns.changed_from)
    )
    or (
        phrase_nouns.is_object
        and phrase_nouns.words_after = ''
        and (not phrase_nouns.is_behind_of or measures.role is not null)
        and before_verbs.base is null
    ) as is_whole_object,
    -- one of two colors is not the color: "brown and white", "light blue"
    not {{ regexp_matches('phrase_nouns.kind', '^(color|pattern|material|shape)$') }}
    or not (
        (
            phrase_nouns.words_before = ''
            and {{ regexp_matches('phrase_nouns.left_tags', 'C$') }}
            and joined_modifiers.word is not null
        )
        or (phrase_nouns.words_before = '' and phrase_nouns.is_behind_break)
        or {{ regexp_matches('phrase_nouns.words_before', '(^| )and$') }}
        or color_degrees.word is not null
    ) as is_only_attribute,
    phrase_nouns.subject_text is not null
    -- "a picture of of a cat"
    and phrase_nouns.plain_subject not like 'of %'
    -- "the carrots on a knife"
    and not {{ regexp_matches('lower(phrase_nouns.plain_subject)', ' (on|in|with|by|near|at) ') }}
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
    phrase_nouns.words_after <> ''
    and phrase_nouns.noun <> 'of'
    and noun_modifiers.word is null
    and noun_finites.third_person is null
    and (phrase_nouns.kind <> 'material' or material_things.word is not null)
    and (phrase_nouns.kind not in ('material', 'number') or color_terms.term is null)
    -- "a white plate of food"
    and (phrase_nouns.kind <> 'color' or phrase_nouns.words_after not like '% of %')
    and noun_gerunds.gerund is null
    and (noun_abstracts.word is null or phrase_nouns.kind = 'ground')
    and (
        phrase_nouns.kind <> 'number'
        or (noun_verbs.base is null and {{ is_plural_noun('phrase_nouns.noun') }})
    )
    and (phrase_nouns.kind <> 'number' or phrase_nouns.changed_from not like '% %')
    -- "a red top inspect", "the white cat sunning": the last word is a verb
    and (
        known_nouns.word is not null
        or (noun_verbs.base is null and not {{ regexp_matches('phrase_nouns.noun', '(ed|ing)$') }})
    )
    and not {{ regexp_matches('phrase_nouns.words_after', '(^| )(s|and|or)( |$)') }}
    and {{ list_length(list_filter(
        'caption_words.words', 'word',
        'word in (noun, noun_plural, noun_singular)'
    )) }} = 1 as is_only_noun,
    person_words.word is not null as is_subject_person,
    rival_counts.n_subjects_shown <= 1 as is_subject_shown_once,
    rival_counts.n_nouns_shown <= 1 as is_noun_shown_once,
    rival_counts.n_others_said = 0
    and rival_counts.n_others_elsewhere = 0
    and rival_counts.n_categories_shown <= 1 as is_only_of_kind,
    {{ list_length(
        list_filter('caption_words.words', 'word', 'word = measure_noun')
    ) }} = 1 as is_only_container,
    -- "a tie and sunglasses": the answer would be one of several
    not coalesce(
        phrase_nouns.right_shape = 'none'
        and phrase_nouns.cut_tag in ('C', ',C', ',N')
        and coalesce(phrase_nouns.tag_behind_cut, '') not in ('G', 'V', 'B', 'H', 'D'),
        false
    ) as is_last,
    not {{ regexp_matches(
        'lower(caption_words.caption)', ' (one|another|all|both|each|other|others|singles|doubles)([ .,]|$)'
    ) }} as is_counted,
    phrase_nouns.left_text = 'in' as is_worn,
    -- the words after a subject are a clause, and say enough
    {{ regexp_matches('phrase_nouns.right_tags', '^Q?B*[GVDLPMWH][^BVHQT]*$') }}
    and rest_modifiers.word is null
    and (
        uncounted_terms.term is null
        or not {{ regexp_matches('phrase_nouns.rest_text', '(^| )an? ([a-z]+ )?[a-z]+$') }}
    )
    -- "What is containing a banana?"
    and not (
        phrase_nouns.right_shape like 'G%'
        and stative_gerunds.word is not null
    )
    and not {{ regexp_matches('phrase_nouns.right_tags', 'N[NR]|^[WH]N.*G') }}
    and coalesce(rest_classes.tag <> 'E', true)
    and not {{ regexp_matches('phrase_nouns.rest_text', '(^| )(between|it)( |$)') }}
    -- "with trees in the background": no thing of the picture has them
    and not (
        phrase_nouns.right_shape like 'W%'
        and {{ regexp_matches(
            'phrase_nouns.rest_text', '(^| )(background|foreground|distance|view)( |$)'
        ) }}
    )
    and not (
        coalesce(phrase_nouns.cut_tag, '') = 'C'
        and {{ regexp_matches('phrase_nouns.right_tags', '[LMPW]$') }}
    )
    and not (
        phrase_nouns.singular_asked in ('What', 'Who')
        and {{ regexp_matches(
            'phrase_nouns.rest_text',
            '(^| )(each other|together|one another|side by side|them|their)( |$)'
        ) }}
    ) as is_rest_whole
from phrase_nouns
inner join {{ ref('clash__rival_counts') }} as rival_counts using (proposal_id)
inner join caption_words using (caption_id)
left join measure_nouns as measures
    on phrase_nouns.measure_noun = measures.word and phrase_nouns.is_behind_of
left join measure_nouns as subject_measures
    on
        phrase_nouns.subject_noun = subject_measures.word
        and subject_measures.role in ('container', 'surface')
left join verbs as subject_verbs on phrase_nouns.subject_end = subject_verbs.base
left join word_classes as subject_classes on phrase_nouns.subject_noun = subject_classes.word
left join abstract_nouns as subject_abstracts on phrase_nouns.subject_noun = subject_abstracts.word
left join abstract_nouns as noun_abstracts on phrase_nouns.noun = noun_abstracts.word
left join {{ vocabulary('clash', 'landmarks', value='relation') }} as landmarks
    on
        phrase_nouns.next_noun = landmarks.word
        and phrase_nouns.subcategory = landmarks.relation
        -- several have no common front, and the shade of an umbrella is no thing
        and phrase_nouns.plain_next not like '% of %'
left join {{ vocabulary('clash', 'material_things') }} as material_things
    on phrase_nouns.noun = material_things.word
left join color_terms on phrase_nouns.first_noun_word = color_terms.term
left join verbs as noun_finites
    on phrase_nouns.noun = noun_finites.third_person
    -- "chairs", "boards": forms that are mostly nouns are no question here
    and noun_finites.plural is not null
left join animal_terms on phrase_nouns.noun = animal_terms.term
left join fur_colors on phrase_nouns.changed_to = fur_colors.replacement
left join {{ vocabulary('clash', 'color_degrees') }} as color_degrees
    on phrase_nouns.word_before = color_degrees.word
left join verbs as before_verbs on phrase_nouns.word_before = before_verbs.base
left join verbs as noun_verbs on phrase_nouns.noun = noun_verbs.base
left join verbs as noun_gerunds on phrase_nouns.first_noun_word = noun_gerunds.gerund
left join modifiers as noun_modifiers on phrase_nouns.noun = noun_modifiers.word
left join modifiers as subject_modifiers on phrase_nouns.subject_noun = subject_modifiers.word
left join modifiers as joined_modifiers
    on
        {{ list_extract('caption_words.words', 'phrase_nouns.word_position - 2') }}
        = joined_modifiers.word
left join known_nouns on phrase_nouns.noun = known_nouns.word
left join uncounted_terms on phrase_nouns.rest_end = uncounted_terms.term
left join {{ vocabulary('clash', 'stative_gerunds') }} as stative_gerunds
    on {{ regexp_extract('phrase_nouns.rest_text', '^[a-z]+') }} = stative_gerunds.word
left join modifiers as rest_modifiers on phrase_nouns.rest_end = rest_modifiers.word
left join word_classes as rest_classes on phrase_nouns.rest_end = rest_classes.word
left join person_words on phrase_nouns.subject_noun = person_words.word
left join third_relations using (proposal_id)
