"""Where the dbt project is: one order for every command that reads or builds it."""

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from gainsay.foundation.errors import GainsayError

_PROJECT = "dbt_project.yml"
_NAME = "gainsay"
_PACKAGE = Path(__file__).parents[1]
# a tenth of the time, where PyYAML was built with it
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def project_folder(named: Path | None = None) -> Path:
    """The dbt project: the folder named, GAINSAY_PROJECT, the current folder, or gainsay's own.

    Gainsay's own is the copy inside an installed package, or the checkout that the code lies in.
    A folder that is named, by argument or by environment, must hold a project; the current
    folder counts only if it holds the project of this name, so that gainsay works in the folder
    of another dbt project, too.

    Raises `GainsayError` when a named folder holds no `dbt_project.yml`, or none is found.
    """
    if named is not None:
        return _checked(named, "--project")
    if os.environ.get("GAINSAY_PROJECT"):
        return _checked(Path(os.environ["GAINSAY_PROJECT"]), "GAINSAY_PROJECT")
    if _project_name(Path.cwd()) == _NAME:
        return Path.cwd()
    return own_project()


def own_project() -> Path:
    """The project that this code came with: inside the package, or the checkout around it.

    Raises `GainsayError` when it came with none.
    """
    for folder in (_PACKAGE / "_project", _PACKAGE.parent):
        if _project_name(folder) == _NAME:
            return folder
    raise GainsayError(
        f"no {_PROJECT} in {Path.cwd()}, nor beside gainsay's code; run gainsay in the project's"
        " folder, or name that with --project or GAINSAY_PROJECT"
    )


def project_vars(named: Path | None = None) -> dict[str, Any]:
    """The vars of the project.

    Raises `GainsayError` as `project_folder` does.
    """
    text = (project_folder(named) / _PROJECT).read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["vars"]
    return found


def _checked(folder: Path, named_by: str) -> Path:
    if not (folder / _PROJECT).is_file():
        raise GainsayError(
            f"{named_by}: {folder.resolve()}: no {_PROJECT} here; name a folder that has one, such"
            " as `gainsay init DIR` writes"
        )
    return folder.resolve()


def _project_name(folder: Path) -> str | None:
    """The name in a folder's `dbt_project.yml`; none where that is absent or no YAML mapping."""
    file = folder / _PROJECT
    try:
        status = file.stat()
        return _name_in(file.absolute(), status.st_mtime_ns, status.st_size)
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return None


# a request to a language model asks for the folder, too, and reading the file takes 10 ms
@lru_cache(maxsize=8)
def _name_in(file: Path, _changed: int, _size: int) -> str | None:
    settings = yaml.load(file.read_text(encoding="utf-8"), _Loader)  # noqa: S506
    name = settings.get("name") if isinstance(settings, dict) else None
    return name if isinstance(name, str) else None
