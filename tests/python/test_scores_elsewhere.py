"""Exported folders score answers as our board does, without gainsay and without their harness.

Five models answer the demo: one that knows, one that guesses, one that always says the same, one
that knows and talks, and one that stops in the middle. What the functions of the exported files
say of them is compared with `evaluation__scores`, digit by digit.
"""

import base64
import hashlib
import importlib.util
import io
import json
import math
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image

from gainsay.exports.harness_files import harness_file
from tests.python.conftest import Warehouse, once
from tests.python.demos import Demo

pytestmark = pytest.mark.xdist_group("demo")

BENCHMARKS = ("clash", "conflict_suite", "occlusions")
Record = dict[str, Any]
_GUESSES = {
    "boolean": ["Yes.", "no", "There is no way to tell.", "yes and no"],
    "integer": ["1", "**two**", "Answer: 3", "There are 2 dogs and 1 cat."],
    "color": ["It is grey.", "not red but blue", "red-white", "\\boxed{green}"],
    # CLASH, whose answers have no type
    None: ["The text contradicts it.", "a red thing", "conflicting", "sunny", "Two dogs."],
}
# what an oracle has all of, in whatever words, and the other metrics of a benchmark
_LED_BY = {"clash": ("group_accuracy", "contradiction", "image_only")}
_SUCCESS = ("task_success", "task_success_test_id", "group_accuracy")


def _guess(doc: Record) -> str:
    """One of a few answers as models give them, by the md5 of the example's id."""
    guesses = _GUESSES[doc["answer_type"]]
    return guesses[int(hashlib.md5(doc["example_id"].encode()).hexdigest(), 16) % len(guesses)]


MODELS: dict[str, Callable[[Record], str]] = {
    "oracle": lambda doc: doc["target"],
    "random": _guess,
    "always_yes": lambda _doc: "Yes",
    "talker": lambda doc: (
        f"Let me see.\n\nThe text says: *{doc['text_input']}*\n\n**Answer:** {doc['target']}."
    ),
    "stopping": lambda doc: doc["target"],
}


def answered(docs: list[Record], model: str) -> list[tuple[Record, str]]:
    """What a model answers; one stops in the middle of a word, half way."""
    pairs = [(doc, MODELS[model](doc)) for doc in docs]
    if model == "stopping":
        pairs = pairs[: len(pairs) // 2]
        pairs[-1] = (pairs[-1][0], pairs[-1][1][:1])
    return pairs


def loaded(path: Path) -> ModuleType:
    """A file of an exported folder as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _docs(folder: Path, task: Record) -> list[Record]:
    """The records that the task scores, in the files that it names beside itself."""
    files = task["dataset_kwargs"]["data_files"][task["test_split"]]
    return [
        record | {"image": None}
        for file in files
        for record in pq.read_table(folder / file).drop_columns("image").to_pylist()
    ]


def _task(folder: Path, benchmark: str) -> Record:
    class Loader(yaml.SafeLoader):
        """Reads `!function` as the function's name."""

    Loader.add_constructor("!function", lambda _loader, node: node.value)
    task: Record = yaml.load((folder / f"gainsay_{benchmark}.yaml").read_text(), Loader)
    return task


@pytest.fixture(scope="session")
def board(shared_folder: Path, demo: Demo) -> Warehouse:
    """The demo with the answers of the five models, and what its benchmarks' tasks hold."""

    def make(folder: Path) -> None:
        shutil.copy(demo.warehouse, folder / "gainsay.duckdb")
        warehouse = Warehouse(folder, GAINSAY_RENDERINGS=str(demo.folder / "data/demo/renderings"))
        # a process of its own reads the project anew, with the demo's benchmarks alone
        build = [str(Path(sys.executable).with_name("gainsay")), "build", "--select"]
        formats = ["exports__lmms_eval", "exports__vlmevalkit", "exports__image_folder"]
        warehouse.process([*build, *formats, "exports__records"])
        for benchmark in BENCHMARKS:
            task_folder = folder / "lmms-eval" / benchmark
            together = ("--benchmark", benchmark, "--split", "all")
            warehouse.gainsay("export", "lmms-eval", task_folder, *together)
            warehouse.gainsay("export", "inspect", folder / "inspect" / benchmark, *together)
            docs = _docs(task_folder, _task(task_folder, benchmark))
            asked = ("--benchmark", benchmark, "--task", "open_ended")
            conditions = ("conflicting", "original") if benchmark == "clash" else ("default",)
            for condition in conditions:
                files = [folder / f"{model}.jsonl" for model in MODELS]
                for file in files:
                    lines = (
                        json.dumps({"example_id": doc["example_id"], "prediction": said}) + "\n"
                        for doc, said in answered(docs, file.stem)
                        if condition in ("default", doc["operator"])
                    )
                    file.write_text("".join(lines))
                warehouse.gainsay("land-predictions", *files, *asked, "--condition", condition)
        warehouse.process([*build, "evaluation__scores"])

    return Warehouse(once(shared_folder, "scores_elsewhere", make))


def on_board(board: Warehouse, benchmark: str, model: str, metrics: list[str]) -> dict[str, float]:
    """The board's scores of a model by its first matcher, named as exported files name them."""
    rows = board.rows(f"""
        select
            metric || case slice_name when 'split' then '_' || slice_value else '' end, value
        from evaluation.evaluation__scores
        where benchmark = '{benchmark}' and model = '{model}'
            and matcher in ('extracted', 'relaxed') and slice_name in ('overall', 'split')
            -- the board has more of CLASH's flags than its leaderboard shows
            and (metric, condition) not in (
                ('contradiction', 'original'), ('image_only', 'conflicting')
            )
    """)
    found = {str(name): float(str(value)) for name, value in rows}
    return {name: found[name] for name in metrics if name in found}


@pytest.fixture(params=BENCHMARKS)
def benchmark_folder(request: pytest.FixtureRequest, board: Warehouse, tmp_path: Path) -> Path:
    """The task of a benchmark, copied elsewhere."""
    folder = tmp_path / "elsewhere" / request.param
    shutil.copytree(board.folder / "lmms-eval" / request.param, folder)
    return folder


@pytest.mark.parametrize("model", MODELS)
def test_a_task_of_lmms_eval_scores_as_the_board(
    board: Warehouse, benchmark_folder: Path, model: str
) -> None:
    benchmark = benchmark_folder.name
    task = _task(benchmark_folder, benchmark)
    utils = loaded(benchmark_folder / "utils.py")
    docs = _docs(benchmark_folder, task)
    values: dict[str, list[Any]] = {}
    for doc, said in answered(docs, model):
        # an answer is kept in the samples as JSON
        results = json.loads(json.dumps(utils.process_results(doc, [said])))
        for metric, value in results.items():
            values.setdefault(metric, []).append(value)
    aggregations = {
        one["metric"]: getattr(utils, one["aggregation"].removeprefix("utils."))
        for one in task["metric_list"]
    }
    found = {name: aggregations[name](of_metric) for name, of_metric in values.items()}

    assert found.pop("gainsay_answer") == len(values["gainsay_answer"]) > 20
    expected = on_board(board, benchmark, model, list(aggregations))
    assert {*_LED_BY.get(benchmark, _SUCCESS)} <= set(expected)
    assert found == expected
    assert found == loaded(benchmark_folder / "gainsay_scoring.py").scores(answered(docs, model))
    if model in ("oracle", "talker"):
        assert found["group_accuracy" if benchmark == "clash" else "task_success"] == 1
    if model == "always_yes":
        assert found["group_accuracy"] == 0


@pytest.mark.parametrize("model", MODELS)
def test_the_class_for_vlmevalkit_scores_as_the_board(
    board: Warehouse, benchmark_folder: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """VLMEvalKit is on no package index: its reader of tables and its base class are stand-ins."""
    import pandas as pd

    benchmark = benchmark_folder.name
    smp, base = ModuleType("vlmeval.smp"), ModuleType("vlmeval.dataset.image_base")
    monkeypatch.setattr(smp, "load", lambda file: pd.read_csv(file, sep="\t"), raising=False)
    monkeypatch.setattr(base, "ImageBaseDataset", object, raising=False)
    for module in (smp, base, ModuleType("vlmeval"), ModuleType("vlmeval.dataset")):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    name = "gainsay_vlmevalkit.py"
    (benchmark_folder / name).write_bytes(harness_file(name))
    docs = _docs(benchmark_folder, _task(benchmark_folder, benchmark))
    # as its table spells a record, without the picture, and a prediction behind it
    rows = [
        {"index": index, "answer": doc["target"], **doc, "prediction": said}
        for index, (doc, said) in enumerate(answered(docs, model))
    ]
    file = benchmark_folder / "answers.tsv"
    pd.DataFrame(rows).drop(columns=["image", "target"]).to_csv(file, sep="\t", index=False)
    found = loaded(benchmark_folder / name).Gainsay().evaluate(str(file))

    assert found == on_board(board, benchmark, model, list(found))
    assert len(found) >= 3


# one run a model: who stops fails in all samples that are left
_IN_INSPECT = """
import json, sys
from pathlib import Path
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_task import gainsay

said = json.loads(Path(sys.argv[1]).read_text())
task = gainsay(sys.argv[3])
# two examples may ask the same of the same picture: a model of this run is told which it is
for sample in task.dataset:
    sample.input[0].content[1].text += f"\\n{sample.id}"
found = {}
for name, answers in said.items():

    def answered(messages, *_):
        assert messages[-1].content[0].image.startswith("data:image/")
        said = answers[messages[-1].text.rpartition("\\n")[2]]
        output = ModelOutput.from_content(name, said)
        # or inspect would count them with what it fetches
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    [log] = eval(
        task, model=get_model("mockllm/model", custom_outputs=answered, memoize=False),
        display="none", fail_on_error=False, log_dir=sys.argv[2],
    )
    assert log.status == "success", log.error.message
    assert log.results.completed_samples == len(answers)
    [score] = log.results.scores
    found[name] = {metric: one.value for metric, one in score.metrics.items()}
print(json.dumps(found))
"""


def in_a_tool(
    python: str, program: str, *arguments: str | Path, folder: Path, **environment: str
) -> dict[str, dict[str, float]]:
    """The scores by model that a program prints as its last line, with nothing from the network."""
    process = subprocess.run(
        [python, "-c", program, *map(str, arguments)],
        cwd=folder, capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "HF_HUB_OFFLINE": "1"} | environment,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-2000:]
    scores: dict[str, dict[str, float]] = json.loads(process.stdout.splitlines()[-1])
    return scores


def all_said(docs: list[Record], file: Path) -> Path:
    """A file of what each model answers, by example."""
    said = {
        model: {doc["example_id"]: answer for doc, answer in answered(docs, model)}
        for model in MODELS
    }
    file.write_text(json.dumps(said))
    return file


@pytest.mark.inspect
def test_a_run_of_inspect_scores_as_the_board(
    board: Warehouse, benchmark_folder: Path, tmp_path: Path
) -> None:
    benchmark = benchmark_folder.name
    task = _task(benchmark_folder, benchmark)
    said = all_said(_docs(benchmark_folder, task), tmp_path / "said")
    folder = shutil.copytree(board.folder / "inspect" / benchmark, tmp_path / "inspect")
    python = os.environ["INSPECT_PYTHON"]
    found = in_a_tool(
        python, _IN_INSPECT, said, tmp_path / "logs", task["test_split"],
        folder=tmp_path, PYTHONPATH=str(folder),
    )  # fmt: skip

    assert found.keys() == MODELS.keys()
    for model, scores in found.items():
        assert scores == on_board(board, benchmark, model, list(scores)), model
        assert {*_LED_BY.get(benchmark, _SUCCESS)} <= scores.keys()


# one run a model: who stops is asked no more
_IN_LMMS_EVAL = """
import json, sys
from pathlib import Path
from lmms_eval.api.model import lmms
from lmms_eval.evaluator import simple_evaluate
from lmms_eval.tasks import TaskManager

said = json.loads(Path(sys.argv[1]).read_text())

class Answering(lmms):
    is_simple = True

    def __init__(self, answers):
        super().__init__()
        self.answers = answers

    def generate_until(self, requests):
        return [self._answer(*request.args) for request in requests]

    def _answer(self, prompt, settings, to_pictures, number, task, split):
        doc = self.task_dict[task][split][number]
        assert to_pictures(doc)[0].mode == "RGB"
        assert prompt == doc["prompt"]
        return self.answers[doc["example_id"]]

    def loglikelihood(self, requests):
        raise AssertionError("this task generates")

    def generate_until_multi_round(self, requests):
        raise AssertionError("this task generates")

found = {}
for name, answers in said.items():
    results = simple_evaluate(
        model=Answering(answers), tasks=[sys.argv[2]], batch_size=1, limit=len(answers),
        task_manager=TaskManager(include_path=sys.argv[3]), log_samples=True, bootstrap_iters=0,
    )
    found[name] = {
        metric.partition(",")[0]: value
        for metric, value in results["results"][sys.argv[2]].items()
        if metric.endswith(",none") and "_stderr" not in metric
    }
print(json.dumps(found))
"""


@pytest.mark.lmms_eval
def test_a_run_of_lmms_eval_scores_as_the_board(
    board: Warehouse, benchmark_folder: Path, tmp_path: Path
) -> None:
    benchmark = benchmark_folder.name
    said = all_said(_docs(benchmark_folder, _task(benchmark_folder, benchmark)), tmp_path / "said")
    python = os.environ["LMMS_EVAL_PYTHON"]
    found = in_a_tool(
        python, _IN_LMMS_EVAL, said, f"gainsay_{benchmark}", benchmark_folder, folder=tmp_path
    )

    assert found.keys() == MODELS.keys()
    for model, scores in found.items():
        n_answers = len(json.loads(said.read_text())[model])
        assert scores.pop("gainsay_answer") == n_answers
        expected = on_board(board, benchmark, model, list(scores))
        # a split of which a model answered nothing has no score
        assert {
            name: value for name, value in scores.items() if not math.isnan(value)
        } == expected, model
        assert {*_LED_BY.get(benchmark, _SUCCESS)} <= expected.keys()


def test_a_task_of_lmms_eval_names_no_place_of_this_machine(
    board: Warehouse, benchmark_folder: Path
) -> None:
    texts = "".join(
        path.read_text()
        for path in benchmark_folder.iterdir()
        if path.suffix in (".yaml", ".py", ".json")
    )
    assert str(board.folder) not in texts
    assert "-00000-of-00001.parquet" in texts


def test_a_prompt_is_asked_with_what_a_model_wants_around_it(benchmark_folder: Path) -> None:
    utils = loaded(benchmark_folder / "utils.py")
    doc = {"image": Image.new("L", (2, 2)), "prompt": "Question: Is it?"}
    around = {"pre_prompt": "Look. ", "post_prompt": "\nOne word."}

    assert utils.doc_to_text(doc) == "Question: Is it?"
    [message] = utils.doc_to_messages(doc, around)
    assert message["role"] == "user"
    picture, text = message["content"]
    assert picture["url"].mode == "RGB"
    assert text == {"type": "text", "text": "Look. Question: Is it?\nOne word."}


def test_a_task_names_the_data_set_of_the_hub_that_it_will_be(
    board: Warehouse, tmp_path: Path
) -> None:
    board.gainsay("export", "lmms-eval", tmp_path, "--split", "test_id", "--hub-id", "a/b")
    task = _task(tmp_path, "conflict_suite")

    assert task["dataset_path"] == "a/b"
    files = task["dataset_kwargs"]["data_files"]
    assert files == {"test": ["data/test_id-00000-of-00001.parquet"]}
    # one split needs no scores by split
    assert {one["metric"] for one in task["metric_list"]} == {
        "group_accuracy", "task_success", "accuracy", "coverage", "gainsay_answer",
    }  # fmt: skip


def test_fiftyone_has_outlines_stages_and_answers(board: Warehouse, tmp_path: Path) -> None:
    """As `fiftyone.Dataset.from_dir(folder, fiftyone.types.FiftyOneDataset)` reads a folder."""
    board.gainsay("export", "fiftyone", tmp_path, "--split", "test_id")
    # FiftyOne takes a description without a version for this layout
    assert "version" not in json.loads((tmp_path / "metadata.json").read_bytes())
    samples = json.loads((tmp_path / "samples.json").read_bytes())["samples"]
    rows = board.rows("""
        select example_id, gold_answer from exports.exports__image_folder
        where benchmark = 'conflict_suite' and split = 'test_id' order by example_id
    """)
    assert [(one["example_id"], one["gold_answer"]) for one in samples] == rows
    for sample in samples:
        with Image.open(tmp_path / sample["filepath"]) as picture:
            size = picture.size
        assert (sample["metadata"]["width"], sample["metadata"]["height"]) == size
        for one in sample["objects"]["detections"]:
            left, top, width, height = one["bounding_box"]
            assert 0 <= left <= left + width <= 1.001
            assert 0 <= top <= top + height <= 1.001
            mask = np.load(io.BytesIO(zlib.decompress(base64.b64decode(one["mask"]))))
            assert mask.any()
            # the mask is that of the box
            assert abs(mask.shape[0] - height * size[1]) < 2
            assert abs(mask.shape[1] - width * size[0]) < 2
    # all that was asked of a picture, whatever became of it
    candidates = [one for sample in samples for one in sample["candidates"]["classifications"]]
    assert {"retained", "consistency"} <= {one["label"] for one in candidates}
    assert set(board.rows("select stage, reason from audit.audit__candidates")) >= {
        (one["label"], one["reason"]) for one in candidates
    }
    answers = [one for sample in samples for one in sample["answers"]["classifications"]]
    assert {one["model"] for one in answers} == {*MODELS}
    by_oracle = [one for one in answers if one["model"] == "oracle"]
    assert {one["credit"] for one in by_oracle if one["matcher"] == "extracted"} == {1}
