"""`gainsay review`: people's verdicts on records, on a page or in sheets."""

import click

from gainsay.cli.review_page import serve_page
from gainsay.cli.review_sheets import export_sheet, import_sheets


class _PageUnlessNamed(click.Group):
    """A group whose command without a name is `serve`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_help = args[:1] in ([name] for name in ctx.help_option_names)
        if not is_help and (not args or args[0].startswith("-")):
            args = ["serve", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_PageUnlessNamed)
def command() -> None:
    """Have people judge records, and land what they say.

    `gainsay review` alone opens the page, with the options of `gainsay review serve`; those who
    cannot run a page fill in sheets.
    """


command.add_command(serve_page)
command.add_command(export_sheet)
command.add_command(import_sheets)
