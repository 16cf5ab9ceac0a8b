"""What no argument may be, whichever command it is of."""

import math
import os
import re
from typing import Any, Final

import click

# what stands for a byte
_HALF: Final = re.compile("[\udc80-\udcff]")


class _GivenPath(click.Path):
    """A path that names something: an empty one would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in ("", b""):
            self.fail("expected a path, found an empty text", param, ctx)
        if "\0" in os.fsdecode(value):
            self.fail("expected a path, found a NUL in it", param, ctx)
        return super().convert(value, param, ctx)


class Utf8(click.types.StringParamType):
    """A text that a table can hold."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = super().convert(value, param, ctx)
        if not isinstance(text, str) or not _HALF.search(text):
            return text
        # in a locale without UTF-8 the letters of a text come as bytes
        given = text.encode(errors="surrogateescape")
        try:
            return given.decode()
        except UnicodeDecodeError:
            shown = given.decode(errors="backslashreplace")
            return self.fail(f"{shown}: is not UTF-8", param, ctx)


class _Finite(click.FloatRange):
    """A number: `nan` is within any range, as it is neither below nor above it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number", param, ctx)
        return number


def check_arguments(command: click.Command) -> None:
    """Refuse what no argument may be, with the argument's name.

    An empty path, a text that should be a number, and a text of an option that is not UTF-8.
    """
    if isinstance(command, click.Group):
        for each in command.commands.values():
            check_arguments(each)
    for parameter in command.params:
        kind = parameter.type
        if type(kind) is click.Path:
            given = _GivenPath()
            given.__dict__.update(vars(kind))
            parameter.type = given
        elif isinstance(kind, click.FloatRange | click.types.FloatParamType):
            finite = _Finite()
            finite.__dict__.update(vars(kind))
            parameter.type = finite
        elif type(kind) is click.types.StringParamType and isinstance(parameter, click.Option):
            parameter.type = Utf8()
