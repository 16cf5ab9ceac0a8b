"""The dbt project as dbt compiles it: its models, seeds and raw tables, and the SQL of each."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import msgspec
import yaml

from gainsay.foundation.connection import warehouse_path
from gainsay.foundation.errors import GainsayError

_RUN_DBT = """
import sys
from gainsay.project.runner import run_dbt
result = run_dbt(sys.argv[1:])
sys.exit(0 if result.success else result.exception or 1)
"""
_INPUTS = ("dbt_project.yml", "profiles", "macros", "models", "seeds", "tests")


class _Contract(msgspec.Struct):
    enforced: bool = False


class _Checksum(msgspec.Struct):
    checksum: str = ""


class _DependsOn(msgspec.Struct):
    nodes: list[str] = msgspec.field(default_factory=list)


class _TestMetadata(msgspec.Struct):
    name: str
    kwargs: dict[str, Any]


class _Config(msgspec.Struct):
    meta: dict[str, Any] = msgspec.field(default_factory=dict)


class Column(msgspec.Struct):
    """A column as the YAML has it."""

    name: str
    data_type: str | None = None
    config: _Config = msgspec.field(default_factory=_Config)


class Node(msgspec.Struct):
    """A model, seed, raw table or test of the project, as dbt's manifest has it."""

    unique_id: str
    name: str
    resource_type: str
    schema: str
    path: str
    columns: dict[str, Column] = msgspec.field(default_factory=dict)
    config: _Config = msgspec.field(default_factory=_Config)
    contract: _Contract = msgspec.field(default_factory=_Contract)
    depends_on: _DependsOn = msgspec.field(default_factory=_DependsOn)
    checksum: _Checksum = msgspec.field(default_factory=_Checksum)
    compiled_code: str | None = None
    attached_node: str | None = None
    test_metadata: _TestMetadata | None = None

    @property
    def known_as(self) -> str:
        """The name by which people know it: a raw table's has its schema, others are unique."""
        return f"{self.schema}.{self.name}" if self.resource_type == "source" else self.name

    @property
    def relation(self) -> tuple[str, str]:
        """Schema and name in a warehouse, whatever the warehouse is called."""
        return self.schema, self.name

    @property
    def folder(self) -> str:
        """The room that it lies in, such as `shared`; of a benchmark its own, `conflict_suite`."""
        room, *rest = self.path.split("/")
        return rest[0] if room == "benchmarks" and len(rest) > 1 else room


class _DescribedModel(msgspec.Struct):
    name: str
    columns: list[Column] = msgspec.field(default_factory=list)


class _Described(msgspec.Struct):
    """The YAML beside a model."""

    models: list[_DescribedModel] = msgspec.field(default_factory=list)


class Macro(msgspec.Struct):
    """A macro, as dbt's manifest has it."""

    name: str
    package_name: str
    macro_sql: str


class _Metadata(msgspec.Struct):
    project_name: str = ""


class Project(msgspec.Struct):
    """What dbt's manifest says of a project."""

    nodes: dict[str, Node]
    sources: dict[str, Node]
    macros: dict[str, Macro] = msgspec.field(default_factory=dict)
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)

    def of_type(self, resource_type: str) -> list[Node]:
        """The nodes of one type, such as `model`, in the order of their names."""
        nodes = (*self.nodes.values(), *self.sources.values())
        found = (node for node in nodes if node.resource_type == resource_type)
        return sorted(found, key=lambda node: node.known_as)

    @property
    def marts(self) -> list[Node]:
        """The models with a contract, which are those that others may rely on."""
        return [model for model in self.of_type("model") if model.contract.enforced]

    def up_to(self, name: str) -> "Project":
        """The project without the models that the named one is not made of."""
        unseen = [node.unique_id for node in self.of_type("model") if node.name == name]
        kept: set[str] = set()
        while unseen:
            unique_id = unseen.pop()
            if unique_id not in kept and unique_id in self.nodes:
                kept.add(unique_id)
                unseen += self.nodes[unique_id].depends_on.nodes
        return msgspec.structs.replace(self, nodes={id_: self.nodes[id_] for id_ in sorted(kept)})

    def code_fingerprint(self) -> str:
        """The MD5 over models, seeds and macros, as the macro of this name says."""
        nodes = self.of_type("model") + self.of_type("seed")
        checksums = [f"{node.name}:{node.checksum.checksum}" for node in nodes]
        checksums += [
            f"macro {macro.name}:{_md5(macro.macro_sql)}"
            for macro in self.macros.values()
            if macro.package_name == self.metadata.project_name
        ]
        return _md5("\n".join(sorted(checksums)))

    def primary_keys(self) -> dict[str, list[str]]:
        """The columns of each primary key, by the id of the model or seed that it belongs to."""
        rules = {seed.unique_id: seed.config.meta.get("holds", {}) for seed in self.of_type("seed")}
        for test in self.of_type("test"):
            if test.attached_node and test.test_metadata:
                arguments = test.test_metadata.kwargs
                if test.test_metadata.name == "holds":
                    rules[test.attached_node] = arguments
                elif test.test_metadata.name == "primary_key":
                    rules[test.attached_node] = {"primary_key": arguments["columns"]}
        return {
            node: arguments["primary_key"]
            for node, arguments in rules.items()
            if "primary_key" in arguments
        }


def compile_project(folder: Path) -> Project:
    """The project in a folder with the SQL of all its models, as dbt compiles it for DuckDB.

    Neither needs nor opens a warehouse. dbt runs only where a file of the project is newer than
    what it last compiled, in `target/gainsay`. Raises `GainsayError` when the folder
    holds no project and when dbt cannot compile it.
    """
    if not (folder / "dbt_project.yml").is_file():
        raise GainsayError(
            f"{folder.resolve()}: no dbt_project.yml here; run gainsay from the project's folder,"
            " or name it with --project"
        )
    # nothing is written into an installed package
    beside = Path.cwd() if folder.name == "_project" else folder
    target_path = Path(os.environ.get("DBT_TARGET_PATH", beside / "target")) / "gainsay"
    manifest = target_path / "manifest.json"
    if not _is_fresh(manifest, folder):
        _compile(folder, target_path)
    return read_manifest(manifest)


def model_files(folder: Path) -> dict[str, Path]:
    """The models of a project, by name, as their files are called: dbt has read none of them."""
    return {path.stem: path for path in (folder / "models").rglob("*.sql")}


def typed_columns(model: Path) -> list[str]:
    """The columns of a model by the YAML beside its file, where it gives each of them a type.

    A contract has to, and so these are all. Where the YAML does not say, there are none.
    """
    try:
        found = yaml.safe_load(model.with_suffix(".yml").read_bytes())
        models = msgspec.convert(found, _Described).models
    except (OSError, yaml.YAMLError, msgspec.ValidationError):
        # dbt says what is wrong with it
        return []
    columns = [column for other in models if other.name == model.stem for column in other.columns]
    return [column.name for column in columns] if all(c.data_type for c in columns) else []


def read_manifest(path: Path) -> Project:
    """The project as a manifest of dbt's has it, with the SQL of what dbt then compiled."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Project)
    except (OSError, msgspec.MsgspecError) as error:
        raise GainsayError(f"{path}: not a manifest of dbt's: {error}; remove it") from error


def _md5(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def _is_fresh(manifest: Path, folder: Path) -> bool:
    if not manifest.exists():
        return False
    written = manifest.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= written for path in _inputs(folder))


def _inputs(folder: Path) -> Iterator[Path]:
    """The files that compiled SQL is made of, and their folders, which change with a removal."""
    for name in _INPUTS:
        yield folder / name
        yield from (folder / name).rglob("*")


def _compile(folder: Path, target_path: Path) -> None:
    # a process of its own: dbt keeps state, and prints as it likes
    command = [
        sys.executable, "-c", _RUN_DBT,
        "--no-use-colors", "--no-populate-cache", "--write-json", "compile",
        "--select", "resource_type:model",
        "--target", "dev", "--target-path", str(target_path.resolve()),
        "--log-path", str((target_path / "logs").resolve()),
        "--project-dir", str(folder), "--profiles-dir", str(folder / "profiles"),
    ]  # fmt: skip
    # models are compiled from their files alone, so any warehouse will do; one of the same name
    # lets dbt read the project that an earlier command parsed
    with tempfile.TemporaryDirectory() as scratch:
        environment = os.environ | {"GAINSAY_DB": str(Path(scratch) / warehouse_path().name)}
        process = subprocess.run(  # noqa: S603
            command, env=environment, capture_output=True, text=True, check=False
        )
    if process.returncode != 0:
        # dbt writes it all the same, and the next call would take it for a good one
        (target_path / "manifest.json").unlink(missing_ok=True)
        raise GainsayError(f"dbt cannot compile the project:\n{process.stdout}{process.stderr}")
