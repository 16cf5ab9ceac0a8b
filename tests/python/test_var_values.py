"""Values of vars: one table of types and ranges, which every var keeps before anything is built."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

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
    source = "".join(
        (PROJECT / "macros" / "dbt" / name).read_text()
        for name in ("var_rules.sql", "var_values.sql")
    )
    return environment, environment.compile(source)


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


with _macros({}) as _asked:
    RULES = _asked.var_rules()


def _problem(**values: Any) -> str:
    """What stops a build with these vars; nothing where it begins."""
    with _macros(values) as macros:
        try:
            macros.require_var_values()
        except _StopError as error:
            return str(error)
    return ""


def test_every_var_has_a_rule_which_its_value_keeps() -> None:
    assert set(RULES["vars"]) == set(VARS)
    assert _problem() == ""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"conflict_suite_train_share": 0.9, "conflict_suite_val_share": 0.9},
         "the vars conflict_suite_train_share and conflict_suite_val_share are 1.8 together;"
         " expected shares of one whole"),
        ({"conflict_suite_train_share": -3},
         "the var conflict_suite_train_share is -3; expected a number from 0 to 1"),
        ({"conflict_suite_heldout_severity": -1},
         "the var conflict_suite_heldout_severity is -1; expected an integer from 1 to 6"),
        ({"seed": None}, "the var seed is null; expected an integer from 0"),
        ({"seed": "three"}, 'the var seed is "three"; expected an integer'),
        ({"seed": 1.5}, "the var seed is 1.5; expected an integer"),
        ({"seed": True}, "the var seed is true; expected an integer"),
        ({"conflict_suite_jaccard_max": float("nan")}, "is NaN; expected a number from 0 to 1"),
        ({"reality_check_scale": float("inf")}, "is Infinity; expected a number above 0 to 100"),
        ({"conflict_suite_jaccard_min": 0}, "is 0; expected a number above 0 to 1"),
        ({"benchmarks": []}, "the var benchmarks is []; expected a list, each a text, and at"),
        ({"benchmarks": None}, "the var benchmarks is null; expected a list"),
        ({"benchmarks": "clash"}, 'the var benchmarks is "clash"; expected a list'),
        ({"reality_check_languages": ["en", 7]}, "holds what is 7; expected a list, each a text"),
        ({"conflict_suite_donor_windows": {"easy": 1}}, "has no nearby; expected names with"),
        ({"conflict_suite_donor_windows":
          {"easy": -2, "nearby": 1, "farther": 1, "farthest": 1, "image": 1}},
         "holds what is -2; expected names with values, each an integer from 0"),
        ({"render_images": "yes"}, 'is "yes"; expected true or false'),
        ({"clash_conflict_choice": " "}, 'is " "; expected a text'),
        ({"conflict_suite_jaccard_min": 0.9},
         "the var conflict_suite_jaccard_min is 0.9, and conflict_suite_jaccard_max is 0.7"),
    ],
)  # fmt: skip
def test_a_value_that_no_record_could_keep_is_named_with_its_range(
    given: dict[str, Any], message: str
) -> None:
    assert message in _problem(**given)


def _numbers(rule: dict[str, Any]) -> st.SearchStrategy[Any]:
    least = rule.get("least", rule.get("above"))
    numbers = st.floats(least, rule["most"], exclude_min="above" in rule)
    return numbers | st.integers(int(least) + ("above" in rule), int(rule["most"]))


def _maps(rule: dict[str, Any]) -> st.SearchStrategy[Any]:
    if rule.get("keys"):
        return st.fixed_dictionaries({key: _good(rule["of"]) for key in rule["keys"]})
    return st.dictionaries(st.text(min_size=1), _good(rule["of"]), min_size=1, max_size=3)


# values that keep a rule, by its type
_GOOD: dict[str, Callable[[dict[str, Any]], st.SearchStrategy[Any]]] = {
    "flag": lambda _: st.booleans(),
    "text": lambda _: st.text(min_size=1).filter(str.strip),
    "integer": lambda rule: st.integers(rule["least"], rule["most"]),
    "number": _numbers,
    "list": lambda rule: st.lists(_good(rule["of"]), min_size=1, max_size=4),
    "map": _maps,
}


def _good(rule: dict[str, Any]) -> st.SearchStrategy[Any]:
    return _GOOD[rule["type"]](rule)


def _problem_of_one(value: Any, rule: dict[str, Any]) -> Any:
    with _macros({}) as macros:
        return macros.problem_of_value(value, rule)


_RULES = st.sampled_from(sorted(RULES["vars"])).map(RULES["vars"].get)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.data())
@settings(max_examples=80)
def test_a_good_value_is_taken_and_any_other_is_named(data: st.DataObject) -> None:
    rule = data.draw(_RULES)
    assert _problem_of_one(data.draw(_good(rule)), rule) is None
    problem = _problem_of_one(data.draw(_ANYTHING), rule)
    assert problem is None or (problem["found"] and problem["expected"])


@given(_ANYTHING)
@settings(max_examples=80)
def test_no_share_is_anything_but_a_number_from_0_to_1(value: Any) -> None:
    is_share = type(value) in (int, float) and 0 <= value <= 1
    assert (_problem_of_one(value, {"type": "number", "least": 0, "most": 1}) is None) == is_share


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
