"""Builds that keep to what a warehouse has.

A warehouse of some benchmarks is a whole one: what is united over benchmarks is united over those
that it has, as the vars `benchmarks` and `reviewed` say. Every command of gainsay's that runs dbt
on it gives dbt these vars in the same words, so that one parse of the project serves them all.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import yaml

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import read_text
from gainsay.project.compiled import model_files
from gainsay.project.folder import project_folder
from gainsay.project.holdings import Holdings, holdings
from gainsay.project.parsing import ParsedProject, parse_project
from gainsay.project.runner import option, run_dbt

_SELECT: Final = ("--select", "-s", "--models", "--model", "-m")
_TARGET: Final = ("--target", "-t")
# of a build's options those that `dbt ls` needs to list the same
_LISTING: Final = (
    *_SELECT, "--exclude", "--selector", "--indirect-selection",
    "--resource-type", "--resource-types", "--exclude-resource-type", "--exclude-resource-types",
)  # fmt: skip
# of any command's those that parsing depends on
_PARSING: Final = ("--vars", "--profiles-dir", "--profile", "--project-dir", *_TARGET)


@dataclass(frozen=True)
class Plan:
    """The arguments of dbt for a warehouse, and what they keep to, in a sentence for people."""

    arguments: list[str]
    sentence: str | None = None
    # of the project with the vars of these arguments, where it is parsed already
    manifest: Any = field(default=None, repr=False, compare=False)


def kept_to_warehouse(
    arguments: Sequence[str],
    project: Path | None = None,
    *,
    named: Iterable[str] = (),
    found: Holdings | None = None,
) -> Plan:
    """Arguments of dbt, with the vars of the benchmarks that the warehouse has.

    Benchmarks that the selection names, and those of `named`, join them. Arguments stay as they
    are where they say the vars themselves, where they are for Spark, and on a warehouse that has
    all benchmarks or none of them. `found` is what the warehouse has, where the caller knows it.
    """
    given = _vars_of(arguments)
    if given is None or option(arguments, *_TARGET) == "spark":
        return Plan([*arguments])
    found = found or holdings(project)
    listed = given.get("benchmarks")
    if listed is not None:
        if "reviewed" in given or not isinstance(listed, list) or {*listed} >= {*found.known}:
            return Plan([*arguments])
        return _with_vars(arguments, given | {"reviewed": found.reviewed_among(listed)})
    if not found.is_part:
        return Plan([*arguments])
    words = " ".join(_selection(arguments, project))
    chosen = found.vars_for([*(name for name in found.known if _is_named(name, words)), *named])
    if not chosen:
        return Plan([*arguments])
    return replace(
        _with_vars(arguments, chosen | given),
        sentence=f"keeps to the benchmarks of this warehouse: {', '.join(chosen['benchmarks'])};"
        " --select NAME__examples+ adds another one, and a build without --select all of them",
    )


def planned(
    arguments: Sequence[str],
    project: Path | None = None,
    *,
    named: Iterable[str] = (),
    parsed: ParsedProject | None = None,
    selected: Collection[str] | None = None,
) -> Plan:
    """Arguments of `dbt build` that what is in the warehouse can be built with.

    Beside what `kept_to_warehouse` says: what the selection reads and the warehouse lacks is built,
    too, and what is made of a benchmark that is not there is left out, unless the selection names
    it. Without a selection the whole project is meant. `parsed` is the project as it is parsed with
    the vars of the plan, and `selected` are the names of all that is selected, where the caller has
    them. Raises `GainsayError` where dbt cannot parse the project, or does not know what is
    selected.
    """
    words = _selection(arguments, project)
    if not words or option(arguments, *_TARGET) == "spark" or _vars_of(arguments) is None:
        return Plan([*arguments])
    found = holdings(project)
    plan = kept_to_warehouse(arguments, project, named=named, found=found)
    listed = (_vars_of(plan.arguments) or {}).get("benchmarks", found.known)
    if not isinstance(listed, list):
        # dbt says what is wrong with it
        return plan
    absent = {*found.known} - {*listed}
    if not found.relations or not (absent or any(word[:1] not in "+@" for word in words)):
        # nothing is lacking of what is built with all that it reads
        return plan
    parsed = parsed or parse_project(parsing_arguments(plan.arguments), project=project)
    left_out = parsed.left_out(listed)
    if absent and "benchmarks" not in (_vars_of(arguments) or {}):
        asked = {word.strip("+@1234567890") for word in words}
        # with these vars dbt reads no file of what is left out
        unread = asked & model_files(project_folder(project)).keys() - parsed.nodes.keys()
        if asked := asked & left_out | unread:
            whole = parse_project(project=project)
            above = {whole.nodes[name].benchmark for name in whole.up_to(asked)}
            more = [name for name in found.known if name in above & absent]
            return planned(arguments, project, named=[*named, *more])
    return replace(
        plan,
        arguments=_completed(plan.arguments, project, found, parsed, left_out, selected),
        manifest=parsed.manifest,
    )


def _completed(
    arguments: list[str],
    project: Path | None,
    found: Holdings,
    parsed: ParsedProject,
    left_out: set[str],
    names: Collection[str] | None,
) -> list[str]:
    """The arguments with what the selection reads and is lacking, and without what is left out."""
    selected = _listed(arguments, project, parsed) if names is None else []
    models = {*(names or ()), *(parsed.by_id[one] for one in selected if one in parsed.by_id)}
    tests = [parsed.tests[one] for one in selected if one in parsed.tests]
    kept = models - left_out
    answerable = [test for test in tests if left_out.isdisjoint(test.parents)]
    read = {parent for name in kept for parent in parsed.nodes[name].parents}
    read |= {parent for test in answerable for parent in test.parents}
    present = found.relations | {parsed.nodes[name].relation for name in kept}
    lacking = parsed.lacking(read, present)
    excluded = [
        *sorted(models & left_out),
        # tests of what is left out alone are left out with it
        *sorted(test.name for test in tests if not left_out.issuperset(test.parents)
                and test not in answerable),
    ]  # fmt: skip
    if option(arguments, "--selector") is not None and (lacking or excluded):
        # dbt takes a selector or names, and not both
        arguments = [*_without(arguments, "--selector"), "--select", *sorted(kept)]
    return [
        *arguments,
        *(["--select", *lacking] if lacking else []),
        *(["--exclude", *excluded] if excluded else []),
    ]


def _listed(arguments: list[str], project: Path | None, parsed: ParsedProject) -> list[str]:
    """The ids of what a build with these arguments would build and test."""
    listing = _options(arguments, (*_LISTING, *_PARSING))
    result = run_dbt(
        ["--quiet", "ls", *listing, "--output", "json", "--output-keys", "unique_id",
         "--log-level", "none"],
        project=project,
        manifest=parsed.manifest,
    )  # fmt: skip
    if result.exception is not None:
        raise GainsayError(f"dbt cannot build: {result.exception}") from result.exception
    lines: Any = result.result or []
    return [json.loads(line)["unique_id"] for line in lines]


def parsing_arguments(arguments: Sequence[str]) -> list[str]:
    """Of a command's arguments those that parsing depends on."""
    return _options(arguments, _PARSING)


def _vars_of(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The vars that arguments give; none where dbt has to say what is wrong with them."""
    try:
        given = yaml.safe_load(option(arguments, "--vars") or "{}")
    except yaml.YAMLError:
        return None
    return given if isinstance(given, dict) else None


def _with_vars(arguments: Sequence[str], values: dict[str, Any]) -> Plan:
    return Plan([*_without(arguments, "--vars"), "--vars", json.dumps(values)])


def _is_named(benchmark: str, words: str) -> bool:
    """Whether a benchmark stands in a selection, by itself or before the name of a model."""
    return bool(re.search(rf"(?<!\w){benchmark}(?=__|\W|$)", words))


def _selection(arguments: Sequence[str], project: Path | None) -> list[str]:
    """The words that select something; of a selector those that it is made of, too."""
    words = [word for _, values in _given(arguments, _SELECT) for word in values]
    for _, values in _given(arguments, ("--selector",)):
        for name in values:
            words += [name, *_words_of_selector(name, project)]
    return words


def _words_of_selector(name: str, project: Path | None) -> list[str]:
    path = project_folder(project) / "selectors.yml"
    try:
        found = yaml.safe_load(read_text(path))["selectors"]
        definitions = [one["definition"] for one in found if one["name"] == name]
    except (GainsayError, yaml.YAMLError, KeyError, TypeError):
        # dbt says what is wrong with it
        return []
    return list(_texts(definitions))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _given(arguments: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each of these options that arguments give, with its values: the words up to the next one."""
    for position, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name not in names:
            continue
        values = [value] if equals else []
        for word in arguments[position + 1 :]:
            if word.startswith("-"):
                break
            values.append(word)
        yield name, [part for text in values for part in text.split(" ")]


def _options(arguments: Sequence[str], names: Sequence[str]) -> list[str]:
    """Of arguments those options alone."""
    kept: list[str] = []
    is_kept = False
    for word in arguments:
        if word.startswith("-"):
            is_kept = word.partition("=")[0] in names
        if is_kept:
            kept.append(word)
    return kept


def _without(arguments: Sequence[str], name: str) -> list[str]:
    """Arguments without an option and its values."""
    kept: list[str] = []
    is_kept = True
    for word in arguments:
        if word.startswith("-"):
            is_kept = word.partition("=")[0] != name
        if is_kept:
            kept.append(word)
    return kept
