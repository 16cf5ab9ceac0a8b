"""What tells one version of a package of functions from any other."""

import importlib.util
from functools import cache
from hashlib import md5
from pathlib import Path

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
    found = importlib.util.find_spec(name) if name.isidentifier() else None
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0])
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.py")}
    hashes = (f"{path}:{_md5(files[path].read_bytes())}" for path in sorted(files))
    return _md5("\n".join(hashes).encode())


def _md5(content: bytes) -> str:
    return md5(content, usedforsecurity=False).hexdigest()
