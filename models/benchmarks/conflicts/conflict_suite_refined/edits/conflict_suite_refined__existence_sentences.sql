with
bases as (
    select * from {{ ref('conflict_suite_refined__bases') }}
    where family = 'existence'
),

question_frames as (
    select * from {{ ref('question_frames') }}
    where place = 'ending'
),

-- what a question asks for, in its own words: without its verb, article and question mark
asked_texts as (
    select
        base_id, gold_answer, asked_noun,
        {{ regexp_replace(
            regexp_replace(
                regexp_replace(normalized_text('question'), '[ ?.!]+$', ''),
                '^(is|are) (there )?', ''
            ),
            '^(a|an|any|some|one|the|no) ', ''
        ) }} as asked_text
    from bases
),

-- the longest ending that says no more than that the picture is meant
ended_texts as (
    select asked_texts.base_id, max(length(question_frames.words)) as ending_length
    from asked_texts
    inner join question_frames on asked_texts.asked_text like '% ' || question_frames.words
    group by asked_texts.base_id
),

asked_phrases as (
    select
        asked_texts.base_id, asked_texts.gold_answer, asked_texts.asked_noun,
        case
            when ended_texts.base_id is null then asked_texts.asked_text
            else
                left(
                    asked_texts.asked_text,
                    cast(
                        length(asked_texts.asked_text) - ended_texts.ending_length - 1
                        as int
                    )
                )
        end as asked_phrase
    from asked_texts
    left join ended_texts using (base_id)
),

-- the words of the question up to its noun: "dogs" of "dogs on the table"
numbered_phrases as (
    select
        asked_phrases.base_id, asked_phrases.gold_answer, asked_phrases.asked_phrase,
        ' ' || asked_phrases.asked_phrase || ' ' not like '% ' || asked_phrases.asked_noun || ' %'
        and {{ regexp_matches(
            'asked_phrases.asked_phrase',
            '^([^ ]+ )*([^ ]*[^s]s|people|men|women|children|geese|mice|feet|teeth)( (in|on|at|near|by|under|behind|beside|with|next) .*)?$'
        ) }} as is_plural,
        mass_nouns.word is not null as is_mass
    from asked_phrases
    left join {{ vocabulary('conflict_suite', 'mass_nouns') }} as mass_nouns
        on asked_phrases.asked_noun = mass_nouns.word
),

sentences as (
    select
        base_id, gold_answer,
        'There ' || case when is_plural then 'are ' else 'is ' end
        || case
            when is_plural or is_mass then ''
            else {{ indefinite_article('asked_phrase') }} || ' '
        end
        || asked_phrase || '.' as asserting_sentence,
        'There ' || case when is_plural then 'are ' else 'is ' end
        || 'no ' || asked_phrase || '.' as denying_sentence
    from numbered_phrases
    where asked_phrase <> ''
)

-- a caption that names what is asked for says yes by itself, and no caption says no
select
    base_id, 'different' as mix_state,
    case when gold_answer = 'yes' then 'deny' else 'assert' end as edit_kind,
    case when gold_answer = 'yes' then denying_sentence else asserting_sentence end as sentence,
    asserting_sentence, denying_sentence
from sentences
union all
select
    base_id, 'clean' as mix_state, 'deny' as edit_kind,
    denying_sentence as sentence,
    asserting_sentence, denying_sentence
from sentences
where gold_answer = 'no'
