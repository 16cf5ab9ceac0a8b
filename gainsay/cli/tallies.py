"""What became of questions to a server, in a few lines."""

import click

from gainsay.foundation.http import without_password
from gainsay.lm.chat_client import KEY_VARIABLE
from gainsay.lm.runner import Tally

_MOST_REASONS = 10


def show_failures(tally: Tally, what: str) -> None:
    """Say how many questions failed for each of the most frequent reasons."""
    for reason, n in tally.failures.most_common(_MOST_REASONS):
        click.echo(f"{n:,} {what}: {reason}", err=True)
    if (n_more := len(tally.failures) - _MOST_REASONS) > 0:
        click.echo(f"and {n_more:,} other reasons", err=True)


def show_doubts(tally: Tally, base_url: str) -> None:
    """Ask what may be wrong with the command, where the failures are not the server's own."""
    address = without_password(base_url)
    if "key" in tally.doubts:
        click.echo(f"is {KEY_VARIABLE} set, and a key of {address}?", err=True)
    if "address" in tally.doubts:
        click.echo(f"is {address} the server's address?", err=True)
