{%- set being -%}
    (?:{{ tagged('relative') }})?(?:{{ tagged('be') }})?
{%- endset -%}
{%- set opening -%}
    (?:^|{{ tagged('stop', 'with', 'joint', 'of', 'be', 'boundary') }})
{%- endset -%}
{%- set activity -%}
    {{ opening }}{{ tagged_subject() }}{{ being }}{{ tagged('verb') }}
    {{- '' }}(?:{{ tagged('preposition') }}){0,3}{{ tagged_noun_phrase() }}{{ tagged_end() }}
{%- endset -%}
{%- set lone_activity -%}
    {{ opening }}{{ tagged_subject() }}{{ being }}{{ tagged('verb') }}
    {{- '' }}(?:{{ tagged('stop', 'with', 'boundary') }})
{%- endset -%}
{%- set place -%}
    (?:^|{{ tagged('stop', 'with', 'joint') }}){{ tagged_subject() }}{{ being }}
    {{- '' }}(?:{{ tagged('preposition') }}){1,3}
    {{- tagged_noun_phrase(['singular', 'plural', 'mass']) }}{{ tagged_end() }}
{%- endset -%}
{%- set complete -%}
    (?:{{ tagged_end() }}|{{ tagged('joint') }})
{%- endset -%}
{%- set color -%}
    (?:^|{{ tagged('article', 'preposition', 'with', 'of', 'verb', 'stop') }})
    {{- '' }}(?:{{ tagged('modifier') }}){0,2}{{ tagged('color') }}
    {{- '' }}(?:{{ tagged('modifier') }})?{{ tagged('singular') }}{{ complete }}
{%- endset -%}
{%- set garment -%}
    {{ tagged_subject() }}(?:in/preposition |wearing/verb )(?:{{ tagged('article') }})?
    {{- '' }}(?:{{ tagged('modifier') }}){0,2}{{ tagged('color') }}{{ tagged('singular') }}
    {{- complete }}
{%- endset -%}
{%- set number -%}
    {{ tagged('quantity') }}(?:{{ tagged('modifier', 'color', 'patterned') }}){0,2}
    {{- tagged('plural') }}{{ complete }}
{%- endset -%}
with
tagged_texts as (select * from {{ ref('certainly_uncertain__tagged_texts') }}),

-- subject, verb and object of a clause. After a verb or a preposition the nearest noun need not be
-- the subject: "on her phone standing on the sidewalk"
activities as (
    select
        text_id, source_image_id, 'activity' as kind,
        {{ unnest_list(regexp_extract_all('tagged_text', activity)) }} as clause
    from tagged_texts
),

-- a thing and what it does, without an object
lone_activities as (
    select
        text_id, source_image_id, 'lone_activity' as kind,
        {{ unnest_list(regexp_extract_all('tagged_text', lone_activity)) }} as clause
    from tagged_texts
),

-- a thing and where it is, without a verb that says more than that
places as (
    select
        text_id, source_image_id, 'place' as kind,
        {{ unnest_list(regexp_extract_all('tagged_text', place)) }} as clause
    from tagged_texts
),

-- a color right before what has it, and nothing of another color beside it
colors as (
    select
        text_id, source_image_id, 'color' as kind,
        {{ unnest_list(regexp_extract_all('tagged_text', color)) }} as clause
    from tagged_texts
),

-- a person and a garment of one color
garments as (
    select
        text_id, source_image_id, 'garment' as kind,
        {{ unnest_list(regexp_extract_all('tagged_text', garment)) }} as clause
    from tagged_texts
),

-- a number and that many things
counts as (
    select
        text_id, source_image_id, 'count' as kind,
        {{ unnest_list(regexp_extract_all('tagged_text', number)) }} as clause
    from tagged_texts
)

-- a text may say the same twice
select * from activities
union distinct
select * from lone_activities
union distinct
select * from places
union distinct
select * from colors
union distinct
select * from garments
union distinct
select * from counts
