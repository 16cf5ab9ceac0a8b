"""The models that an export reads beside its own, for warehouses that a test makes by hand."""

import duckdb

from gainsay.exports.formats import FORMATS

# what a record is in, a column of `exports__deliverable` each
HELD = sorted({one.deliverable for one in FORMATS.values()})


def add_what_is_due(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the Conflict Suite's examples, and of each record of `exports__records` what is due.

    What needs a picture is due where the record's `picture_state` is `available`.
    """
    shown = "picture_state = 'available'"
    held = ", ".join(f"{'true' if name == 'jsonl' else shown} as {name}" for name in HELD)
    connection.execute(f"""
        create schema if not exists conflict_suite;
        create table conflict_suite.conflict_suite__examples as
        select example_id, split, operator, 'g' || example_id as group_id
        from exports.exports__records;
        create table exports.exports__deliverable as
        select benchmark, example_id, split, operator as condition, 'g' || example_id as group_id,
            cast(null as varchar) as language, true as is_two_sided, {held}
        from exports.exports__records
    """)
