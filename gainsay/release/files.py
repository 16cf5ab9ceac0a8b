"""The files of a release, their hashes, and the list that `sha256sum --check` reads."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import files_below
from gainsay.foundation.whole_files import read_whole_file
from gainsay.release.record import RECORD

if TYPE_CHECKING:
    import pyarrow as pa

    from gainsay.project.parsing import ParsedColumn

CITATION: Final = "CITATION.cff"
CHECKSUMS: Final = "SHA256SUMS"
LICENSES: Final = "LICENSES"
WITHHELD: Final = f"{LICENSES}/withheld.csv"
EXAMPLES_STEM: Final = "data/examples/"
PROMPTS_STEM: Final = "data/prompts/"
PICTURES_STEM: Final = "data/pictures/"
SHOWN_STEM: Final = "data/shown_pictures/"
_FORMATS: Final = {
    ".parquet": "application/x-parquet", ".json": "application/json", ".csv": "text/csv",
    ".jsonl": "application/jsonlines", ".md": "text/markdown", ".cff": "application/yaml",
    ".tsv": "text/tab-separated-values", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
    ".png": "image/png", ".yaml": "application/yaml",
}  # fmt: skip
_CHUNK: Final = 2**20
_CHECKSUM: Final = re.compile(r"([0-9a-f]{64})  (\S.*)")
_LONGEST_LIST: Final = 256 * 2**20


@dataclass(frozen=True)
class File:
    """A file of a release by its name below the folder, with `/` between folders."""

    name: str
    n_bytes: int
    sha256: str

    @property
    def encoding_format(self) -> str:
        """Its media type."""
        return _FORMATS.get(Path(self.name).suffix.lower(), "application/octet-stream")


@dataclass(frozen=True)
class Table:
    """Records of a release: the files `<stem>*.parquet`, and what tells two rows apart.

    `columns` say in words what a column holds; `references` name the column of another table, as
    `examples/example_id`, whose values a column has.
    """

    name: str
    stem: str
    description: str
    key: tuple[str, ...]
    schema: "pa.Schema"
    columns: "dict[str, ParsedColumn]"
    references: dict[str, str]


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def names_in(folder: Path) -> list[str]:
    """The names below a folder of all that is no folder, links included, in order.

    Raises `GainsayError` where a folder cannot be read.
    """
    return sorted(path.relative_to(folder).as_posix() for path in files_below(folder))


def files_of(folder: Path) -> Iterator[File]:
    """Every file below a folder, in the order of names."""
    for name in names_in(folder):
        yield file_of(folder, name)


def file_of(folder: Path, name: str) -> File:
    """A file by its name below a folder. Raises `OSError`."""
    path = folder / name
    return File(name, path.stat().st_size, sha256_of(path))


def checksum_lines(files: list[File]) -> str:
    """The list of hashes, as sha256sum writes it."""
    return "".join(f"{file.sha256}  {file.name}\n" for file in files)


def read_checksums(folder: Path) -> dict[str, str]:
    """The hashes of a release by the names of its files.

    Raises `GainsayError` where the list of hashes cannot be read.
    """
    path = folder / CHECKSUMS
    try:
        lines = read_whole_file(path, _LONGEST_LIST).content.decode().splitlines()
    except UnicodeDecodeError as error:
        raise GainsayError(f"{path}: cannot be read: {error}") from error
    expected = {}
    for number, line in enumerate(lines, 1):
        matched = _CHECKSUM.fullmatch(line)
        if not matched:
            raise GainsayError(
                f"{path}: line {number} is {line[:80]!r}; expected a sha256, two spaces and a name"
            )
        expected[matched[2]] = matched[1]
    return expected


def own_files(folder: Path) -> set[str]:
    """The files of an earlier release, which the next one may replace.

    Raises `GainsayError` where the folder holds something, and no release.
    """
    names = names_in(folder)
    if not names:
        return set()
    if RECORD not in names or CHECKSUMS not in names:
        raise GainsayError(
            f"{folder}: is no release, and is not overwritten; move it away, or release into"
            " another folder"
        )
    return {*read_checksums(folder), CHECKSUMS}
