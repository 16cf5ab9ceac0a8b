"""One parsed project for all warehouses of a name.

dbt parses a project anew where any setting of a profile differs that `_connection_keys` names.
Relations are named by database and schema alone; paths, memory and threads are read when it
connects, and no model asks for them while dbt parses.

In dbt itself: a profile's hash would hold what was read of it while dbt parsed, as it keeps which
file read which variable of the environment.
"""

from dbt.adapters.duckdb.credentials import DuckDBCredentials


def parsed_settings(_credentials: DuckDBCredentials) -> tuple[str, ...]:
    """The settings of a profile that end up in a parsed project."""
    return "database", "schema"


REPLACED = ((DuckDBCredentials, "_connection_keys", parsed_settings),)
