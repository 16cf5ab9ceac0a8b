"""The pages of a release: its card, and the one beside the credits."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import jinja2
import pyarrow.parquet as pq

from gainsay.exports.templates import cell, link
from gainsay.release.contents import Contents, Credit
from gainsay.release.files import EXAMPLES_STEM, PICTURES_STEM, PROMPTS_STEM, SHOWN_STEM
from gainsay.release.identity import Identity
from gainsay.release.record import ReleaseRecord


@dataclass(frozen=True)
class Config:
    """A part of the release that the Hub loads by its name: the files of each split, and rows."""

    name: str
    # patterns of files below the folder
    files: dict[str, str]
    n_rows: dict[str, int]
    # unpacked, and as files
    n_bytes: dict[str, int]
    n_file_bytes: int
    is_default: bool = False


def configs_of(folder: Path, record: ReleaseRecord) -> list[Config]:
    """What the Hub shows of a release: the examples first, with their pictures where there are any.

    `datasets` counts what it loads against the rows that are said here.
    """
    splits = [*record.n_records]
    patterns = {
        "examples": {split: f"{EXAMPLES_STEM}{split}-*.parquet" for split in splits},
        "prompts": {"train": f"{PROMPTS_STEM}*.parquet"},
        "shown_pictures": {"train": f"{SHOWN_STEM}*.parquet"},
        "pictures": {"train": f"{PICTURES_STEM}*.parquet"},
        "examples_with_pictures": {s: f"hugging-face/data/{s}-*.parquet" for s in splits},
        # as the Hub's leaderboard asks for it
        "inspect": {split: f"inspect/data/{split}-*.parquet" for split in splits},
    }
    found = [_config(folder, name, files) for name, files in patterns.items()]
    configs = [one for one in found if one.files]
    shown = [one.name for one in configs]
    default = "examples_with_pictures" if "examples_with_pictures" in shown else "examples"
    return [replace(one, is_default=one.name == default) for one in configs]


def _config(folder: Path, name: str, patterns: dict[str, str]) -> Config:
    matched = {split: sorted(folder.glob(pattern)) for split, pattern in patterns.items()}
    footers = {
        split: [pq.read_metadata(path) for path in paths]
        for split, paths in matched.items()
        if paths
    }
    return Config(
        name,
        {split: patterns[split] for split in footers},
        {split: sum(one.num_rows for one in found) for split, found in footers.items()},
        {
            split: sum(
                one.row_group(number).total_byte_size
                for one in found
                for number in range(one.num_row_groups)
            )
            for split, found in footers.items()
        },
        sum(path.stat().st_size for paths in matched.values() for path in paths),
    )


def card(
    contents: Contents, identity: Identity, record: ReleaseRecord, configs: list[Config]
) -> str:
    """The card as Markdown, with the front matter that the Hugging Face hub reads."""
    return _template("card.md.jinja").render(
        contents=contents,
        identity=identity,
        record=record,
        licenses=_licenses(contents.given),
        configs=configs,
        size=_size(sum(record.n_records.values())),
    )


def _size(n_records: int) -> str:
    """How large a data set is, in the Hub's own words."""
    for least, size in ((10**6, "1M<n<10M"), (10**5, "100K<n<1M"), (10**4, "10K<n<100K"),
                        (10**3, "1K<n<10K")):  # fmt: skip
        if n_records >= least:
            return size
    return "n<1K"


def licenses_page(contents: Contents) -> str:
    """Which licences the pictures have, and how to get those that stay out."""
    return _template("licenses.md.jinja").render(
        contents=contents,
        given=_licenses(contents.given),
        withheld=_licenses(contents.withheld),
    )


def _licenses(pictures: list[Credit]) -> list[dict[str, str | int | None]]:
    """How many pictures there are of each licence."""
    counts: dict[tuple[str | None, str | None], int] = {}
    for credit in pictures:
        licence = credit.license_name, credit.license_url
        counts[licence] = counts.get(licence, 0) + 1
    return [
        {"license_name": name, "license_url": url, "n": counts[name, url]}
        for name, url in sorted(counts, key=str)
    ]


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsay.release", "templates"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        # what is made is Markdown, whose cells `cell` and `link` write
        autoescape=False,  # noqa: S701
    )
    environment.filters |= {"cell": cell, "link": link, "number": "{:,}".format}
    return environment.get_template(name)
