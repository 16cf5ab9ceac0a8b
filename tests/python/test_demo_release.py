"""A release of the demo is what other people's tools read and run, wherever its folder lies."""

import json
import os
import shutil
import socket
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from gainsay.release.delivered import delivered
from gainsay.release.files import checksum_lines, files_of
from gainsay.release.verify import verify
from tests.python.conftest import Warehouse, once
from tests.python.demos import Demo
from tests.python.hugging_face import load_dataset
from tests.python.test_scores_elsewhere import in_a_tool, loaded

pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="session")
def released(shared_folder: Path, demo: Demo) -> Path:
    """The Conflict Suite of the demo, released in the formats that the Hub shows and runs."""

    def make(folder: Path) -> None:
        shutil.copy(demo.warehouse, folder / "gainsay.duckdb")
        warehouse = Warehouse(folder, GAINSAY_RENDERINGS=str(demo.folder / "data/demo/renderings"))
        # a process of its own reads the project anew, with the demo's benchmarks alone
        program = str(Path(sys.executable).with_name("gainsay"))
        formats = ["--format", "hugging-face", "--format", "inspect"]
        warehouse.process([program, "release", "conflict_suite", str(folder / "out"), *formats])

    [folder] = (once(shared_folder, "demo_release", make) / "out").iterdir()
    return folder


@pytest.fixture
def elsewhere(released: Path, tmp_path: Path) -> Path:
    """The same folder, copied."""
    return Path(shutil.copytree(released, tmp_path / released.name))


def test_croissant_has_the_fields_that_neurips_asks_for(elsewhere: Path) -> None:
    stated: dict[str, Any] = json.loads((elsewhere / "croissant.json").read_bytes())
    asked = {
        "rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation",
        "rai:dataUseCases", "rai:dataSocialImpact", "rai:hasSyntheticData", "prov:wasDerivedFrom",
        "prov:wasGeneratedBy",
    }  # fmt: skip
    assert asked <= stated.keys()
    assert stated["rai:hasSyntheticData"] is True
    manifest = json.loads((elsewhere / "manifest.json").read_bytes())
    assert {one["@id"] for one in stated["prov:wasDerivedFrom"]} == {
        f"urn:sha256:{one['sha256']}" for one in manifest["input"].values()
    }
    assert all(one["sc:license"].startswith("https://") for one in stated["prov:wasDerivedFrom"])
    assert [one["prov:label"] for one in stated["prov:wasGeneratedBy"]] == [
        "Data collection", "Data annotation", "Data manipulation", "Screening",
    ]  # fmt: skip
    [agent] = stated["prov:wasGeneratedBy"][-1]["prov:wasAssociatedWith"]
    assert agent["prov:label"] == f"gainsay {manifest['code']['gainsay']['version']}"


def test_mlcroissant_reads_a_record_of_each_set_without_network(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mlcroissant

    def refused(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refused, raising=False)
    dataset = mlcroissant.Dataset(jsonld=str(elsewhere / "croissant.json"))
    assert dataset.metadata.ctx.issues.errors == set()
    assert dataset.metadata.ctx.issues.warnings == set()
    for record_set in dataset.metadata.record_sets:
        [record] = islice(dataset.records(record_set.uuid), 1)
        assert {name.partition("/")[0] for name in record} == {record_set.uuid}


def test_datasets_loads_every_config_as_the_card_counts_it(elsewhere: Path, tmp_path: Path) -> None:
    front_matter = yaml.safe_load((elsewhere / "README.md").read_text().split("---\n")[1])
    told = {
        one["config_name"]: {split["name"]: split["num_examples"] for split in one["splits"]}
        for one in front_matter["dataset_info"]
    }
    assert [*told] == [
        "examples", "prompts", "shown_pictures", "pictures", "examples_with_pictures", "inspect",
    ]  # fmt: skip
    for name, expected in told.items():
        loaded = load_dataset(str(elsewhere), name, cache_dir=str(tmp_path / "cache"))
        assert {split: len(rows) for split, rows in loaded.items()} == expected
    # without a name, examples with their pictures
    shown = load_dataset(str(elsewhere), cache_dir=str(tmp_path / "cache"))
    assert shown["test_id"][0]["image"].size[0] > 0


def test_the_hubs_leaderboard_finds_what_it_runs(elsewhere: Path) -> None:
    """`eval.yaml` lies at the root, and names configs, splits and columns that are there."""
    task = yaml.safe_load((elsewhere / "eval.yaml").read_text())
    front_matter = yaml.safe_load((elsewhere / "README.md").read_text().split("---\n")[1])
    files = {
        (config["config_name"], one["split"]): one["path"]
        for config in front_matter["configs"]
        for one in config["data_files"]
    }
    assert task["evaluation_framework"] == "inspect-ai"
    splits = [one["split"] for one in task["tasks"]]
    assert splits == ["test_id", "test_ood_family", "test_ood_severity"]
    for one in task["tasks"]:
        [file] = elsewhere.glob(files[one["config"], one["split"]])
        columns = one["field_spec"].values()
        first = pq.read_table(file, columns=[*columns]).slice(0, 1).to_pylist()[0]
        assert first[one["field_spec"]["input_image"]].startswith("data:image/")


# a model that is none: it knows one split, and says yes elsewhere
_HALF_RIGHT = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_task import gainsay

task = gainsay()
said = {
    sample.input[0].text: sample.target if sample.metadata["split"] == "test_id" else "yes"
    for sample in task.dataset
}

def answered(messages, *_):
    assert messages[-1].content[0].image.startswith("data:image/")
    output = ModelOutput.from_content("half right", f"**Answer:** {said[messages[-1].text]}.")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output

[log] = eval(
    task, model=get_model("mockllm/model", custom_outputs=answered), display="none",
    log_dir=sys.argv[1],
)
assert log.status == "success", log.error.message
[score] = log.results.scores
print(json.dumps([
    {sample.id: f"**Answer:** {said[sample.input[0].text]}." for sample in task.dataset},
    {name: one.value for name, one in score.metrics.items()},
]))
"""


def _change_column(path: Path, column: str) -> None:
    """Exchange the first and the last value of a column that differ: as many of each are left."""
    table = pq.read_table(path)
    values = table[column].to_pylist()
    place = next(place for place, value in enumerate(values) if value != values[-1])
    values[place], values[-1] = values[-1], values[place]
    place = table.schema.get_field_index(column)
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(values)), path)


def _list_anew(folder: Path, before: dict[str, str]) -> None:
    """Make every page and list fit the files: their hashes, wherever they stand."""
    pages = ("release.json", "croissant.json", "CITATION.cff", "README.md")
    now = {file.name: file.sha256 for file in files_of(folder)}
    for name in pages:
        text = (folder / name).read_text()
        for file, sha256 in before.items():
            text = text.replace(sha256, now[file])
        (folder / name).write_text(text)
    _list_all(folder)


def _list_all(folder: Path) -> None:
    (folder / "SHA256SUMS").unlink()
    (folder / "SHA256SUMS").write_text(checksum_lines([*files_of(folder)]))


def _seal_anew(folder: Path) -> None:
    record = json.loads((folder / "release.json").read_bytes())
    seals = delivered(
        folder, files_of(folder), record["n_records"], record["formats"],
        record["delivered_sha256"],
    )  # fmt: skip
    encoded = msgspec.json.encode(seals, order="sorted")
    (folder / "delivered.json").write_bytes(msgspec.json.format(encoded, indent=2) + b"\n")


@pytest.mark.parametrize(
    ("pattern", "column", "what"),
    [
        ("data/examples/test_id-*", "gold_answer", "data/examples/test_id"),
        ("data/prompts/*", "context", "data/prompts"),
        ("hugging-face/data/test_id-*", "gold_answer", "hugging-face"),
        ("inspect/data/test_id-*", "target", "inspect"),
    ],
)
def test_a_forger_who_makes_every_list_fit_is_found(
    elsewhere: Path, pattern: str, column: str, what: str
) -> None:
    assert verify(elsewhere).findings == []
    before = {file.name: file.sha256 for file in files_of(elsewhere)}
    [path] = elsewhere.glob(pattern)
    _change_column(path, column)
    _list_anew(elsewhere, before)
    # a page that has the file's new hash is found, too
    *pages, finding = verify(elsewhere).findings
    assert finding.startswith(f"{what}: the hash of what it holds is ")
    assert {page.partition(":")[0] for page in pages} <= {"croissant.json"}


def test_rules_that_score_otherwise_are_found(elsewhere: Path) -> None:
    before = {file.name: file.sha256 for file in files_of(elsewhere)}
    rules = elsewhere / "gainsay_rules.json"
    rules.write_text(rules.read_text().replace('"matcher": "extracted"', '"matcher": "plain"'))
    _list_anew(elsewhere, before)
    found = {finding.partition(":")[0] for finding in verify(elsewhere).findings}
    assert {"inspect"} <= found <= {"croissant.json", "inspect"}


# what a forger says otherwise on a page, and which seal tells
_SAID = {
    "the record": ("release.json", '"synthetic_inputs": [', '"synthetic_inputs": [], "x": [',
                   "release.json"),
    "the card": ("README.md", "**Synthetic: every file", "**Real: no file", "README.md"),
    "the citation": ("CITATION.cff", "authors:", "authors: # mine", "CITATION.cff"),
    "what croissant says": ("croissant.json", '"rai:hasSyntheticData": true',
                            '"rai:hasSyntheticData": false', "croissant.json"),
    "whose pictures": ("LICENSES/pictures.csv", "creativecommons", "publicdomain", "LICENSES"),
    "the terms": ("LICENSES/README.md", "licence", "freedom", "LICENSES"),
    "why pictures stay out": ("LICENSES/withheld.csv", "license_unknown", "not_landed",
                              "LICENSES"),
}  # fmt: skip


@pytest.mark.parametrize("name", _SAID)
def test_a_page_that_says_otherwise_is_found(elsewhere: Path, name: str) -> None:
    page, said, forged, what = _SAID[name]
    before = {file.name: file.sha256 for file in files_of(elsewhere)}
    text = (elsewhere / page).read_text()
    assert said in text
    (elsewhere / page).write_text(text.replace(said, forged))
    _list_anew(elsewhere, before)
    assert any(
        finding.startswith(f"{what}: the hash of what it holds is ")
        for finding in verify(elsewhere).findings
    )


def test_a_forger_who_seals_anew_makes_a_release_of_another_citation(elsewhere: Path) -> None:
    cited = verify(elsewhere).summary.rpartition("delivered sha256 ")[2]
    assert cited in (elsewhere / "CITATION.cff").read_text()
    before = {file.name: file.sha256 for file in files_of(elsewhere)}
    citation = (elsewhere / "CITATION.cff").read_text()
    [path] = elsewhere.glob("data/examples/test_id-*")
    _change_column(path, "gold_answer")
    _list_anew(elsewhere, before)
    _seal_anew(elsewhere)
    _list_anew(elsewhere, before)
    # all of it fits: what is left is the citation that one was given elsewhere
    verified = verify(elsewhere)
    assert verified.findings == []
    assert cited not in verified.summary
    # and one page that was overlooked gives it away
    (elsewhere / "CITATION.cff").write_text(citation)
    _list_all(elsewhere)
    changed, unnamed = verify(elsewhere).findings
    assert changed.startswith("CITATION.cff: the hash of what it holds is ")
    assert unnamed.startswith("CITATION.cff: does not name sha256 ")


def test_a_release_without_its_seal_says_so(elsewhere: Path) -> None:
    record = json.loads((elsewhere / "release.json").read_bytes())
    (elsewhere / "release.json").write_text(json.dumps(record | {"delivered_sha256": None}))
    _list_all(elsewhere)
    assert "do not agree on whether it is there" in " ".join(verify(elsewhere).findings)
    (elsewhere / "delivered.json").unlink()
    _list_all(elsewhere)
    assert verify(elsewhere).summary.endswith("so that nothing seals its rows")


@pytest.mark.inspect
def test_inspect_runs_the_release_offline(elsewhere: Path, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(elsewhere)}
    process = subprocess.run(
        [os.environ["INSPECT_PYTHON"], "-c", _HALF_RIGHT, str(tmp_path / "logs")],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-2000:]
    said, metrics = json.loads(process.stdout.splitlines()[-1])
    docs = [
        doc
        for file in sorted(elsewhere.glob("inspect/data/test_*"))
        for doc in pq.read_table(file).drop_columns("image").to_pylist()
    ]
    assert said.keys() == {doc["example_id"] for doc in docs}
    assert len(docs) > 100
    # the scores of the module are held to the board's in test_scores_elsewhere
    scoring = loaded(elsewhere / "gainsay_scoring.py")
    assert metrics == scoring.scores([(doc, said[doc["example_id"]]) for doc in docs])
    assert 0 < metrics["task_success"] < 1


# as inspect makes tasks of a data set of the Hub, which it would fetch: two models answer
_ON_THE_HUB = """
import json, sys
from pathlib import Path
import pyarrow.parquet as pq
import yaml
from inspect_ai import Task, eval
from inspect_ai._eval.loader import scorer_from_spec, solver_from_spec
from inspect_ai._eval.task.hf import HFTask, _record_to_sample_hf
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer._scorer import ScorerSpec
from inspect_ai.solver._solver import SolverSpec

# or inspect would count them with what it fetches
tokens = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
folder = Path(sys.argv[1])
found = {}
for stated in yaml.safe_load((folder / "eval.yaml").read_text())["tasks"]:
    config = HFTask.model_validate(stated)
    [file] = (folder / config.config / "data").glob(f"{config.split}-*.parquet")
    records = pq.read_table(file).to_pylist()
    samples = [_record_to_sample_hf(record, config.field_spec) for record in records]
    right = {
        (sample.input[0].content[1].image, sample.input[0].text): sample.target
        for sample in samples
    }

    def knows(messages, *_):
        said = right[messages[-1].content[1].image, messages[-1].text]
        output = ModelOutput.from_content("knows", f"Let me see.\\n\\n**Answer:** {said}.")
        output.usage = tokens
        return output

    def names_nothing(*_):
        output = ModelOutput.from_content("names nothing", "Something else.")
        output.usage = tokens
        return output

    for answers in (knows, names_nothing):
        [log] = eval(
            Task(
                dataset=MemoryDataset(samples),
                solver=[solver_from_spec(SolverSpec(
                    solver=one.name, args=one.args, args_passed=one.args,
                )) for one in config.solvers],
                scorer=[scorer_from_spec(
                    ScorerSpec(scorer=one.name), task_path=None, **one.args,
                ) for one in config.scorers],
            ),
            model=get_model("mockllm/model", custom_outputs=answers, memoize=False),
            display="none", log_dir=sys.argv[2],
        )
        assert log.status == "success", log.error.message
        [score] = log.results.scores
        scores = found.setdefault(answers.__name__, {})
        scores[config.id] = score.metrics["accuracy"].value
print(json.dumps(found))
"""


@pytest.mark.inspect
def test_what_the_hub_runs_is_valid_by_inspects_schema(elsewhere: Path, tmp_path: Path) -> None:
    python = os.environ["INSPECT_PYTHON"]
    found = in_a_tool(python, _ON_THE_HUB, elsewhere, tmp_path / "logs", folder=tmp_path)

    splits = ("test_id", "test_ood_family", "test_ood_severity")
    assert found == {
        "knows": dict.fromkeys(splits, 1.0),
        "names_nothing": dict.fromkeys(splits, 0.0),
    }
