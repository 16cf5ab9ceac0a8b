select question, category, bool_or(is_certain) as is_certain
from {{ ref('lexicon__object_mentions') }}
group by question, category
