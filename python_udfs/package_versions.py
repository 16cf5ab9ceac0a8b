"""The version of a package of functions: a hash of its files."""

import importlib.util
from collections.abc import Iterator
from functools import cache
from hashlib import md5
from importlib.resources import files
from importlib.resources.abc import Traversable

import pyarrow as pa


def package_md5s(packages: pa.Array) -> pa.Array:
    """The MD5 over the source files of each package; null for null and for what is no package.

    A file counts as its path in the package and its content, so a file that is renamed, added or
    changed changes the hash. Where the package is installed does not.

    Shapes: texts to texts. Errors: none.
    """
    return pa.array([name and _package_md5(name) for name in packages.to_pylist()], pa.string())


@cache
def _package_md5(name: str) -> str | None:
    if not all(map(str.isidentifier, name.split("."))):
        return None
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        # what the package would lie in
        return None
    if found is None or not found.submodule_search_locations:
        return None
    # through the loader: the workers of a cluster import packages from a zip archive
    sources = sorted(_sources(files(name)))
    return _md5("\n".join(f"{path}:{_md5(content)}" for path, content in sources).encode())


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    """The path and content of each source file below a folder."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield f"{path}{entry.name}", entry.read_bytes()


def _md5(content: bytes) -> str:
    return md5(content, usedforsecurity=False).hexdigest()
