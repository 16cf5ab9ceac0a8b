-- a view: it repeats the texts of the examples
{{ config(materialized='view') }}
-- those whose right answer is of two kinds: yes and no, or known and unknown. Others are answered
-- in any words, of which a reader that tells labels apart would have to learn thousands
select
    benchmark,
    'open_ended' as task,
    condition,
    case when benchmark in ('pope', 'amber') then 'answer' else 'answerability' end as guessed,
    example_id,
    coalesce(source_image_id, example_id) as group_id,
    cast(null as string) as split,
    case
        when benchmark in ('pope', 'amber') then lower(gold_answer)
        when is_answerable then 'answerable'
        else 'open'
    end as label,
    question,
    cast(null as string) as context,
    cast(null as string) as choices,
    {{ empty_list('string') }} as slices
from {{ ref('question_sets__questions') }}
where is_asked and (benchmark in ('pope', 'amber') or is_answerable is not null)
