"""The one error that the command line prints without a traceback."""


class GainsayError(Exception):
    """Something a user can mend; the message says what, where, and what to do."""
