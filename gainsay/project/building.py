"""Building with dbt, and what came of it in a few words."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.connection import cause_of
from gainsay.foundation.errors import GainsayError
from gainsay.project.runner import build_folder, option, run_dbt

_GOOD = {"success", "pass", "no-op"}
# nodes that a person does not think of as built
_UNCOUNTED = {"exposure", "operation"}
_RESULTS = "run_results.json"
# of a run's arguments what is of this process alone, and would keep `dbt retry` from its own
_OWN_ARGUMENTS = ("partial_parse_file_path", "log_level")


class Failure(msgspec.Struct):
    """A node that did not end well: what dbt says, and its compiled SQL where it has some."""

    name: str
    resource_type: str
    status: str
    message: str
    compiled: Path | None


class Outcome(msgspec.Struct):
    """What a build did: how many nodes of each type ended how, and those that did not end well."""

    statuses: dict[tuple[str, str], int]
    built: set[str]
    # the formats of the var `export_formats` whose models were built
    exports: list[str]
    failures: list[Failure]
    is_success: bool


def build(
    arguments: Sequence[str],
    *,
    project: Path | None = None,
    listen: Callable[[Any], None] | None = None,
    has_unit_tests: bool = False,
    has_artefacts: bool = False,
    manifest: Any = None,
) -> Outcome:
    """`dbt build` with `arguments`, without unit tests unless they are asked for.

    `project`, `listen` and `manifest` are those of `run_dbt`. With `has_artefacts` dbt's
    `manifest.json` and `run_results.json` are in `target` afterwards, or where dbt is told to
    write, as `dbt retry` and `--state` read them, unless `DBT_WRITE_JSON` or an option of dbt's
    says otherwise. Raises `GainsayError` where dbt could not begin: for arguments it does not know,
    and for a project it cannot parse or compile.
    """
    arguments = ["build", *arguments]
    if option(arguments, "--log-level") is None:
        # where dbt and gainsay report the same, gainsay reports it
        arguments += ["--log-level", "none"]
    if not {"--use-fast-test-edges", "--no-use-fast-test-edges"} & {*arguments}:
        # the same order of tests and models by a twentieth of the edges; no flag of a project's
        arguments += ["--use-fast-test-edges"]
    if not has_unit_tests and option(arguments, "--resource-type", "--resource-types") is None:
        # dbt adds these to those that the arguments exclude
        arguments += ["--exclude-resource-type", "unit_test"]
    if has_artefacts and "DBT_WRITE_JSON" not in os.environ:
        # an option behind it, of whoever builds, counts
        arguments.insert(1, "--write-json")
    try:
        result = run_dbt(arguments, project=project, listen=listen, manifest=manifest)
    finally:
        # after a stop by hand, too
        if has_artefacts:
            _hand_over(option(arguments, "--target-path") or os.environ.get("DBT_TARGET_PATH"))
    if result.exception is not None:
        raise GainsayError(f"dbt cannot build: {cause_of(result.exception)}") from result.exception
    results = getattr(result.result, "results", [])
    return Outcome(
        statuses=Counter(
            (entry.node.resource_type.value, entry.status.value)
            for entry in results
            if entry.node.resource_type.value not in _UNCOUNTED
        ),
        built={entry.node.name for entry in results if entry.status.value in _GOOD},
        exports=built_exports(results),
        failures=[
            _failure(entry) for entry in results if entry.status.value not in _GOOD | {"skipped"}
        ],
        is_success=result.success,
    )


def built_exports(results: Sequence[Any]) -> list[str]:
    """The formats whose models are kept as files, among dbt's results those that ended well."""
    return [
        entry.node.name.removeprefix("exports__").replace("_", "-")
        for entry in results
        # an exposure, which is among the results, is no table of any kind
        if entry.node.resource_type.value == "model"
        and entry.node.config.materialized == "external"
        and entry.status.value in _GOOD
    ]


def _hand_over(named: str | None) -> None:
    """Put what a run has written of dbt's artefacts where plain dbt looks for it.

    dbt writes into a folder below, for the project that plain dbt parsed lies in its own.
    """
    written = Path(named) if named else build_folder()
    folder = written if named else written.parent
    results = written / _RESULTS
    if not results.exists():
        return
    content = msgspec.json.decode(results.read_bytes(), type=dict[str, msgspec.Raw])
    arguments = msgspec.json.decode(content["args"], type=dict[str, Any])
    for name in _OWN_ARGUMENTS:
        arguments.pop(name, None)
    content["args"] = msgspec.Raw(msgspec.json.encode(arguments))
    if not named:
        (written / "manifest.json").replace(folder / "manifest.json")
        results.unlink()
    write_atomically(folder / _RESULTS, msgspec.json.encode(content))


def _failure(entry: Any) -> Failure:
    compiled = getattr(entry.node, "compiled_path", None)
    return Failure(
        name=entry.node.name,
        resource_type=entry.node.resource_type.value,
        status=entry.status.value,
        message=(entry.message or "").strip(),
        compiled=Path(compiled) if compiled else None,
    )
