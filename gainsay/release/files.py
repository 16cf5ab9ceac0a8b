"""The files of a release, their hashes, and the list that `sha256sum --check` reads."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from gainsay.project.parsing import ParsedColumn

CHECKSUMS: Final = "SHA256SUMS"
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
    schema: pa.Schema
    columns: dict[str, ParsedColumn]
    references: dict[str, str]


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def files_of(folder: Path) -> Iterator[File]:
    """Every file below a folder, in the order of names."""
    names = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()
    )
    for name in names:
        path = folder / name
        yield File(name, path.stat().st_size, sha256_of(path))


def checksum_lines(files: list[File]) -> str:
    """The list of hashes, as sha256sum writes it."""
    return "".join(f"{file.sha256}  {file.name}\n" for file in files)
