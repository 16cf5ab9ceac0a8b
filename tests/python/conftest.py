"""Warehouses that several tests query, each landed and built once per run.

dbt, sqlglot and numpy take seconds to import: fixtures import them, so that a test of strings
does not wait for them.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import duckdb
import pytest
from filelock import FileLock

from tests.python.demos import Demo, demo_in, make_demo
from tests.python.forks import Forks, parse
from tests.python.real_data import REAL_SAMPLE, why_missing

if TYPE_CHECKING:
    from gainsay.inspect.lineage import Edge

PROJECT = Path(__file__).parents[2]
# seconds after which a test gives up on what never comes; no machine is so slow
PATIENCE = 600

Sql = Callable[[str], list[tuple[object, ...]]]

FORMATS = ("jsonl", "hugging-face", "image-folder", "lmms-eval", "vlmevalkit", "llava", "dpo",
           "r-tuning", "action-sft", "coco-instances")  # fmt: skip
CLASH_FORMATS = ("clash-sft", "clash-llava", "clash-mplug-owl")


# slow by nature: engines, kills, hostile bulk, all languages, whole copies of the project, targets
# of make, and second opinions on what other tests hold; `make test-all` runs them, and so does CI
_LONG = frozenset({
    "test_adding_a_rule", "test_adversarial_answers", "test_amber", "test_annotators",
    "test_answers_return",
    "test_attacks", "test_benchmarks", "test_benchmarks_alone", "test_blind_reader",
    "test_boards_attacked", "test_build_faults", "test_carm_attacked", "test_clash_scores",
    "test_command_faults",
    "test_compare", "test_decoding", "test_demo", "test_determinism", "test_export_folders",
    "test_folders_attacked", "test_front_door_attacked", "test_hostile_pictures",
    "test_ingest_faults", "test_killed_folder", "test_land_faults", "test_language_queue",
    "test_make_targets", "test_near_duplicates", "test_outputs", "test_plots",
    "test_predict_attacked", "test_question_family", "test_question_sets",
    "test_reality_check_export",
    "test_real_scores", "test_runner", "test_spark", "test_spark_tables", "test_synth_edge_cases",
    "test_tiny_benchmark", "test_uncertainty_language_model", "test_uncertainty_removals",
    "test_var_values", "test_wire_formats", "test_withdrawals",
})  # fmt: skip
# files whose tests all have a mark, by it
_FILES = {"long": _LONG, "cluster": frozenset({"test_spark_cluster", "test_spark_whole"})}
# what takes a minute or two to make: scores of the real sample, its photographs in every format,
# all challenges, and where each column comes from
_LONG_FIXTURES = frozenset({"whole_real", "exported", "reality_check", "edges"})
# what reads the benchmarks: of the real sample it takes as long as half of them
_BEHIND_BENCHMARKS = tuple(
    f"path:models/{folder}+" for folder in ("blind", "evaluation", "exports", "report", "review")
)
# what takes longest to make, and many wait for
_DEAR_FIXTURES = ("real", "whole_real", "exported", "reality_check", "synthetic", "demo")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--quick`: `make quick` runs what needs no warehouse."""
    parser.addoption("--quick", action="store_true", help="skip tests that need a warehouse")


def pytest_configure() -> None:
    """Let Ctrl-C reach the tests: what starts in the background inherits that it is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a case of bytes by its argument: a gzip stream holds the second it was made in."""
    return argname if isinstance(val, bytes) else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file whose tests are all left out: that is half of what collecting takes."""
    left_out = (files for mark, files in _FILES.items() if f"not {mark}" in config.option.markexpr)
    return any(collection_path.stem in files for files in left_out) or None


def pytest_pycollect_makemodule(module_path: Path) -> None:
    """Let no clock decide about an example that hypothesis draws.

    Importing it takes a second, which is for modules that do so themselves.
    """
    if b"from hypothesis import" in module_path.read_bytes():
        from hypothesis import HealthCheck, settings

        settings.register_profile(
            "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
        )
        settings.load_profile("any machine")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Give the tests of a file that share what it makes to one worker, so that it is made once."""
    for item in items:
        if Path(item.path).stem in _LONG or _LONG_FIXTURES & {*item.fixturenames}:
            item.add_marker(pytest.mark.long)
        if item.get_closest_marker("xdist_group") is None and _shares_what_its_file_makes(item):
            item.add_marker(pytest.mark.xdist_group(Path(item.path).stem))
    _put_in_order(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here; the summary folds what one line of code skips for one reason."""
    parts = [part for marker in item.iter_markers("real_data") for part in marker.args]
    if reason := why_missing(parts):
        pytest.skip(reason)
    if item.config.getoption("quick") and item.get_closest_marker("slow"):
        pytest.skip("slow")


def _put_in_order(items: list[pytest.Function]) -> None:
    """Begin with tests that need no warehouse, while dbt parses, and then make what is dear.

    Workers take one group after another: who needs what another one makes waits for it.
    """
    groups: dict[str, list[pytest.Function]] = {}
    for item in items:
        marker = item.get_closest_marker("xdist_group")
        groups.setdefault(marker.args[0] if marker else item.nodeid, []).append(item)
    needs = {
        name: {fixture for item in group for fixture in item.fixturenames}
        for name, group in groups.items()
    }
    free = [name for name, group in groups.items() if not any(map(_has_a_warehouse, group))]
    meanwhile = {*free[: len(free) // 2]}
    makers = {
        next((name for name in groups if fixture in needs[name]), ""): place
        for place, fixture in enumerate(_DEAR_FIXTURES)
    }

    # an environment of its own and its own parses, by one worker alone
    wheel = {name for name, group in groups.items() if group[0].get_closest_marker("wheel")}

    def place(name: str) -> int:
        if name in meanwhile:
            return 0
        if name in wheel:
            return 1
        if name in makers:
            return 1 + makers[name]
        return 11 if name in free else 10

    items[:] = [item for name in sorted(groups, key=place) for item in groups[name]]


def _has_a_warehouse(item: pytest.Item) -> bool:
    """Whether a test may run a command in a warehouse: what its file imports tells."""
    return isinstance(item, pytest.Function) and (
        hasattr(item.module, "Warehouse") or "parsed" in item.fixturenames
    )


def _shares_what_its_file_makes(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function):
        return False
    base = item.nodeid.partition("::")[0]
    return any(
        definition.scope == "module" and definition.baseid == base
        for definitions in item._fixtureinfo.name2fixturedefs.values()
        for definition in definitions[-1:]
    )


class Warehouse:
    """A warehouse file and the commands a user runs on it."""

    # starts the process that runs commands, or gives the one that was started
    forks: Callable[[], Forks]
    # where commands run
    working_folder = PROJECT

    def __init__(self, folder: Path, path: Path | None = None, **environment: str) -> None:
        self.folder = folder
        self.path = path or folder / "gainsay.duckdb"
        self.environment = os.environ | environment | {"GAINSAY_DB": str(self.path)}

    def gainsay(
        self, *arguments: str | Path, check: bool = True
    ) -> "subprocess.CompletedProcess[str]":
        """Run `gainsay`; with `check` it must succeed."""
        return self._run(["gainsay", *map(str, arguments)], check)

    def dbt(
        self, *arguments: str, check: bool = True, parses: bool = True
    ) -> "subprocess.CompletedProcess[str]":
        """Run `dbt` with a target folder of its own; with `check` it must succeed.

        Vars that decide something when dbt parses make it parse anew what reads them, if it
        `parses` at all.
        """
        program = "dbt" if parses else "parsed dbt"
        return self._run([program, *self._dbt_arguments(*arguments)], check)

    def leave_parsed(self, *arguments: str) -> None:
        """Leave the parsed project in `target`, for processes of plain dbt with these arguments."""
        target = str(self.folder / "target")
        self._run(["leave parsed", "--target-path", target, *arguments], check=True)

    def dbt_command(self, *arguments: str) -> list[str]:
        """The command line of dbt for this warehouse, for a process of its own."""
        code = "import sys; from gainsay.project.runner import run_dbt;"
        code += " sys.exit(0 if run_dbt(sys.argv[1:]).success else 1)"
        return [sys.executable, "-c", code, *self._dbt_arguments(*arguments)]

    def _dbt_arguments(self, command: str, *arguments: str) -> list[str]:
        # as `gainsay build` says it: a twentieth of the edges from tests to models
        edges = ["--use-fast-test-edges"] if command == "build" else []
        return [
            "--no-use-colors", command, *edges,
            "--target-path", str(self.folder / "target"),
            "--log-path", str(self.folder / "logs"),
            *arguments,
        ]  # fmt: skip

    def build(self, *arguments: str) -> "Warehouse":
        """Build every model, without the data tests and unit tests."""
        self.dbt("build", "--exclude-resource-type", "test", "unit_test", *arguments)
        return self

    def build_suite(self, *arguments: str) -> "Warehouse":
        """Build what the Conflict Suite's manifest is made of, and no more."""
        return self.build("--select", "+conflict_suite__manifest", *arguments)

    @contextmanager
    def connect(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open the warehouse for reading."""
        with duckdb.connect(self.path, read_only=True) as connection:
            yield connection

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """All rows of a query."""
        with self.connect() as connection:
            return connection.execute(query).fetchall()

    def rows_of_analysis(self, name: str, query: str) -> list[tuple[object, ...]]:
        """All rows of a query on an analysis, which the query calls `analysis`."""
        from gainsay.python_udfs.engines.duckdb import register

        # seeds that it alone reads are in no build of models
        self.dbt("seed", "--select", f"1+{name}", parses=False)
        self.dbt("compile", "--select", name, parses=False)
        [compiled] = (self.folder / "target" / "compiled").rglob(f"analyses/{name}.sql")
        with self.connect() as connection:
            register(connection)
            return connection.execute(
                f"with analysis as ({compiled.read_text()}) {query}"
            ).fetchall()

    def copied_to(self, folder: Path, **environment: str) -> "Warehouse":
        """A warehouse of the same content in another folder."""
        copy = Warehouse(folder, **environment)
        shutil.copy(self.path, copy.path)
        return copy

    def process(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        """Run a command as a process of its own, in the project's folder; it must succeed."""
        process = subprocess.run(
            command, cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=False
        )
        return self._checked(process, command, True)

    def _run(self, command: list[str], check: bool) -> "subprocess.CompletedProcess[str]":
        forks = Warehouse.forks()
        process = forks.run(command, self.folder, self.environment, self.working_folder)
        return self._checked(process, command, check)

    def _checked(
        self, process: "subprocess.CompletedProcess[str]", command: list[str], check: bool
    ) -> "subprocess.CompletedProcess[str]":
        if check and process.returncode != 0:
            pytest.fail(f"{' '.join(command)}\n{process.stdout}\n{process.stderr}")
        return process


@pytest.fixture(scope="session", autouse=True)
def surroundings(request: pytest.FixtureRequest, shared_folder: Path) -> Iterator[None]:
    """What commands find in the environment; the process of all of them is made ready meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        # what a killed process and a command's own dbt read instead of parsing
        patch.setenv("GAINSAY_PARSED", str(shared_folder / "parsed" / "state"))
        # dbt's logs take a tenth of its time, and no test reads them
        patch.setenv("DBT_LOG_LEVEL_FILE", "none")
        # its artefacts cost a second each time; a test that needs them asks for them
        patch.setenv("DBT_WRITE_JSON", "false")
        patch.setattr(Warehouse, "forks", lambda: request.getfixturevalue("commands"), False)
        ready: list[Forks] = []
        if not request.config.getoption("quick") and any(
            map(_has_a_warehouse, request.session.items)
        ):
            Thread(target=_get_ready, args=(shared_folder, ready), daemon=True).start()
        yield
        for forks in ready:
            forks.close()


def _get_ready(folder: Path, ready: list[Forks]) -> None:
    # the test that needs it says what is wrong; without a line to it, the process would end
    with suppress(BaseException):
        ready.append(Forks(once(folder, "parsed", parse)))


@pytest.fixture(scope="session")
def commands(parsed: Path) -> Iterator[Forks]:
    """The process that runs the commands of all warehouses."""
    forks = Forks(parsed)
    yield forks
    forks.close()


@pytest.fixture(scope="session")
def parsed(shared_folder: Path, pytestconfig: pytest.Config) -> Path:
    """The folder in which dbt has parsed the project, with its `manifest.json`."""
    not_in_a_quick_run(pytestconfig)
    return once(shared_folder, "parsed", parse)


@pytest.fixture(scope="session")
def parsed_for_spark(parsed: Path, shared_folder: Path) -> Path:
    """What `GAINSAY_PARSED` names, with the project parsed for Spark, too."""
    from gainsay.project.runner import run_dbt

    state = parsed / "state"

    def make(folder: Path) -> None:
        arguments = ["--quiet", "parse", "--target", "spark"]
        result = run_dbt(
            arguments, warehouse=folder / "gainsay.duckdb", target_path=folder, parsed=state
        )
        assert result.success, result.exception

    once(shared_folder, "parsed_for_spark", make)
    return state


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all workers of a run share."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


def not_in_a_quick_run(config: pytest.Config) -> None:
    """Skip a test that needs a warehouse, or another thing that takes long."""
    if config.getoption("quick"):
        pytest.skip("needs a warehouse")


def once(folder: Path, name: str, make: Callable[[Path], None]) -> Path:
    """`folder/name` as `make` made it, by the first worker that asks.

    What it could not make, it does not make for the next one either.
    """
    target = folder / name
    with FileLock(f"{target}.lock"):
        if (target / "failed").exists():
            pytest.fail(f"{name} could not be made:\n{(target / 'failed').read_text()}")
        if not (target / "made").exists():
            target.mkdir(exist_ok=True)
            try:
                make(target)
            except pytest.skip.Exception:
                raise
            except BaseException as error:
                (target / "failed").write_text(str(error))
                raise
            (target / "made").touch()
    return target


@pytest.fixture(scope="session")
def corpus(shared_folder: Path) -> Path:
    """The default synthetic corpus: 200 images, every flaw in it."""

    def make(folder: Path) -> None:
        Warehouse(folder).gainsay("synth", folder / "files", "--no-images")

    return once(shared_folder, "corpus", make) / "files"


@pytest.fixture(scope="session")
def tiny_corpus(shared_folder: Path) -> Path:
    """A synthetic corpus of 20 images, for slow engines."""

    def make(folder: Path) -> None:
        Warehouse(folder).gainsay("synth", folder / "files", "--images", "20", "--no-images")

    return once(shared_folder, "tiny_corpus", make) / "files"


@pytest.fixture(scope="session")
def drawn_corpus(shared_folder: Path) -> Callable[[int], Path]:
    """A function of a seed: a corpus of 150 images without flaws, with its pictures."""
    from gainsay.synth.corpus import write_corpus
    from gainsay.synth.plan import order_of

    def make(seed: int) -> Path:
        order = order_of(150, None, seed, has_pictures=True, has_flaws=False)
        name = f"drawn_{seed}"
        return (
            once(shared_folder, name, lambda folder: write_corpus(folder / "files", order))
            / "files"
        )

    return make


@pytest.fixture(scope="session")
def tiny(shared_folder: Path, tiny_corpus: Path) -> Warehouse:
    """The tiny corpus landed and built, without tests."""

    def make(folder: Path) -> None:
        warehouse = Warehouse(folder)
        warehouse.gainsay("land", tiny_corpus)
        warehouse.build()

    return Warehouse(once(shared_folder, "tiny", make))


@pytest.fixture(scope="session")
def demo(shared_folder: Path, pytestconfig: pytest.Config) -> Demo:
    """The demo as anybody runs it, with pictures and renderings."""
    not_in_a_quick_run(pytestconfig)
    return demo_in(once(shared_folder, "demo", make_demo))


@pytest.fixture(scope="session")
def landed(shared_folder: Path, corpus: Path) -> Warehouse:
    """The synthetic corpus landed; to be copied, not built."""
    return Warehouse(once(shared_folder, "landed", lambda folder: _land(Warehouse(folder), corpus)))


def _land(warehouse: Warehouse, files: Path) -> None:
    warehouse.gainsay("land", files)


@pytest.fixture(scope="session")
def synthetic(shared_folder: Path, landed: Warehouse) -> Warehouse:
    """The synthetic corpus landed and built, all data tests passed; with dbt's manifest."""

    def make(folder: Path) -> None:
        # unit tests have a test of their own, beside which other workers go on
        landed.copied_to(folder).dbt(
            "build", "--write-json", "--exclude-resource-type", "unit_test"
        )

    return Warehouse(once(shared_folder, "synthetic", make))


@pytest.fixture(scope="session")
def reality_check(shared_folder: Path) -> Warehouse:
    """The small corpus of VLM Reality Check with its pictures, delivered by the targets of make."""
    from tests.python.reality_check_targets import make_delivery

    def make(folder: Path) -> None:
        files = folder / "files"
        warehouse = Warehouse(folder, GAINSAY_RENDERINGS=str(folder / "renderings"))
        warehouse.gainsay("synth", files, "--reality-check")
        warehouse.gainsay("land", files)
        warehouse.gainsay("land-images", files)
        make_delivery(warehouse, files)
        # what no target asks for
        warehouse.build(
            "--vars", (files / "vars.yml").read_text(),
            "--select", "reality_check__pairing_findings", "reality_check__screened",
        )  # fmt: skip

    return Warehouse(once(shared_folder, "reality_check", make))


@pytest.fixture(scope="session")
def reseeded(shared_folder: Path, landed: Warehouse) -> Warehouse:
    """The synthetic corpus landed, and the Conflict Suite built with another seed."""

    def make(folder: Path) -> None:
        landed.copied_to(folder).build_suite("--vars", "{seed: 8}")

    return Warehouse(once(shared_folder, "reseeded", make))


@pytest.fixture(scope="session")
def edges(shared_folder: Path, synthetic: Warehouse) -> "list[Edge]":
    """All steps of this project's lineage, as the synthetic corpus was built."""
    from gainsay.inspect.lineage import Edge, column_edges
    from gainsay.project.compiled import read_manifest

    def make(folder: Path) -> None:
        found = column_edges(read_manifest(synthetic.folder / "target/manifest.json"))
        (folder / "edges.json").write_text(json.dumps(found))

    traced = once(shared_folder, "edges", make) / "edges.json"
    return [Edge(*edge) for edge in json.loads(traced.read_text())]


@pytest.fixture(scope="session")
def real(shared_folder: Path) -> Warehouse:
    """The real sample landed, and its benchmarks built; what reads them is in `whole_real`."""

    def make(folder: Path) -> None:
        warehouse = Warehouse(folder)
        warehouse.gainsay("land", REAL_SAMPLE)
        warehouse.build("--exclude", *_BEHIND_BENCHMARKS)

    return Warehouse(once(shared_folder, "real", make))


@pytest.fixture(scope="session")
def whole_real(shared_folder: Path, real: Warehouse) -> Warehouse:
    """The real sample with every model; its data tests are a test of their own."""

    def make(folder: Path) -> None:
        real.copied_to(folder).build("--select", *_BEHIND_BENCHMARKS)

    return Warehouse(once(shared_folder, "whole_real", make))


@pytest.fixture(scope="session")
def exported(shared_folder: Path, whole_real: Warehouse) -> Warehouse:
    """The real sample with its photographs, built with every format as an external model."""
    # of what is built, what photographs change, and where they lie
    changed = "source:raw.image_files+"
    read = ("path:models/exports", "audit__blind_scores", "audit__funnel", "audit__image_overlap",
            "audit__telltale_words")  # fmt: skip

    def make(folder: Path) -> None:
        # relative, as it is by default: an export may run elsewhere
        renderings = os.path.relpath(folder / "renderings", PROJECT)
        warehouse = whole_real.copied_to(
            folder, GAINSAY_RENDERINGS=renderings, GAINSAY_EXPORTS=str(folder)
        )
        warehouse.gainsay("land-images", REAL_SAMPLE)
        warehouse.build(
            "--select", "path:models/exports", "images__renderings_folder",
            *(f"+{name},{changed}" for name in read),
            "--vars", vars_of_exports(*FORMATS, *CLASH_FORMATS),
        )  # fmt: skip

    return Warehouse(once(shared_folder, "exports", make))


def vars_of_exports(*formats: str) -> str:
    """The vars of a build that writes these formats."""
    return f"{{export_formats: [{', '.join(formats)}]}}"


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The URL of an empty bucket, in a server of this process that speaks Amazon's S3."""
    from moto.server import ThreadedMotoServer
    from pyarrow import fs

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "somebody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
        patch.setenv("AWS_REGION", "us-east-1")
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        system = fs.S3FileSystem(
            endpoint_override=f"http://{host}:{port}", allow_bucket_creation=True
        )
        system.create_dir("pictures")
        yield "s3://pictures"
    server.stop()
