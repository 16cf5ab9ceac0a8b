"""The registry's functions on Spark, as vectorised functions of Arrow batches."""

from collections.abc import Callable

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.functions import arrow_udf
from pyspark.sql.pandas.types import from_arrow_type

from gainsay.python_udfs.registry import UDFS, Udf


def register(session: SparkSession) -> None:
    """Make every function of the registry known to a session."""
    for udf in UDFS:
        returns = from_arrow_type(udf.returns)
        # its annotations know no function that is typed for any number of arrays
        function = arrow_udf(_on_arrays(udf), returns)  # type: ignore[call-overload]
        session.udf.register(udf.name, function)


def _on_arrays(udf: Udf) -> Callable[..., pa.Array]:
    """The function on the arrays of one batch, of the types that the registry names."""
    parameters, returns = udf.parameters, udf.returns

    def call(*columns: pa.Array) -> pa.Array:
        arrays = [
            column.cast(parameter) for column, parameter in zip(columns, parameters, strict=True)
        ]
        return udf.load()(*arrays).cast(returns)

    return call
