with
object_choices as (
    select * from {{ ref('certainly_uncertain__object_choices') }}
    where
        {{ text_literal(var('certainly_uncertain_object_chooser')) }} = 'llm'
        and {{ text_literal(var('grounder')) }} <> ''
        and {{ text_literal(var('segmenter')) }} <> ''
        and not is_category
        and object_name is not null
),

-- several questions may ask about the same thing
named_things as (
    select distinct questions.source_image_id, object_choices.object_name
    from object_choices
    inner join {{ ref('certainly_uncertain__image_questions') }} as questions using (pair_id)
),

located_things as (
    select
        source_image_id, named_things.object_name, files.height, files.width, files.path,
        files.archive, files.sha256,
        cast({{ threshold('certainly_uncertain', 'grounder_confidence') }} as double)
            as least_confidence,
        cast({{ threshold('certainly_uncertain', 'grounder_word_confidence') }} as double)
            as least_word_confidence
    from named_things
    inner join {{ ref('images__files') }} as files using (source_image_id)
),

shared_out_things as (
    select {{ spread_over_tasks() }} * from located_things
),

findings as (
    select
        source_image_id, object_name, height, width,
        gs_named_outline(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            object_name, least_confidence, least_word_confidence,
            {{ text_literal(var('grounder')) }},
            {{ text_literal(var('segmenter')) }}
        ) as finding
    from shared_out_things
)

select
    source_image_id, object_name,
    finding.words as words,
    finding.rle as rle,
    {{ list_value('height', 'width') }} as rle_size,
    finding.n_boxes as n_boxes,
    finding.area as area,
    finding.confidence as confidence,
    finding.error as error
from findings
