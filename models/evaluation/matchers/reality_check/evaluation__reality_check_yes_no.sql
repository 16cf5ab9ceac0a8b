with
answers as (
    select * from {{ ref('evaluation__reality_check_answers') }}
    where answer_format = 'yes_no'
),

-- many answers say the same
said_texts as (
    select distinct language, spaced_prediction
    from answers
    where spaced_prediction is not null
),

-- Chinese has no space behind a word
lead_lengths as (
    select
        said_texts.language, said_texts.spaced_prediction,
        max(length(leads.lead)) as n_characters
    from said_texts
    inner join {{ vocabulary('reality_check', 'answer_leads', word='lead', value='language') }}
        as leads
        on
            leads.language in (said_texts.language, 'en')
            and said_texts.spaced_prediction
            like ' ' || leads.lead || case leads.language when 'zh' then '%' else ' %' end
    group by said_texts.language, said_texts.spaced_prediction
),

texts as (
    select
        said_texts.language, said_texts.spaced_prediction,
        ' ' || trim(
            substr(said_texts.spaced_prediction, 2 + coalesce(lead_lengths.n_characters, 0))
        ) || ' ' as answer_text
    from said_texts
    left join lead_lengths using (language, spaced_prediction)
),

candidate_forms as (
    select
        texts.language, texts.spaced_prediction, forms.answer,
        length(forms.form) as n_characters,
        texts.answer_text
        like ' ' || forms.form || case forms.language when 'zh' then '%' else ' %' end
            as is_first,
        forms.is_anywhere
        and contains(texts.answer_text, ' ' || forms.form || ' ') as is_said
    from texts
    inner join {{ ref('reality_check_answer_forms') }} as forms
        on forms.language in (texts.language, 'en')
),

found_forms as (
    select * from candidate_forms
    where is_first or is_said
)

-- the longest form at the beginning is the answer; without one, the only answer that is said
select
    language, spaced_prediction,
    coalesce(
        {{ min_by('case when is_first then answer end',
                  'case when is_first then -n_characters else 1 end') }},
        case when min(answer) = max(answer) then min(answer) end
    ) as answer
from found_forms
group by language, spaced_prediction
