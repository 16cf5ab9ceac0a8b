"""Thresholds of `dbt_project.yml`, for the commands that work by the same ones as dbt."""

from pathlib import Path
from typing import Any

import yaml

from gainsay.errors import GainsayError

_PROJECT = "dbt_project.yml"


def project_vars() -> dict[str, Any]:
    """The vars of the project.

    Raises `GainsayError` as `project_folder` does.
    """
    text = (project_folder() / _PROJECT).read_text()
    found: dict[str, Any] = yaml.safe_load(text)["vars"]
    return found


def project_folder() -> Path:
    """The working folder if it has a project, or else the one this code lies in.

    Raises `GainsayError` when neither has a `dbt_project.yml`.
    """
    folders = (Path.cwd(), Path(__file__).parents[2])
    for folder in folders:
        if (folder / _PROJECT).is_file():
            return folder
    raise GainsayError(f"no {_PROJECT} in {folders[0]}; run gainsay from the project's folder")
