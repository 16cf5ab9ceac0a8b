-- pictures are shown as they are
select
    cast(null as string) as recipe_id,
    cast(null as string) as source_image_id,
    cast(null as string) as family,
    cast(null as string) as seed_key,
    cast(null as string) as rle,
    cast(null as string) as parameters,
    cast(null as int) as severity,
    cast(null as double) as area_fraction
where false
