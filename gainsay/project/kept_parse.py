"""A project as dbt parsed it, kept whole and taken as it is where nothing has changed since.

dbt keeps one, too, and then goes through all of the project once more to find what changed. What
is kept here is taken only if everything that a parse depends on is the same, byte for byte; in
all other cases dbt decides, from what it kept itself.
"""

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from dbt.adapters.factory import get_adapter, register_adapter
from dbt.cli import requires
from dbt.config.runtime import RuntimeConfig
from dbt.constants import DEFAULT_ENV_PLACEHOLDER
from dbt.context.providers import generate_runtime_macro_context
from dbt.context.query_header import generate_query_header_context
from dbt.contracts.graph.manifest import Manifest
from dbt.events.types import PartialParsingSkipParsing
from dbt.flags import get_flags
from dbt.mp_context import get_mp_context
from dbt.parser.manifest import write_manifest
from dbt_common.events.functions import fire_event
from dbt_common.invocation import get_invocation_id

from gainsay.errors import GainsayError
from gainsay.io.atomic import write_atomically

# what dbt reads below a project's folders
_SUFFIXES = (".sql", ".yml", ".yaml", ".md", ".csv", ".json", ".py")
# and beside them
_ROOT_FILES = (
    "dbt_project.yml", "dependencies.yml", "packages.yml", "package-lock.yml", "selectors.yml",
    "catalogs.yml", "vars.yml", ".dbtignore",
)  # fmt: skip
# whose classes a parsed project is made of
# `uuid`: dbt names a user whom it may count
_PACKAGES = {"dbt", "dbt_common", "datetime", "dateutil", "uuid"}
# a function, which gives what stands for UTC
_UTC = ("pytz", "_UTC")
_dbt: Any = requires

# commands that write the manifest at their end, and need not do so at their start as well
_WRITES_LATER = {"build", "compile", "generate", "run", "seed", "snapshot", "test"}


@contextmanager
def kept_parse(store: Path) -> Iterator[None]:
    """Let dbt take a parsed project from a file where it may, and keep there what it parses."""
    before: Callable[..., Manifest] = _dbt.parse_manifest

    def parse(
        config: RuntimeConfig,
        has_times: bool,
        is_written: bool,
        writes_json: bool,
        integrations: list[Any],
    ) -> Manifest:
        flags: Any = get_flags()  # type: ignore[no-untyped-call]
        is_written &= flags.WHICH not in _WRITES_LATER
        fingerprint = _fingerprint(config) if flags.PARTIAL_PARSE else None
        manifest = _read(store, fingerprint) if fingerprint else None
        if manifest:
            _make_known(manifest, config, integrations)
            if is_written and writes_json:
                write_manifest(manifest, config.project_target_path)
            return manifest
        manifest = before(config, has_times, is_written, writes_json, integrations)
        if fingerprint:
            # dbt reads its own file where this one cannot be written
            with suppress(GainsayError, pickle.PicklingError, TypeError):
                write_atomically(store, _kept(manifest, fingerprint))
        return manifest

    _dbt.parse_manifest = parse
    try:
        yield
    finally:
        _dbt.parse_manifest = before


def _read(store: Path, fingerprint: bytes) -> Manifest | None:
    """The parsed project of a file, if it has this fingerprint and variables are as they were."""
    try:
        with store.open("rb") as file:
            if file.read(len(fingerprint)) != fingerprint:
                return None
            data = file.read()
        parts: dict[str, Any] = _Unpickler(BytesIO(data)).load()
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError, ImportError):
        return None
    # of those in files; those in dbt_project.yml are a part of the fingerprint
    if any(
        os.environ.get(name, DEFAULT_ENV_PLACEHOLDER) != value
        for name, value in parts["env_vars"].items()
    ):
        return None
    return Manifest(**parts)


def _kept(manifest: Manifest, fingerprint: bytes) -> bytes:
    """A file's content. dbt's own way to pickle a manifest shifts the last of its fields."""
    names = [field.name for field in fields(manifest) if not field.name.startswith("_")]
    parts = {name: getattr(manifest, name) for name in names}
    return fingerprint + pickle.dumps(parts, protocol=pickle.HIGHEST_PROTOCOL)


class _Unpickler(pickle.Unpickler):
    """Makes objects of dbt's classes, and calls nothing else: a file may be anybody's."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name)
        is_class = isinstance(found, type) and found.__module__ == module
        if (module, name) != _UTC and not (is_class and module.partition(".")[0] in _PACKAGES):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a parsed project")
        return found


def _make_known(manifest: Manifest, config: RuntimeConfig, integrations: list[Any]) -> None:
    """What dbt does beside parsing: the adapter knows the macros, and the time is now."""
    register_adapter(config, get_mp_context())
    adapter: Any = get_adapter(config)
    adapter.set_macro_context_generator(generate_runtime_macro_context)
    for integration in integrations:
        adapter.add_catalog_integration(integration)
    adapter.set_macro_resolver(manifest)
    adapter.connections.set_query_header(generate_query_header_context(adapter.config, manifest))
    manifest.metadata.generated_at = datetime.now(UTC).replace(tzinfo=None)
    manifest.metadata.invocation_id = get_invocation_id()
    fire_event(PartialParsingSkipParsing())


def _fingerprint(config: RuntimeConfig) -> bytes:
    """A hash over all that a parse depends on, beside the variables that its files read."""
    root = Path(config.project_root)
    hashed = sha256()
    for part in (
        sys.version,
        *_installed(),
        str(root),
        config.args.profile,
        config.args.target,
        config.profile_name,
        config.target_name,
        config.credentials.type,
        config.credentials.database,
        config.credentials.schema,
        sorted(config.project_env_vars.items()),
        sorted(config.cli_vars.items(), key=repr),
    ):
        hashed.update(f"{part!r}\0".encode())
    for path in _inputs(config, root):
        try:
            data = path.read_bytes()
        except OSError:
            # dbt says what is wrong with it, unless it ignores it
            data = b""
        # two files must not look like one
        hashed.update(f"{path}\0{len(data)}\0".encode())
        hashed.update(data)
    return hashed.digest()


def _installed() -> list[str]:
    """The packages beside dbt, each with its version in its name."""
    folder = Path(requires.__file__).parents[2]
    return sorted(path.name for path in folder.glob("*.dist-info"))


def _inputs(config: RuntimeConfig, root: Path) -> Iterator[Path]:
    for name in _ROOT_FILES:
        if (root / name).is_file():
            yield root / name
    folders = {
        *config.all_source_paths, *config.macro_paths, *config.docs_paths, *config.test_paths,
        config.packages_install_path,
    }  # fmt: skip
    for folder in sorted(folders):
        yield from _files_below(root / folder)
    # what takes part in parsing, and has no version of its own in a checkout
    yield from _files_below(Path(__file__).parent)


def _files_below(folder: Path) -> Iterator[Path]:
    for path, folders, names in os.walk(folder, followlinks=True):
        folders.sort()
        for name in sorted(names):
            if name.endswith(_SUFFIXES):
                yield Path(path, name)
