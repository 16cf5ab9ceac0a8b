"""By which name, version, date and address a release is cited."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

import yaml

from gainsay.release.contents import Contents, Paper

CREATOR: Final = "gainsay maintainers"
_VERSION: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}")
_LONGEST_ADDRESS: Final = 2_000


@dataclass(frozen=True)
class Identity:
    """What a release is cited by: the hashes are those of its manifest and `delivered.json`."""

    benchmark: str
    title: str
    version: str
    date_published: str
    manifest_sha256: str
    url: str
    creator: str = CREATOR
    # known once the tables are written
    delivered_sha256: str = ""

    @property
    def folder_name(self) -> str:
        """The name of its folder: the benchmark and the first digits of the manifest's hash."""
        return f"{self.benchmark}-{self.manifest_sha256[:12]}"

    @property
    def citation(self) -> str:
        """How to cite it, as BibTeX."""
        return (
            f"@misc{{gainsay_{self.benchmark}_{self.manifest_sha256[:12]}, "
            f"title = {{{{{self.title}}}}}, author = {{{{{self.creator}}}}}, "
            f"year = {{{self.date_published[:4]}}}, version = {{{self.version}}}, "
            f"note = {{manifest sha256 {self.manifest_sha256},"
            f" delivered sha256 {self.delivered_sha256}}}}}"
        )


def wrong_identity(version: str, date_published: str, url: str | None) -> Iterator[str]:
    """What of a version, a date and an address is none: cards and citations repeat them."""
    if not _VERSION.fullmatch(version):
        yield f"version {version[:80]!r}: expected letters, digits and points, such as 1.0.0"
    try:
        is_day = date.fromisoformat(date_published).isoformat() == date_published
    except ValueError:
        is_day = False
    if not is_day:
        yield f"date {date_published[:80]!r}: expected a day of the calendar, such as 2026-01-31"
    if url is not None and not _is_address(url):
        yield (
            f"url {url[:80]!r}: expected an address that begins with https://, http://, doi: or"
            " urn:"
        )


def _is_address(url: str) -> bool:
    if len(url) > _LONGEST_ADDRESS or not url.isprintable() or set(url) & set(' "<>\\^`{|}'):
        return False
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https"):
            return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return parts.scheme in ("doi", "urn") and bool(parts.path)


def citation_file(contents: Contents, identity: Identity) -> bytes:
    """`CITATION.cff`, version 1.2.0 of that format, with the papers as references."""
    cited = {
        "cff-version": "1.2.0",
        "message": "If you use this benchmark, cite it and the papers that it comes from.",
        "type": "dataset",
        "title": identity.title,
        "abstract": contents.description,
        "authors": [{"name": identity.creator}],
        "version": identity.version,
        "date-released": identity.date_published,
        "identifiers": [
            {
                "type": "other",
                "value": f"sha256:{identity.manifest_sha256}",
                "description": "The hash of the manifest.",
            },
            {
                "type": "other",
                "value": f"sha256:{identity.delivered_sha256}",
                "description": "The hash of delivered.json, which seals what is delivered.",
            },
        ],
        "url": identity.url if identity.url.startswith("http") else None,
        # texts whose licence is not known have none to name
        "license-url": None if contents.unlicensed else contents.one("license"),
        "keywords": contents.all("keyword"),
        "references": [_reference(paper) for paper in contents.papers],
    }
    written: dict[str, Any] = {name: value for name, value in cited.items() if value}
    text = yaml.safe_dump(written, sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def _reference(paper: Paper) -> dict[str, Any]:
    return {
        "type": "article",
        "title": paper.title,
        "authors": [_person(name) for name in paper.author_names],
        "year": paper.year,
        "journal": paper.venue,
        "url": paper.url,
    }


def _person(name: str) -> dict[str, str]:
    given, _, family = name.rpartition(" ")
    return {"family-names": family, "given-names": given}
