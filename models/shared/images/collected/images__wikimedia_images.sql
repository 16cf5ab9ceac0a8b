with
-- a page is listed by every topic that leads to it, and once without its file's data where an
-- answer had none
pages as (
    select
        *,
        row_number() over (
            partition by url
            order by topic, source_file, file_position
        ) as mention,
        {{ regexp_extract(
            'date_time_original',
            '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?'
        ) }} as stated_time
    from {{ ref('stg_wikimedia__pages') }}
    where url is not null
),

topics as (
    select url, {{ list_sort_distinct(array_agg('topic', 'topic')) }} as topics
    from pages
    group by url
),

-- a date without a time of day says nothing of the sun
times as (
    select
        url,
        replace(stated_time, ' ', 'T') || case when length(stated_time) = 16 then ':00' else '' end
            as timestamp
    from pages
    where
        mention = 1
        and try_cast(replace(stated_time, 'T', ' ') as timestamp) is not null
)

select
    'wikimedia_' || substr(md5(pages.url), 1, 12) as image_id,
    pages.page_id, pages.url, pages.thumbnail_url, pages.title, pages.description_url, pages.mime,
    pages.license_code as delivered_license,
    license_codes.license, license_codes.license_family, license_codes.license_url,
    gs_plain_text(pages.artist_html) as author,
    gs_plain_text(pages.credit_html) as credit,
    pages.categories, pages.restrictions, pages.date_time_original, times.timestamp, topics.topics,
    pages.width, pages.height, pages.n_bytes,
    pages.gps_latitude as lat,
    pages.gps_longitude as lon
from pages
inner join topics using (url)
left join {{ ref('license_codes') }} as license_codes
    on {{ license_key('pages.license_code') }} = license_codes.delivered
left join times using (url)
where pages.mention = 1
