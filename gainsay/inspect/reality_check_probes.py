"""Measurements for the quality gates of VLM Reality Check that no query can make.

Commands that exit, pictures that are told apart, downloads and annotations that are not made twice,
files of an export. A probe measures the build that is there, and says why where it cannot.
"""

import io
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import duckdb
import msgspec
import numpy as np
import pyarrow as pa
from msgspec import Struct
from PIL import Image

from gainsay.exports.reality_check import EXPORTED_FILES, export_reality_check, write_annotations
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import begin_unseen
from gainsay.foundation.queries import query
from gainsay.foundation.whole_files import read_whole_file
from gainsay.project.folder import project_vars
from ingest.collect.client import Client, NoAnswerError, SystemClock
from ingest.collect.fetching import MANIFEST, Folder, Opened, fetch, plain_addresses
from ingest.collect.listing import Warehouse
from ingest.collect.records import ImageRecord, image_id_of
from ingest.probes import Probe
from python_udfs.errors import SetupError
from python_udfs.pixels.image_bytes import ImageUnreadableError, decode_pixels, read_image
from python_udfs.pixels.probing import perceptual_hash
from python_udfs.registry import UDFS

_TARGETS: Final = ("collect", "process", "generate", "translate", "validate_dataset")
_LEAST_BITS: Final = 10
_N_IDS: Final = 3
_N_IMAGES: Final = 5
_MOST_SECONDS: Final = 2.0
_NOISE_SIDE: Final = 256
_COPY_SIDE: Final = 192
_COPY_QUALITY: Final = 80
_MOST_SHOWN: Final = 5
# the fields that the source protocol looks for in a line of annotations
_KEYS: Final = ("image_id", "detections", "depth", "shadow", "ocr", "texture", "temporal")
# what an annotator says of every picture that it looks at
_LOOKED_AT: Final = {"ocr": "has_text", "texture": "edge_density", "shadow": "is_skippable"}
# annotators that look at pixels alone, and the var, if any, without which they look at nothing
_ANNOTATORS: Final = {"gs_shadow": None, "gs_texture": None, "gs_texts": "annotate_ocr"}


def probe(
    connection: duckdb.DuckDBPyConnection, project: Path, exported: Path | None
) -> list[Probe]:
    """Measure every check that is made outside SQL; `exported` is a folder of an export, if any."""
    return [
        probe_make_targets(project),
        *probe_noise(),
        probe_second_download(),
        *probe_annotations(connection),
        probe_files(connection, exported),
    ]


def probe_make_targets(project: Path) -> Probe:
    """Whether make knows the five targets and could run them."""
    make = shutil.which("make")
    if make is None or not (project / "Makefile").is_file():
        missing = "the program make" if make is None else f"a Makefile in {project}"
        return _unmeasured("1.3", "make_targets", f"needs {missing}")
    done = subprocess.run(  # noqa: S603
        [make, "-n", *_TARGETS], cwd=project, capture_output=True, text=True, check=False
    )
    last_words = done.stderr.strip().splitlines()[-1:]
    return Probe(
        "1.3", "make_targets", str(done.returncode), done.returncode == 0,
        f"make -n {' '.join(_TARGETS)}" + "".join(f": {line}" for line in last_words),
    )  # fmt: skip


def probe_noise() -> list[Probe]:
    """Whether the measure of duplicates knows a smaller copy, and tells another picture apart."""
    noise = np.random.Generator(np.random.Philox(42))
    shape = (2, _NOISE_SIDE, _NOISE_SIDE, 3)
    first, second = map(Image.fromarray, noise.integers(0, 256, shape, dtype=np.uint8))
    copy = io.BytesIO()
    first.resize((_COPY_SIDE, _COPY_SIDE)).save(copy, "JPEG", quality=_COPY_QUALITY)
    # OpenCV has blue first, Pillow red
    smaller = Image.fromarray(np.flip(decode_pixels(copy.getvalue()), axis=2).copy())
    alike = _n_bits(first, smaller)
    other = _n_bits(first, second)
    return [
        Probe(
            "2.2", "duplicate_found", str(alike), alike < _LEAST_BITS,
            f"a seeded picture of noise, and it as a JPEG of {_COPY_SIDE} x {_COPY_SIDE}",
        ),
        Probe(
            "2.2", "different_kept", str(other), other >= _LEAST_BITS,
            f"two seeded pictures of noise, {_NOISE_SIDE} x {_NOISE_SIDE}",
        ),
    ]  # fmt: skip


def _n_bits(first: Image.Image, second: Image.Image) -> int:
    hashes = (int(perceptual_hash(image), 16) for image in (first, second))
    return (next(hashes) ^ next(hashes)).bit_count()


class _CountingClient:
    """Counts what it is asked for, and gives nothing."""

    n_requests = 0

    def get(self, url: str, *, most_bytes: int) -> Any:
        self.n_requests += 1
        raise NoAnswerError(f"{url}: a probe downloads nothing")


def probe_second_download() -> Probe:
    """Whether a fetch asks for pictures whose ids the manifest has, files or no files."""
    with TemporaryDirectory() as name:
        folder, path = Path(name), Path(name) / "gainsay.duckdb"
        urls = [f"https://example.org/{number}.jpg" for number in range(_N_IDS + 1)]
        records = [
            ImageRecord(
                image_id_of("wikimedia", url), "wikimedia", f"raw/images/wikimedia/{n}.jpg", url,
                "cc0-1.0", {},
            )
            for n, url in enumerate(urls)
        ]  # fmt: skip
        (folder / MANIFEST).parent.mkdir(parents=True)
        (folder / MANIFEST).write_bytes(b"".join(record.line() for record in records[:_N_IDS]))
        _write_wanted(path, records)
        client = _CountingClient()

        @contextmanager
        def connect() -> Iterator[duckdb.DuckDBPyConnection]:
            with duckdb.connect(path) as connection:
                yield connection

        fetch(
            Folder(folder),
            Warehouse(connect, SystemClock()),
            {"wikimedia": Opened(cast(Client, client), plain_addresses)},
            most_bytes=1,
            target=_N_IDS,
            begin=begin_unseen,
        )
    return Probe(
        "2.3", "no_second_download", str(client.n_requests), client.n_requests == 0,
        f"{_N_IDS} ids in the manifest, target {_N_IDS}, one more image wanted",
    )  # fmt: skip


def _write_wanted(path: Path, records: list[ImageRecord]) -> None:
    with duckdb.connect(path) as connection:
        connection.execute("create schema reality_check")
        connection.execute("""
            create table reality_check.reality_check__wanted_images (
                image_id varchar, source varchar, url varchar, local_path varchar,
                license varchar, metadata varchar, thumbnail_url varchar, openimages_id varchar,
                subset varchar, original_md5 varchar, n_bytes bigint, original_n_bytes bigint,
                source_position integer, place integer
            )
        """)
        connection.executemany(
            "insert into reality_check.reality_check__wanted_images by name select"
            " $1 as image_id, $2 as source, $3 as url, $4 as local_path, $5 as license,"
            " '{}' as metadata, 1 as source_position, $6 as place",
            [
                (each.image_id, each.source, each.url, each.local_path, each.license, place)
                for place, each in enumerate(records)
            ],
        )


class _Picture(Struct):
    path: str
    archive: str | None
    sha256: str


def probe_annotations(connection: duckdb.DuckDBPyConnection) -> list[Probe]:
    """Whether five images have five whole lines, and are not looked at a second time."""
    names = ("five_records", "seven_keys", "second_run_cached")
    try:
        pictures = _first_pictures(connection)
    except GainsayError as error:
        return [_unmeasured("3.3", name, str(error)) for name in names]
    if len(pictures) < _N_IMAGES:
        why = f"needs {_N_IMAGES} images with pictures; the warehouse has {len(pictures)}"
        return [_unmeasured("3.3", name, why) for name in names]
    with TemporaryDirectory() as name:
        file = Path(name) / "annotations.jsonl"
        for _ in range(2):
            write_annotations(connection, file, _N_IMAGES)
        lines = file.read_bytes().splitlines()
        lacking = {key for line in lines for key in _lacking_keys(line)}
        return [
            Probe(
                "3.3", "five_records", str(len(lines)), len(lines) == _N_IMAGES,
                f"the first {_N_IMAGES} images, written twice",
            ),
            Probe(
                "3.3", "seven_keys", str(len(lacking)), not lacking,
                f"lacking: {', '.join(sorted(lacking)) or 'none'}",
            ),
            _probe_second_run(pictures, Path(name)),
        ]  # fmt: skip


def _lacking_keys(line: bytes) -> Iterator[str]:
    """The keys that a line of annotations lacks, and those whose annotator did not look."""
    record = msgspec.json.decode(line)
    for key in _KEYS:
        value = record.get(key)
        looked_at = _LOOKED_AT.get(key)
        if value is None or (looked_at and value.get(looked_at) is None):
            yield key


def _first_pictures(connection: duckdb.DuckDBPyConnection) -> list[_Picture]:
    return query(
        connection,
        """
        select files.path, files.archive, files.sha256
        from reality_check.reality_check__images as images
        inner join images.images__files as files
            on images.image_id = files.source_image_id
        order by images.image_id
        limit $n
        """,
        _Picture,
        {"n": _N_IMAGES},
    )


def _probe_second_run(pictures: list[_Picture], folder: Path) -> Probe:
    """Annotate copies of pictures, take the copies away, and annotate once more.

    Whatever annotator looks at a picture again finds none there.
    """
    settings = project_vars()
    names = [name for name, var in _ANNOTATORS.items() if var is None or settings[var]]
    most_bytes = settings["max_image_bytes"]
    copies = []
    for number, picture in enumerate(pictures):
        copy = folder / f"{number}"
        try:
            copy.write_bytes(read_image(picture.path, picture.archive, most_bytes))
        except ImageUnreadableError as error:
            return _unmeasured("3.3", "second_run_cached", str(error))
        copies.append(copy)
    rows = len(copies)
    columns = (
        [str(copy) for copy in copies], [None] * rows, [picture.sha256 for picture in pictures],
        [str(folder / "results")] * rows, [most_bytes] * rows,
    )  # fmt: skip
    annotators = {udf.name: udf for udf in UDFS if udf.name in names}

    def run() -> list[str]:
        """The errors of all annotators."""
        errors: list[str] = []
        for udf in annotators.values():
            kinds = zip(columns, udf.parameters, strict=True)
            found = udf.load()(*(pa.array(column, kind) for column, kind in kinds))
            errors += [row["error"] for row in found.to_pylist() if row["error"]]
        return errors

    try:
        first_errors = run()
    except SetupError as error:
        return _unmeasured("3.3", "second_run_cached", str(error))
    if first_errors:
        return _unmeasured("3.3", "second_run_cached", first_errors[0])
    for copy in copies:
        copy.unlink()
    started = time.perf_counter()
    n_calls = len(run())
    seconds = time.perf_counter() - started
    return Probe(
        "3.3", "second_run_cached", str(n_calls), n_calls == 0 and seconds < _MOST_SECONDS,
        f"{len(annotators)} annotators, {rows} images, {seconds:.2f} s",
    )  # fmt: skip


def probe_files(connection: duckdb.DuckDBPyConnection, exported: Path | None) -> Probe:
    """Whether an export has its five files; one is made, and taken away, where none is named."""
    if exported is not None:
        return _probe_folder(exported)
    with TemporaryDirectory() as name:
        try:
            export_reality_check(connection, Path(name))
        except GainsayError as error:
            return _unmeasured("smoke", "files", str(error))
        return _probe_folder(Path(name))


def _probe_folder(folder: Path) -> Probe:
    """Whether the files are there and hold what they should, and the pictures where they say."""
    problems = [problem for name in EXPORTED_FILES if (problem := _problem_of(folder / name))]
    problems += _absent_pictures(folder)
    shown = ", ".join(problems[:_MOST_SHOWN]) + (", ..." if len(problems) > _MOST_SHOWN else "")
    return Probe(
        "smoke", "files", str(len(problems)), not problems,
        f"missing: {shown or 'none'}",
    )  # fmt: skip


def _problem_of(file: Path) -> str | None:
    """What is wrong with a file of an export: it is not there, is empty, or has no whole lines."""
    if not file.is_file():
        return file.name
    try:
        lines = read_whole_file(file).content.splitlines()
    except GainsayError:
        return f"{file.name} (cannot be read)"
    if len(lines) <= (file.suffix == ".csv"):
        return f"{file.name} (has no rows)"
    if file.suffix == ".jsonl":
        for number, line in enumerate(lines, 1):
            try:
                msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                return f"{file.name} (line {number:,})"
    return None


def _absent_pictures(folder: Path) -> list[str]:
    """The pictures of the manifest that do not lie where it says; a null says that none does."""
    try:
        lines = read_whole_file(folder / EXPORTED_FILES[0]).content.splitlines()
        paths = [msgspec.json.decode(line, type=dict[str, Any]).get("local_path") for line in lines]
    except (GainsayError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # is a problem of the file
        return []
    return [path for path in paths if path and not (folder / path).is_file()]


def _unmeasured(gate_id: str, check_name: str, why: str) -> Probe:
    return Probe(gate_id, check_name, None, None, why)
