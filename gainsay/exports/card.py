"""The card of an export: what its folder holds, what stayed out, and under which licences."""

from gainsay.exports.formats import Format
from gainsay.exports.records import HELD_BACK, NAME_STATE, ONE_SIDED, Records
from gainsay.exports.templates import template
from gainsay.foundation.names import title

# the columns that a card counts, by the heading of the table
_HEADINGS = {"condition": "caption shown", "change_type": "kind of change"}
# why records stay behind
_STAYS = {
    HELD_BACK: "held back: others are tested of the same pictures (`--split held_back`)",
    ONE_SIDED: "the words alone tell the right answer (`--one-sided`)",
}

# what a blind reader sees, in words
_VIEWS = {"both": "question and text"}


def card(
    chosen: Format,
    records: Records,
    benchmark: str,
    n_records: int,
    left_out: dict[str, int],
    stays: dict[str, int],
) -> str:
    """The card as Markdown, with the front matter that the Hugging Face hub reads.

    Its text is `<benchmark>.md.jinja` of the templates where there is one.
    """
    counts = {
        column: {str(row[column]): row["n"] for row in records.counts(column)}
        for column in chosen.counted
    }
    return template(f"{chosen.card or benchmark}.md.jinja", "card.md.jinja").render(
        kind=chosen.name,
        title=title(benchmark),
        n_records=n_records,
        is_without_pictures=records.state == NAME_STATE,
        left_out=left_out,
        stays={_STAYS[reason]: n for reason, n in stays.items()},
        headings=_HEADINGS,
        counts=counts,
        licenses=records.counts("license_name", "license_url"),
        languages=records.languages() if chosen.has_languages else [],
        people=records.people() if chosen.benchmark is None else [],
        blind_scores=records.blind_scores(benchmark, chosen.read_blind)
        if chosen.read_blind
        else [],
        is_for_finetuning=chosen.is_for_finetuning,
        blind_readings=records.blind_readings(benchmark) if chosen.is_for_finetuning else None,
        views=_VIEWS,
        manifest=records.manifest(benchmark) if chosen.card is None else [],
    )
