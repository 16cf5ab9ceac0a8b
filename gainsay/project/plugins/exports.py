"""What dbt-duckdb hands an export to, as the profile says, once its external model is built."""

from contextlib import suppress
from pathlib import Path

from dbt.adapters.duckdb.plugins import BasePlugin
from dbt.adapters.duckdb.utils import TargetConfig
from dbt_common.exceptions import DbtRuntimeError
from duckdb import DuckDBPyConnection

from gainsay.foundation.errors import GainsayError


class Plugin(BasePlugin):
    """Writes each format of `GAINSAY_EXPORTS` into a folder of its name."""

    _connection: DuckDBPyConnection

    def configure_connection(self, conn: DuckDBPyConnection) -> None:
        self._connection = conn
        # what cannot be made is an error of the export that needs it
        with suppress(OSError):
            self._folder().mkdir(parents=True, exist_ok=True)

    def store(self, target_config: TargetConfig) -> None:
        # most builds export nothing
        from gainsay.exports.export import export

        kind = str(target_config.relation.identifier).removeprefix("exports__").replace("_", "-")
        try:
            export(self._connection, kind, self._folder() / kind)
        except GainsayError as error:
            raise DbtRuntimeError(str(error)) from error

    def _folder(self) -> Path:
        return Path(self.creds.external_root if self.creds else ".")
