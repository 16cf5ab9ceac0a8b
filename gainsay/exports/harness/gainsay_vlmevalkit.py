"""The questions of gainsay as a data set of VLMEvalKit, scored as its board does.

Put this folder into `vlmeval/dataset/gainsay`, import `Gainsay` in `vlmeval/dataset/__init__.py`
and add it to the list `IMAGE_DATASET` there; `run.py --data` then takes the table's name.
"""

import importlib.util
from pathlib import Path

from pandas import isna
from vlmeval.dataset.image_base import ImageBaseDataset
from vlmeval.smp import load

HERE = Path(__file__).parent


def _beside(name):
    """A module of this folder, wherever it lies."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


scoring = _beside("gainsay_scoring")


class Gainsay(ImageBaseDataset):
    """The table beside this file. A short cell in place of a picture names the row that has it."""

    TYPE = "VQA"
    DATASET_URL = {file.stem: str(file) for file in sorted(HERE.glob("Gainsay*.tsv"))}

    def load_data(self, dataset):
        """The rows of the table, which nothing downloads."""
        return load(self.DATASET_URL[dataset])

    def evaluate(self, eval_file, **judge_kwargs):
        """Every metric of the board, of a file with the rows and their predictions."""
        answered = []
        for row in load(eval_file).to_dict("records"):
            said = row["prediction"]
            record = row | {"target": str(row["answer"])}
            answered.append((record, None if isna(said) else str(said)))
        return scoring.scores(answered)
