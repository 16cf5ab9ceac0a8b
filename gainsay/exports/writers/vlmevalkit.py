"""The TSV of VLMEvalKit's VQA data sets, pictures in base64."""

import base64
import csv
import io

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.records import Records, fields, read_picture


def files(_records: Records, benchmark: str) -> list[str | Shards]:
    """The table, `Gainsay<Benchmark>.tsv`."""
    return [_name(benchmark)]


def _name(benchmark: str) -> str:
    return f"Gainsay{benchmark.title().replace('_', '')}.tsv"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `Gainsay<Benchmark>.tsv`."""
    spelled = ("prompt", "target")
    rest = [name for name in records.schema().names if name not in spelled]
    with folder.file(_name(folder.benchmark)) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerow(["index", "image", "question", "answer", *rest])
        for index, record in enumerate(records):
            picture = base64.b64encode(read_picture(record)).decode()
            others = fields(record, besides=spelled)
            writer.writerow([index, picture, record["prompt"], record["target"], *others.values()])
        # the file is the folder's to close
        text.detach()
