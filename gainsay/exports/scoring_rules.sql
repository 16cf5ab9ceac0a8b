-- the words by which answers are read and scored, one row each: list, kind of answer, word or
-- phrase, what it says, and where it may stand
select 'forms' as list_name, answer_type, surface as phrase, canonical as meaning, null as place
from vocabulary.answer_forms
union all
select 'words' as list_name, answer_type, phrase, nullif(canonical, '') as meaning, place
from vocabulary.answer_words
union all
select list_name, value as answer_type, word as phrase, null as meaning, null as place
from vocabulary.evaluation_vocabulary
where list_name = 'negations'
union all
select list_name, null as answer_type, word as phrase, null as meaning, value as place
from vocabulary.evaluation_vocabulary
where list_name in ('articles', 'markers', 'abstention_phrases')
union all
select role as list_name, null as answer_type, phrase, form as meaning, place
from vocabulary.idk_phrases
order by all
