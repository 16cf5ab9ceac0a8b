-- What the sources of VLM Reality Check list and what landing them would give, for
-- `n_images` images without pixels, 32 : 32 : 4 : 32 : 25 of Wikimedia Commons, Open Images,
-- Street View, YFCC100M and COCO. The pictures, their scenes and objects stay as temporary
-- tables, of which the annotations are made.

-- a number in 0 .. 1 of a thing and a purpose, alike on every machine
create temporary macro share_of(thing, purpose) as
cast(md5_number_lower(purpose || ':' || thing) % 1000003 as double) / 1000003;

create temporary table scenes as
select
    place - 1 as number,
    scene
from (
    select unnest([
        'grassland', 'beach', 'street', 'snow', 'water', 'forest', 'mountain', 'desert',
        'kitchen', 'bedroom', 'office', 'restaurant'
    ]) as scene, generate_subscripts([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 1) as place
);

-- labels that may be counted and that Open Images has a class of
create temporary table labels as
select
    row_number() over (order by names.label) - 1 as number,
    names.label,
    names.group_name,
    min(classes.class_name) as class_name,
    '/m/' || substr(md5(names.label), 1, 6) as class_code
from vocabulary.reality_check_category_names as names
inner join vocabulary.openimages_categories as classes
    on names.label = classes.category
left join vocabulary.reality_check_lettered_labels as lettered
    on names.label = lettered.label
where names.is_countable and names.label <> 'person' and lettered.label is null
group by names.label, names.group_name;

set variable n_labels = (select count(*) from labels);

create temporary table numbered as
select
    i,
    case
        when i % 125 < 32 then 'wikimedia'
        when i % 125 < 64 then 'openimages'
        when i % 125 < 68 then 'streetview'
        when i % 125 < 100 then 'yfcc'
        else 'coco'
    end as source,
    cast(i // 125 as bigint) * case
        when i % 125 < 64 then 32
        when i % 125 < 68 then 4
        when i % 125 < 100 then 32
        else 25
    end + case
        when i % 125 < 32 then i % 125
        when i % 125 < 64 then i % 125 - 32
        when i % 125 < 68 then i % 125 - 64
        when i % 125 < 100 then i % 125 - 68
        else i % 125 - 100
    end as place
from range(cast(getvariable('n_images') as bigint)) as numbers(i);

-- photographs of YFCC100M come in sixes of one place and day, all else stands alone
create temporary table pictures as
with
keys as (
    select
        *,
        case source
            when 'yfcc' then 'y' || (place // 6)
            when 'streetview' then 's' || (place // 4)
            else 'i' || i
        end as place_key,
        cast(floor(share_of(i, 'label') * getvariable('n_labels')) as bigint) as label_number
    from numbered
),

-- a label is usual in two scenes and rare in the others; what has no objects is anywhere
placed as (
    select
        *,
        case
            when source in ('openimages', 'coco') and share_of(i, 'usual') < 0.4
                then label_number % 12
            when source in ('openimages', 'coco') and share_of(i, 'usual') < 0.8
                then (label_number + 5) % 12
            else cast(floor(share_of(place_key, 'scene') * 12) as bigint)
        end as scene_number,
        round(share_of(place_key, 'latitude') * 110 - 50, 5) as latitude,
        round(share_of(place_key, 'longitude') * 340 - 170, 5) as longitude,
        date '2008-01-01' + cast(floor(share_of(place_key, 'day') * 2000) as integer) as taken_on,
        -- seconds after midnight: six in a morning, a day of steps of two hours and a half, or
        -- steps of a quarter of an hour
        case
            when source <> 'yfcc' then 7 * 3600 + cast(share_of(i, 'clock') * 39600 as integer)
            when share_of(place_key, 'span') < 0.4 then 6 * 3600 + place % 6 * 8400
            when share_of(place_key, 'span') < 0.75 then 8 * 3600 + place % 6 * 3300
            else 9 * 3600 + place % 6 * 1260
        end as clock,
        format('{:.6f}', share_of(place_key, 'north')) as north
    from keys
),

located as (
    select
        placed.*,
        cities.city,
        round(cities.lat + placed.place // 4 // 100 * 0.0007, 6) as city_latitude,
        round(cities.lon + placed.place // 4 // 100 * 0.0007, 6) as city_longitude
    from placed
    left join vocabulary.streetview_cities as cities
        on placed.source = 'streetview' and cities.city_position = placed.place // 4 % 100 + 1
),

addressed as (
    select
        * exclude (latitude, longitude, north),
        coalesce(city_latitude, latitude) as latitude,
        coalesce(city_longitude, longitude) as longitude,
        case source
            when 'streetview'
                then
                    'https://maps.googleapis.com/maps/api/streetview?size=640x640&location='
                    || city_latitude || ',' || city_longitude
                    || '&source=outdoor&fov=90&pitch=0&heading=' || place % 4 * 90
                    || '&return_error_code=true'
            else 'https://pictures.example.org/' || source || '/' || place || '.jpg'
        end as url
    from located
)

select
    addressed.* exclude (scene_number),
    scenes.scene,
    case addressed.source
        when 'coco' then 'coco-' || addressed.place + 1
        else addressed.source || '_' || substr(md5(addressed.url), 1, 12)
    end as image_id,
    md5(addressed.url) || md5('x' || addressed.url) as sha256,
    case addressed.source when 'coco' then 640 when 'streetview' then 640 else 1024 end as width,
    case addressed.source when 'coco' then 480 when 'streetview' then 640 else 768 end as height,
    strftime(addressed.taken_on, '%Y-%m-%d') || ' '
    || strftime(to_timestamp(addressed.clock) at time zone 'UTC', '%H:%M:%S') as taken_at
from addressed
inner join scenes
    on addressed.scene_number = scenes.number;

-- a little more than half show two or three things once, the others one kind of thing often
create temporary table objects as
with
mixes as (
    select
        i,
        source,
        place,
        image_id,
        width,
        height,
        label_number,
        share_of(i, 'mix') < 0.55 as is_mixed,
        cast(2 + floor(share_of(i, 'count') * 13) as integer) as n_alike,
        [0.035, 0.12, 0.26][1 + label_number % 3] * (0.75 + share_of(i, 'size') * 0.6) as area
    from pictures
    where source in ('openimages', 'coco')
),

things as (
    select
        *,
        unnest(range(case when is_mixed then 2 + i % 2 else n_alike + 1 end)) as thing
    from mixes
),

boxes as (
    select
        *,
        case
            when is_mixed then (label_number + thing * 7) % getvariable('n_labels')
            when thing < n_alike then label_number
            else (label_number + 11) % getvariable('n_labels')
        end as thing_number,
        sqrt(case
            when is_mixed then greatest(area * [1, 0.6, 0.3][1 + thing], 0.021)
            when thing < n_alike then area / n_alike * (0.8 + share_of(i * 16 + thing, 'part') * 0.4)
            else 0.022
        end) as side
    from things
)

select
    boxes.i,
    boxes.source,
    boxes.place,
    boxes.image_id,
    boxes.width,
    boxes.height,
    boxes.thing,
    labels.label,
    labels.class_code,
    boxes.thing_number,
    round(0.02 + share_of(boxes.i * 16 + boxes.thing, 'left') * (0.96 - boxes.side), 6) as x_min,
    round(0.02 + share_of(boxes.i * 16 + boxes.thing, 'top') * (0.96 - boxes.side), 6) as y_min,
    round(boxes.side, 6) as side,
    share_of(boxes.i * 16 + boxes.thing, 'crowd') < 0.01 as is_crowd
from boxes
inner join labels
    on boxes.thing_number = labels.number;

insert into raw.landed_files by name
select
    unnest([
        'captions_of_rows.json', 'instances_of_rows.json', 'listings_of_rows.jsonl'
    ]) as source_file,
    unnest(['captions', 'instances', 'collected_images']) as kind,
    unnest(['train', 'train', null]) as split,
    unnest(['captions', 'instances', 'listings']) as path,
    md5('file') || md5('files') as sha256,
    54000 as n_bytes,
    0 as n_records,
    0 as n_rejected,
    now()::timestamp as landed_at;

insert into raw.image_files by name
select
    '/pictures/' || image_id || '.jpg' as path,
    case source
        when 'coco' then 'COCO_train2014_' || lpad(cast(place + 1 as varchar), 12, '0') || '.jpg'
        else image_id || '.jpg'
    end as file_name,
    case source when 'coco' then place + 1 end as image_id,
    54000 as n_bytes,
    width,
    height,
    'JPEG' as format,
    'RGB' as mode,
    1 as n_frames,
    sha256,
    -- one in a hundred looks like another one, one in five hundred is one and the same grey
    case
        when i % 500 = 250 then '00000000ffffffff'
        when i % 100 = 99 then substr(md5('hash' || (i - 50)), 1, 15) || '0'
        else substr(md5('hash' || i), 1, 16)
    end as perceptual_hash,
    now()::timestamp as _landed_at
from pictures;

insert into raw.collected_images by name
select
    image_id,
    source,
    'fetched' as state,
    url,
    'raw/images/' || source || '/' || image_id || '.jpg' as local_path,
    200 as http_status,
    54000 as n_bytes,
    sha256,
    1 as n_fetches,
    'listings_of_rows.jsonl' as _source_file,
    i as _position
from pictures
where source <> 'coco';

insert into raw.wikimedia_pages by name
select
    place + 1 as pageid,
    'File:' || scene || ' ' || place || '.jpg' as title,
    url,
    width,
    height,
    54000 as size,
    'image/jpeg' as mime,
    '2015-10-31T23:00:49Z' as timestamp,
    'https://pictures.example.org/wiki/' || place as descriptionurl,
    json_object(
        'License', json_object('value', case when i % 50 = 1 then 'fair use' else 'cc-by-sa-4.0' end),
        'Artist', json_object('value', '<a href="//example.org/wiki/User:Someone">Someone</a>'),
        'Credit', json_object('value', '<span class="int-own-work" lang="en">Own work</span>'),
        'DateTimeOriginal', json_object('value', taken_at),
        'GPSLatitude', json_object('value', cast(latitude as varchar)),
        'GPSLongitude', json_object('value', cast(longitude as varchar)),
        'Categories', json_object('value', scene || '|Photographs')
    ) as extmetadata,
    ['outdoor scenes', 'urban streets', 'animals', 'everyday objects'][1 + place % 4] as query,
    'listings_of_rows.jsonl' as _source_file,
    i as _position
from pictures
where source = 'wikimedia';

insert into raw.openimages_images by name
select
    lower(printf('%016x', place)) as image_id,
    'train' as subset,
    url as original_url,
    'https://pictures.example.org/openimages/' || place as original_landing_url,
    'https://creativecommons.org/licenses/by/2.0/' as license,
    'Someone' as author,
    'Picture ' || place as title,
    case when i % 50 = 33 then 90.0 else 0.0 end as rotation,
    'listings_of_rows.jsonl' as _source_file,
    i as _position
from pictures
where source = 'openimages';

insert into raw.openimages_boxes by name
select
    lower(printf('%016x', place)) as image_id,
    class_code as label_name,
    x_min,
    x_min + side as x_max,
    y_min,
    y_min + side as y_max,
    'xclick' as source,
    1.0 as confidence,
    0 as is_occluded,
    0 as is_truncated,
    cast(is_crowd as bigint) as is_group_of,
    0 as is_depiction,
    0 as is_inside,
    'listings_of_rows.jsonl' as _source_file,
    row_number() over (order by i, thing) as _position
from objects
where source = 'openimages';

insert into raw.openimages_labels by name
select
    lower(printf('%016x', place)) as image_id,
    '/s/' || scene as label_name,
    'verification' as source,
    1.0 as confidence,
    'listings_of_rows.jsonl' as _source_file,
    i as _position
from pictures
where source = 'openimages';

insert into raw.openimages_classes by name
select
    class_code as label_name,
    class_name as display_name,
    'listings_of_rows.jsonl' as _source_file,
    number as _position
from labels
union all
select
    '/s/' || scene as label_name,
    scene as display_name,
    'listings_of_rows.jsonl' as _source_file,
    1000 + number as _position
from scenes;

insert into raw.streetview_panoramas by name
select
    city,
    place // 4 // 100 as point,
    city_latitude || ',' || city_longitude as location,
    'OK' as status,
    'panorama_' || (place // 4) as pano_id,
    '2019-07' as date,
    '© Somebody' as copyright,
    city_latitude as latitude,
    city_longitude as longitude,
    'listings_of_rows.jsonl' as _source_file,
    i as _position
from pictures
where source = 'streetview' and place % 4 = 0;

insert into raw.yfcc_photos by name
select
    7000000 + place as photo_id,
    place as line_number,
    '12@N01' as user_nsid,
    'Someone' as user_nickname,
    taken_at || '.0' as date_taken,
    'Camera' as capture_device,
    scene as title,
    scene as user_tags,
    longitude,
    latitude,
    16 as accuracy,
    'https://pictures.example.org/photos/' || place as page_url,
    url as download_url,
    'http://creativecommons.org/licenses/by/2.0/' as license_url,
    'jpg' as extension,
    case when i % 50 = 20 then 1 else 0 end as marker,
    'listings_of_rows.jsonl' as _source_file,
    i as _position
from pictures
where source = 'yfcc';

insert into raw.yfcc_autotags by name
select
    7000000 + place as photo_id,
    'outdoor:0.93,indoor:0.02,' || scene || ':0.7' as autotags,
    'listings_of_rows.jsonl' as _source_file,
    i as _position
from pictures
where source = 'yfcc';

insert into raw.coco_licenses by name
select
    1 as id,
    'Attribution License' as name,
    'http://creativecommons.org/licenses/by/2.0/' as url,
    'captions_of_rows.json' as _source_file,
    1 as _position;

insert into raw.coco_images by name
select
    place + 1 as id,
    'COCO_train2014_' || lpad(cast(place + 1 as varchar), 12, '0') || '.jpg' as file_name,
    width,
    height,
    1 as license,
    url as coco_url,
    'https://pictures.example.org/flickr/' || place as flickr_url,
    'captions_of_rows.json' as _source_file,
    i as _position
from pictures
where source = 'coco';

insert into raw.coco_captions by name
select
    place + 1 as id,
    place + 1 as image_id,
    'A ' || labels.label || ' in front of a ' || scene || '.' as caption,
    'captions_of_rows.json' as _source_file,
    i as _position
from pictures
inner join labels
    on pictures.label_number = labels.number
where source = 'coco';

insert into raw.coco_categories by name
select
    number + 1 as id,
    label as name,
    group_name as supercategory,
    'instances_of_rows.json' as _source_file,
    number as _position
from labels;

-- an octagon in its box
insert into raw.coco_instances by name
select
    i * 16 + thing as id,
    place + 1 as image_id,
    thing_number + 1 as category_id,
    side * side * 0.82 * width * height as area,
    [x_min * width, y_min * height, side * width, side * height] as bbox,
    cast(is_crowd as bigint) as iscrowd,
    [list_transform(
        [0.3, 0.0, 0.7, 0.0, 1.0, 0.3, 1.0, 0.7, 0.7, 1.0, 0.3, 1.0, 0.0, 0.7, 0.0, 0.3],
        lambda edge, position: case
            when position % 2 = 1 then (x_min + side * edge) * width
            else (y_min + side * edge) * height
        end
    )] as segmentation_polygons,
    'instances_of_rows.json' as _source_file,
    row_number() over (order by i, thing) as _position
from objects
where source = 'coco';
