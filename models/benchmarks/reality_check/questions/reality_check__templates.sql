with
translations as (
    select * from {{ ref('reality_check__translations_screened') }}
    where is_retained
),

-- what a machine translated goes before what was written where it passed every check
ranked_translations as (
    select
        *,
        row_number() over (
            partition by template_id, language
            order by case translator when 'templates' then 1 else 0 end, translator
        ) as rank_in_language
    from translations
)

select template_id, language, translator, translator_version, bias_type, text, is_in_use
from ranked_translations
where rank_in_language = 1
