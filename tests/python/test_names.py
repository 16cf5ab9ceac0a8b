"""A name that is not there stops a build at its start, with the names that are."""

import csv
import json
from pathlib import Path

import pytest
import yaml

from tests.python.conftest import PROJECT, Warehouse


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"consistency_filter": False},
            "no var consistency_filter; did you mean conflict_suite_consistency_filter?",
        ),
        (
            {"conflict_suite_heldout_family": "color"},
            "names color, which is not there; did you mean attribute_color? "
            "There are: attribute_color, count, existence",
        ),
        ({"conflict_suite_refined_protocols": ["refind"]}, "did you mean refined?"),
        ({"editor_policy": "ruels"}, "There are: rules, llm, rules_first, llm_first"),
        ({"clash_judges": "rules_and_lm"}, "did you mean rules_and_llm?"),
        ({"inpainter": "tela"}, "There are: telea, ns, a path"),
        ({"sun_method": "it's"}, "names it's, which is not there. There are: astropy"),
        ({"export_formats": ["jsonl", "hugging_face"]}, "did you mean hugging-face?"),
        ({"export_finetuning_formats": ["r_tuning"]}, "did you mean r-tuning?"),
    ],
)
def test_a_misspelt_name_is_told_with_those_that_are(
    tmp_path: Path, given: dict[str, object], message: str
) -> None:
    checked = Warehouse(tmp_path).dbt(
        "run-operation", "require_names", "--vars", json.dumps(given), check=False, parses=False
    )
    assert checked.returncode != 0
    assert message in checked.stdout


def test_a_misspelt_name_stops_the_build(tmp_path: Path) -> None:
    given = '{"inpainter": "tela"}'

    build = Warehouse(tmp_path).dbt("build", "--vars", given, check=False, parses=False)

    assert build.returncode != 0
    assert "names tela, which is not there" in build.stdout
    assert "START sql" not in build.stdout


def test_a_misspelt_benchmark_stops_before_its_models_are_missed(tmp_path: Path) -> None:
    given = json.dumps({"benchmarks": ["clash", "oclusions"]})

    parsed = Warehouse(tmp_path).dbt("parse", "--no-partial-parse", "--vars", given, check=False)

    assert parsed.returncode != 0
    assert (
        "the var benchmarks names oclusions, which is not there; did you mean occlusions?"
        " There are: conflict_suite, " in parsed.stdout
    )


def test_the_names_that_a_var_may_have_are_those_of_the_seed() -> None:
    """Accepted values say what a seed may hold; here they say what it holds."""
    checked = set()
    for path in (PROJECT / "seeds").rglob("*.yml"):
        for seed in yaml.safe_load(path.read_text()).get("seeds", []):
            held_to = seed.get("config", {}).get("meta", {}).get("holds", {})
            for column in seed.get("columns", []):
                names = column.get("config", {}).get("meta", {}).get("names_for_vars", [])
                if not names:
                    continue
                checked.update(names)
                accepted = held_to.get("accepted_values", {}).get(column["name"])
                # without accepted values a build reads the file itself
                if not accepted:
                    continue
                with path.with_suffix(".csv").open() as rows:
                    held = {row[column["name"]] for row in csv.DictReader(rows)}
                assert set(accepted) == held

    project = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())
    assert checked <= set(project["vars"])
    assert "conflict_suite_heldout_family" in checked
