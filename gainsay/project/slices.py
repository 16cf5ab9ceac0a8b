"""The part of a project that dbt reads for a run: a folder of links.

dbt parses every file that it finds, whatever a run builds of it: half a minute for all of gainsay,
a fifth of it for unit tests that no build runs unless it is asked to. A slice leaves out

- unit tests, which lie in `tests/unit`, unless the run may run them;
- the folders of benchmarks that the var `benchmarks` does not list, and what reads their models
  and does not ask that var itself, with what reads this in turn.

Where dbt finds fault with a slice, `run_dbt` goes on with the whole project: what a slice leaves
out changes how long dbt parses, and nothing else.
"""

import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

UNIT_TESTS = Path("tests/unit")

_FOLDERS = ("models", "seeds", "macros", "tests", "analyses", "snapshots", "functions")
_FILES = ("dbt_project.yml", "packages.yml", "dependencies.yml", "selectors.yml", ".dbtignore")
# what reads models of benchmarks
_READERS = ("models", "tests", "analyses")
# what dbt reads: code, its descriptions, seeds, and blocks of docs
_SUFFIXES = {".sql", ".yml", ".yaml", ".csv", ".md", ".py"}
_REF = re.compile(r"""\bref\(\s*["'](\w+)["']\s*\)""")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)(.*?)\{%-?\s*endmacro\b", re.DOTALL)
_CALL = re.compile(r"\b(\w+)\(")
# what reads it says itself what it takes of which benchmark
_ASKS = re.compile(r"""var\(\s*["']benchmarks["']|\b(?:listed|benchmarks)_of\(""")
# where none of the benchmarks of such a model is listed, the macro gives all of them
_OF_SEVERAL = re.compile(r"""\bbenchmarks_of\(\s*["'](\w+)["']""")


def slice_of(
    project: Path, benchmarks: Collection[str] | None, *, has_unit_tests: bool
) -> list[Path] | None:
    """The files of a project that dbt has to read, None where that is all of it.

    `benchmarks` are those that the run's var lists, None where it has none of its own. Paths are
    relative to the project.
    """
    settings = _settings(project)
    files = [path for path in _files(project, settings) if has_unit_tests or _is_no_unit_test(path)]
    given = settings.get("vars", {})
    absent = {*given.get("benchmarks", ())} - {*benchmarks} if benchmarks is not None else set()
    if absent:
        files = _without(project, files, absent, given)
    is_whole = not absent and (has_unit_tests or not (project / UNIT_TESTS).is_dir())
    return None if is_whole else files


def link(project: Path, files: Collection[Path], folder: Path) -> None:
    """Make `folder` one of links to these files of a project, and to nothing else.

    A link that stands stays: several processes may do so at once, and dbt reads times of files.
    """
    wanted = {folder / path: project / path for path in files}
    for path in [*folder.rglob("*")]:
        if path not in wanted and (path.is_symlink() or path.is_file()):
            path.unlink(missing_ok=True)
    for parent in {path.parent for path in wanted}:
        parent.mkdir(parents=True, exist_ok=True)
    for path, target in wanted.items():
        if not path.is_symlink() or path.readlink() != target:
            scratch = path.with_name(f".{path.name}.{os.getpid()}")
            scratch.symlink_to(target)
            scratch.replace(path)


def _settings(project: Path) -> Mapping[str, Any]:
    try:
        found = yaml.safe_load((project / "dbt_project.yml").read_bytes())
    # dbt says what is wrong with it
    except (OSError, ValueError, yaml.YAMLError, RecursionError):
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("vars", {}), dict) else {}


def _files(project: Path, settings: Mapping[str, Any]) -> Iterator[Path]:
    named = [
        path
        for key, paths in settings.items()
        if str(key).endswith("-paths") and isinstance(paths, list)
        for path in paths
    ]
    yield from (Path(name) for name in _FILES if (project / name).is_file())
    for folder in dict.fromkeys((*_FOLDERS, *map(str, named))):
        for path in sorted((project / folder).rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file():
                yield path.relative_to(project)


def _is_of_one_node(path: Path) -> bool:
    """Whether a file is a node's, or describes or tests the node that its name is of."""
    return path.parts[0] in ("models", "analyses", "seeds") or not _is_no_unit_test(path)


def _is_no_unit_test(path: Path) -> bool:
    return not path.is_relative_to(UNIT_TESTS)


def _without(
    project: Path, files: Collection[Path], absent: set[str], given: Mapping[str, Any]
) -> list[Path]:
    """The files without what is made of absent benchmarks, but of those that others are made of."""
    code = {
        path: _COMMENT.sub("", (project / path).read_text(encoding="utf-8", errors="replace"))
        for path in files
        if path.suffix == ".sql"
    }
    reads = _reads(code)
    known = {*given["benchmarks"]}
    listed = known - absent
    for text in code.values():
        for model in _OF_SEVERAL.findall(text):
            publishers = _publishers(given, model)
            if not publishers & {*listed, *given.get("question_sets", ())}:
                listed |= publishers & known
    absent = known - _made_of(reads, listed, known)
    # a source may be called as a benchmark is
    own = {path for path in files if {*path.parent.parts} & absent and path.parts[1] != "staging"}
    # blocks of docs are quoted by all
    left_out = {path for path in own if path.parts[0] in _READERS and path.suffix != ".md"}
    bound = {
        path for path, text in code.items() if path.parts[0] in _READERS and not _ASKS.search(text)
    }
    gone = {path.stem for path in left_out}
    while more := {path for path in bound - left_out if reads[path] & gone}:
        left_out |= more
        gone |= {path.stem for path in more}
    # a seed of an absent benchmark stays where others read it
    read = {name for path in code.keys() - left_out for name in reads[path]}
    seeds = {path for path in own if path.parts[0] == "seeds" and path.stem not in read}
    gone |= {path.stem for path in seeds}
    # with each its YAML and its unit tests; and exposures, which name what all benchmarks publish
    return [
        path
        for path in files
        if path not in left_out | seeds
        and not (path.stem in gone and _is_of_one_node(path))
        and path.name != "exposures.yml"
    ]


def _publishers(given: Mapping[str, Any], model: str) -> set[str]:
    """The benchmarks of which a model publishes a port, by the var `shared_ports`."""
    ports = given.get("shared_ports", {}).values()
    return {name for models in ports for name in models.get(model, ())}


def _reads(code: Mapping[Path, str]) -> dict[Path, set[str]]:
    """What each file reads by name, and what the macros read that it calls."""
    macros = dict(pair for text in code.values() for pair in _MACRO.findall(text))
    found = {}
    for path, text in code.items():
        found[path] = {*_REF.findall(text)}
        called = {*_CALL.findall(text)} & macros.keys()
        unseen = [*called]
        while unseen:
            body = macros[unseen.pop()]
            found[path] |= {*_REF.findall(body)}
            more = ({*_CALL.findall(body)} & macros.keys()) - called
            called |= more
            unseen += more
    return found


def _made_of(reads: Mapping[Path, set[str]], listed: set[str], known: set[str]) -> set[str]:
    """The listed benchmarks, and those whose models theirs read, directly or not."""
    models = {path: names for path, names in reads.items() if path.parts[0] == "models"}
    home = {path.stem: {*path.parent.parts} & known for path in models}
    found = {*listed}
    while (
        more := {
            benchmark
            for path, names in models.items()
            if home[path.stem] & found
            for name in names & home.keys()
            for benchmark in home[name]
        }
        - found
    ):
        found |= more
    return found
