"""What dbt-duckdb loads, as the profile says, to have the registry's functions."""

from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin
from dbt_common.exceptions import DbtRuntimeError
from duckdb import DuckDBPyConnection

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.limits import require_sound_numbers
from gainsay.python_udfs.engines.duckdb import register


class Plugin(BasePlugin):
    """Registers every function of the registry when dbt opens the warehouse."""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        """Refuse wrong numbers of the environment by name, before DuckDB is given them."""
        try:
            require_sound_numbers()
        except GainsayError as error:
            raise DbtRuntimeError(str(error)) from error

    def configure_connection(self, conn: DuckDBPyConnection) -> None:
        register(conn)
