"""Thresholds of `dbt_project.yml`, for the commands that work by the same ones as dbt."""

from pathlib import Path
from typing import Any

import yaml

from ingest.errors import GainsayError

_PROJECT = "dbt_project.yml"


def project_vars() -> dict[str, Any]:
    """The vars of the project in the working folder, or else of the one this code lies in.

    Raises `GainsayError` when neither has a `dbt_project.yml`.
    """
    folders = (Path.cwd(), Path(__file__).parents[1])
    for folder in folders:
        path = folder / _PROJECT
        if path.is_file():
            found: dict[str, Any] = yaml.safe_load(path.read_text())["vars"]
            return found
    raise GainsayError(f"no {_PROJECT} in {folders[0]}; run gainsay from the project's folder")
