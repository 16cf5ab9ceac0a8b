"""The one error that the command line prints without a traceback."""

import click


class GainsayError(click.ClickException):
    """Something a user can mend; the message says what, where, and what to do."""
