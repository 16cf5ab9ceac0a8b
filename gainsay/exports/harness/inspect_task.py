"""The questions of gainsay as a task of inspect_ai, scored as its board does.

`inspect eval inspect_task.py --model ...` asks the records for testing, `-T split=val` others.
"""

import importlib.util
from pathlib import Path

import pyarrow.parquet as pq
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import SampleScore, Score, metric, scorer
from inspect_ai.solver import generate

HERE = Path(__file__).parent
# a release has the records of this task in a folder of their own
DATA = next((path for path in (HERE / "inspect/data", HERE / "data") if path.is_dir()), HERE)


def _beside(name):
    """A module of this folder; other tasks have one of the same name."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


scoring = _beside("gainsay_scoring")


def _sample(record):
    """A record as inspect asks it; its picture is a data URI already."""
    picture, prompt = ContentImage(image=record.pop("image")), ContentText(text=record["prompt"])
    return Sample(
        id=record["example_id"],
        input=[ChatMessageUser(content=[picture, prompt])],
        target=record["target"],
        metadata=record,
    )


@metric
def board():
    """Every metric of the board; groups count as right where all of their records are."""

    def measured(scores: list[SampleScore]) -> dict[str, float]:
        values = {}
        for one in scores:
            for name, value in one.score.metadata["measures"].items():
                values.setdefault(name, []).append(value)
        return {name: scoring.score(name, values[name]) for name in values}

    return measured


@scorer(metrics=[board()])
def as_the_board():
    """What an answer adds to each metric; its own value is that of the first behind groups."""

    async def score(state, _target):
        measures = scoring.measures(state.metadata, state.output.completion)
        numerator = next(
            (measures[name][0] for name in scoring.metrics()[1:] if name in measures), 0
        )
        return Score(
            value=float(numerator),
            answer=state.output.completion,
            metadata={"measures": measures},
        )

    return score


@task
def gainsay(split="test"):
    """All records whose split is `split` or begins with it: `test` is `test_id`, too."""
    files = [
        file
        for file in sorted(DATA.glob("*.parquet"))
        if file.name.rsplit("-", 3)[0] == split or file.name.startswith(f"{split}_")
    ]
    records = [record for file in files for record in pq.read_table(file).to_pylist()]
    return Task(
        dataset=MemoryDataset([_sample(record) for record in records], name=f"gainsay-{split}"),
        solver=generate(),
        scorer=as_the_board(),
    )
