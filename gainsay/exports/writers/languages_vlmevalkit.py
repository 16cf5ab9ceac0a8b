"""The TSV of VLMEvalKit's VQA data sets for each language, lists of pictures in base64.

A cell of several pictures is a list in Python's notation, which VLMEvalKit reads back; `image_path`
beside it names the files that it unpacks them into.
"""

import base64
import csv
import io
from pathlib import PurePosixPath

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.records import Record, Records, fields, read_picture, shown_pictures


def files(records: Records, benchmark: str) -> list[str | Shards]:
    """A table for each language."""
    return [_name(benchmark, language) for language in records.languages()]


def write(records: Records, folder: ExportFolder) -> None:
    """Write `Gainsay<Benchmark>_<language>.tsv` for each language."""
    for language in records.languages():
        name = _name(folder.benchmark, language)
        _write_table(records.of_language(language), folder, name)


def _name(benchmark: str, language: str) -> str:
    return f"Gainsay{benchmark.title().replace('_', '')}_{language}.tsv"


def _write_table(records: Records, folder: ExportFolder, name: str) -> None:
    # columns that the table names otherwise
    spelled = ("question", "prompt", "target")
    rest = [name for name in records.schema().names if name not in spelled]
    with folder.file(name) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerow(["index", "image", "image_path", "question", "answer", *rest])
        for index, record in enumerate(records):
            others = fields(record, besides=spelled).values()
            writer.writerow(
                [index, *_pictures(record), record["prompt"], record["target"], *others]
            )
        # the file is the folder's to close
        text.detach()


def _pictures(record: Record) -> tuple[str, str]:
    """The cells of the pictures and of their names: bare for one picture, a list for several."""
    shown = shown_pictures(record).values()
    pictures = [base64.b64encode(read_picture(picture)).decode() for picture in shown]
    names = [PurePosixPath(picture["image"]).name for picture in shown]
    return (pictures[0], names[0]) if len(pictures) == 1 else (str(pictures), str(names))
