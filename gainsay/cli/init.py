"""`gainsay init`: a copy of the dbt project, to edit."""

import shutil
from pathlib import Path

import click

from gainsay.foundation.errors import GainsayError
from gainsay.project.folder import own_project
from gainsay.project.parts import PROJECT_PARTS


@click.command(name="init")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write a copy of gainsay's dbt project into DIR, to edit.

    DIR must be empty or absent. In it, `gainsay build` and `dbt build` build the copy; elsewhere,
    name it with --project or GAINSAY_PROJECT.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GainsayError(f"{folder}: expected an empty folder or none; name another one")
    source = own_project()
    try:
        for part in PROJECT_PARTS:
            target = folder / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if (source / part).is_dir():
                shutil.copytree(source / part, target)
            else:
                shutil.copyfile(source / part, target)
        # where `dbt build` looks for it
        shutil.copyfile(source / "profiles" / "profiles.yml", folder / "profiles.yml")
    except OSError as error:
        raise GainsayError(f"{error.filename or folder}: cannot write: {error.strerror}") from error
    click.echo(f"{folder}: a copy of the project; next: cd {folder} && gainsay demo")
