"""Records in the files that evaluators and trainers read as they are.

What a format holds is its model's to say, `exports__<format>`: one row per record, in columns.
Here is how each is spelled as files.
"""

import base64
import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.errors import GainsayError
from gainsay.io.atomic import atomic_file, write_atomically
from python_udfs.pixels.image_bytes import ImageUnreadableError, picture_size, read_image

Record = dict[str, Any]

_LARGEST_IMAGE = 64 * 2**20
_ROWS_PER_READ = 1000
_ROWS_PER_GROUP = 100
_CARD = "README.md"
# where a record's picture lies, which no file that leaves says
_PICTURE = ("image", "image_path", "image_archive")


@dataclass(frozen=True)
class Exported:
    """What an export holds: its records, and why pictures stayed out."""

    n_records: int
    left_out: dict[str, int]


class Records:
    """The rows of a format's model in the order of their ids, read anew by every loop.

    `kind` is one of `FORMATS`; with a `split`, only the rows of that split.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, kind: str, split: str | None) -> None:
        self.kind = kind
        self._connection = connection
        self._condition = "true" if split is None else "split = $split"
        self._parameters = {} if split is None else {"split": split}

    @property
    def model(self) -> str:
        """The format's model."""
        return f"exports.exports__{self.kind.replace('-', '_')}"

    @property
    def source(self) -> str:
        """The model of all records, those without a picture included."""
        suite = "clash_finetuning" if self.kind == _CLASH else "conflict_suite"
        return f"exports.exports__{suite}"

    def __iter__(self) -> Iterator[Record]:
        return self.of_query(f"from {self.model} where {self._condition} order by example_id")

    def of_split(self, split: str) -> "Records":
        """Those of one split."""
        return Records(self._connection, self.kind, split)

    def splits(self) -> list[str]:
        """The splits that there are."""
        query = f"select distinct split from {self.model} where {self._condition} order by split"
        return [row["split"] for row in self.of_query(query)]

    def n_rows(self) -> int:
        """How many there are."""
        query = f"select count(*) as n from {self.model} where {self._condition}"
        return int(next(self.of_query(query))["n"])

    def left_out(self) -> dict[str, int]:
        """How many records have no picture that may leave, by reason."""
        return self._counted("picture_state", f"{self._condition} and picture_state <> 'available'")

    def counts(self, expression: str) -> dict[str, int]:
        """How many of the exported records there are, by an expression over their source."""
        return self._counted(
            expression,
            f"{self._condition} and example_id in (select example_id from {self.model})",
        )

    def _counted(self, expression: str, condition: str) -> dict[str, int]:
        rows = self.of_query(f"""
            select {expression} as item, count(*) as n
            from {self.source} where {condition} group by item order by item
        """)
        return {row["item"]: row["n"] for row in rows}

    def of_query(self, query: str) -> Iterator[Record]:
        """The rows of a query, which may name `$split` where these are of one.

        Raises `GainsayError` where what it reads is not built, or its files are gone.
        """
        # loops run within each other
        cursor = self._connection.cursor()
        parameters = self._parameters if "$split" in query else {}
        try:
            cursor.execute(query, parameters)
        except duckdb.CatalogException as error:
            raise GainsayError("the schema exports: run `dbt build` first") from error
        except duckdb.IOException as error:
            raise GainsayError(f"{self.model}: run `dbt build` again: {error}") from error
        names = [column[0] for column in cursor.description or ()]
        while rows := cursor.fetchmany(_ROWS_PER_READ):
            for row in rows:
                yield dict(zip(names, row, strict=True))


def export(
    connection: duckdb.DuckDBPyConnection, kind: str, folder: Path, split: str | None = None
) -> Exported:
    """Write one format into a folder, and at last a card that says what it is.

    Formats that need the picture hold the records whose picture is available, `coco-instances`
    those whose picture is edited; `jsonl` holds all. A folder without its card is one whose
    export was stopped. Raises `GainsayError` where the records are not built, none can be
    exported, or a picture cannot be read.
    """
    records = Records(connection, kind, split)
    n_records = records.n_rows()
    left_out = records.left_out()
    if not n_records:
        raise _nothing_to_export(records, left_out)
    (folder / _CARD).unlink(missing_ok=True)
    _WRITERS[kind](records, folder)
    exported = Exported(n_records, left_out)
    card = _finetuning_card if kind == _CLASH else _suite_card
    write_atomically(folder / _CARD, "\n".join(card(records, exported)).encode())
    return exported


def _nothing_to_export(records: Records, left_out: dict[str, int]) -> GainsayError:
    states = ", ".join(left_out) or "no records at all"
    or_else = "" if records.kind == _CLASH else ", or export jsonl"
    return GainsayError(
        f"nothing to export: no picture is available ({states}); land pictures with"
        f" `gainsay land-images`, see the vars export_requires_...{or_else}"
    )


def _picture(record: Record) -> bytes:
    try:
        return read_image(record["image_path"], record["image_archive"], _LARGEST_IMAGE)
    except ImageUnreadableError as error:
        raise GainsayError(f"{record['image_path']}: cannot be read: {error}") from error


def _described(record: Record) -> Record:
    return {name: value for name, value in record.items() if name not in _PICTURE}


def _with_pictures(records: Iterable[Record], folder: Path) -> Iterator[Record]:
    """The records, each once its picture is in the folder."""
    written = set()
    for record in records:
        name = record["image"]
        if name not in written:
            write_atomically(folder / name, _picture(record))
            written.add(name)
        yield record


def _write_lines(path: Path, lines: Iterable[Record]) -> None:
    with atomic_file(path) as file:
        for line in lines:
            file.write(_json(line) + b"\n")


def _write_array(path: Path, elements: Iterable[Record]) -> None:
    with atomic_file(path) as file:
        before = b"[\n"
        for element in elements:
            file.write(before + _json(element))
            before = b",\n"
        file.write(b"\n]\n")


def _json(value: object) -> bytes:
    return msgspec.json.encode(value)


def _jsonl(records: Records, folder: Path) -> None:
    """One object per line."""
    _write_lines(folder / "records.jsonl", records)


def _features(names: Iterable[str]) -> pa.Schema:
    integers = {"question_id": pa.int64(), "severity": pa.int32()}
    fields = [pa.field(name, integers.get(name, pa.string())) for name in names]
    features: Record = {"image": {"_type": "Image"}} | {
        field.name: {"dtype": str(field.type), "_type": "Value"} for field in fields
    }
    image = pa.field("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
    described = json.dumps({"info": {"features": features}})
    return pa.schema([image, *fields], metadata={"huggingface": described})


def _hugging_face(records: Records, folder: Path) -> None:
    """Parquet as `datasets` writes it, one file per split."""
    for split in records.splits():
        path = folder / "data" / _parquet_name(split)
        of_split = iter(records.of_split(split))
        first = next(of_split)
        schema = _features(_described(first))
        with atomic_file(path) as file, pq.ParquetWriter(file, schema) as writer:
            group = [_with_bytes(first)]
            for record in of_split:
                if len(group) == _ROWS_PER_GROUP:
                    writer.write_table(pa.Table.from_pylist(group, schema))
                    group = []
                group.append(_with_bytes(record))
            writer.write_table(pa.Table.from_pylist(group, schema))


def _parquet_name(split: str) -> str:
    return f"{split}-00000-of-00001.parquet"


def _with_bytes(record: Record) -> Record:
    return {"image": {"bytes": _picture(record), "path": record["image"]}} | _described(record)


def _image_folder(records: Records, folder: Path) -> None:
    """Pictures beside a metadata.jsonl that names them, as `datasets`' ImageFolder reads it."""
    _write_lines(
        folder / "metadata.jsonl",
        (
            {"file_name": record["image"]} | _described(record)
            for record in _with_pictures(records, folder)
        ),
    )


def _llava(records: Records, folder: Path) -> None:
    """Conversations for LLaVA's supervised fine-tuning."""
    _write_array(
        folder / "llava_sft.json",
        (
            {
                "id": record["example_id"],
                "image": record["image"],
                "conversations": [
                    {"from": "human", "value": f"<image>\n{record['prompt']}"},
                    {"from": "gpt", "value": record["target"]},
                ],
            }
            for record in _with_pictures(records, folder)
        ),
    )


def _dpo(records: Records, folder: Path) -> None:
    """Preferences for TRL, as conversations."""
    _write_lines(
        folder / "dpo.jsonl",
        (
            {
                "images": [record["image"]],
                "prompt": [_said("user", {"type": "image"}, _text(record["prompt"]))],
                "chosen": [_said("assistant", _text(record["target"]))],
                "rejected": [_said("assistant", _text(record["rejected"]))],
            }
            for record in _with_pictures(records, folder)
        ),
    )


def _clash_sft(records: Records, folder: Path) -> None:
    """Conversations for TRL's supervised fine-tuning."""
    spelled = (*_PICTURE, "prompt", "target")
    _write_lines(
        folder / "clash_sft.jsonl",
        (
            {
                "images": [record["image"]],
                "messages": [
                    _said("user", {"type": "image", "text": None}, _text(record["prompt"])),
                    _said("assistant", _text(record["target"])),
                ],
            }
            | {name: value for name, value in record.items() if name not in spelled}
            for record in _with_pictures(records, folder)
        ),
    )


def _said(role: str, *content: Record) -> Record:
    return {"role": role, "content": list(content)}


def _text(text: str) -> Record:
    return {"type": "text", "text": text}


def _r_tuning(records: Records, folder: Path) -> None:
    """Answers followed by whether one can be sure of them."""
    _write_array(
        folder / "r_tuning.json",
        (
            {
                "id": record["example_id"],
                "image": record["image"],
                "text": (
                    f"{record['prompt']}\nAnswer: {record['answer']}. Are you sure you"
                    " accurately answered the question based on what you see and read? I am"
                    f" {'sure' if record['is_sure'] else 'unsure'}."
                ),
            }
            for record in _with_pictures(records, folder)
        ),
    )


def _vlmevalkit(records: Records, folder: Path) -> None:
    """The TSV of VLMEvalKit's VQA data sets, pictures in base64."""
    spelled = (*_PICTURE, "prompt", "target")
    with atomic_file(folder / "GainsayConflictSuite.tsv") as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        for index, record in enumerate(records):
            rest = {name: value for name, value in record.items() if name not in spelled}
            if not index:
                writer.writerow(["index", "image", "question", "answer", *rest])
            picture = base64.b64encode(_picture(record)).decode()
            writer.writerow([index, picture, record["prompt"], record["target"], *rest.values()])
        # the file is the caller's to close
        text.detach()


_LMMS_YAML = """\
# the records lie beside this file, in data/; put the folder below lmms_eval/tasks
dataset_path: parquet
dataset_kwargs:
  data_files:
    test: {data_files}
task: gainsay_conflict_suite
test_split: test
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: !function utils.doc_to_target
process_results: !function utils.process_results
generation_kwargs:
  max_new_tokens: 16
  temperature: 0
metric_list:
  - metric: accuracy
    aggregation: mean
    higher_is_better: true
  - metric: abstention
    aggregation: mean
    higher_is_better: false
metadata:
  - version: "{version}"
"""
_LMMS_UTILS = '''\
"""What lmms-eval needs to ask and to score the Conflict Suite."""


def doc_to_visual(doc):
    """The picture."""
    return [doc["image"].convert("RGB")]


def doc_to_text(doc, lmms_eval_specific_kwargs=None):
    """The text beside the picture, the question and what may be answered."""
    return doc["prompt"]


def doc_to_target(doc):
    """The right answer."""
    return doc["target"]


def process_results(doc, results):
    """Whether the answer is right, and whether it abstains."""
    answer = " ".join(results[0].lower().split()).strip(" .")
    return {
        "accuracy": float(answer == doc["target"]),
        "abstention": float(answer == doc["abstention"]),
    }
'''


def _lmms_eval(records: Records, folder: Path) -> None:
    """A task of lmms-eval: its YAML, its functions and the records."""
    _hugging_face(records, folder)
    paths = (folder / "data" / _parquet_name(split) for split in records.splits())
    data_files = json.dumps([str(path.resolve()) for path in paths])
    version = next(iter(records))["record_version"]
    task = _LMMS_YAML.format(data_files=data_files, version=version)
    write_atomically(folder / "gainsay_conflict_suite.yaml", task.encode())
    write_atomically(folder / "utils.py", _LMMS_UTILS.encode())


def _coco_instances(records: Records, folder: Path) -> None:
    """Edited pictures and the objects in them as COCO's instances files have them."""
    shown: dict[str, list[Record]] = {}
    for record in _with_pictures(records, folder):
        shown.setdefault(record["image_path"], []).append(record)
    numbers = {path: number for number, path in enumerate(sorted(shown), start=1)}
    terms = sorted({_terms(examples[0]) for examples in shown.values()})
    images = []
    for path, number in numbers.items():
        record = shown[path][0]
        width, height = picture_size((folder / record["image"]).read_bytes())
        images.append(
            {
                "id": number,
                "file_name": record["image"],
                "width": width,
                "height": height,
                "license": terms.index(_terms(record)) + 1,
                "flickr_url": record["flickr_url"],
                "source_image_id": record["shown_image_id"],
                "edit": record["vision_family"],
                "severity": record["severity"],
                "example_ids": [example["example_id"] for example in shown[path]],
            }
        )
    instances = records.of_query(
        "from exports.exports__edited_instances order by image_path, instance_id"
    )
    found = [instance for instance in instances if instance["image_path"] in numbers]
    categories = {i["category_id"]: (i["category"], i["supercategory"]) for i in found}
    document = {
        "info": {"description": "Edited pictures of the Conflict Suite"},
        "licenses": [
            {"id": number, "name": name, "url": url}
            for number, (name, url) in enumerate(terms, start=1)
        ],
        "images": images,
        "annotations": [
            _annotation(number, numbers[instance["image_path"]], instance)
            for number, instance in enumerate(found, start=1)
        ],
        "categories": [
            {"id": number, "name": name, "supercategory": above}
            for number, (name, above) in sorted(categories.items())
        ],
    }
    write_atomically(folder / "instances.json", _json(document) + b"\n")


def _terms(record: Record) -> tuple[str, str]:
    return record["license_name"] or "", record["license_url"] or ""


def _annotation(number: int, image: int, instance: Record) -> Record:
    counts = instance["segmentation_rle_string"] or instance["segmentation_rle_counts"]
    return {
        "id": number,
        "image_id": image,
        "category_id": instance["category_id"],
        "bbox": instance["bbox"],
        "area": instance["area"],
        "iscrowd": int(instance["is_crowd"]),
        "segmentation": instance["segmentation_polygons"]
        if counts is None
        else {"size": instance["segmentation_rle_size"], "counts": counts},
        "source_instance_id": instance["instance_id"],
    }


_CLASH = "clash-sft"
_WRITERS: dict[str, Callable[[Records, Path], None]] = {
    "jsonl": _jsonl,
    "hugging-face": _hugging_face,
    "image-folder": _image_folder,
    "lmms-eval": _lmms_eval,
    "vlmevalkit": _vlmevalkit,
    "llava": _llava,
    "dpo": _dpo,
    "r-tuning": _r_tuning,
    "coco-instances": _coco_instances,
    _CLASH: _clash_sft,
}
FORMATS = tuple(_WRITERS)


def _suite_card(records: Records, exported: Exported) -> list[str]:
    """The Conflict Suite's: counts and hashes of the manifest, licences, use and limits."""
    manifest = records.of_query("""
        select section, item, measure, value
        from conflict_suite.conflict_suite__manifest
        where section in ('content', 'split', 'code')
        order by all
    """)
    splits = records.counts("split")
    front = ["---", "license: other", "task_categories:", "- visual-question-answering"]
    if records.kind == "hugging-face":
        front += ["configs:", "- config_name: default", "  data_files:"]
        for split in splits:
            front += [f"  - split: {split}", f"    path: data/{_parquet_name(split)}"]
    return [
        *front, "---", "# Conflict Suite", "",
        "Questions about pictures whose text or picture was corrupted on purpose, with the action"
        " that is right for each.", "",
        f"Format: {records.kind}. Records: {exported.n_records:,}.", "",
        "## Counts", "", "| split | records |", "|---|---|", *_table(splits), "",
        "| operator | records |", "|---|---|", *_table(records.counts("operator")), "",
        "## Pictures that stay out", "", "| reason | records |", "|---|---|",
        *_table(exported.left_out), "",
        "## Licences", "",
        "Questions and annotations: VQA v2.0, CC BY 4.0. Captions: COCO, CC BY 4.0. Pictures:"
        " their authors', under the licence that every record names.", "",
        "| licence of the picture | records |", "|---|---|",
        *_table(records.counts(_LICENSE)),
        "", "## Intended use", "",
        "To measure whether a model notices that picture and text disagree, and whether it"
        " abstains where it should. Not for training and measuring on the same split.", "",
        "## Known limits", "",
        "test_ood_severity shares pictures with train by design. Gold answers are the annotators'"
        " most frequent ones, and captions were screened by words, not by people.", "",
        "## Manifest", "", "| section | item | measure | value |", "|---|---|---|---|",
        *("| " + " | ".join(map(str, row.values())) + " |" for row in manifest), "",
    ]  # fmt: skip


def _finetuning_card(records: Records, exported: Exported) -> list[str]:
    """That of CLASH's fine-tuning mix: counts, licences, use and limits."""
    return [
        "---", "license: other", "task_categories:", "- visual-question-answering", "configs:",
        "- config_name: default", "  data_files: clash_sft.jsonl",
        "---", "# CLASH, fine-tuning mix", "",
        "Pictures with a caption that contradicts them, or does not, and a question about it with"
        " four choices, one of which says that the information conflicts.", "",
        f"Records: {exported.n_records:,}.", "",
        "| caption shown | records |", "|---|---|", *_table(records.counts("condition")), "",
        "| kind of change | records |", "|---|---|", *_table(records.counts("change_type")), "",
        "## Pictures that stay out", "", "| reason | records |", "|---|---|",
        *_table(exported.left_out), "",
        "## Licences", "",
        "Captions: COCO, CC BY 4.0, edited. Pictures: their authors', under the licence that"
        " every record names.", "",
        "| licence of the picture | records |", "|---|---|",
        *_table(records.counts(_LICENSE)), "",
        "## Intended use", "",
        "To teach a model to say that picture and caption contradict each other. No picture of"
        " the released CLASH test set is among these where that was landed.", "",
        "## Known limits", "",
        "The changes were made and screened by rules or language models; a sample that people"
        " judged is among these only if they accepted it.", "",
    ]  # fmt: skip


_LICENSE = "coalesce('[' || license_name || '](' || license_url || ')', license_url, 'unknown')"


def _table(counts: dict[str, int]) -> list[str]:
    return [f"| {name} | {n:,} |" for name, n in counts.items()]
