-- digits that answers to CLASH write as words, one row each, shaped as `scoring_rules.sql`
select list_name, null as answer_type, word as phrase, value as meaning, null as place
from vocabulary.clash_vocabulary
where list_name = 'token_rules'
order by all
