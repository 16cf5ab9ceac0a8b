"""The card of an export: what its folder holds, what stayed out, and under which licences."""

from gainsay.exports.formats import Format
from gainsay.exports.records import Record, Records
from gainsay.exports.templates import template

# what a card counts, by the heading of the table
_HEADINGS = {"condition": "caption shown", "change_type": "kind of change"}


def card(chosen: Format, records: Records, n_records: int, left_out: dict[str, int]) -> str:
    """The card as Markdown, with the front matter that the Hugging Face hub reads."""
    counts = {
        column: {str(row[column]): row["n"] for row in records.counts(column)}
        for column in chosen.counted
    }
    return template(f"{chosen.card}.md.jinja").render(
        kind=chosen.name,
        title="Conflict Suite",
        n_records=n_records,
        left_out=left_out,
        headings=_HEADINGS,
        counts=counts,
        licenses=records.counts("license_name", "license_url"),
        manifest=_manifest(records) if chosen.has_manifest else [],
    )


def _manifest(records: Records) -> list[Record]:
    """What the benchmark's manifest says of its content."""
    return list(
        records.rows("""
        select section, item, measure, value
        from conflict_suite.conflict_suite__manifest
        where section in ('content', 'split', 'code')
        order by all
    """)
    )
