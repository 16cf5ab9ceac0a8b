"""What no argument may be, whichever command it is of."""

from typing import Any

import click

from gainsay.foundation.folders import printable


class _GivenPath(click.Path):
    """A path that names something: an empty one would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in ("", b""):
            self.fail("expected a path, found an empty text", param, ctx)
        return super().convert(value, param, ctx)


class _Utf8(click.types.StringParamType):
    """A text that a table can hold."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = super().convert(value, param, ctx)
        if isinstance(text, str) and text != printable(text):
            self.fail(f"{printable(text)}: is not UTF-8", param, ctx)
        return text


def check_arguments(command: click.Command) -> None:
    """Refuse empty paths, and texts of options that are not UTF-8, with the argument's name."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            check_arguments(each)
    for parameter in command.params:
        kind = parameter.type
        if type(kind) is click.Path:
            given = _GivenPath()
            given.__dict__.update(vars(kind))
            parameter.type = given
        elif type(kind) is click.types.StringParamType and isinstance(parameter, click.Option):
            parameter.type = _Utf8()
