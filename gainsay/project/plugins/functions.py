"""What dbt-duckdb loads, as the profile says, to have the registry's functions."""

from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb import DuckDBPyConnection

from python_udfs.engines.duckdb import register


class Plugin(BasePlugin):
    """Registers every function of the registry when dbt opens the warehouse."""

    def configure_connection(self, conn: DuckDBPyConnection) -> None:
        register(conn)
