"""`gainsay spark`: dbt on a Spark session that has the project's functions."""

import sys

import click

from gainsay.cli.build import NOTHING_SELECTED
from gainsay.foundation.errors import GainsayError
from gainsay.spark.building import prepared_session

_SELECTING = {"build", "run", "seed", "test"}


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
    from gainsay.exports.on_spark import write_exports
    from gainsay.project.building import built_exports
    from gainsay.project.runner import run_dbt

    with prepared_session(master=master, settings=settings) as session:
        result = run_dbt(_with_spark_target(dbt_arguments))
        if dbt_arguments[0] in {"build", "run"}:
            write_exports(session, built_exports(getattr(result.result, "results", [])))
    if result.exception:
        click.echo(result.exception, err=True)
    elif dbt_arguments[0] in _SELECTING and not getattr(result.result, "results", []):
        raise GainsayError(NOTHING_SELECTED)
    sys.exit(0 if result.success else 1)


def _with_spark_target(dbt_arguments: tuple[str, ...]) -> list[str]:
    """The arguments with the target, where they name none.

    A unit test gives rows in the words of DuckDB to what both engines read alike: those run
    there alone.
    """
    given = {argument.split("=")[0] for argument in dbt_arguments}
    arguments = list(dbt_arguments)
    if not given & {"--target", "-t"}:
        arguments += ["--target", "spark"]
    if dbt_arguments[0] in {"build", "test"} and "--resource-type" not in given:
        arguments += ["--exclude-resource-type", "unit_test"]
    return arguments
