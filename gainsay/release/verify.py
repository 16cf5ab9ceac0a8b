"""Whether a release is as it was made: on any machine, without a warehouse."""

import csv
import hashlib
import io
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from glob import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from gainsay.exports.counting import written_rows
from gainsay.exports.formats import format_of
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import leads_outside, printable
from gainsay.foundation.own_files import CARD
from gainsay.foundation.whole_files import read_whole_file
from gainsay.release.counting import require_counted
from gainsay.release.croissant import CONFORMS_TO
from gainsay.release.delivered import DELIVERED, Sealed, delivered
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
    file_of,
    names_in,
    read_checksums,
)
from gainsay.release.identity import wrong_identity
from gainsay.release.record import CROISSANT, RECORD, ReleaseRecord

_LONGEST_TEXT = 256 * 2**20
# what the specification of Croissant 1.1 requires of a dataset
_REQUIRED = (
    "@context", "@type", "conformsTo", "creator", "datePublished", "description", "license", "name",
    "url",
)  # fmt: skip

# what every release has beside its manifests and tables
_FILES = (CARD, CITATION, CROISSANT, f"{LICENSES}/README.md", f"{LICENSES}/pictures.csv", WITHHELD)


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

    It finds what was damaged, lost or exchanged in part, and recomputes the seal of what is
    delivered. Whoever changes a file, the seal and all that speaks of them makes another release:
    that is told by the hashes in its citation alone, which the summary repeats. Where mlcroissant
    is installed it validates `croissant.json` as well. Raises `GainsayError` where `release.json`
    or the list of hashes can't be read, or a folder or file of it.
    """
    record = _read_record(folder)
    expected = read_checksums(folder)
    found: dict[str, File] = {}
    findings: list[str] = []
    for name in sorted(expected.keys() | set(names_in(folder)) - {CHECKSUMS}):
        findings += _wrong_file(folder, name, expected, found)
    findings += (
        f"{name}: is missing; every release has it" for name in _FILES if name not in expected
    )
    findings += _wrong_folders(folder, record)
    findings += _wrong_hash(folder, record, found)
    findings += _wrong_words(record)
    # what is not as it was can't be counted
    if not findings:
        findings += _wrong_counts(folder, record, found)
        findings += _wrong_seal(folder, record, found)
    validator = ""
    if CROISSANT in found:
        findings += _wrong_metadata(folder / CROISSANT, record, found)
        validator = _validate(folder / CROISSANT, findings)
    n_records = sum(record.n_records.values())
    return Verified(
        list(map(printable, findings)),
        f"{len(found):,} files, {n_records:,} examples, {record.n_prompts:,} prompts and"
        f" {record.n_pictures:,} pictures are as they were released; {CROISSANT} is valid"
        f"{validator}; {_cited_by(record)}",
    )


def _cited_by(record: ReleaseRecord) -> str:
    """The hashes by which a whole other release is told from this one."""
    if record.delivered_sha256 is None:
        return (
            f"manifest sha256 {record.manifest_sha256}; it says of itself that it is older than"
            f" {DELIVERED}, so that nothing seals its rows"
        )
    return (
        f"compare with its citation: manifest sha256 {record.manifest_sha256}, delivered sha256"
        f" {record.delivered_sha256}"
    )


def _read_record(folder: Path) -> ReleaseRecord:
    path = folder / RECORD
    data = read_whole_file(path, _LONGEST_TEXT).content
    try:
        return msgspec.json.decode(data, type=ReleaseRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise GainsayError(f"{path}: cannot be read as a release: {error}") from error


def _wrong_file(
    folder: Path, name: str, expected: dict[str, str], found: dict[str, File]
) -> Iterator[str]:
    """What is wrong with a file; it is added to those found once its bytes are known.

    Nothing is read but regular files that are listed: a pipe would be waited for, and a link shows
    what may be other content on the next machine.
    """
    path = folder / name
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        yield f"{name}: is missing"
        return
    if name not in expected:
        yield f"{name}: is not of this release"
    elif stat.S_ISLNK(mode) or leads_outside(path, folder):
        yield f"{name}: is a link; expected the file itself"
    elif not stat.S_ISREG(mode):
        yield f"{name}: is no regular file"
    else:
        try:
            found[name] = file_of(folder, name)
        except OSError as error:
            yield f"{name}: cannot be read: {error.strerror}"
            return
        if found[name].sha256 != expected[name]:
            yield (
                f"{name}: its bytes are others, sha256 {found[name].sha256}; expected"
                f" {expected[name]}"
            )


def _wrong_folders(folder: Path, record: ReleaseRecord) -> Iterator[str]:
    """A name that is another release's, and folders without files."""
    name = folder.resolve().name
    own = f"{record.benchmark}-{record.manifest_sha256[:12]}"
    if name != own and re.fullmatch(r"\w+-[0-9a-f]{12}", name):
        yield f"{name}: is the name of another release; this one is {own}"
    for path in sorted(folder.rglob("*")):
        if path.is_dir() and not path.is_symlink() and not any(path.iterdir()):
            yield f"{path.relative_to(folder).as_posix()}: is an empty folder, which no release has"


def _wrong_hash(folder: Path, record: ReleaseRecord, found: dict[str, File]) -> Iterator[str]:
    """The hash that names the release is that of its manifests."""
    digest = hashlib.sha256()
    for name in sorted(record.manifests):
        if name not in found:
            yield f"{RECORD}: the manifest {name} is no file of this release"
            return
        digest.update(read_whole_file(folder / name, _LONGEST_TEXT).content)
    if digest.hexdigest() != record.manifest_sha256:
        yield (
            f"{', '.join(record.manifests)}: sha256 {digest.hexdigest()}; {RECORD} expects"
            f" {record.manifest_sha256}"
        )


def _wrong_words(record: ReleaseRecord) -> Iterator[str]:
    """What the record says that cannot be so, and the card repeats."""
    for problem in wrong_identity(record.version, record.date_published, None):
        yield f"{RECORD}: {problem}"
    is_guessed = any(margin.is_beyond for margin in record.margins) or any(
        variety.is_limit_met is False for variety in record.varieties
    )
    if is_guessed != (record.although_guessed is not None):
        is_quoted = (
            "a reason is quoted" if record.although_guessed is not None else "none is quoted"
        )
        is_met = "some limit is not met" if is_guessed else "every limit is met"
        yield f"{RECORD}: {is_met}, and {is_quoted} for releasing it although it can be guessed"


def _wrong_counts(folder: Path, record: ReleaseRecord, found: dict[str, File]) -> Iterator[str]:
    # a split's name is no pattern
    splits = {escape(f"{EXAMPLES_STEM}{split}"): n for split, n in record.n_records.items()}
    expected = {f"{stem}-*.parquet": n for stem, n in splits.items()} | {
        f"{PROMPTS_STEM}*.parquet": record.n_prompts,
        f"{PICTURES_STEM}*.parquet": record.n_pictures,
        f"{SHOWN_STEM}*.parquet": record.n_shown_pictures,
    }
    for pattern, n in expected.items():
        try:
            n_rows = sum(
                pq.read_metadata(folder / name).num_rows for name in found if fnmatch(name, pattern)
            )
        except (OSError, pa.ArrowException) as error:
            yield f"{pattern}: no Parquet file that can be read: {error}"
            continue
        if n_rows != n:
            yield f"{pattern}: {n_rows:,} rows; {RECORD} expects {n:,}"
    n_withheld = sum(record.withheld.values())
    withheld = read_whole_file(folder / WITHHELD, _LONGEST_TEXT).content.decode(errors="replace")
    try:
        n_rows = sum(1 for _ in csv.reader(io.StringIO(withheld, newline=""))) - 1
    except csv.Error as error:
        yield f"{WITHHELD}: is no table: {error}"
    else:
        if n_rows != n_withheld:
            yield f"{WITHHELD}: {n_rows:,} pictures; {RECORD} expects {n_withheld:,}"
    yield from _wrong_records(folder, record, found)
    if len(record.manifests) == 1 and record.manifests[0] in found:
        yield from _wrong_number_sealed(folder / record.manifests[0], record)


def _wrong_records(folder: Path, record: ReleaseRecord, found: dict[str, File]) -> Iterator[str]:
    """Examples and records of formats that are others than those of the benchmark."""
    try:
        examples = [folder / name for name in found if name.startswith(EXAMPLES_STEM)]
        require_counted(examples, record.counts, EXAMPLES_STEM)
        for kind, n in record.formats.items():
            files = [folder / name for name in found if name.startswith(f"{kind}/")]
            n_rows = sum(1 for path in files for _ in written_rows(path))
            n_expected = n * format_of(kind, record.benchmark).copies
            if n_rows != n_expected:
                yield f"{kind}/: {n_rows:,} records; {RECORD} expects {n_expected:,}"
    except (GainsayError, msgspec.MsgspecError, OSError, KeyError, pa.ArrowException) as error:
        yield str(error)


def _wrong_seal(folder: Path, record: ReleaseRecord, found: dict[str, File]) -> Iterator[str]:
    """Rows and files that are others than the seal says, and pages that name another seal."""
    if (DELIVERED in found) != (record.delivered_sha256 is not None):
        yield f"{DELIVERED}: {RECORD} and the folder do not agree on whether it is there"
    if record.delivered_sha256 is None or DELIVERED not in found:
        return
    if found[DELIVERED].sha256 != record.delivered_sha256:
        yield (
            f"{DELIVERED}: sha256 {found[DELIVERED].sha256}; {RECORD} expects"
            f" {record.delivered_sha256}"
        )
    try:
        data = read_whole_file(folder / DELIVERED, _LONGEST_TEXT).content
        sealed = msgspec.json.decode(data, type=dict[str, Sealed])
        now = delivered(
            folder, found.values(), record.n_records, record.formats, record.delivered_sha256
        )
    except (
        msgspec.MsgspecError, UnicodeDecodeError, RecursionError, duckdb.Error, OSError,
        pa.ArrowException,
    ) as error:  # fmt: skip
        yield f"{DELIVERED}: what it seals cannot be hashed: {error}"
        return
    for what in sorted(sealed.keys() | now.keys()):
        if sealed.get(what) != now.get(what):
            yield (
                f"{what}: the hash of what it holds is {_shown(now.get(what))}; {DELIVERED} seals"
                f" {_shown(sealed.get(what))}"
            )
    for page in (CARD, CITATION, CROISSANT):
        text = read_whole_file(folder / page, _LONGEST_TEXT).content.decode(errors="replace")
        for digest in (record.manifest_sha256, record.delivered_sha256):
            if digest not in text:
                yield f"{page}: does not name sha256 {digest}, by which {RECORD} cites the release"


def _shown(sealed: Sealed | None) -> str:
    return "none" if sealed is None else f"{sealed.sha256} of {sealed.n:,}"


class _Measures(Struct):
    n: str


class _Content(Struct):
    examples: _Measures


class _Sealed(Struct):
    """What a manifest says of the number of examples."""

    content: _Content


def _wrong_number_sealed(path: Path, record: ReleaseRecord) -> Iterator[str]:
    try:
        sealed = msgspec.json.decode(read_whole_file(path, _LONGEST_TEXT).content, type=_Sealed)
        n_sealed = int(sealed.content.examples.n)
    except (ValueError, RecursionError) as error:
        yield f"{path.name}: is no manifest: {error}"
        return
    n_records = sum(record.n_records.values()) + record.n_held_back
    if n_sealed != n_records:
        yield (
            f"{path.name}: {n_sealed:,} examples; {RECORD} has {n_records:,}, of which"
            f" {record.n_held_back:,} are held back"
        )


class _Distributed(Struct):
    """A file, or a set of files, that `croissant.json` lists."""

    id: str | None = msgspec.field(default=None, name="@id")
    content_url: str | None = msgspec.field(default=None, name="contentUrl")
    sha256: str | None = None
    includes: str | None = None


class _Reference(Struct):
    id: str | None = msgspec.field(default=None, name="@id")


class _Source(Struct):
    file_set: _Reference | None = msgspec.field(default=None, name="fileSet")


class _Field(Struct):
    id: str | None = msgspec.field(default=None, name="@id")
    source: _Source | None = None


class _RecordSet(Struct):
    field: list[_Field] = []
    data: Any = None


class _Croissant(Struct):
    distribution: list[_Distributed] = []
    record_set: list[_RecordSet] = msgspec.field(default_factory=list, name="recordSet")


def _wrong_metadata(path: Path, record: ReleaseRecord, found: dict[str, File]) -> Iterator[str]:
    """What `croissant.json` says of files and fields that is not so."""
    data = read_whole_file(path, _LONGEST_TEXT).content
    try:
        stated = msgspec.json.decode(data, type=dict[str, Any])
        metadata = msgspec.json.decode(data, type=_Croissant)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        yield f"{CROISSANT}: is not of the form of a Croissant file: {error}"
        return
    for name in _REQUIRED:
        if not stated.get(name):
            yield f"{CROISSANT}: lacks {name!r}, which Croissant 1.1 requires"
    yield from _wrong_identity(stated, record)
    if stated.get("conformsTo") != CONFORMS_TO:
        yield f"{CROISSANT}: conforms to {stated.get('conformsTo')}; expected {CONFORMS_TO}"
    for one in metadata.distribution:
        url = one.content_url
        if url and (url not in found or found[url].sha256 != one.sha256):
            yield f"{CROISSANT}: {url} has another sha256 than its file, or no file"
        if one.includes and not any(fnmatch(name, one.includes) for name in found):
            yield f"{CROISSANT}: no file is {one.includes}"
    known = {one.id for one in metadata.distribution}
    for record_set in metadata.record_set:
        for field in record_set.field:
            # what is listed in the file itself has no source
            file_set = field.source.file_set if field.source else None
            source = file_set.id if file_set else None
            if source not in known and record_set.data is None:
                yield f"{CROISSANT}: {field.id} comes from {source}, which is not listed"


def _wrong_identity(stated: dict[str, Any], record: ReleaseRecord) -> Iterator[str]:
    """Where `croissant.json` has another version, day or no address."""
    for name, wanted in (("version", record.version), ("datePublished", record.date_published)):
        if stated.get(name) not in (None, wanted):
            yield f"{CROISSANT}: {name} is {str(stated[name])[:80]!r}; {RECORD} has {wanted!r}"
    url = stated.get("url")
    if url:
        # the record's own are told there
        for problem in wrong_identity("1", "2026-01-01", str(url)):
            yield f"{CROISSANT}: {problem}"


def _validate(path: Path, findings: list[str]) -> str:
    """Have mlcroissant validate the file, where it is installed; says so for the summary."""
    try:
        import mlcroissant
    except ImportError:
        return ", by gainsay's own check; mlcroissant is not installed"
    try:
        mlcroissant.Dataset(jsonld=str(path))
    except Exception as error:  # what it meets in a file of another form is of any class
        findings.append(f"{CROISSANT}: mlcroissant: {error}")
    return f", by mlcroissant {version('mlcroissant')} too"
