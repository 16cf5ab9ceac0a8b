-- an export's card names the hashes of its benchmark's manifest
{%- for benchmark in var('benchmarks') %}
-- depends_on: {{ ref(benchmark ~ '__manifest') }}
{%- endfor %}
with
examples as (
    {{ union_of_exported_examples() }}
),

pictures as (
    select * from {{ ref('exports__example_pictures') }}
    where place = 1
),

-- records that count together on the board; those of the languages and conditions of one example
-- are no records of their own here
groups as (
    select
        benchmark, example_id, group_id,
        cast(count(*) over (partition by benchmark, group_id) as bigint) as n_records
    from (
        {{ union_of_ports('groups', ['group_id', 'example_id', 'condition']) | indent(8) }}
    ) as members
    where condition = 'default'
)

select
    examples.benchmark, examples.example_id, examples.group_id, examples.base_id,
    examples.variant_id, examples.question_id, examples.image_id, examples.source_image_id,
    examples.shown_image_id, examples.recipe_id, examples.image_file, examples.text_input,
    examples.question, examples.gold_answer, pictures.split, examples.family, examples.operator,
    examples.corrupt_modality, pictures.vision_family,
    coalesce(examples.severity, pictures.severity) as severity,
    examples.answer_type, examples.oracle_action, examples.record_version, pictures.image_path,
    pictures.image_archive, pictures.image, pictures.license_name, pictures.license_url,
    pictures.flickr_url, pictures.photograph_name, pictures.picture_state, pictures.name_state,
    pictures.allows_derivatives, pictures.allows_commercial_use,
    concat_ws(
        chr(10),
        'Text: ' || examples.text_input,
        'Question: ' || examples.question,
        coalesce(examples.instruction, {{ instruction('export_instruction') }})
    ) as prompt,
    coalesce(
        examples.target, examples.answer, {{ instruction('export_abstention') }}
    ) as target,
    -- the answer that the right one is preferred to
    coalesce(
        examples.other_answer,
        case
            when examples.target is null then examples.gold_answer
            else {{ instruction('export_abstention') }}
        end
    ) as rejected,
    examples.answer_shares,
    examples.doubt_share,
    groups.group_id as scoring_group_id,
    groups.n_records as scoring_group_size,
    examples.target is null as is_abstention_right,
    -- the words alone do not tell which answer is right
    not coalesce(examples.stem_is_one_sided, false) as is_two_sided
from examples
inner join pictures using (benchmark, example_id)
left join groups using (benchmark, example_id)
