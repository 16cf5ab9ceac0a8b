"""Pictures that were rendered: below a folder of this machine, or of an object store."""

import hashlib
import os
import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Final

import duckdb
from msgspec import Struct

from gainsay.foundation.folders import leads_outside
from gainsay.foundation.queries import query, set_variables, sql_beside
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_image
from gainsay.python_udfs.storage import absolute, is_local

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def renderings_folder() -> str:
    """The path or URL of the folder: `GAINSAY_RENDERINGS`, or `data/renderings`."""
    return os.environ.get("GAINSAY_RENDERINGS", "data/renderings")


def renderings_of(connection: duckdb.DuckDBPyConnection) -> str:
    """The folder of a warehouse's renderings: `GAINSAY_RENDERINGS`, else where its build put them.

    A warehouse that was built elsewhere, or by a command with another environment, knows.
    """
    named = os.environ.get("GAINSAY_RENDERINGS")
    if named:
        return named
    try:
        row = connection.execute("select folder from images.images__renderings_folder").fetchone()
    except duckdb.CatalogException:
        row = None
    return str(row[0]) if row else renderings_folder()


class _Rendering(Struct):
    recipe_id: str
    rendered_file: str


def rendered_files(
    connection: duckdb.DuckDBPyConnection, recipe_ids: Collection[str]
) -> dict[str, str]:
    """The names of those renderings of some recipes that were made, by recipe.

    Raises `GainsayError` where the warehouse has no renderings and some are asked for.
    """
    if not recipe_ids:
        return {}
    set_variables(connection, {"recipe_ids": sorted(recipe_ids)})
    rows = query(connection, sql_beside(__file__, "renderings"), _Rendering)
    return {row.recipe_id: row.rendered_file for row in rows}


def read_rendering(folder: str | Path, rendered_file: str, most_bytes: int) -> bytes:
    """A rendering's bytes, which its name says the sha256 of.

    Raises `ImageUnreadableError`, also for what lies outside `folder`, or was changed there.
    """
    name = rendering_name(folder, rendered_file)
    if leads_out(str(folder), rendered_file):
        raise ImageUnreadableError("unreadable", f"{rendered_file}: leads out of {folder}")
    data = read_image(name, None, most_bytes)
    sha256 = content_of_rendering(rendered_file)
    if sha256 and hashlib.sha256(data).hexdigest() != sha256:
        raise ImageUnreadableError(
            "changed", f"{name}: is not what was rendered; delete it and build again"
        )
    return data


def content_of_rendering(rendered_file: str) -> str | None:
    """The sha256 that the name of a rendering is made of."""
    stem = PurePosixPath(rendered_file).stem
    return stem if _SHA256.fullmatch(stem) else None


def rendering_name(folder: str | Path, rendered_file: str) -> str:
    """The path or URL of a rendering."""
    return f"{folder}/{rendered_file}"


def leads_out(folder: str, rendered_file: str) -> bool:
    """Whether the name of a rendering leads out of its folder."""
    if is_local(folder):
        root = Path(absolute(folder))
        return leads_outside(root / rendered_file, root)
    return rendered_file.startswith("/") or ".." in rendered_file.split("/")
