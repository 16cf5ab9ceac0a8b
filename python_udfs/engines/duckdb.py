"""The registry's functions on DuckDB."""

from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from threading import Lock

import pyarrow as pa
from duckdb import DuckDBPyConnection
from duckdb.func import FunctionNullHandling, PythonUDFType

from gainsay.python_udfs.registry import UDFS, Udf

# of two threads that open a database at once, the second finds what the first has made
_REGISTERING = Lock()
_SQL_TYPES = {
    pa.bool_(): "boolean",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.string(): "varchar",
    pa.binary(): "blob",
}


def register(connection: DuckDBPyConnection, udfs: Iterable[Udf] = UDFS) -> None:
    """Make functions of the registry, all unless said, known to a connection and its cursors.

    Functions belong to the open database, which a second connection of the process shares, in
    another thread, too.
    """
    with _REGISTERING:
        rows = connection.execute("select distinct function_name from duckdb_functions()")
        known = {name for (name,) in rows.fetchall()}
        for udf in udfs:
            if udf.name not in known:
                connection.create_function(
                    udf.name,
                    _on_whole_arrays(udf),
                    [_sql_type(parameter) for parameter in udf.parameters],
                    _sql_type(udf.returns),
                    type=PythonUDFType.ARROW,
                    null_handling=FunctionNullHandling.SPECIAL,
                )


def _on_whole_arrays(udf: Udf) -> Callable[..., pa.Array]:
    def call(*columns: pa.ChunkedArray) -> pa.Array:
        arrays = [
            pa.chunked_array(column.chunks, type=column.type).combine_chunks().cast(parameter)
            for column, parameter in zip(columns, udf.parameters, strict=True)
        ]
        return udf.load()(*arrays).cast(udf.returns)

    # DuckDB counts parameters by the signature
    names = (f"argument_{number}" for number in range(len(udf.parameters)))
    parameters = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in names]
    setattr(call, "__signature__", Signature(parameters))  # noqa: B010
    return call


def _sql_type(arrow_type: pa.DataType) -> str:
    if pa.types.is_list(arrow_type):
        return f"{_sql_type(arrow_type.value_type)}[]"
    if pa.types.is_struct(arrow_type):
        fields = (f'"{field.name}" {_sql_type(field.type)}' for field in arrow_type)
        return f"struct({', '.join(fields)})"
    return _SQL_TYPES[arrow_type]
