"""Who may import what: the terminal stays in gainsay/cli, engines in their own modules."""

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gainsay.spark.session import packages_archive

PROJECT = Path(__file__).parents[2]

# the floors from the ground up: a module imports from its own floor and those below it
FLOORS = ("gainsay.python_udfs", "gainsay.foundation", "gainsay.ingest", "gainsay", "gainsay.cli")
# two of them lie beside the package, which has links to them
FOLDERS = {"gainsay": "gainsay", "gainsay.ingest": "ingest", "gainsay.python_udfs": "python_udfs"}
# it starts the program, and stands on no floor
ENTRY = "gainsay.__main__"

# the folder that a rule is for, what it must not import, and where it may all the same
RULES = [
    ("gainsay", {"click", "rich"}, ("gainsay/cli/", "gainsay/__main__.py")),
    ("ingest", {"click", "rich"}, ()),
    ("python_udfs", {"click", "rich"}, ()),
    ("python_udfs", {"duckdb", "pyspark"}, ("python_udfs/engines/",)),
]


def _imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, in functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _broken(folder: Path, names: set[str]) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        for module in _imports(path):
            parts = module.split(".")
            if names & {".".join(parts[:n]) for n in range(1, len(parts) + 1)}:
                yield f"{path}: {module}"


@pytest.mark.parametrize(("folder", "names", "exempt"), RULES)
def test_imports_stay_in_their_rooms(folder: str, names: set[str], exempt: tuple[str, ...]) -> None:
    found = list(_broken(PROJECT / folder, names))
    allowed = tuple(f"{PROJECT}/{place}" for place in exempt)
    assert [line for line in found if not line.startswith(allowed)] == []


def _floor(module: str) -> int | None:
    """The floor of a module, by the longest name of a floor that begins its own."""
    parts = module.split(".")
    names = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((FLOORS.index(name) for name in names if name in FLOORS), None)


def _upward(root: Path) -> Iterator[str]:
    """The imports that go up, each as `module -> what it imports`."""
    for package, folder in FOLDERS.items():
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root / folder).with_suffix("").parts
            module = ".".join((package, *parts))
            own = _floor(module)
            for imported in dict.fromkeys(_imports(path)):
                other = _floor(imported)
                if module != ENTRY and own is not None and other is not None and other > own:
                    yield f"{module} -> {imported}"


def test_imports_go_down() -> None:
    assert list(_upward(PROJECT)) == []


def test_an_import_upwards_is_found(tmp_path: Path) -> None:
    for package, text in {
        "python_udfs/text/words.py": "from gainsay.foundation.errors import GainsayError\n",
        "gainsay/foundation/files.py": "import gainsay.python_udfs.text.words\n",
        "ingest/votes.py": "def f():\n    from gainsay.review import log\n",
        "gainsay/review/log.py": (
            "from gainsay.ingest.votes import Event\nimport gainsay.cli.tables\n"
        ),
    }.items():
        path = tmp_path / package
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    assert list(_upward(tmp_path)) == [
        "gainsay.review.log -> gainsay.cli.tables",
        "gainsay.ingest.votes -> gainsay.review",
        "gainsay.ingest.votes -> gainsay.review.log",
        "gainsay.python_udfs.text.words -> gainsay.foundation.errors",
        "gainsay.python_udfs.text.words -> gainsay.foundation.errors.GainsayError",
    ]


def test_the_two_folders_beside_the_package_are_imported_as_parts_of_it() -> None:
    """A package named `ingest` is anybody's: the wheel has none."""
    for folder in ("ingest", "python_udfs"):
        module = importlib.import_module(f"gainsay.{folder}")
        assert Path(str(module.__file__)).samefile(PROJECT / folder / "__init__.py")
    sources = [*PROJECT.glob("*.py"), *PROJECT.glob("docs/*.py"), *PROJECT.glob("tests/**/*.py")]
    sources += [path for folder in FOLDERS.values() for path in PROJECT.glob(f"{folder}/**/*.py")]
    assert {path.parent.name for path in sources} > {"ingest", "python_udfs", "foundation"}
    by_other_names = [
        f"{path.relative_to(PROJECT)}: {module}"
        for path in sources
        for module in _imports(path)
        if module.split(".")[0] in ("ingest", "python_udfs")
    ]
    assert by_other_names == []


def test_a_broken_rule_is_found(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("def f() -> None:\n    from rich.table import Table\n")
    assert list(_broken(tmp_path, {"rich"})) != []


def test_no_view_calls_a_function_of_the_registry(parsed: Path) -> None:
    """Spark keeps a view, but no function that a session brings: it refuses such a view."""
    manifest = json.loads((parsed / "manifest.json").read_text())

    def calls(node: dict[str, Any], seen: frozenset[str] = frozenset()) -> bool:
        code = node.get("raw_code") or node.get("macro_sql") or ""
        used = set(node["depends_on"]["macros"]) & manifest["macros"].keys() - seen
        return re.search(r"\bgs_[a-z]", code) is not None or any(
            calls(manifest["macros"][name], seen | used) for name in used
        )

    models = [node for node in manifest["nodes"].values() if node["resource_type"] == "model"]
    views = {node["name"] for node in models if node["config"]["materialized"] == "view"}

    assert views & {"stg_wikimedia__pages"}
    assert any(calls(node) for node in models)
    assert [node["name"] for node in models if node["name"] in views and calls(node)] == []


def test_conditions_of_data_tests_are_read_by_both_engines(parsed: Path) -> None:
    """What DuckDB alone calls `list_...` fails on Spark, where no macro stands for it."""
    manifest = json.loads((parsed / "manifest.json").read_text())
    conditions = {}
    for node in manifest["nodes"].values():
        arguments = (node.get("test_metadata") or {}).get("kwargs", {})
        if node["resource_type"] == "seed":
            arguments = node["config"]["meta"].get("holds", {})
        counted = arguments.get("row_count_equals") or {}
        found = {
            "condition": arguments.get("condition", ""),
            "row_count_equals": counted.get("condition", ""),
            **arguments.get("conditions", {}),
        }
        for name, condition in found.items():
            conditions[node["name"], name] = re.sub(r"\{\{.*?\}\}", "{}", str(condition))

    assert any("{} = 1" in condition for condition in conditions.values())
    assert [
        name
        for name, condition in conditions.items()
        if re.search(r"\b(list_\w+|len|strlen|regexp_matches|string_agg)\(|::", condition)
    ] == []


def test_what_executors_get_has_all_functions(tmp_path: Path) -> None:
    """They have the archive alone; here the checkout is installed, so a module's place counts."""
    archive = packages_archive()
    program = (
        "import sys\n"
        f"sys.path.insert(0, {str(archive)!r})\n"
        "from gainsay.python_udfs.registry import UDFS\n"
        "for udf in UDFS: udf.load()\n"
        "import gainsay.exports.writers\n"
        "print(*{module.__file__ for name, module in sys.modules.items()"
        " if name.split('.')[0] == 'gainsay'}, sep='\\n')\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    places = process.stdout.splitlines()
    assert len(places) > len(list((PROJECT / "python_udfs").glob("*.py")))
    assert [place for place in places if not place.startswith(str(archive))] == []
