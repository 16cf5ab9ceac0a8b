"""The raw tables of either engine, for the commands that land."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from gainsay.foundation.connection import connect
from gainsay.ingest.sinks.duckdb import DuckDbSink

if TYPE_CHECKING:
    from gainsay.ingest.sinks.spark import SparkSink

# rows are written as they come, and none is read again: more would only be kept in memory
MEMORY_OF_A_LANDING = "512MB"

target_option = click.option(
    "--target",
    type=click.Choice(["dev", "spark"]),
    default="dev",
    show_default=True,
    help="The tables of which dbt target: DuckDB's, or Spark's below GAINSAY_SPARK_WAREHOUSE.",
)


@contextmanager
def opened_tables(
    target: str, memory_limit: str | None = None
) -> Iterator["DuckDbSink | SparkSink"]:
    """The raw tables of a target, as long as the block runs; `memory_limit` is DuckDB's."""
    if target == "spark":
        from gainsay.ingest.sinks.spark import SparkSink
        from gainsay.spark.session import spark_session

        with spark_session() as session:
            yield SparkSink(session)
    else:
        with connect(memory_limit=memory_limit) as connection:
            yield DuckDbSink(connection)
