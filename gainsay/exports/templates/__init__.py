"""Texts with gaps: cards, and the files of a task for lmms-eval."""

import re
from collections.abc import Mapping
from functools import cache

import jinja2

_HIDDEN = str.maketrans({character: f"\\{character}" for character in "\\`*[]<>|"})


@cache
def template(*names: str) -> jinja2.Template:
    """The first template of these names that there is, beside this file."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsay.exports", "templates"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        # the templates make Markdown, YAML or Python, whose texts `cell` and `tojson` escape
        autoescape=False,  # noqa: S701
    )
    environment.filters["cell"] = cell
    environment.filters["link"] = link
    return environment.select_template(names)


def cell(value: object) -> str:
    """A value as a cell of a Markdown table: what landed files say becomes no markup."""
    return " ".join(str(value).translate(_HIDDEN).split())


def link(license_terms: Mapping[str, str | None]) -> str:
    """A licence as a cell: its name, with its address behind it where that is one of the web."""
    name, url = license_terms["license_name"], license_terms["license_url"]
    if url is None or not re.fullmatch(r"https?://[\w.~/%+:?=&-]+", url):
        return cell(name or url or "unknown")
    return f"[{cell(name)}]({url})" if name else url
