"""Values of vars: each is of the kind that the project's own is of, before anything is built."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml

from tests.python.conftest import PROJECT, Warehouse

VARS = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())["vars"]


class _ReturnError(Exception):
    """What dbt's `return` gives back."""


class _StopError(Exception):
    """What dbt's `exceptions.raise_compiler_error` stops with."""


def _return(value: Any) -> None:
    raise _ReturnError(value)


def _stop(message: str) -> None:
    raise _StopError(message)


class _Exceptions:
    raise_compiler_error = staticmethod(_stop)


def _invoke(macro: Any, arguments: list[Any], _autoescape: bool) -> Any:
    try:
        return macro._func(*arguments)
    except _ReturnError as returned:
        return returned.args[0]


@cache
def _compiled() -> tuple[jinja2.Environment, Any]:
    environment = jinja2.Environment(extensions=["jinja2.ext.do"], autoescape=False)
    return environment, environment.compile((PROJECT / "macros/dbt/var_values.sql").read_text())


@contextmanager
def _macros(values: dict[str, Any]) -> Iterator[Any]:
    """The macros as dbt calls them, with these vars in the place of the project's."""
    environment, code = _compiled()
    known = environment.make_globals({
        "return": _return, "exceptions": _Exceptions,
        "tojson": lambda value, default: json.dumps(value, default=lambda _: default),
        "var": lambda name: (VARS | values)[name], "project_vars": lambda: VARS,
        "invocation_args_dict": {"vars": values},
    })  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.runtime.Macro, "_invoke", _invoke)
        yield jinja2.Template.from_code(environment, code, known).module


def _problem(**values: Any) -> str:
    """What stops a build with these vars; nothing where it begins."""
    with _macros(values) as macros:
        try:
            macros.require_var_values()
        except _StopError as error:
            return str(error)
    return ""


def test_the_values_of_the_project_are_taken() -> None:
    assert _problem(**VARS) == ""
    assert _problem(clash_test_share=0.2, reality_check_scale=1, question_sets=[]) == ""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"conflict_suite_train_share": 0.9, "conflict_suite_val_share": 0.9},
         "the vars conflict_suite_train_share and conflict_suite_val_share are 1.8 together;"
         " expected 1 at most"),
        ({"conflict_suite_train_share": -3},
         "the var conflict_suite_train_share is -3; expected a number from 0 to 1"),
        ({"seed": None}, "the var seed is null; expected a number, such as 7"),
        ({"seed": "three"}, 'the var seed is "three"; expected a number'),
        ({"seed": True}, "the var seed is true; expected a number"),
        ({"conflict_suite_jaccard_max": float("nan")}, "is NaN; expected a number"),
        ({"reality_check_scale": float("inf")}, "is Infinity; expected a number"),
        ({"benchmarks": []}, "the var benchmarks is []; expected a list, such as"),
        ({"benchmarks": None}, "the var benchmarks is null; expected a list"),
        ({"benchmarks": "clash"}, 'the var benchmarks is "clash"; expected a list'),
        ({"conflict_suite_donor_windows": 3}, "is 3; expected names with values"),
        ({"render_images": "yes"}, 'is "yes"; expected true or false'),
        ({"clash_conflict_choice": 7}, "is 7; expected a text"),
    ],
)  # fmt: skip
def test_a_value_that_no_record_could_keep_is_named_with_what_is_expected(
    given: dict[str, Any], message: str
) -> None:
    assert message in _problem(**given)


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        ((), {"conflict_suite_train_share": -3}, "expected a number from 0 to 1"),
        # models are united over it, so that dbt stops while it parses them: all of the project, as
        # somebody's first build does, stops at the first model
        (("--no-partial-parse",), {"benchmarks": None},
         "the var benchmarks is null; expected a list"),
    ],
)  # fmt: skip
def test_dbt_stops_before_anything_is_built(
    tmp_path: Path, arguments: tuple[str, ...], given: dict[str, Any], message: str
) -> None:
    build = Warehouse(tmp_path).dbt("build", *arguments, "--vars", json.dumps(given), check=False)
    assert build.returncode != 0
    assert message in " ".join(build.stdout.split())
    assert "START sql" not in build.stdout
