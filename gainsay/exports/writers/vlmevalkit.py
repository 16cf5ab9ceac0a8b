"""The TSV of VLMEvalKit's VQA data sets, pictures in base64, and the class that scores them."""

import base64
import csv
import io

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.harness_files import RULES, SCORING, harness_file, scoring_files
from gainsay.exports.records import Records, fields, read_picture

_CLASS = "gainsay_vlmevalkit.py"


def files(_records: Records, benchmark: str) -> list[str | Shards]:
    """The table, `Gainsay<Benchmark>.tsv`, the class that reads it, and how it scores."""
    return [_name(benchmark), _CLASS, SCORING, RULES]


def _name(benchmark: str) -> str:
    return f"Gainsay{benchmark.title().replace('_', '')}.tsv"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `Gainsay<Benchmark>.tsv`, each picture once, and the files that score its answers.

    A further row of a picture has the index of the first one in its place, as VLMEvalKit reads it.
    """
    folder.write(_CLASS, harness_file(_CLASS))
    for name, content in scoring_files(records, folder.benchmark).items():
        folder.write(name, content)
    rows_of_pictures: dict[str, int] = {}
    spelled = ("prompt", "target")
    rest = [name for name in records.schema().names if name not in spelled]
    with folder.file(_name(folder.benchmark)) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerow(["index", "image", "question", "answer", *rest])
        for index, record in enumerate(records):
            first = rows_of_pictures.setdefault(record["image"], index)
            picture: str | int = first
            if first == index:
                picture = base64.b64encode(read_picture(record)).decode()
            others = fields(record, besides=spelled)
            writer.writerow([index, picture, record["prompt"], record["target"], *others.values()])
        # the file is the folder's to close
        text.detach()
