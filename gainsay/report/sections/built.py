"""What was built: inputs with their hashes, code, vars and runs."""

from collections.abc import Sequence

from gainsay.report.sections.blocks import MOST_RUNS, NOT_BUILT, Note, Section, in_list
from gainsay.report.tables import Column, Reader, Table, literal


def what_was_built(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Inputs with their hashes, code, vars and runs."""
    section = Section(
        "built",
        "What was built",
        "The inputs, the code and the vars that decided which records there are.",
    )
    if reader.has("audit.audit__runs"):
        section.blocks.append(_builds(reader))
    if not reader.has("report.report__manifests"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    section.blocks.extend(
        [
            _contents(reader, benchmarks),
            _inputs(reader, benchmarks),
            *([_left_behind(reader)] if reader.has("audit.audit__rejected_inputs") else []),
            _entries(reader, benchmarks, "vars", "Vars that decide", "configuration"),
            _entries(reader, benchmarks, "code", "Code", "code"),
        ]
    )
    return section


def _builds(reader: Reader) -> Table:
    return reader.table(
        "builds",
        "The last builds",
        f"""
        select started_at, command, target, code_version, seconds, n_models, n_tests, n_failed, vars
        from audit.audit__runs
        order by started_at desc, invocation_id
        limit {MOST_RUNS}
        """,
        [
            Column("started_at", "started (UTC)"),
            Column("command", "command", "code"),
            Column("target", "target"),
            Column("code_version", "version", "code"),
            Column("seconds", "seconds", "number"),
            Column("n_models", "models", "count"),
            Column("n_tests", "tests", "count"),
            Column("n_failed", "failed", "count"),
            Column("vars", "vars given", "code"),
        ],
    )


def _contents(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "contents",
        "The examples, and the hash of their content",
        f"""
        select benchmark, protocol,
            cast(max(value) filter (where measure = 'n') as bigint) as n_examples,
            max(value) filter (where measure = 'sha256') as sha256,
            max(value) filter (where measure = 'tree_sha256') as tree_sha256
        from report.report__manifests
        where section = 'content' and benchmark in ({in_list(benchmarks)})
        group by benchmark, protocol
        order by benchmark, protocol
        """,
        [
            Column("benchmark", "benchmark"),
            Column("protocol", "protocol"),
            Column("n_examples", "examples", "count"),
            Column("sha256", "SHA-256", "code"),
            Column("tree_sha256", "SHA-256 of the tree", "code"),
        ],
    )


def _inputs(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "inputs",
        "Input files",
        f"""
        select source_file, n_records, n_rejected, sha256,
            string_agg(distinct benchmark, ', ' order by benchmark) as benchmarks
        from (
            select benchmark, protocol, item as source_file,
                cast(max(value) filter (where measure = 'n_records') as bigint) as n_records,
                cast(max(value) filter (where measure = 'n_rejected') as bigint) as n_rejected,
                max(value) filter (where measure = 'sha256') as sha256
            from report.report__manifests
            where section = 'input' and benchmark in ({in_list(benchmarks)})
            group by benchmark, protocol, item
        )
        group by source_file, n_records, n_rejected, sha256
        order by source_file, sha256
        """,
        [
            Column("source_file", "file"),
            Column("n_records", "records", "count"),
            Column("n_rejected", "rejected", "count"),
            Column("sha256", "SHA-256", "code"),
            Column("benchmarks", "read by"),
        ],
    )


def _left_behind(reader: Reader) -> Table:
    """The records of input files that no screening begins with."""
    return reader.table(
        "left-behind",
        "Records that never became candidates",
        """
        select source_file, record_kind, reason, count(*) as n, min(what_failed) as for_example
        from audit.audit__rejected_inputs
        group by source_file, record_kind, reason
        order by source_file, record_kind, reason
        """,
        [
            Column("source_file", "file"),
            Column("record_kind", "records"),
            Column("reason", "reason"),
            Column("n", "how many", "count"),
            Column("for_example", "for example", "prose"),
        ],
    )


def _entries(
    reader: Reader, benchmarks: Sequence[str], name: str, caption: str, section: str
) -> Table:
    """The entries of all manifests in one section; those of several benchmarks stand once."""
    return reader.table(
        name,
        caption,
        f"""
        select item, measure, value,
            string_agg(distinct benchmark, ', ' order by benchmark) as benchmarks
        from report.report__manifests
        where section = {literal(section)} and benchmark in ({in_list(benchmarks)})
        group by item, measure, value
        order by item, measure, value
        """,
        [
            Column("item", "name", "code"),
            Column("measure", "measure"),
            Column("value", "value", "code"),
            Column("benchmarks", "of"),
        ],
        is_folded=True,
    )
