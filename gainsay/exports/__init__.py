"""Records in the files that evaluators and trainers read as they are.

What a format holds is its model's to say, `exports__<format>`: one row per record, in columns. How
these are spelled as files is a module of `writers` each; `export` puts both together.
"""
