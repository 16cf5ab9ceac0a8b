"""What dbt does anew for every text and setting that it parses, done once.

Most texts of a project's YAML have nothing to render, and dbt compiles each to find that out; many
settings are those of all their neighbours, and dbt validates each of them.
"""

from functools import cache
from hashlib import blake2b
from typing import Any

from dbt.clients import jinja
from dbt.context import base
from dbt.parser import manifest
from dbt_common.clients.jinja import parse
from dbt_common.dataclass_schema import dbtClassMixin

_validate: Any = vars(dbtClassMixin)["validate"]
_get_doc_blocks = manifest._get_doc_blocks


class PlainTexts(dict[str, Any]):
    """What `get_rendered` remembers of texts without Jinja: most are rendered to themselves."""

    def __contains__(self, text: object) -> bool:
        # Jinja drops a line break at the end, and writes all others alike
        is_itself = isinstance(text, str) and "\r" not in text and not text.endswith("\n")
        return is_itself or super().__contains__(text)

    def __missing__(self, text: str) -> str:
        return text


def doc_blocks(description: str, project: Any, package: str) -> list[str]:
    """What `_get_doc_blocks` gives; it parses a text that names no block, too."""
    if "{" not in description:
        return []
    found: list[str] = _get_doc_blocks(description, project, package)
    return found


def validate_once() -> Any:
    """What `dbtClassMixin.validate` does, once for the same values; errors come each time."""
    valid: set[tuple[type[Any], bytes]] = set()

    def validate(cls: type[Any], data: Any) -> None:
        key = cls, blake2b(repr(data).encode(errors="surrogatepass")).digest()
        if key not in valid:
            _validate.__get__(None, cls)(data)
            valid.add(key)

    return classmethod(validate)


def replaced() -> tuple[tuple[Any, str, Any], ...]:
    """What takes whose place while a project is parsed."""
    return (
        (jinja, "_render_cache", PlainTexts()),
        (base, "get_context_modules", cache(base.get_context_modules)),
        (manifest, "_get_doc_blocks", doc_blocks),
        (manifest, "parse", cache(parse)),
        (dbtClassMixin, "validate", validate_once()),
    )
