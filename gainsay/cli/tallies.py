"""What became of questions to a server, in a few lines."""

import click

from gainsay.lm.runner import Tally

_MOST_REASONS = 10


def show_failures(tally: Tally, what: str) -> None:
    """Say how many questions failed for each of the most frequent reasons."""
    for reason, n in tally.failures.most_common(_MOST_REASONS):
        click.echo(f"{n:,} {what}: {reason}", err=True)
    if (n_more := len(tally.failures) - _MOST_REASONS) > 0:
        click.echo(f"and {n_more:,} other reasons", err=True)
