"""`gainsay init`: a copy of the dbt project, to edit."""

from pathlib import Path

import click

from gainsay.project.copying import copy_project
from gainsay.project.folder import own_project


@click.command(name="init")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write a copy of gainsay's dbt project into DIR, to edit.

    DIR must be empty or absent, or one that was not finished. In it, `gainsay build` and
    `dbt build` build the copy; elsewhere, name it with --project or GAINSAY_PROJECT.
    """
    copy_project(own_project(), folder)
    click.echo(f"{folder}: a copy of the project; next: cd {folder} && gainsay demo")
