"""`gainsay browse`: all candidates of all screenings, on a page."""

import importlib.util
import webbrowser

import click

from gainsay.foundation.connection import connect, warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.renderings import renderings_of
from gainsay.python_udfs.installing import install_command


@click.command()
@click.option(
    "--port",
    default=8751,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="0 for any that is free.",
)
@click.option(
    "--browser/--no-browser",
    default=True,
    show_default=True,
    help="Open the page in the browser of this machine.",
)
def command(port: int, browser: bool) -> None:
    """Look at all candidates of all screenings, retained and dropped, until Ctrl+C.

    By facets with counts, by words of questions, answers and captions; each candidate with its
    picture and what is marked on it, the stages it passed, the examples it became, and how models
    answered them. Nothing is written. The address of a view can be shared on this machine; the
    warehouse is open only while a page is read, so a build goes on beside it.
    """
    if not all(map(importlib.util.find_spec, ("starlette", "uvicorn"))):
        raise GainsayError(
            f"the page needs starlette and uvicorn: {install_command('review')}; or ask"
            " audit.audit__candidates with gainsay sql"
        )
    from gainsay.browse.pages import BrowsePages
    from gainsay.review.app import Place
    from gainsay.review.serving import LOOPBACK, bound_to, in_address, run

    path = warehouse_path()
    with connect(read_only=True) as connection:
        renderings = renderings_of(connection)
    with bound_to(LOOPBACK[0], port) as bound:
        port = bound.getsockname()[1]
        place = Place(port, tuple(map(in_address, LOOPBACK)), has_links=False)
        address = f"http://{LOOPBACK[0]}:{port}"
        click.echo(address)
        click.echo("Ctrl+C ends it")
        if browser:
            webbrowser.open(address)
        run(BrowsePages(path, renderings, place).app(), bound)
