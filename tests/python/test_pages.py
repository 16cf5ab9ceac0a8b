"""Commands and queries of README and the pages of docs run to the letter, in a built warehouse.

What another test runs, or no test can, says so in `ELSEWHERE`.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.pages import PAGES, Shown, commands, inline_commands, queries

pytestmark = pytest.mark.xdist_group("pages")

# why a command that a page shows is not run here; each pattern is that of some command
ELSEWHERE = {
    r"make |pip |\S*/pip |pre-commit |ssh |python |PRED_FORMAT=|optimum-cli ": "another program",
    r"export ": "a variable of the shell",
    r"gainsay download ": "the network; test_download.py has a server",
    r"gainsay (?:spark|compare dev spark|.*--target spark)": "Spark; test_spark*.py",
    r"gainsay review(?: --|$)": "a page that runs until it is stopped; test_review_browser.py",
    r"gainsay synth |gainsay land (?:corpus|OUT|'?data/)|gainsay land-images (?:corpus|OUT)$": (
        "a corpus; conftest.py makes, lands and builds some"
    ),
    r"gainsay build$|dbt build --vars|dbt build --select \+conflict_suite__manifest": (
        "what the warehouses of conftest.py are built by"
    ),
    r"GAINSAY_DB=data/demo\S* |gainsay build --select \+reality|dbt build --select \+reality": (
        "a part of such a build; test_benchmarks_alone.py"
    ),
    r"gainsay build --select stg_gainsay__votes\+": "test_votes.py",
    r"gainsay build --vars '\{detector|gainsay download --network": "a network; test_networks.py",
    r"gainsay llm |dbt build --select llm__outcomes\+": "answers of a model; test_llm.py",
    r"gainsay (?:land|land-images) \.\.\.": "the pictures and files of whoever reads",
    r"gainsay land-images holiday|gainsay reality-check holiday": "test_own_pictures.py",
    r"gainsay land-predictions --benchmark reality_check": "an evaluator's files; test_exports.py",
    r"gainsay reality-check export ": "its pictures; test_reality_check_export.py",
    r"gainsay review export --queue reality_check": (
        "records of its pictures; test_language_queue.py"
    ),
    r"gainsay export ": "pictures that were landed; test_exports.py",
    r"gainsay release |gainsay withdraw ": "test_release.py and test_withdrawals.py",
    r"gainsay score ": "builds what it shows; test_real_scores.py and test_plots.py",
}
SHOWN = [shown for page in PAGES for shown in commands(page)]
RUN = [shown for shown in SHOWN if not any(re.match(rule, shown.text) for rule in ELSEWHERE)]
QUERIES = [shown for page in PAGES for shown in queries(page)]


def test_no_reason_outlives_its_command() -> None:
    unused = [rule for rule in ELSEWHERE if not any(re.match(rule, one.text) for one in SHOWN)]
    assert unused == []
    assert len(RUN) >= 10
    assert len(QUERIES) >= 8


def _unknown_words(arguments: Sequence[str]) -> list[str]:
    """The command that `gainsay` does not know, or the options that a command does not."""
    from gainsay.cli import main

    command: click.Command = main
    context = main.make_context("gainsay", list(arguments), resilient_parsing=True)
    rest = list(arguments)
    while isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        if not rest:
            return []
        name, found, rest = command.resolve_command(context, rest)
        if found is None:
            return [str(name)]
        command = found
        context = command.make_context(name, list(rest), parent=context, resilient_parsing=True)
    if command.context_settings.get("ignore_unknown_options"):
        # the rest is dbt's
        return []
    known = {"--help"}
    for parameter in command.params:
        known |= {*parameter.opts, *parameter.secondary_opts}
    return [word for word in rest if word.startswith("--") and word.split("=")[0] not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_a_page_exist(page: Path) -> None:
    shown = [*commands(page), *inline_commands(page)]
    for one in shown:
        program, *arguments = one.words()
        if program == "gainsay":
            assert _unknown_words(arguments) == [], one.text


def test_an_option_that_is_not_there_is_found() -> None:
    assert _unknown_words(["review", "--benchmark", "clash", "--pages"]) == ["--pages"]
    assert _unknown_words(["funnel", "--picture", "f.svg"]) == []
    assert _unknown_words(["funnels"]) != []


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: f"{query.page}-{query.text[:30]}")
def test_queries_of_pages_run(synthetic: Warehouse, query: Shown) -> None:
    with synthetic.connect() as connection:
        assert connection.execute(query.text).description


@pytest.fixture(scope="module")
def used(synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The built synthetic corpus in a folder of its own, where answers lie that land."""
    folder = tmp_path_factory.mktemp("pages")
    warehouse = synthetic.copied_to(folder, GAINSAY_PROJECT=str(PROJECT))
    warehouse.working_folder = warehouse.folder
    samples = warehouse.rows("select distinct sample_id from clash.clash__examples limit 20")
    assert samples
    answers = [json.dumps({"example_id": name, "prediction": "red"}) for (name,) in samples]
    (warehouse.folder / "answers.jsonl").write_text("\n".join(answers) + "\n")
    return warehouse


@pytest.mark.long
def test_commands_of_pages_run_in_turn(used: Warehouse) -> None:
    for shown in RUN:
        program, *arguments = shown.words()
        assert program == "gainsay", shown
        used.gainsay(*arguments)
    for written in ("funnel.svg", "manifest.json", "ben.csv", "ann.csv"):
        assert (used.folder / written).stat().st_size > 0
