"""Errors that stop a function altogether, as opposed to the error of one row."""


class SetupError(RuntimeError):
    """No row is to blame: a program, package or network is missing, or a var names none.

    The message names what is missing and the way to go on without it. Anything else that a
    function meets is the error of its row.
    """
