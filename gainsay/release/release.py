"""One release, from the warehouse to a folder of its own."""

import csv
import hashlib
import io
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import duckdb
import msgspec

from gainsay.exports.export import export
from gainsay.exports.folder import SHARD_BYTES
from gainsay.exports.formats import FORMATS
from gainsay.exports.writers.inspect import RUN_FROM_ROOT
from gainsay.foundation.atomic import atomic_folder
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import CARD, EXPORT_LIST
from gainsay.foundation.queries import query, set_variables, sql_beside
from gainsay.foundation.sheets import cell_of_text
from gainsay.inspect.manifest import Manifest
from gainsay.project.parsing import ParsedProject
from gainsay.release.card import card, configs_of, licenses_page
from gainsay.release.contents import Contents, Credit, read_contents
from gainsay.release.counting import count_examples, require_audited, require_counted
from gainsay.release.croissant import croissant
from gainsay.release.delivered import DELIVERED, NOT_SEALED, delivered
from gainsay.release.files import (
    CHECKSUMS,
    CITATION,
    EXAMPLES_STEM,
    LICENSES,
    PICTURES_STEM,
    PROMPTS_STEM,
    SHOWN_STEM,
    WITHHELD,
    File,
    Table,
    checksum_lines,
    files_of,
    names_in,
    own_files,
)
from gainsay.release.guessing import require_looking
from gainsay.release.identity import Identity, citation_file, wrong_identity
from gainsay.release.prepare import require_benchmark
from gainsay.release.record import CROISSANT, RECORD, ReleaseRecord
from gainsay.release.shards import Place, Shards, write_pictures, write_rows

_CREDIT_COLUMNS: Final = (
    "image", "source_image_id", "recipe_id", "author", "page_url", "license_name", "license_url",
)  # fmt: skip
_WITHHELD_COLUMNS: Final = (
    "source_image_id", "recipe_id", "reason", "n_examples", "page_url", "license_name",
    "license_url",
)  # fmt: skip
# each table, its files, what it holds, what tells two rows apart, and the model of its columns
_TABLES: Final = (
    ("examples", EXAMPLES_STEM, "The examples.", ("example_id",), "exports__release_records"),
    (
        "prompts", PROMPTS_STEM, "What a model is asked about them.",
        ("example_id", "task", "condition"), "exports__prompts",
    ),
    (
        "shown_pictures", SHOWN_STEM, "Which pictures each example shows, one by one.",
        ("example_id", "place"), "exports__release_shown_pictures",
    ),
    (
        "pictures", PICTURES_STEM,
        "The pictures that are given along, each once, with whom to credit.",
        ("image",), "exports__release_pictures",
    ),
)  # fmt: skip
# a record, and all that its benchmark's own examples say of it
_EXAMPLES: Final = """
    select {columns}
    from exports.exports__release_records as records
    inner join "{benchmark}"."{benchmark}__examples" as examples using (example_id)
    where records.benchmark = '{benchmark}' and records.split = getvariable('split')
    order by example_id
"""


class _PictureFile(msgspec.Struct):
    image: str
    image_path: str
    image_archive: str | None
    sha256: str | None


@dataclass
class Order:
    """What is to be released, and how."""

    benchmark: str
    formats: tuple[str, ...] = ()
    version: str = "1.0.0"
    date_published: str | None = None
    url: str | None = None
    shard_bytes: int = SHARD_BYTES
    # why it is released where it can be guessed without looking
    although_guessed: str | None = None


@dataclass(frozen=True)
class Released:
    """Where a release lies, and what is in it."""

    folder: Path
    record: ReleaseRecord
    n_files: int = field(default=0)


def _is_beyond(contents: Contents) -> bool:
    return any(margin.is_beyond for margin in contents.margins) or any(
        variety.is_limit_met is False for variety in contents.varieties
    )


def release(
    connection: duckdb.DuckDBPyConnection, order: Order, project: ParsedProject, out: Path
) -> Released:
    """Write a release into a folder of its own in `out`, whole or not at all.

    `project` says what columns mean. The folder's name has the first digits of the hash of the
    manifest. A release of the same content takes the place of the earlier one; what gainsay did not
    write there stays. The same warehouse and order give the same bytes. Raises `GainsayError` where
    the benchmark is not built or can be guessed without looking, a format cannot be released or has
    nothing to hold, a picture cannot be read, or the folder cannot be written or is none of a
    release.
    """
    require_formats(order)
    require_identity(order)
    require_benchmark(connection, order.benchmark)
    contents = read_contents(connection, order.benchmark)
    require_audited(connection, order.benchmark)
    require_looking(
        order.benchmark,
        contents.margins,
        contents.varieties,
        contents.telltale_words,
        order.although_guessed,
    )
    if not _is_beyond(contents):
        # the card would say what is not so
        order = replace(order, although_guessed=None)
    sealed = _manifest_files(contents)
    digest = hashlib.sha256(b"".join(sealed[name] for name in sorted(sealed))).hexdigest()
    identity = Identity(
        order.benchmark,
        contents.title,
        order.version,
        order.date_published or contents.one("date_published"),
        digest,
        # where nothing has another address yet, its content is one
        order.url or f"urn:sha256:{digest}",
    )
    if wrong := [*wrong_identity(identity.version, identity.date_published, identity.url)]:
        raise GainsayError(f"the release texts of {order.benchmark}: {'; '.join(wrong)}")
    folder = out / identity.folder_name
    try:
        with atomic_folder(folder, own_files) as unfinished:
            record = _write(connection, order, project, contents, identity, sealed, unfinished)
            n_files = len(names_in(unfinished))
    except OSError as error:
        raise GainsayError(f"{error.filename or folder}: cannot write: {error.strerror}") from error
    return Released(folder, record, n_files)


def require_formats(order: Order) -> None:
    """Raise `GainsayError` where a format cannot be released, or is another benchmark's own."""
    for name in order.formats:
        benchmark = FORMATS[name].benchmark or order.benchmark
        if benchmark != order.benchmark:
            raise GainsayError(f"{name}: is a format of {benchmark}, not of {order.benchmark}")


def require_identity(order: Order) -> None:
    """Raise `GainsayError` where a version, date, address or reason is none."""
    for problem in wrong_identity(order.version, order.date_published or "2026-01-01", order.url):
        raise GainsayError(problem)
    if order.although_guessed is not None and not order.although_guessed.strip():
        raise GainsayError("--although-guessed: expected the reason, found an empty text")


def _manifest_files(contents: Contents) -> dict[str, bytes]:
    """The manifest of each protocol as `gainsay manifest export` writes it, by file name."""
    return {
        "manifest.json" if len(contents.manifests) == 1 else f"manifest-{protocol}.json": (
            _json(manifest)
        )
        for protocol, manifest in contents.manifests.items()
    }


def _json(value: Manifest | Mapping[str, Any] | msgspec.Struct, *, is_sorted: bool = True) -> bytes:
    encoded = msgspec.json.encode(value, order="sorted" if is_sorted else None)
    return msgspec.json.format(encoded, indent=2) + b"\n"


def _write(
    connection: duckdb.DuckDBPyConnection,
    order: Order,
    project: ParsedProject,
    contents: Contents,
    identity: Identity,
    sealed: dict[str, bytes],
    folder: Path,
) -> ReleaseRecord:
    """Write every file of the release, the list of their hashes last."""
    for name, data in sealed.items():
        (folder / name).write_bytes(data)
    tables, n_rows = _write_tables(connection, order, project, contents, folder)
    data_files = [file for file in files_of(folder) if file.name.startswith("data/")]
    counted, n_held_back = count_examples(connection, order.benchmark)
    examples = [folder / file.name for file in data_files if file.name.startswith(EXAMPLES_STEM)]
    require_counted(examples, counted, f"{order.benchmark}: {EXAMPLES_STEM}")
    n_of_formats = _write_formats(connection, order, folder)
    formats = {
        name: [
            File(f"{name}/{file.name}", file.n_bytes, file.sha256)
            for file in files_of(folder / name)
        ]
        for name in n_of_formats
    }
    withheld: dict[str, int] = {}
    for credit in contents.withheld:
        withheld[credit.picture_state] = withheld.get(credit.picture_state, 0) + 1
    record = ReleaseRecord(
        contents.benchmark, identity.version, identity.date_published, identity.manifest_sha256,
        sorted(sealed), contents.n_records, n_rows["prompts"], len(contents.given), withheld,
        contents.n_withdrawn_pictures, contents.n_withdrawn, n_of_formats,
        n_rows["shown_pictures"], contents.n_own_withdrawn_pictures, contents.synthetic_inputs,
        contents.margins, order.although_guessed, contents.judged_gates, counted, n_held_back,
        contents.varieties, NOT_SEALED,
    )  # fmt: skip
    licenses = folder / LICENSES
    licenses.mkdir()
    (licenses / "README.md").write_bytes(licenses_page(contents).encode())
    (licenses / "pictures.csv").write_bytes(
        _sheet(_CREDIT_COLUMNS, _credits(contents.given)).encode()
    )
    (folder / WITHHELD).write_bytes(_sheet(_WITHHELD_COLUMNS, _reasons(contents.withheld)).encode())
    configs = configs_of(folder, record)

    def write_pages(delivered_sha256: str) -> ReleaseRecord:
        named = replace(identity, delivered_sha256=delivered_sha256)
        own = msgspec.structs.replace(record, delivered_sha256=delivered_sha256)
        (folder / CITATION).write_bytes(citation_file(contents, named))
        metadata = croissant(contents, named, data_files, tables, formats)
        (folder / CROISSANT).write_bytes(_json(metadata, is_sorted=False))
        (folder / RECORD).write_bytes(_json(own, is_sorted=False))
        (folder / CARD).write_bytes(card(contents, named, own, configs).encode())
        return own

    # the seal is of the pages, too, which name it
    write_pages(NOT_SEALED)
    found = list(files_of(folder))
    seals = _json(delivered(folder, found, contents.n_records, formats, NOT_SEALED))
    (folder / DELIVERED).write_bytes(seals)
    record = write_pages(hashlib.sha256(seals).hexdigest())
    (folder / CHECKSUMS).write_bytes(checksum_lines(list(files_of(folder))).encode())
    return record


def _write_tables(
    connection: duckdb.DuckDBPyConnection,
    order: Order,
    project: ParsedProject,
    contents: Contents,
    folder: Path,
) -> tuple[list[Table], dict[str, int]]:
    """Write examples, prompts and pictures, and say how many rows each table has."""
    of = {"benchmark": contents.benchmark}
    size = order.shard_bytes
    examples = _EXAMPLES.format(
        columns=", ".join(_columns_of_examples(connection, contents.benchmark)), **of
    )
    written = {
        "examples": _of_splits(
            [
                write_rows(
                    connection, examples, {"split": split}, folder,
                    f"{EXAMPLES_STEM}{split}", size,
                )
                for split in contents.n_records
            ]
        ),
        "prompts": write_rows(
            connection, sql_beside(__file__, "prompts"), of, folder, f"{PROMPTS_STEM}prompts", size
        ),
        "shown_pictures": write_rows(
            connection, sql_beside(__file__, "shown_pictures"), of, folder,
            f"{SHOWN_STEM}shown_pictures", size,
        ),
    }  # fmt: skip
    if contents.given:
        set_variables(connection, of)
        files = query(connection, sql_beside(__file__, "picture_files"), _PictureFile)
        places = {
            file.image: Place(file.image_path, file.image_archive, file.sha256) for file in files
        }
        stem = f"{PICTURES_STEM}pictures"
        written["pictures"] = write_pictures(contents.given, places, folder, stem, size)
    of_no_example = connection.execute(
        "select 1 from exports.exports__prompts where benchmark = $benchmark"
        " and asked_example_id is null limit 1",
        of,
    ).fetchone()
    references = {"shown_pictures/example_id": "examples/example_id"}
    # such as controls
    if not of_no_example:
        references["prompts/asked_example_id"] = "examples/example_id"
    if contents.given:
        references["shown_pictures/image"] = "pictures/image"
    columns = {model: project.nodes[model].columns for *_, model in _TABLES}
    own = project.nodes[f"{contents.benchmark}__examples"].columns
    columns["exports__release_records"] = own | columns["exports__release_records"]
    tables = [
        Table(
            name, stem, description, key, written[name].schema, columns[model],
            {
                column.partition("/")[2]: referred
                for column, referred in references.items()
                if column.startswith(f"{name}/")
            },
        )
        for name, stem, description, key, model in _TABLES
        if name in written
    ]  # fmt: skip
    return tables, {name: shards.n_rows for name, shards in written.items()}


def _columns_of_examples(connection: duckdb.DuckDBPyConnection, benchmark: str) -> list[str]:
    """The columns of a record: those of the benchmark's own examples, then those of a release."""
    described = {
        name: [column for column, *_ in connection.execute(f"describe {name}").fetchall()]
        for name in (f'"{benchmark}"."{benchmark}__examples"', "exports.exports__release_records")
    }
    own, released = described.values()
    columns = {column: f"examples.{column}" for column in own}
    columns |= {column: f"records.{column}" for column in released if column != "benchmark"}
    return list(columns.values())


def _of_splits(shards: list[Shards]) -> Shards:
    """The files of all splits as those of one table."""
    return Shards(
        [name for one in shards for name in one.names],
        shards[0].schema,
        sum(one.n_rows for one in shards),
    )


def _write_formats(
    connection: duckdb.DuckDBPyConnection, order: Order, folder: Path
) -> dict[str, int]:
    """Export each format into a folder of its name; the export's own list stays behind.

    What runs the task of inspect lies beside that folder.
    """
    n_records = {}
    for name in order.formats:
        target = folder / name
        try:
            done = export(connection, name, target, order.benchmark, shard_bytes=order.shard_bytes)
        except GainsayError:
            shutil.rmtree(target, ignore_errors=True)
            raise
        (target / EXPORT_LIST).unlink()
        if name == "inspect":
            for file in RUN_FROM_ROOT:
                (target / file).rename(folder / file)
        n_records[name] = done.n_records
    return n_records


def _credits(pictures: list[Credit]) -> Iterator[list[object]]:
    for credit in pictures:
        yield [getattr(credit, column) for column in _CREDIT_COLUMNS]


def _reasons(pictures: list[Credit]) -> Iterator[list[object]]:
    for credit in pictures:
        named = {"reason": credit.picture_state}
        yield [named.get(column) or getattr(credit, column, None) for column in _WITHHELD_COLUMNS]


def _sheet(columns: tuple[str, ...], rows: Iterator[list[object]]) -> str:
    """A sheet as CSV, in which nothing that sources say becomes a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(cell_of_text(value) if isinstance(value, str) else value for value in row)
    return text.getvalue()
