"""A Spark session that dbt can build in: with the project's functions, without torn tables."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gainsay.spark.session import forget_torn_tables, spark_session


@contextmanager
def prepared_session(*, master: str | None = None, settings: Sequence[str] = ()) -> Iterator[Any]:
    """The session of `spark_session` with the functions of python_udfs/registry.py in it.

    Tables that a stopped build left without their files are forgotten.
    """
    with spark_session(master=master, settings=settings) as session:
        with warnings.catch_warnings():
            # PySpark warns of every newer pandas, which no function here uses
            warnings.simplefilter("ignore", FutureWarning)
            from gainsay.python_udfs.engines.spark import register
        register(session)
        forget_torn_tables(session)
        yield session
