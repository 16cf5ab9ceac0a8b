"""Pictures that were taken down: rows of `raw.withdrawn_images`, and the files made of them."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import (
    CARD,
    EXPORT_LIST,
    RELEASE_RECORD,
    WRITTEN_LIST,
    content_of,
    written_files,
)
from gainsay.foundation.queries import set_variables, sql_beside
from gainsay.ingest.image_files import IMAGE_SUFFIXES
from gainsay.ingest.sinks.duckdb import ensure_raw_schema, transaction
from gainsay.python_udfs.storage import delete


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


def withdrawn_ids(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The ids of the pictures that were taken down; no door shows them, built anew or not."""
    return frozenset(picture.source_image_id for picture in read_withdrawals(connection))


def withdrawn_photographs(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The paths of the pictures that were taken down, and of others of the same bytes."""
    withdrawn = withdrawn_ids(connection)
    if not withdrawn:
        return withdrawn
    set_variables(connection, {"image_ids": sorted(withdrawn)})
    return frozenset(path for (path,) in _rows(connection, "pictures_landed"))


def require_none_withdrawn(
    connection: duckdb.DuckDBPyConnection, benchmark: str, shown: Iterable[str]
) -> None:
    """Raise `GainsayError` where a benchmark shows pictures that were taken down since."""
    if found := sorted(withdrawn_ids(connection).intersection(shown)):
        raise GainsayError(
            f"{benchmark}: examples still show {', '.join(found)}, taken down since it was built;"
            " run `gainsay build` first"
        )


class Removal(NamedTuple):
    """The files that held a picture and are gone, and what may hold it and stays."""

    removed: list[str]
    # the landed pictures themselves, and others of the same bytes
    landed: list[str]
    # folders of releases, none of whose files may go alone
    releases: list[str]
    # folders of exports whose tables hold its records, and in some formats its bytes
    exports: list[str]
    # files that gainsay wrote of it and somebody has changed since
    changed: list[str]


def remove_bytes(
    connection: duckdb.DuckDBPyConnection,
    image_ids: Collection[str],
    renderings: str,
    exports: Iterable[Path],
) -> Removal:
    """Remove what was rendered of pictures, and their files in exports and deliveries.

    `exports` are folders at or below which exports and deliveries lie, at any depth; each of these
    lists its files with their sha256. A file is a picture's by its name or by what was written to
    it. Raises `GainsayError` for a list that cannot be read.
    """
    relations = [relation for (relation,) in _rows(connection, "renderings_relations")]
    set_variables(connection, {"image_ids": list(image_ids), "renderings": relations})
    rendered = _rows(connection, "pictures_renderings") if relations else []
    hashes = {sha256 for _, sha256 in rendered} | {
        sha256 for (sha256,) in _rows(connection, "pictures_files")
    }
    names = {Path(file).name for file, _ in rendered}
    files = [f"{renderings}/{file}" for file, _ in rendered]
    holding, changed = [], []
    roots = list(exports)
    for folder in _folders_with(roots, WRITTEN_LIST, EXPORT_LIST):
        has_tables = False
        for file, sha256 in written_files(folder).items():
            if file.suffix.lower() not in IMAGE_SUFFIXES:
                has_tables |= file.name != CARD and file.is_file()
            elif file.stem in image_ids or file.name in names or sha256 in hashes:
                if sha256 in (None, content_of(file)):
                    files.append(str(file))
                elif file.is_file():
                    changed.append(str(file))
        if has_tables:
            holding.append(str(folder))
    landed = [path for (path,) in _rows(connection, "pictures_landed")]
    releases = list(map(str, _folders_with(roots, RELEASE_RECORD)))
    return Removal([file for file in files if delete(file)], landed, releases, holding, changed)


def _folders_with(roots: Iterable[Path], *names: str) -> list[Path]:
    """The folders that have one of these files, at these places and below them."""
    return sorted({found.parent for root in roots for name in names for found in root.rglob(name)})


def _rows(connection: duckdb.DuckDBPyConnection, name: str) -> list[Any]:
    try:
        return connection.execute(sql_beside(__file__, name)).fetchall()
    except duckdb.CatalogException:
        # nothing was rendered or landed yet
        return []


def _known(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The ids of pictures that a file holds or lists."""
    try:
        rows = connection.execute(sql_beside(__file__, "known_pictures")).fetchall()
    except duckdb.CatalogException as error:
        raise GainsayError("the pictures are not known yet; run `gainsay build` first") from error
    return {str(image_id) for (image_id,) in rows}
