with

questions as (

    select * from {{ ref('stg_gqa__questions') }}
    where occurrence = 1

),

scene_graphs as (

    select * from {{ ref('stg_gqa__scene_graphs') }}
    where occurrence = 1

),

last_steps as (

    select
        gqa_question_id,
        source_image_id,
        program,
        {{ list_extract('program', list_length('program')) }} as last_step
    from questions

),

-- an argument that points at an object ends in its id, in brackets
pointing_steps as (

    select
        gqa_question_id,
        source_image_id,
        {{ list_length(struct_extract('last_step', 'dependencies')) }} as n_branches,
        {{ list_filter(
            'program', 'step',
            regexp_matches(struct_extract('step', 'argument'), '[(][0-9]+[)]$')
        ) }} as steps
    from last_steps

),

pointed_objects as (

    select
        gqa_question_id,
        source_image_id,
        n_branches,
        {{ regexp_replace(
            struct_extract(list_extract('steps', list_length('steps')), 'argument'),
            '^.*[(]|[)]$', ''
        ) }} as object_key
    from pointing_steps

),

graph_objects as (

    select
        source_image_id,
        {{ unnest_list('objects') }} as seen
    from scene_graphs

),

named_objects as (

    select
        source_image_id,
        {{ struct_extract('seen', 'object_id') }} as object_key,
        {{ struct_extract('seen', 'name') }} as object_name
    from graph_objects

),

-- a comparison asks about two things, and it is not clear which one's absence would matter
final as (

    select
        pointed_objects.gqa_question_id,
        case when pointed_objects.n_branches = 1 then named_objects.object_name end as object_name,
        greatest(
            coalesce(pointed_objects.n_branches, 0),
            case when pointed_objects.object_key is null then 0 else 1 end
        ) as n_asked_objects
    from pointed_objects
    left join named_objects
        on
            pointed_objects.source_image_id = named_objects.source_image_id
            and pointed_objects.object_key = named_objects.object_key

)

select * from final
