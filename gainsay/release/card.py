"""The pages of a release: its card, and the one beside the credits."""

from functools import cache

import jinja2

from gainsay.exports.templates import cell, link
from gainsay.release.contents import Contents, Credit
from gainsay.release.identity import Identity
from gainsay.release.record import ReleaseRecord


def card(
    contents: Contents, identity: Identity, record: ReleaseRecord, shown_splits: list[str]
) -> str:
    """The card as Markdown, with the front matter that the Hugging Face hub reads.

    `shown_splits` are those of which there are examples with their pictures inside.
    """
    return _template("card.md.jinja").render(
        contents=contents,
        identity=identity,
        record=record,
        licenses=_licenses(contents.given),
        shown_splits=shown_splits,
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
