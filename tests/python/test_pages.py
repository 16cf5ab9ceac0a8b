"""What README, CONTRIBUTING, the pages of docs and the demo print is run as it stands there.

Commands run on the demo's warehouse, in the order of the pages; `ELSEWHERE` says of the others what
they need and which test has it. Whatever is printed is known: commands, options, what is selected.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
import yaml

from gainsay.cli.demo import _TRY
from tests.python.conftest import PROJECT, Warehouse
from tests.python.demos import Demo
from tests.python.forks import READS_ALONE
from tests.python.pages import PAGES, Shown, answered_queries, commands, inline_commands, queries

# the demo's warehouse is open to one process at a time while it is written
pytestmark = pytest.mark.xdist_group("demo")

# why a command that a page shows is not run here; each pattern is that of some command
ELSEWHERE = {
    r"make |pip |\S*/pip |pre-commit |ssh |python |PRED_FORMAT=|optimum-cli ": "another program",
    r"export ": "a variable of the shell",
    r"gainsay download ": "the network; test_download.py has a server",
    r"gainsay (?:spark|compare dev spark|.*--target spark)": "Spark; test_spark*.py",
    r"gainsay review(?: --| gates|$)|gainsay browse": (
        "a page that runs until it is stopped; test_demo.py"
    ),
    r"gainsay synth |gainsay land (?:corpus|OUT|'?data/)|gainsay land-images (?:corpus|OUT)$": (
        "a corpus; conftest.py makes, lands and builds some"
    ),
    r"gainsay build$|dbt build --vars|gainsay build --write-json$|gainsay demo": (
        "what the warehouses of conftest.py are built by"
    ),
    r"gainsay build --vars '\{seed: 9\}'": "what `reseeded` of conftest.py is built by",
    r"gainsay build --select \+reality|dbt build --select \+(?:reality|conflict_suite__manifest)": (
        "a part of such a build; test_benchmarks_alone.py"
    ),
    r"gainsay build --select \+clash__examples \+certainly": "test_benchmarks_alone.py",
    r"gainsay build --select clash__examples\+": "what CONTRIBUTING's does, with another model",
    r"gainsay build --vars '\{detector|gainsay download --network": "a network; test_networks.py",
    r"gainsay land '?v2_|gainsay land-images train2017": "the official files",
    r"gainsay build --select \+exports__carm|gainsay export carm": (
        "the refined suite, which the demo has not; test_exports.py"
    ),
    r"gainsay llm |dbt build --select llm__outcomes\+": "answers of a model; test_llm.py",
    r"gainsay (?:land|land-images) \.\.\.": "the pictures and files of whoever reads",
    r"gainsay land-images holiday|gainsay reality-check holiday": "test_own_pictures.py",
    r"gainsay collect ": "an online source; test_collect.py has a server",
    r"gainsay land-predictions --benchmark reality_check": "an evaluator's files; test_exports.py",
    r"gainsay land-predictions --benchmark conflict_suite --model M '": "test_eval_logs.py",
    r"inspect eval ": "inspect, which is not installed",
    r"hf upload ": "the Hub, which is online",
    r"gainsay (?:reality-check export|export .*--benchmark reality_check)": (
        "its pictures; test_reality_check_export.py"
    ),
    r"gainsay review export --queue reality_check": (
        "records of its pictures; test_language_queue.py"
    ),
    r"dbt (?:ls --no-write-json|source freshness|docs generate)": (
        "what a build of plain dbt has left; test_build.py"
    ),
    r"gainsay withdraw ": "a picture of COCO; test_withdrawals.py",
    r"gainsay land --question-set ": "files of others; test_question_sets.py",
    r"gainsay predict ": "a model; test_predict.py",
}
# of benchmarks that the demo has not: on a warehouse that has all
OF_OTHERS = (
    r"(?s)gainsay sql .*reality_check|gainsay review export --queue verification"
    r"|gainsay build --select \+evaluation__leaderboard"
)
SHOWN = [shown for page in PAGES for shown in commands(page)]
INLINE = [shown for page in PAGES for shown in inline_commands(page)]
QUERIES = [shown for page in PAGES for shown in queries(page)]
ANSWERED = {question: query for page in PAGES for question, query in answered_queries(page).items()}


def _is_elsewhere(shown: Shown) -> bool:
    return any(re.match(rule, shown.text) for rule in ELSEWHERE)


def _is_whole(shown: Shown) -> bool:
    """Whether a command within a sentence names all that it takes, and nothing in capitals."""
    _, _, *rest = shown.words()
    stands_for = re.compile(r"[A-Z]{2,}|^[A-Z](?:\.|$)|<|\.\.\.")
    return bool(rest) and not any(stands_for.search(word) for word in rest) and not _usage(shown)


def _usage(shown: Shown) -> str:
    """What click says is wrong with the arguments of a command, if anything is."""
    from gainsay.cli import main

    program, *arguments = shown.words()
    if program != "gainsay":
        return ""
    command: click.Command = main
    context = main.make_context("gainsay", list(arguments), resilient_parsing=True)
    rest = list(arguments)
    try:
        while isinstance(command, click.Group):
            name, found, rest = command.resolve_command(context, rest)
            assert found is not None
            command = found
            context = command.make_context(
                name, list(rest), parent=context, resilient_parsing=isinstance(found, click.Group)
            )
    except click.UsageError as error:
        return error.format_message()
    return ""


RUN = [
    *(shown for shown in SHOWN if not _is_elsewhere(shown)),
    *(shown for shown in INLINE if not _is_elsewhere(shown) and _is_whole(shown)),
]


def test_no_reason_outlives_its_command() -> None:
    shown = [*SHOWN, *INLINE]
    unused = [rule for rule in ELSEWHERE if not any(re.match(rule, one.text) for one in shown)]
    assert unused == []
    assert any(re.match(OF_OTHERS, one.text) for one in RUN)
    assert len(RUN) >= 20
    assert len(QUERIES) >= 8
    assert len(ANSWERED) >= 5


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
    targets = set(re.findall(r"^([a-z_-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    for one in (*commands(page), *inline_commands(page)):
        program, *arguments = one.words()
        if program == "gainsay":
            assert _unknown_words(arguments) == [], one.text
        if program == "make":
            assert {word for word in arguments if "=" not in word} <= targets, one.text


def test_an_option_that_is_not_there_is_found() -> None:
    assert _unknown_words(["review", "--benchmark", "clash", "--pages"]) == ["--pages"]
    assert _unknown_words(["funnel", "--picture", "f.svg"]) == []
    assert _unknown_words(["funnels"]) != []


def test_what_pages_select_is_there(parsed: Path) -> None:
    """A name that is not there selects nothing, and dbt warns of it in a line of its log."""
    nodes = json.loads((parsed / "manifest.json").read_text())["nodes"].values()
    known = {node["name"] for node in nodes}
    known |= {one["name"] for one in yaml.safe_load((PROJECT / "selectors.yml").read_text())[
        "selectors"
    ]}  # fmt: skip
    for shown in (*SHOWN, *INLINE):
        words = shown.words()
        for place, word in enumerate(words):
            if word in ("--select", "--selector"):
                selected = []
                for value in words[place + 1 :]:
                    if value.startswith("-"):
                        break
                    # a method such as state:modified finds what it finds
                    if ":" not in value:
                        selected.append(re.sub(r"^\d*\+|\+\d*$", "", value))
                assert {*selected} <= known, shown


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: f"{query.page}-{query.text[:30]}")
def test_queries_of_pages_run(synthetic: Warehouse, query: Shown) -> None:
    with synthetic.connect() as connection:
        rows = connection.execute(query.text).fetchall()
    # the corpus has what the demo's has
    assert rows or query.text not in ANSWERED.values()


@pytest.mark.long
@pytest.mark.parametrize("question", [*ANSWERED, *_TRY])
def test_queries_answer_on_the_demo(demo: Demo, question: str) -> None:
    assert Warehouse(demo.folder, demo.warehouse).rows(ANSWERED.get(question, question))


def test_a_question_that_is_in_the_suite_is_not_said_to_be_out_of_it(synthetic: Warehouse) -> None:
    """A base that drops from another benchmark is in the Conflict Suite all the same."""
    [query] = [query for question, query in ANSWERED.items() if "not in the suite" in question]
    [(question_id,)] = synthetic.rows("""
        select min(drops.question_id)
        from audit.audit__drops as drops
        inner join conflict_suite.conflict_suite__screened as screened
            on drops.question_id = screened.question_id
        where screened.is_retained
    """)
    assert question_id is not None

    assert synthetic.rows(re.sub(r"question_id = \d+", f"question_id = {question_id}", query)) == []


@pytest.fixture(scope="module")
def used(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The demo's warehouse in a folder of its own, where answers lie that land."""
    folder = tmp_path_factory.mktemp("pages")
    copy = Warehouse(demo.folder, demo.warehouse).copied_to(
        folder, GAINSAY_PROJECT=str(PROJECT),
        GAINSAY_RENDERINGS=str(demo.warehouse.parent / "renderings"),
        GAINSAY_EXPORTS=str(folder / "exports"),
    )  # fmt: skip
    # its parts of the project are what these commands are about; the demo has parsed them
    copy.environment[READS_ALONE] = "1"
    return _with_answers(copy)


@pytest.fixture(scope="module")
def whole(synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The synthetic corpus, of which all benchmarks are built, in a folder of its own."""
    folder = tmp_path_factory.mktemp("whole")
    copy = synthetic.copied_to(folder, GAINSAY_PROJECT=str(PROJECT))
    copy.environment[READS_ALONE] = "1"
    return _with_answers(copy)


def _with_answers(warehouse: Warehouse) -> Warehouse:
    warehouse.working_folder = warehouse.folder
    samples = warehouse.rows("select distinct sample_id from clash.clash__examples limit 20")
    assert samples
    answers = [json.dumps({"example_id": name, "prediction": "red"}) for (name,) in samples]
    (warehouse.folder / "answers.jsonl").write_text("\n".join(answers) + "\n")
    return warehouse


@pytest.mark.long
def test_commands_of_pages_run_in_turn(demo: Demo, used: Warehouse, whole: Warehouse) -> None:
    served = re.compile(r"\S+ (?:browse|review)\b")
    printed = [
        Shown("demo", f"gainsay {line.partition(' ')[2]}")
        for line in demo.lines
        if "gainsay " in line and not served.match(line) and not line.startswith("export ")
    ]
    assert len(printed) == 5
    failed = []
    # each once, however many pages show it
    for shown in {shown.text: shown for shown in (*printed, *RUN)}.values():
        warehouse = whole if re.match(OF_OTHERS, shown.text) else used
        program, *arguments = shown.words()
        run = warehouse.gainsay if program == "gainsay" else warehouse.dbt
        # dbt's own command looks for the project in the current folder
        warehouse.working_folder = warehouse.folder if program == "gainsay" else PROJECT
        done = run(*arguments, check=False)
        if done.returncode != 0:
            failed.append((shown, done.returncode, done.stdout[-500:], done.stderr[-1500:]))
    assert failed == []
    for written in ("funnel.svg", "manifest.json", "leaderboard.png", "ben.csv"):
        assert (used.folder / written).stat().st_size > 0
    # nothing of the benchmarks that the demo has not was built on the way
    built = {name for (name,) in used.rows("select table_name from information_schema.tables")}
    assert "clash__examples" in built
    assert not built & {"reality_check__examples", "certainly_uncertain__examples"}
