"""Whether a release is as it was made: on any machine, without a warehouse."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from gainsay.errors import GainsayError
from gainsay.release.croissant import CONFORMS_TO
from gainsay.release.files import (
    CHECKSUMS,
    EXAMPLES_STEM,
    PICTURES_STEM,
    PROMPTS_STEM,
    SHOWN_STEM,
    File,
    files_of,
)
from gainsay.release.record import CROISSANT, RECORD, ReleaseRecord

_CHECKSUM = re.compile(r"([0-9a-f]{64})  (\S.*)")
# what the specification of Croissant 1.1 requires of a dataset
_REQUIRED = (
    "@context", "@type", "conformsTo", "creator", "datePublished", "description", "license", "name",
    "url",
)  # fmt: skip


@dataclass(frozen=True)
class Verified:
    """What is wrong with a release, each finding with its file's name, and what was checked."""

    findings: list[str]
    summary: str


def find_releases(folder: Path) -> list[Path]:
    """The folder if it is a release, else the releases in it; raises `GainsayError` for none."""
    if (folder / RECORD).is_file():
        return [folder]
    found = sorted(path.parent for path in folder.glob(f"*/{RECORD}"))
    if not found:
        raise GainsayError(
            f"{folder}: no release here; expected the file {RECORD}, as `gainsay release` writes it"
        )
    return found


def verify(folder: Path) -> Verified:
    """Check every hash, that no file is missing or too many, the counts, and the Croissant file.

    Where mlcroissant is installed it validates `croissant.json` as well. Raises `GainsayError`
    where `release.json` or the list of hashes can't be read.
    """
    record = _read_record(folder)
    expected = _read_checksums(folder)
    found = {file.name: file for file in files_of(folder) if file.name != CHECKSUMS}
    findings = [*_changed_files(expected, found), *_wrong_hash(folder, record)]
    # what is not as it was can't be counted
    if not findings:
        findings += _wrong_counts(folder, record, found)
    metadata = folder / CROISSANT
    validator = ""
    if metadata.is_file():
        findings += _wrong_metadata(metadata, found)
        validator = _validate(metadata, findings)
    n_records = sum(record.n_records.values())
    return Verified(
        findings,
        f"{len(found):,} files, {n_records:,} examples, {record.n_prompts:,} prompts and"
        f" {record.n_pictures:,} pictures are as they were released; {CROISSANT} is valid"
        f"{validator}",
    )


def _read_record(folder: Path) -> ReleaseRecord:
    path = folder / RECORD
    try:
        return msgspec.json.decode(path.read_bytes(), type=ReleaseRecord)
    except (OSError, msgspec.MsgspecError) as error:
        raise GainsayError(f"{path}: cannot be read as a release: {error}") from error


def _read_checksums(folder: Path) -> dict[str, str]:
    path = folder / CHECKSUMS
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
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


def _changed_files(expected: dict[str, str], found: dict[str, File]) -> Iterator[str]:
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            yield f"{name}: is missing"
        elif name not in expected:
            yield f"{name}: is not of this release"
        elif found[name].sha256 != expected[name]:
            yield (
                f"{name}: its bytes are others, sha256 {found[name].sha256}; expected"
                f" {expected[name]}"
            )


def _wrong_hash(folder: Path, record: ReleaseRecord) -> Iterator[str]:
    """The hash that names the release is that of its manifests."""
    digest = hashlib.sha256()
    for name in sorted(record.manifests):
        if not (folder / name).is_file():
            return
        digest.update((folder / name).read_bytes())
    if digest.hexdigest() != record.manifest_sha256:
        yield (
            f"{', '.join(record.manifests)}: sha256 {digest.hexdigest()}; {RECORD} expects"
            f" {record.manifest_sha256}"
        )


def _wrong_counts(folder: Path, record: ReleaseRecord, found: dict[str, File]) -> Iterator[str]:
    expected = {f"{EXAMPLES_STEM}{split}-*.parquet": n for split, n in record.n_records.items()} | {
        f"{PROMPTS_STEM}*.parquet": record.n_prompts,
        f"{PICTURES_STEM}*.parquet": record.n_pictures,
        f"{SHOWN_STEM}*.parquet": record.n_shown_pictures,
    }
    for pattern, n in expected.items():
        n_rows = sum(
            pq.read_metadata(folder / name).num_rows for name in found if fnmatch(name, pattern)
        )
        if n_rows != n:
            yield f"{pattern}: {n_rows:,} rows; {RECORD} expects {n:,}"
    if len(record.manifests) == 1:
        sealed = json.loads((folder / record.manifests[0]).read_bytes())
        n_sealed = int(sealed["content"]["examples"]["n"])
        n_records = sum(record.n_records.values())
        if n_sealed != n_records:
            yield f"{record.manifests[0]}: {n_sealed:,} examples; {RECORD} has {n_records:,}"


def _wrong_metadata(path: Path, found: dict[str, File]) -> Iterator[str]:
    """What `croissant.json` says of files and fields that is not so."""
    try:
        metadata: dict[str, Any] = json.loads(path.read_bytes())
    except ValueError as error:
        yield f"{CROISSANT}: is no JSON: {error}"
        return
    for name in _REQUIRED:
        if not metadata.get(name):
            yield f"{CROISSANT}: lacks {name!r}, which Croissant 1.1 requires"
    if metadata.get("conformsTo") != CONFORMS_TO:
        yield f"{CROISSANT}: conforms to {metadata.get('conformsTo')}; expected {CONFORMS_TO}"
    distribution = metadata.get("distribution", [])
    for one in distribution:
        name = one.get("contentUrl")
        if name and (name not in found or found[name].sha256 != one.get("sha256")):
            yield f"{CROISSANT}: {name} has another sha256 than its file, or no file"
        if "includes" in one and not any(fnmatch(name, one["includes"]) for name in found):
            yield f"{CROISSANT}: no file is {one['includes']}"
    known = {one.get("@id") for one in distribution}
    for record_set in metadata.get("recordSet", []):
        for field in record_set["field"]:
            # what is listed in the file itself has no source
            source = field.get("source", {}).get("fileSet", {}).get("@id")
            if source not in known and "data" not in record_set:
                yield f"{CROISSANT}: {field['@id']} comes from {source}, which is not listed"


def _validate(path: Path, findings: list[str]) -> str:
    """Have mlcroissant validate the file, where it is installed; says so for the summary."""
    try:
        import mlcroissant
    except ImportError:
        return ", by gainsay's own check; mlcroissant is not installed"
    try:
        mlcroissant.Dataset(jsonld=str(path))
    except (mlcroissant.ValidationError, ValueError) as error:
        findings.append(f"{CROISSANT}: mlcroissant: {error}")
    return f", by mlcroissant {version('mlcroissant')} too"
