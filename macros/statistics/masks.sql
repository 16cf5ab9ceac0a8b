{#- The segmentation of an instance, as `gs_union_mask` takes it in a list. -#}
{% macro segmentation_of(instances) -%}
    {%- set polygons %}{{ instances }}.segmentation_polygons{% endset -%}
    {%- set counts %}{{ instances }}.segmentation_rle_counts{% endset -%}
    {%- set string %}{{ instances }}.segmentation_rle_string{% endset -%}
    {%- set size %}{{ instances }}.segmentation_rle_size{% endset -%}
    {{ struct_pack(polygons=polygons, counts=counts, string=string, size=size) }}
{%- endmacro %}


{#- The compressed run lengths of the union of segmentations; null where they do not fit. -#}
{% macro union_rle(segmentations, height, width) -%}
    {%- set mask %}gs_union_mask({{ segmentations }}, {{ height }}, {{ width }}){% endset -%}
    ({{ mask }}).rle
{%- endmacro %}
