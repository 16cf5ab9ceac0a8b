"""The JSON schemas that dbt checks settings by, kept between calls: to make them takes 0.1 s.

A schema says what a class of dbt's looks like, so it is another one only where another package is
installed.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import dbt
from dbt_common.dataclass_schema import dbtClassMixin

from gainsay.errors import GainsayError
from gainsay.io.atomic import write_atomically

_dbt: Any = dbtClassMixin
_json_schema: Any = vars(dbtClassMixin)["json_schema"]


@contextmanager
def kept_schemas(folder: Path) -> Iterator[None]:
    """Let dbt take the schemas of its classes from a file of a folder, and keep there new ones."""
    store = folder / f"schemas-{_versions()}.json"
    kept = _read(store)
    n_kept = len(kept)

    def json_schema(cls: type[Any]) -> dict[str, Any]:
        name = f"{cls.__module__}.{cls.__qualname__}"
        if name not in kept:
            made: dict[str, Any] = _json_schema.__func__(cls)
            # a class that a function makes may share its name with others
            if "<locals>" in name or not _is_json(made):
                return made
            kept[name] = made
        return kept[name]

    _dbt.json_schema = classmethod(json_schema)
    try:
        yield
    finally:
        _dbt.json_schema = _json_schema
        if len(kept) > n_kept:
            # without the file they are made anew
            with suppress(GainsayError):
                write_atomically(store, json.dumps(kept).encode())


def _is_json(schema: dict[str, Any]) -> bool:
    try:
        return bool(json.loads(json.dumps(schema)) == schema)
    except TypeError:
        return False


def _read(store: Path) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(store.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@cache
def _versions() -> str:
    installed = Path(dbt.__path__[0]).parent.glob("*.dist-info")
    names = [sys.version, *sorted(path.name for path in installed)]
    return sha256("\0".join(names).encode()).hexdigest()[:16]
