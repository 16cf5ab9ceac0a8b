"""The lowest floor of the program: all that `ingest` may import of this package.

Errors, progress, safe files, HTTP with limits, connections, and queries whose rows are typed.
Nothing here imports another room of the program; `python_udfs` lies below it.
"""
