"""Records in the files that evaluators and trainers read as they are."""

import base64
import csv
import io
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from ingest.atomic import atomic_file, write_atomically
from ingest.errors import GainsayError
from python_udfs.image_bytes import ImageUnreadableError, read_image

Record = dict[str, Any]

_LARGEST_IMAGE = 64 * 2**20
_ROWS_PER_GROUP = 100
_QUERY = """
    select * from exports.exports__conflict_suite
    where $split is null or split = $split
    order by example_id
"""
# what a record says of itself in every format that has room for it
_FIELDS = (
    "example_id", "base_id", "variant_id", "question_id", "source_image_id", "text_input",
    "question", "gold_answer", "split", "family", "operator", "corrupt_modality", "severity",
    "answer_type", "oracle_action", "record_version", "license_name", "license_url", "flickr_url",
    "picture_state",
)  # fmt: skip
_INSTANCES = """
    select * from exports.exports__edited_instances
    order by image_path, instance_id
"""
_INSTRUCTION = (
    "Answer with yes or no, a number, or a colour; if the picture and the text leave the question"
    ' open, answer "cannot answer".'
)
_ABSTENTION = "cannot answer"


@dataclass(frozen=True)
class Exported:
    """What an export holds: its records, and why pictures stayed out."""

    n_records: int
    left_out: dict[str, int]


def export(
    connection: duckdb.DuckDBPyConnection, kind: str, folder: Path, split: str | None
) -> Exported:
    """Write one format of the Conflict Suite into a folder, with a card that says what it is.

    Formats that need the picture hold the records whose picture is available, `coco-instances`
    those whose picture is edited; `jsonl` holds all. Raises `GainsayError` where the records
    are not built, none can be exported, or a picture cannot be read.
    """
    try:
        rows = _records(connection.execute(_QUERY, {"split": split}))
        instances = _records(connection.execute(_INSTANCES)) if kind == _COCO else []
    except duckdb.CatalogException as error:
        raise GainsayError("the schema exports: run `dbt build` first") from error
    available, left_out = _available(rows)
    edited = [row for row in available if row["vision_family"]]
    records = {"jsonl": rows, _COCO: edited}.get(kind, available)
    if not records:
        raise _nothing_to_export(rows)
    if kind == _COCO:
        _write_instances(records, instances, folder)
    else:
        _WRITERS[kind](records, folder)
    exported = Exported(len(records), left_out)
    _write_card(connection, kind, records, exported, folder)
    return exported


def _records(cursor: duckdb.DuckDBPyConnection) -> list[Record]:
    columns = [column[0] for column in cursor.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def _available(rows: list[Record]) -> tuple[list[Record], dict[str, int]]:
    """The records whose picture may leave, and how many stay out for which reason."""
    left_out = Counter(row["picture_state"] for row in rows if row["picture_state"] != "available")
    available = [row for row in rows if row["picture_state"] == "available"]
    return available, dict(sorted(left_out.items()))


def _nothing_to_export(rows: list[Record], or_else: str = ", or export jsonl") -> GainsayError:
    states = ", ".join(sorted({row["picture_state"] for row in rows})) or "no records at all"
    return GainsayError(
        f"nothing to export: no picture is available ({states}); land pictures with"
        f" `gainsay land-images`, see the vars export_requires_...{or_else}"
    )


def _image(record: Record) -> bytes:
    try:
        return read_image(record["image_path"], record["image_archive"], _LARGEST_IMAGE)
    except ImageUnreadableError as error:
        raise GainsayError(f"{record['image_path']}: cannot be read: {error}") from error


def _file_name(record: Record) -> str:
    suffix = Path(record["image_path"].rsplit("!", 1)[-1]).suffix.lower()
    # a rendered picture is known by its content, a photograph by its image
    name = Path(record["image_path"]).stem if record["vision_family"] else record["shown_image_id"]
    return f"{name}{suffix}"


def _described(record: Record) -> Record:
    return {name: record[name] for name in _FIELDS}


def _prompt(record: Record) -> str:
    return f"Text: {record['text_input']}\nQuestion: {record['question']}\n{_INSTRUCTION}"


def _target(record: Record) -> str:
    abstains = record["oracle_action"] == "abstain"
    return _ABSTENTION if abstains else str(record["gold_answer"])


def _write_lines(path: Path, lines: Iterator[Record]) -> None:
    with atomic_file(path) as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")


def _write_json(path: Path, value: object) -> None:
    write_atomically(path, json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n")


def _write_images(records: list[Record], folder: Path) -> None:
    written = set()
    for record in records:
        name = _file_name(record)
        if name not in written:
            write_atomically(folder / name, _image(record))
            written.add(name)


def _jsonl(records: list[Record], folder: Path) -> None:
    """One object per line."""
    _write_lines(folder / "records.jsonl", map(_described, records))


def _features() -> pa.Schema:
    integers = {"question_id": pa.int64(), "severity": pa.int32()}
    fields = [pa.field(name, integers.get(name, pa.string())) for name in _FIELDS]
    names = {"int64": "int64", "int32": "int32", "string": "string"}
    features: Record = {"image": {"_type": "Image"}} | {
        field.name: {"dtype": names[str(field.type)], "_type": "Value"} for field in fields
    }
    image = pa.field("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
    described = json.dumps({"info": {"features": features}})
    return pa.schema([image, *fields], metadata={"huggingface": described})


def _hugging_face(records: list[Record], folder: Path) -> None:
    """Parquet as `datasets` writes it, one file per split."""
    schema = _features()
    for split in sorted({record["split"] for record in records}):
        of_split = [record for record in records if record["split"] == split]
        with (
            atomic_file(folder / "data" / f"{split}-00000-of-00001.parquet") as file,
            pq.ParquetWriter(file, schema) as writer,
        ):
            for start in range(0, len(of_split), _ROWS_PER_GROUP):
                rows = [
                    {"image": {"bytes": _image(record), "path": _file_name(record)}}
                    | _described(record)
                    for record in of_split[start : start + _ROWS_PER_GROUP]
                ]
                writer.write_table(pa.Table.from_pylist(rows, schema))


def _image_folder(records: list[Record], folder: Path) -> None:
    """Pictures beside a metadata.jsonl that names them, as `datasets`' ImageFolder reads it."""
    _write_images(records, folder)
    _write_lines(
        folder / "metadata.jsonl",
        ({"file_name": _file_name(record)} | _described(record) for record in records),
    )


def _llava(records: list[Record], folder: Path) -> None:
    """Conversations for LLaVA's supervised fine-tuning."""
    _write_images(records, folder / "images")
    _write_json(
        folder / "llava_sft.json",
        [
            {
                "id": record["example_id"],
                "image": f"images/{_file_name(record)}",
                "conversations": [
                    {"from": "human", "value": f"<image>\n{_prompt(record)}"},
                    {"from": "gpt", "value": _target(record)},
                ],
            }
            for record in records
        ],
    )


def _dpo(records: list[Record], folder: Path) -> None:
    """Preferences for TRL: the right answer over abstaining, or abstaining over an answer."""
    _write_images(records, folder / "images")
    _write_lines(
        folder / "dpo.jsonl",
        (
            {
                "images": [f"images/{_file_name(record)}"],
                "prompt": [
                    {
                        "role": "user",
                        "content": [{"type": "image"}, {"type": "text", "text": _prompt(record)}],
                    }
                ],
                "chosen": _said(_target(record)),
                "rejected": _said(
                    str(record["gold_answer"])
                    if record["oracle_action"] == "abstain"
                    else _ABSTENTION
                ),
            }
            for record in records
        ),
    )


def _said(text: str) -> list[Record]:
    return [{"role": "assistant", "content": [{"type": "text", "text": text}]}]


def _r_tuning(records: list[Record], folder: Path) -> None:
    """Answers followed by whether one can be sure of them, as R-Tuning trains refusal."""
    _write_images(records, folder / "images")
    _write_json(
        folder / "r_tuning.json",
        [
            {
                "id": record["example_id"],
                "image": f"images/{_file_name(record)}",
                "text": (
                    f"{_prompt(record)}\nAnswer: {record['gold_answer']}. Are you sure you"
                    " accurately answered the question based on what you see and read? I am"
                    f" {'unsure' if record['oracle_action'] == 'abstain' else 'sure'}."
                ),
            }
            for record in records
        ],
    )


def _vlmevalkit(records: list[Record], folder: Path) -> None:
    """The TSV of VLMEvalKit's VQA data sets, pictures in base64."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    names = [name for name in _FIELDS if name not in ("question", "gold_answer")]
    writer.writerow(["index", "image", "question", "answer", *names])
    for index, record in enumerate(records):
        picture = base64.b64encode(_image(record)).decode()
        described = ["" if record[name] is None else record[name] for name in names]
        writer.writerow([index, picture, _prompt(record), _target(record), *described])
    write_atomically(folder / "GainsayConflictSuite.tsv", text.getvalue().encode())


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

INSTRUCTION = {instruction!r}
ABSTENTION = {abstention!r}


def doc_to_visual(doc):
    """The picture."""
    return [doc["image"].convert("RGB")]


def doc_to_text(doc, lmms_eval_specific_kwargs=None):
    """The text beside the picture, the question and what may be answered."""
    return f"Text: {{doc['text_input']}}\\nQuestion: {{doc['question']}}\\n{{INSTRUCTION}}"


def doc_to_target(doc):
    """The right answer."""
    return ABSTENTION if doc["oracle_action"] == "abstain" else doc["gold_answer"]


def process_results(doc, results):
    """Whether the answer is right, and whether it abstains."""
    answer = " ".join(results[0].lower().split()).strip(" .")
    return {{
        "accuracy": float(answer == doc_to_target(doc)),
        "abstention": float(answer == ABSTENTION),
    }}
'''


def _lmms_eval(records: list[Record], folder: Path) -> None:
    """A task of lmms-eval: its YAML, its functions and the records."""
    _hugging_face(records, folder)
    files = sorted(f"{split}-00000-of-00001.parquet" for split in {r["split"] for r in records})
    data_files = json.dumps([str((folder / "data" / name).resolve()) for name in files])
    version = records[0]["record_version"]
    task = _LMMS_YAML.format(data_files=data_files, version=version)
    write_atomically(folder / "gainsay_conflict_suite.yaml", task.encode())
    utils = _LMMS_UTILS.format(instruction=_INSTRUCTION, abstention=_ABSTENTION)
    write_atomically(folder / "utils.py", utils.encode())


def _write_instances(records: list[Record], instances: list[Record], folder: Path) -> None:
    """Edited pictures and the objects in them as COCO's instances files have them."""
    _write_images(records, folder / "images")
    shown: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        shown[record["image_path"]].append(record)
    terms = sorted({(r["license_name"] or "", r["license_url"] or "") for r in records})
    images = []
    for number, path in enumerate(sorted(shown), start=1):
        record = shown[path][0]
        with Image.open(folder / "images" / _file_name(record)) as picture:
            width, height = picture.size
        terms_of_picture = (record["license_name"] or "", record["license_url"] or "")
        images.append(
            {
                "id": number,
                "file_name": f"images/{_file_name(record)}",
                "width": width,
                "height": height,
                "license": terms.index(terms_of_picture) + 1,
                "flickr_url": record["flickr_url"],
                "source_image_id": record["shown_image_id"],
                "edit": record["vision_family"],
                "severity": record["severity"],
                "example_ids": [example["example_id"] for example in shown[path]],
            }
        )
    numbers = {path: number for number, path in enumerate(sorted(shown), start=1)}
    found = [instance for instance in instances if instance["image_path"] in numbers]
    categories = {i["category_id"]: (i["category"], i["supercategory"]) for i in found}
    _write_json(
        folder / "instances.json",
        {
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
        },
    )


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


def export_finetuning(connection: duckdb.DuckDBPyConnection, folder: Path) -> Exported:
    """Write the fine-tuning mix of CLASH as conversations for TRL, pictures beside them.

    Raises `GainsayError` where the mix is not built, no picture of it is available, or a
    picture cannot be read.
    """
    try:
        cursor = connection.execute(
            "select * from exports.exports__clash_finetuning order by example_id"
        )
        rows = _records(cursor)
    except duckdb.CatalogException as error:
        raise GainsayError("exports.exports__clash_finetuning: run `dbt build` first") from error
    records, left_out = _available(rows)
    if not records:
        raise _nothing_to_export(rows, "")
    names: dict[str, str] = {}
    for record in records:
        if record["source_image_id"] not in names:
            suffix = Path(record["image_path"].rsplit("!", 1)[-1]).suffix.lower()
            name = names[record["source_image_id"]] = f"images/{record['source_image_id']}{suffix}"
            write_atomically(folder / name, _image(record))
    _write_lines(
        folder / "clash_sft.jsonl",
        (_conversation(record, names[record["source_image_id"]]) for record in records),
    )
    exported = Exported(len(records), left_out)
    _write_finetuning_card(records, exported, folder)
    return exported


_FINETUNING_INSTRUCTION = "Answer with the letter and the text of the right choice."
_FINETUNING_FIELDS = (
    "example_id", "sample_id", "condition", "source_image_id", "change_type", "category",
    "license_name", "license_url", "flickr_url",
)  # fmt: skip


def _conversation(record: Record, image: str) -> Record:
    prompt = (
        f"Caption: {record['caption_shown']}\nQuestion: {record['question']}\n"
        f"{record['choices_text']}\n{_FINETUNING_INSTRUCTION}"
    )
    asked = [{"type": "image", "text": None}, {"type": "text", "text": prompt}]
    answer = f"({record['right_letter']}) {record['right_choice']}"
    return {
        "images": [image],
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": [{"type": "text", "text": answer}]},
        ],
    } | {name: record[name] for name in _FINETUNING_FIELDS}


def _write_finetuning_card(records: list[Record], exported: Exported, folder: Path) -> None:
    lines = [
        "---", "license: other", "task_categories:", "- visual-question-answering", "configs:",
        "- config_name: default", "  data_files: clash_sft.jsonl",
        "---", "# CLASH, fine-tuning mix", "",
        "Pictures with a caption that contradicts them, or does not, and a question about it with"
        " four choices, one of which says that the information conflicts.", "",
        f"Records: {exported.n_records:,}.", "",
        "| caption shown | records |", "|---|---|",
        *_table(Counter(record["condition"] for record in records)), "",
        "| kind of change | records |", "|---|---|",
        *_table(Counter(record["change_type"] for record in records)), "",
        "## Pictures that stay out", "", "| reason | records |", "|---|---|",
        *_table(exported.left_out), "",
        "## Licences", "",
        "Captions: COCO, CC BY 4.0, edited. Pictures: their authors', under the licence that"
        " every record names.", "",
        "| licence of the picture | records |", "|---|---|",
        *_table(_licenses(records)), "",
        "## Intended use", "",
        "To teach a model to say that picture and caption contradict each other. No picture of"
        " the released CLASH test set is among these where that was landed.", "",
        "## Known limits", "",
        "The changes were made and screened by rules or language models; a sample that people"
        " judged is among these only if they accepted it.", "",
    ]  # fmt: skip
    write_atomically(folder / "README.md", "\n".join(lines).encode())


_COCO = "coco-instances"
_WRITERS: dict[str, Callable[[list[Record], Path], None]] = {
    "jsonl": _jsonl,
    "hugging-face": _hugging_face,
    "image-folder": _image_folder,
    "lmms-eval": _lmms_eval,
    "vlmevalkit": _vlmevalkit,
    "llava": _llava,
    "dpo": _dpo,
    "r-tuning": _r_tuning,
}
FORMATS = (*_WRITERS, _COCO)


def _write_card(
    connection: duckdb.DuckDBPyConnection,
    kind: str,
    records: list[Record],
    exported: Exported,
    folder: Path,
) -> None:
    """The data set card: counts and hashes of the manifest, licences, use and limits."""
    manifest = connection.execute("""
        select section, item, measure, value
        from conflict_suite.conflict_suite__manifest
        where section in ('content', 'split', 'code')
        order by all
    """).fetchall()
    front = ["---", "license: other", "task_categories:", "- visual-question-answering"]
    if kind == "hugging-face":
        splits = sorted({record["split"] for record in records})
        front += ["configs:", "- config_name: default", "  data_files:"]
        for split in splits:
            front += [f"  - split: {split}", f"    path: data/{split}-*.parquet"]
    lines = [
        *front, "---", "# Conflict Suite", "",
        "Questions about pictures whose text or picture was corrupted on purpose, with the action"
        " that is right for each.", "",
        f"Format: {kind}. Records: {exported.n_records:,}.", "",
        "## Counts", "", "| split | records |", "|---|---|",
        *_table(Counter(record["split"] for record in records)), "",
        "| operator | records |", "|---|---|",
        *_table(Counter(record["operator"] for record in records)), "",
        "## Pictures that stay out", "", "| reason | records |", "|---|---|",
        *_table(exported.left_out), "",
        "## Licences", "",
        "Questions and annotations: VQA v2.0, CC BY 4.0. Captions: COCO, CC BY 4.0. Pictures:"
        " their authors', under the licence that every record names.", "",
        "| licence of the picture | records |", "|---|---|",
        *_table(_licenses(records)),
        "", "## Intended use", "",
        "To measure whether a model notices that picture and text disagree, and whether it"
        " abstains where it should. Not for training and measuring on the same split.", "",
        "## Known limits", "",
        "test_ood_severity shares pictures with train by design. Gold answers are the annotators'"
        " most frequent ones, and captions were screened by words, not by people.", "",
        "## Manifest", "", "| section | item | measure | value |", "|---|---|---|---|",
        *("| " + " | ".join(map(str, row)) + " |" for row in manifest), "",
    ]  # fmt: skip
    write_atomically(folder / "README.md", "\n".join(lines).encode())


def _licenses(records: list[Record]) -> Counter[str]:
    return Counter(
        f"[{record['license_name']}]({record['license_url']})"
        if record["license_url"]
        else "unknown"
        for record in records
    )


def _table(counts: dict[str, int] | Counter[str]) -> list[str]:
    return [f"| {name} | {n:,} |" for name, n in sorted(counts.items())]
