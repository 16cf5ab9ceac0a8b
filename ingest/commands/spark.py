"""`gainsay spark`: dbt on a Spark session that has the project's functions."""

import sys
import warnings

import click

from ingest.spark_session import spark_session


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--master", metavar="URL", help="Spark's master, as of spark-submit.")
@click.option(
    "--conf", "settings", multiple=True, metavar="KEY=VALUE", help="A Spark setting; repeatable."
)
@click.argument("dbt_arguments", nargs=-1, required=True, type=click.UNPROCESSED)
def command(master: str | None, settings: tuple[str, ...], dbt_arguments: tuple[str, ...]) -> None:
    """Run dbt on Spark: `gainsay spark build`, `gainsay spark test`, and so on.

    Makes a Spark session, local unless --master or the Spark configuration says otherwise,
    registers the functions of python_udfs/registry.py and runs dbt with target spark in the
    same process. Options of Spark stand before dbt's command, dbt's own behind it. Tables lie
    below GAINSAY_SPARK_WAREHOUSE, data/spark without it.
    """
    from dbt.cli.main import dbtRunner

    arguments = list(dbt_arguments)
    for option, value in (("--profiles-dir", "profiles"), ("--target", "spark")):
        if not any(given.split("=")[0] == option for given in arguments):
            arguments += [option, value]
    with spark_session(master=master, settings=settings) as session:
        with warnings.catch_warnings():
            # PySpark warns of every newer pandas, which no function here uses
            warnings.simplefilter("ignore", FutureWarning)
            from python_udfs.spark_engine import register
        register(session)
        result = dbtRunner().invoke(arguments)
    if result.exception:
        click.echo(result.exception, err=True)
    sys.exit(0 if result.success else 1)
