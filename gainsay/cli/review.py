"""`gainsay review`: people's verdicts on records, on a page or in sheets."""

import click

from gainsay.cli.review_page import serve_page
from gainsay.cli.review_progress import show_progress
from gainsay.cli.review_sheets import export_sheet, import_sheets
from gainsay.foundation.connection import connect
from gainsay.inspect.freshness import changes, warning

# what is settled where the gates are judged
_QUEUE = {"benchmark", "queue", "sql"}


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


@click.command("gates", params=[one for one in serve_page.params if one.name not in _QUEUE])
@click.option("--benchmark", help="Ask about the candidates of this benchmark; of all without it.")
@click.option("--stage", help="Ask about what ended at this stage (`retained` for what was kept).")
@click.option(
    "--with-picture/--all",
    "has_picture",
    default=True,
    show_default=True,
    help="Ask only about candidates whose picture is landed, or about all of the sample.",
)
@click.option("--with-reasons", is_flag=True, help="Show the reason of a drop before the verdict.")
@click.pass_context
def judge_gates(
    context: click.Context,
    /,
    *,
    benchmark: str | None,
    stage: str | None,
    has_picture: bool,
    with_reasons: bool,
    **options: object,
) -> None:
    """Judge a sample of what each stage dropped, and of what was retained, until Ctrl+C.

    Does it belong in the benchmark as it is? `audit__gate_precision` has the share of stages that
    were right, after the next build. Readers see neither the reason nor whether a candidate was
    dropped unless they ask for it; a vote keeps which it was.
    """
    from gainsay.review.gates import sample_query

    with connect(read_only=True) as connection:
        sql = sample_query(connection, benchmark, stage, has_picture=has_picture)
        if newer := warning(changes(connection, ["audit__gate_sample"])):
            click.echo(newer, err=True)
    queue = "gates_with_reasons" if with_reasons else "gates"
    context.invoke(serve_page, benchmark="audit", queue=queue, sql=sql, **options)


command.add_command(serve_page)
command.add_command(judge_gates)
command.add_command(show_progress)
command.add_command(export_sheet)
command.add_command(import_sheets)
