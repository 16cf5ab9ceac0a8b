"""`release.json`: what a release is, and how much of everything is in it."""

from typing import Final

import msgspec

RECORD: Final = "release.json"
CROISSANT: Final = "croissant.json"


class ReleaseRecord(msgspec.Struct, frozen=True):
    """`release.json`: what a release is, and how much of everything is in it."""

    benchmark: str
    version: str
    date_published: str
    manifest_sha256: str
    manifests: list[str]
    n_records: dict[str, int]
    n_prompts: int
    n_pictures: int
    withheld: dict[str, int]
    n_withdrawn_pictures: int
    n_withdrawn: int
    formats: dict[str, int]
