-- What annotators would have said of the pictures that `rows.sql` made; `shadow_shapes` holds
-- regions of shadows, as `gs_shadow_region` gives them.

insert into reality_check.reality_check__shadow_regions by name
select
    pictures.sha256 as image_sha256,
    shadow_shapes.* exclude (number),
    -- a smaller shadow beside it, which lies as it does
    [{'area': shadow_shapes.area * 0.5, 'angle': shadow_shapes.angle}] as others
from pictures
inner join shadow_shapes
    on pictures.i % (select count(*) from shadow_shapes) = shadow_shapes.number
where share_of(pictures.i, 'shadow') < 0.5;

-- what nobody annotated is looked at by a detector, which sees who throws the shadow; one picture in
-- four has a sign, most of them a street's
insert into reality_check.reality_check__annotator_results by name
select
    pictures.sha256 as image_sha256,
    0.03 + share_of(i, 'edges') * 0.27 as edge_density,
    share_of(i, 'frequency') as dominant_texture_frequency,
    0.3 as largest_contour_share,
    share_of(i, 'edges') > 0.1 as is_silhouette_extractable,
    share_of(i, 'horizontal') * 0.25 as horizontal_difference,
    share_of(i, 'vertical') * 0.25 as vertical_difference,
    case
        when share_of(i, 'text') < 0.25
            then [
                {
                    'text': upper(substr(md5('name' || i), 1, 6)),
                    'bbox': [100.0, 100.0, 120.0, height * (0.02 + share_of(i, 'tall') * 0.12)],
                    'confidence': 91.0
                },
                {
                    'text': case when share_of(i, 'sign') < 0.8 then 'STREET' else 'OPEN' end,
                    'bbox': [230.0, 100.0, 120.0, height * (0.02 + share_of(i, 'tall') * 0.12)],
                    'confidence': 91.0
                }
            ]
        else []
    end as words,
    share_of(i, 'shadow') * 0.2 as shadow_area_share,
    case when share_of(i, 'shadow') < 0.5 then share_of(i, 'angle') * 180 end
        as shadow_angle_detected,
    case
        when regions.image_sha256 is not null and pictures.source not in ('openimages', 'coco')
            then [{
                'label': 'person',
                'bbox': [regions.ends[1] - 30, regions.ends[2] - 160, 60.0, 160.0],
                'confidence': 0.9,
                'area_fraction': 60 * 160 / (pictures.width * pictures.height)
            }]
    end as objects
from pictures
left join reality_check.reality_check__shadow_regions as regions
    on pictures.sha256 = regions.image_sha256;

-- an outline is looked for where there are no masks, and goes around the largest thing
insert into reality_check.reality_check__outlines by name
select
    pictures.sha256 as image_sha256,
    shadow_shapes.rle,
    [
        objects.x_min * objects.width, objects.y_min * objects.height,
        objects.side * objects.width, objects.side * objects.height
    ] as bbox
from pictures
inner join shadow_shapes
    on pictures.i % (select count(*) from shadow_shapes) = shadow_shapes.number
inner join objects
    on pictures.i = objects.i and objects.thing = 0
where pictures.source <> 'coco';

insert into reality_check.reality_check__object_colors by name
with
prototypes as (
    select
        *,
        row_number() over (order by color, prototype) - 1 as number,
        count(*) over () as n_prototypes
    from vocabulary.color_prototypes
),

drawn as (
    select
        *,
        case source
            when 'coco' then 'coco-' || (i * 16 + thing)
            else 'listings_of_rows.jsonl:' || row_number() over (partition by source order by i, thing)
        end as object_id,
        cast(floor(
            share_of(i * 16 + thing, 'colour') * (select max(n_prototypes) from prototypes)
        ) as bigint) as color_number
    from objects
)

select
    drawn.image_id as source_image_id,
    drawn.object_id,
    drawn.label,
    prototypes.color,
    0.2 + share_of(drawn.i * 16 + drawn.thing, 'margin') * 0.8 as color_margin,
    0.3 + share_of(drawn.i * 16 + drawn.thing, 'fullest') * 0.6 as color_share,
    prototypes.lightness,
    prototypes.a,
    prototypes.b
from drawn
inner join prototypes
    on drawn.color_number = prototypes.number
where not drawn.is_crowd and drawn.side * drawn.side >= 0.02;
