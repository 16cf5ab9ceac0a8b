"""dbt in the same process, with the project parsed once for all warehouses."""

import gc
import gzip
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import md5
from pathlib import Path
from typing import Any

import yaml
from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.adapters.duckdb.credentials import DuckDBCredentials
from dbt.cli.main import dbtRunner, dbtRunnerResult
from dbt_common.exceptions import DbtRuntimeError

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.connection import warehouse_path
from gainsay.foundation.limits import require_sound_numbers
from gainsay.project.folder import project_folder
from gainsay.project.slices import link, slice_of
from gainsay.python_udfs.storage import absolute

_PARSED = "partial_parse.msgpack"
_PACKED = ".msgpack.gz"
# behind the name of a parsed project that has unit tests
_UNITS = "-units"
_TARGET = ("--target", "-t")
# a parsed project takes 2 MB, packed from 11; every set of --vars has one of its own
_MOST_PARSED = 16
# what dbt would look for in the project's folder, and a person expects in the current one
_FOLDERS = {
    "GAINSAY_RENDERINGS": "data/renderings",
    "GAINSAY_EXPORTS": "data/exports",
}

# what dbt's own users live on costs a run a second or more: artefacts of 11 MB, which `gainsay
# build` alone asks for, the names of all that other schemas hold, and a log of which dbt writes out
# each line before it looks at its level. Whoever sets the variable, or names the option, has it
_OPERATING = {
    "DBT_WRITE_JSON": "false",
    "DBT_CACHE_SELECTED_ONLY": "true",
    "DBT_LOG_LEVEL_FILE": "none",
}


def run_dbt(
    arguments: Sequence[str],
    *,
    project: Path | None = None,
    warehouse: Path | None = None,
    target_path: Path | None = None,
    parsed: Path | None = None,
    listen: Callable[[Any], None] | None = None,
    manifest: Any = None,
) -> dbtRunnerResult:
    """Run dbt in this process: `run_dbt(["build", "--select", "x"], warehouse=path)`.

    `arguments` are those of the command `dbt`. `project` is `project_folder()` and `warehouse`
    what GAINSAY_DB says unless given; `listen` gets every event of dbt's. dbt's artefacts, which
    `--write-json` asks for, and its log go to `target_path`, which is `DBT_TARGET_PATH` or
    `target/build` in the current folder.

    **Parsing.** dbt parses a project anew, which takes half a minute, whenever the profile says
    something else, such as another path of the warehouse. Here it keeps one parsed project for
    each project folder, target, database name (a DuckDB file's name without its suffix) and set
    of `--vars`, in `parsed`: `GAINSAY_PARSED`, or `target/parsed` in the current folder. Whatever
    warehouse a call names, if its file has a known name, dbt parses what changed since. Several
    processes may share a folder. What dbt reads is the slice of the project (`slices.py`) that the
    var `benchmarks` names, without unit tests where none can run. A command that runs dbt several
    times gives it the `manifest` that its first run resulted in, for the same project and vars:
    then nothing is read again.
    Where that should ever be wrong, `--no-partial-parse` among the arguments parses all of it.

    **Caveats.** One call at a time in a process: for its time the environment and the current
    folder are changed, as dbt wants them, and put back after it. The DuckDB connection is closed
    when it returns. A model must not read paths from Jinja's `target` while dbt parses: such a
    value would be another warehouse's. `KeyboardInterrupt` is raised after dbt has cancelled its
    queries; every other failure is in the result, as `dbtRunner` has it. Raises `GainsayError` for
    a variable of the environment that should be a number and is not.
    """
    require_sound_numbers()
    named = option(arguments, "--project-dir")
    folder = Path(named).resolve() if named else project_folder(project)
    named = option(arguments, "--target-path")
    target_path = (Path(named) if named else target_path or build_folder()).resolve()
    arguments = _with_project_folders(list(arguments), folder, target_path)
    arguments = _without_default_target(arguments)
    database = (warehouse or warehouse_path()).resolve()
    kept = (parsed or parsed_folder()).resolve()
    key = _key(arguments, database)
    store, with_units = kept / f"{key}{_PACKED}", kept / f"{key}{_UNITS}{_PACKED}"
    # what was parsed with unit tests serves a run without them as well
    if _may_test_units(arguments) or (with_units.exists() and not store.exists()):
        store = with_units
    written = target_path / _PARSED
    written.unlink(missing_ok=True)
    environment = {"GAINSAY_DB": str(database)} | {
        name: absolute(os.environ.get(name, default)) for name, default in _FOLDERS.items()
    }
    environment |= {name: os.environ.get(name, value) for name, value in _OPERATING.items()}
    with (
        _environment(environment),
        _working_folder(),
        _rare_collections(),
        _one_parse_for_all(),
    ):
        try:
            result = _invoke(arguments, store, listen, manifest)
        finally:
            DuckDBConnectionManager.close_all_connections()  # type: ignore[no-untyped-call]
    # dbt writes it only where it parsed something
    if written.exists() and result.exception is None:
        _keep(written, store)
    if isinstance(result.exception, KeyboardInterrupt):
        raise result.exception
    return result


def _invoke(
    arguments: list[str], store: Path, listen: Callable[[Any], None] | None, manifest: Any
) -> dbtRunnerResult:
    callbacks = [listen] if listen else []
    folder = _slice_folder(store)
    if manifest is None:
        sliced = _of_slice(arguments, store)
    else:
        # as it was when it was parsed
        sliced = [*arguments, "--project-dir", str(folder)] if folder.is_dir() else arguments
    with _unpacked(None if manifest else store) as parsed:
        known = ["--partial-parse-file-path", str(parsed)] if parsed else []
        result = dbtRunner(manifest=manifest, callbacks=callbacks).invoke([*sliced, *known])
    if isinstance(result.exception, DbtRuntimeError) and (known or manifest or sliced != arguments):
        # dbt may stumble over what it knew of files that are gone, and a slice may leave out what a
        # run needs; the project itself decides
        store.unlink(missing_ok=True)
        # texts of what a slice has not would be missing from what dbt parses in part
        written = Path(option(arguments, "--target-path") or "target", _PARSED)
        written.unlink(missing_ok=True)
        result = dbtRunner(callbacks=callbacks).invoke(arguments)
        if sliced != arguments:
            # it is of the whole project, and what is kept would be taken for the slice's
            written.unlink(missing_ok=True)
    return result


def _of_slice(arguments: list[str], store: Path) -> list[str]:
    """The arguments with the folder that holds what dbt has to read for them."""
    if "--no-partial-parse" in arguments:
        return arguments
    project = Path(option(arguments, "--project-dir") or ".")
    benchmarks = _cli_vars(arguments).get("benchmarks")
    if not isinstance(benchmarks, list):
        benchmarks = None
    folder = _slice_folder(store)
    files = slice_of(project, benchmarks, has_unit_tests=folder.name.endswith(_UNITS))
    if files is None:
        return arguments
    link(project, files, folder)
    return [*arguments, "--project-dir", str(folder)]


def _may_test_units(arguments: list[str]) -> bool:
    """Whether a run of dbt with these arguments may run or list unit tests."""
    if not {"build", "test", "list", "ls"} & {*arguments}:
        return False
    chosen = _all_of(arguments, "--resource-type", "--resource-types")
    left_out = _all_of(arguments, "--exclude-resource-type", "--exclude-resource-types")
    return ("unit_test" in chosen or not chosen) and "unit_test" not in left_out


def _all_of(arguments: list[str], *names: str) -> set[str]:
    """All values of an option that takes several: `--x a b`, `--x a --x b` or `--x=a`."""
    found: set[str] = set()
    is_value = False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if argument.startswith("-"):
            is_value = name in names and not equals
            found |= {value} if name in names and equals else set()
        elif is_value:
            found.add(argument)
    return found


def _cli_vars(arguments: Sequence[str]) -> dict[str, Any]:
    """What `--vars` says; nothing where it is no YAML, of which dbt says what is wrong."""
    try:
        found = yaml.safe_load(option(arguments, "--vars") or "{}")
    except yaml.YAMLError:
        return {}
    return found if isinstance(found, dict) else {}


def parsed_folder() -> Path:
    """Where parsed projects are kept between calls."""
    return Path(os.environ.get("GAINSAY_PARSED", "target/parsed"))


def option(arguments: Sequence[str], *names: str) -> str | None:
    """The value of an option of dbt's among its arguments, as `--vars X` or `--vars=X`."""
    found = None
    for position, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name in names:
            found = value if equals else "".join(arguments[position + 1 : position + 2])
    return found


def build_folder() -> Path:
    """Where dbt writes unless a call says otherwise; what plain dbt parsed lies above it."""
    return Path(os.environ.get("DBT_TARGET_PATH", "target/build"))


def _with_project_folders(arguments: list[str], folder: Path, target_path: Path) -> list[str]:
    """The arguments with the project's folders, where they name none."""
    defaults = {
        "--project-dir": folder,
        "--profiles-dir": folder / "profiles",
        "--target-path": target_path,
        "--log-path": target_path / "logs",
    }
    for name, value in defaults.items():
        if option(arguments, name) is None:
            arguments += [name, str(value)]
    return arguments


def _without_default_target(arguments: list[str]) -> list[str]:
    """The arguments without a target that the profile names anyway.

    dbt parses the project anew where a target is named and was not before, or the other way.
    """
    try:
        text = (Path(option(arguments, "--profiles-dir") or ".") / "profiles.yml").read_text(
            encoding="utf-8"
        )
        profiles = yaml.safe_load(text).values()
        defaults = {profile["target"] for profile in profiles if "outputs" in profile}
    except (OSError, UnicodeDecodeError, yaml.YAMLError, AttributeError, KeyError, TypeError):
        # dbt says what is wrong with them
        return arguments
    if defaults != {option(arguments, *_TARGET)}:
        return arguments
    kept = []
    position = 0
    while position < len(arguments):
        name, equals, _ = arguments[position].partition("=")
        if name not in _TARGET:
            kept.append(arguments[position])
        position += 2 if name in _TARGET and not equals else 1
    return kept


def _key(arguments: list[str], database: Path) -> str:
    """What parsing depends on beside the project's files, as a file name."""
    parts = [
        option(arguments, "--project-dir"),
        option(arguments, "--profiles-dir"),
        option(arguments, "--profile"),
        option(arguments, *_TARGET),
        database.stem,
        json.dumps(_cli_vars(arguments), sort_keys=True, default=str),
    ]
    return md5(json.dumps(parts).encode(), usedforsecurity=False).hexdigest()


def _keep(written: Path, store: Path) -> None:
    """Put a parsed project where the next call finds it, whole at once; drop the oldest."""
    store.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(store, gzip.compress(written.read_bytes(), compresslevel=1, mtime=0))
    written.unlink()
    kept = sorted(store.parent.glob(f"*{_PACKED}"), key=_modified, reverse=True)
    for old in kept[_MOST_PARSED:]:
        old.unlink(missing_ok=True)
        shutil.rmtree(_slice_folder(old), ignore_errors=True)


def _slice_folder(store: Path) -> Path:
    """The folder of links of which a parsed project was made, where it was a slice."""
    return store.with_name(store.name.removesuffix(_PACKED))


@contextmanager
def _unpacked(store: Path | None) -> Iterator[Path | None]:
    """Yield a parsed project as dbt reads it, None where there is none, or not as it was kept."""
    if store is None:
        yield None
        return
    try:
        parsed = gzip.decompress(store.read_bytes())
    except FileNotFoundError:
        yield None
        return
    except (OSError, EOFError, zlib.error):
        # a disk that flips a bit would let every later run fail
        store.unlink(missing_ok=True)
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="gainsay-") as scratch:
        path = Path(scratch, _PARSED)
        path.write_bytes(parsed)
        yield path


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        # another process has removed it
        return 0.0


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _working_folder() -> Iterator[None]:
    """Come back to the current folder: dbt works in the project's and stays there."""
    before = Path.cwd()
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _one_parse_for_all() -> Iterator[None]:
    """Have dbt keep one parsed project for all warehouses of a name, for the time of a run.

    It parses a project anew where any setting of the profile differs that `_connection_keys`
    names, but no more of them than database and schema end up in a parsed project: paths, memory
    and threads are read when it connects. This is the one private part of dbt that is replaced
    here. In dbt itself a profile's hash would hold what was read of it while dbt parsed, as it
    holds which file read which variable of the environment.
    """
    before = DuckDBCredentials._connection_keys
    DuckDBCredentials._connection_keys = _parsed_settings  # type: ignore[method-assign]
    try:
        yield
    finally:
        DuckDBCredentials._connection_keys = before  # type: ignore[method-assign]


def _parsed_settings(_credentials: DuckDBCredentials) -> tuple[str, ...]:
    return "database", "schema"


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Have Python look for cycles less often: a parsed project is a million objects that stay.

    By default it looks whenever 700 more were made than freed.
    """
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
