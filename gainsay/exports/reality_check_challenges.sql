-- data/challenges/challenges.jsonl
with
-- names of photographs and edited pictures, and where they lie in the delivery that is written
delivered_pictures as (
    select picture.name, picture.local_path
    from (
        select
            unnest(
                cast(
                    getvariable('delivered_pictures')
                    as struct(name varchar, local_path varchar)[]
                )
            ) as picture
    ) as listed_pictures
),

rendered_files as (
    select distinct rendered_file from reality_check.reality_check__renderings
),

-- a challenge, and where its pictures lie
records as (
    select
        challenges.* replace (
            cast(challenges.slots as json) as slots,
            cast(challenges.options as json) as options,
            cast(challenges.expected_failure_mode as json) as expected_failure_mode,
            cast(challenges.metadata as json) as metadata
        ),
        pictures_a.local_path as image_a_path,
        case
            when renderings.rendered_file is not null then edits.local_path
            else pictures_b.local_path
        end as image_b_path,
        pictures_c.local_path as image_c_path
    from reality_check.reality_check__challenges as challenges
    left join delivered_pictures as pictures_a on challenges.image_a_id = pictures_a.name
    left join delivered_pictures as pictures_b on challenges.image_b_id = pictures_b.name
    left join delivered_pictures as pictures_c on challenges.image_c_id = pictures_c.name
    left join delivered_pictures as edits on challenges.image_b_file = edits.name
    left join rendered_files as renderings on challenges.image_b_file = renderings.rendered_file
)

select to_json(records) as line
from records
order by records.challenge_id
