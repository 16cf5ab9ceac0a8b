-- a category that no word names is in no question, so that its pictures may be shown as
-- irrelevant to a question about it
{{ config(severity='warn') }}

with

categories as (

    select * from {{ ref('stg_coco__categories') }}

),

object_words as (

    select * from {{ ref('object_words') }}

)

select distinct categories.category
from categories
left join object_words
    on categories.category = object_words.category
where object_words.category is null
