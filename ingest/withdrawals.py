"""Pictures that were taken down: rows of `raw.withdrawn_images`, and the files made of them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import duckdb

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import set_variables, sql_beside
from ingest.sinks.duckdb import ensure_raw_schema, transaction
from python_udfs.storage import delete


class Withdrawal(NamedTuple):
    """A picture that was taken down."""

    source_image_id: str
    reason: str


def withdraw(connection: duckdb.DuckDBPyConnection, image_ids: Sequence[str], reason: str) -> int:
    """Take pictures down, and say how many were not before; a later reason replaces an earlier one.

    Raises `GainsayError` where no landed or listed picture has the id.
    """
    unknown = set(image_ids) - _known(connection)
    if unknown:
        raise GainsayError(
            f"{', '.join(sorted(unknown))}: no such picture is landed or listed; expected"
            " source_image_id, such as coco-139"
        )
    landed_at = datetime.now(UTC).replace(tzinfo=None)
    with transaction(connection):
        ensure_raw_schema(connection)
        before = {picture.source_image_id for picture in read_withdrawals(connection)}
        for image_id in dict.fromkeys(image_ids):
            connection.execute(
                "insert or replace into raw.withdrawn_images values (?, ?, ?)",
                [image_id, reason, landed_at],
            )
    return len(set(image_ids) - before)


def put_back(connection: duckdb.DuckDBPyConnection, image_ids: Sequence[str]) -> int:
    """Put pictures back, and say how many of these were taken down."""
    with transaction(connection):
        ensure_raw_schema(connection)
        deleted = connection.execute(
            "delete from raw.withdrawn_images where source_image_id in (select unnest($ids))"
            " returning source_image_id",
            {"ids": list(image_ids)},
        ).fetchall()
    return len(deleted)


def read_withdrawals(connection: duckdb.DuckDBPyConnection) -> list[Withdrawal]:
    """The pictures that were taken down, by id."""
    try:
        rows = connection.execute(
            "select source_image_id, reason from raw.withdrawn_images order by source_image_id"
        ).fetchall()
    except duckdb.CatalogException:
        # a warehouse from before there were any
        return []
    return [Withdrawal(*row) for row in rows]


def remove_bytes(
    connection: duckdb.DuckDBPyConnection,
    image_ids: Sequence[str],
    renderings: str,
    exports: Path,
) -> list[str]:
    """Remove what was rendered of pictures, and their files in exports; say which."""
    set_variables(connection, {"image_ids": list(image_ids)})
    try:
        rows = connection.execute(sql_beside(__file__, "pictures_renderings")).fetchall()
    except duckdb.CatalogException:
        # no picture was rendered yet
        rows = []
    rendered = [str(name) for (name,) in rows]
    names = {Path(name).name for name in rendered}
    files = [f"{renderings}/{name}" for name in rendered]
    files += (
        str(picture)
        for picture in sorted(exports.glob("*/images/*"))
        if picture.stem in image_ids or picture.name in names
    )
    return [file for file in files if delete(file)]


def _known(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The ids of pictures that a file holds or lists."""
    try:
        rows = connection.execute(sql_beside(__file__, "known_pictures")).fetchall()
    except duckdb.CatalogException as error:
        raise GainsayError("the pictures are not known yet; run `gainsay build` first") from error
    return {str(image_id) for (image_id,) in rows}
