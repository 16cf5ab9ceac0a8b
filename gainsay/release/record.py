"""`release.json`: what a release is, and how much of everything is in it."""

from typing import Final

import msgspec

from gainsay.release.guessing import Margin, Variety
from gainsay.release.judging import GatePrecision

RECORD: Final = "release.json"
CROISSANT: Final = "croissant.json"


class Counted(msgspec.Struct, frozen=True):
    """How many records there are of a split and condition, and what they add up to.

    `digest` is the sum of 64 bits of the sha256 of each id and group, in hexadecimal digits.
    """

    split: str
    condition: str | None
    n: int
    digest: str


class ReleaseRecord(msgspec.Struct, frozen=True):
    """`release.json`: what a release is, and how much of everything is in it.

    Pictures that were taken down are counted over all benchmarks; of these its own are those for
    which `n_withdrawn` candidates of it dropped.
    """

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
    # releases from before these fields have none of them
    n_shown_pictures: int = 0
    n_own_withdrawn_pictures: int = 0
    # the landed files that say that `gainsay synth` made them
    synthetic_inputs: list[str] = msgspec.field(default_factory=list)
    # how well a reader guesses that sees no picture, and why it was released all the same
    margins: list[Margin] = msgspec.field(default_factory=list)
    although_guessed: str | None = None
    # how often people find that a stage was right, of the stages that they judged
    gate_precision: list[GatePrecision] = msgspec.field(default_factory=list)
    # the records by the benchmark's own examples, and how many of these are held back
    counts: list[Counted] = msgspec.field(default_factory=list)
    n_held_back: int = 0
    # how varied its splits are
    varieties: list[Variety] = msgspec.field(default_factory=list)
    # of `delivered.json`, which seals the rows of the tables and the files of the formats
    delivered_sha256: str | None = None
