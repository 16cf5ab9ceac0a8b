"""Where the dbt project is: one order for every command that reads or builds it."""

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import yaml

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import read_text

_PROJECT = "dbt_project.yml"
_NAME = "gainsay"
_NAMED = re.compile(
    r"""^name[ ]*:[ ]*(?P<quote>["']?)(?P<name>\w+)(?P=quote)[ ]*(?:#.*)?\r?$""", re.M
)
_REPAIR = "name gainsay's project, or write a copy of it with `gainsay init DIR`"
# nobody writes so much by hand
_MOST_BYTES = 2**20
_MOST_TOLD = 300
_PACKAGE = Path(__file__).parents[1]


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

    Raises `GainsayError` as `project_folder` does, and where its file does not say them.
    """
    file = project_folder(named) / _PROJECT
    text = read_text(file, most_bytes=_MOST_BYTES)
    try:
        settings = _settings(text)
    # a date of the 45th, and brackets beyond counting
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        told = " ".join(str(error).split())[:_MOST_TOLD]
        raise GainsayError(f"{file}: no YAML: {told}; {_REPAIR}") from error
    found = settings.get("vars") if isinstance(settings, dict) else None
    if not isinstance(found, dict):
        raise GainsayError(f"{file}: no `vars`; {_REPAIR}")
    return _Vars(file, found)


# half a second, and a command asks several times
@lru_cache(maxsize=8)
def _settings(text: str) -> Any:
    return yaml.safe_load(text)


class _Vars(dict[str, Any]):
    """The vars of a file, which is named where it has not what a command reads."""

    def __init__(self, file: Path, found: dict[str, Any]) -> None:
        super().__init__(found)
        self._file = file

    def __missing__(self, name: str) -> NoReturn:
        raise GainsayError(f"{self._file}: no var `{name}`; {_REPAIR}")


def _checked(folder: Path, named_by: str) -> Path:
    if not (folder / _PROJECT).is_file():
        raise GainsayError(
            f"{named_by}: {folder.resolve()}: no {_PROJECT} here; name a folder that has one, such"
            " as `gainsay init DIR` writes"
        )
    return folder.resolve()


def _project_name(folder: Path) -> str | None:
    """The name in a folder's `dbt_project.yml`; none where that is absent or no text."""
    file = folder / _PROJECT
    try:
        status = file.stat()
        return _name_in(file.absolute(), status.st_mtime_ns, status.st_size)
    except (OSError, GainsayError):
        return None


# a request to a language model asks for the folder, too
@lru_cache(maxsize=8)
def _name_in(file: Path, _changed: int, _size: int) -> str | None:
    # not parsed: the fast parser ends the process where brackets are nested without end
    named = _NAMED.search(read_text(file, most_bytes=_MOST_BYTES))
    return named["name"] if named else None
