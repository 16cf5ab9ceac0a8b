-- title: The examples, and the hash of their content
-- code: sha256, sha256_of_the_tree
select
    benchmark,
    protocol,
    max(value) filter (where measure = 'n')::bigint as n_examples,
    max(value) filter (where measure = 'sha256') as sha256,
    max(value) filter (where measure = 'tree_sha256') as sha256_of_the_tree
from report.report__manifests
where section = 'content'
group by benchmark, protocol
order by benchmark, protocol
