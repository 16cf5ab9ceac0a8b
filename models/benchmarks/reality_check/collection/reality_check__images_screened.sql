with

listed_images as (

    select * from {{ ref('images__collected') }}
    where source in ({{ text_literals(var('reality_check_image_sources')) }})

),

listing_findings as (

    select * from {{ ref('reality_check__listing_findings') }}

),

wanted_images as (

    select * from {{ ref('reality_check__wanted_images') }}

),

fetches as (

    select * from {{ ref('stg_collect__images') }}

),

landed_files as (

    select
        source_image_id,
        max(case when error_kind is null then 1 else 0 end) = 1 as is_usable,
        {{ min_by('error', 'path') }} as error
    from {{ ref('stg_images__files') }}
    group by source_image_id

),

near_duplicates as (

    select * from {{ ref('reality_check__near_duplicates') }}

),

withdrawn_images as (

    select * from {{ ref('stg_gainsay__withdrawn_images') }}

),

gates as (

    select * from {{ ref('reality_check__gates') }}
    where screening = 'reality_check_images'

),

listings_passed as (

    select listed_images.image_id
    from listed_images
    left join listing_findings
        on listed_images.image_id = listing_findings.image_id
    where listing_findings.image_id is null

),

quotas as (

    select
        listings_passed.image_id,
        'quota' as stage,
        cast(null as {{ dbt.type_string() }}) as drop_detail
    from listings_passed
    left join wanted_images
        on listings_passed.image_id = wanted_images.image_id
    where wanted_images.image_id is null

),

-- a picture that was taken down keeps its place in the quota, so that no other one moves
withdrawals as (

    select
        wanted_images.image_id,
        'withdrawal' as stage,
        withdrawn_images.reason as drop_detail
    from wanted_images
    inner join withdrawn_images
        on wanted_images.image_id = withdrawn_images.source_image_id

),

downloads as (

    select
        wanted_images.image_id,
        'download' as stage,
        case
            when fetches.state = 'failed' then fetches.error
            when fetches.state = 'fetched' then 'fetched, and not landed'
            else 'never asked for'
        end as drop_detail
    from wanted_images
    left join landed_files
        on wanted_images.image_id = landed_files.source_image_id
    left join fetches
        on wanted_images.image_id = fetches.image_id
    where landed_files.source_image_id is null

),

pictures as (

    select
        wanted_images.image_id,
        'picture' as stage,
        landed_files.error as drop_detail
    from wanted_images
    inner join landed_files
        on wanted_images.image_id = landed_files.source_image_id
    where not landed_files.is_usable

),

duplicates as (

    select
        image_id,
        'duplicate' as stage,
        'looks like ' || earlier_image_id as drop_detail
    from near_duplicates

),

findings as (

    select * from listing_findings
    union all
    select * from quotas
    union all
    select * from withdrawals
    union all
    select * from downloads
    union all
    select * from pictures
    union all
    select * from duplicates

),

first_findings as (

    select
        findings.image_id,
        {{ min_by('findings.stage', 'gates.stage_order') }} as drop_stage,
        {{ min_by('gates.reason', 'gates.stage_order') }} as drop_reason,
        nullif(
            {{ min_by("coalesce(findings.drop_detail, '')", 'gates.stage_order') }}, ''
        ) as drop_detail
    from findings
    inner join gates
        on findings.stage = gates.stage
    group by findings.image_id

),

final as (

    select
        listed_images.image_id as candidate_id,
        listed_images.image_id,
        listed_images.source,
        listed_images.url,
        listed_images.license,
        first_findings.drop_stage,
        first_findings.drop_reason,
        first_findings.drop_detail,
        first_findings.image_id is null as is_retained
    from listed_images
    left join first_findings
        on listed_images.image_id = first_findings.image_id

)

select * from final
