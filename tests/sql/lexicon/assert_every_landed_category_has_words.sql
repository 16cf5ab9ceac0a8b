-- a category that no word names is in no question, so that its pictures may be shown as
-- irrelevant to a question about it
{{ config(severity='warn') }}
select distinct categories.category
from {{ ref('stg_coco__categories') }} as categories
left join {{ ref('object_words') }} as object_words
    on categories.category = object_words.category
where object_words.category is null
