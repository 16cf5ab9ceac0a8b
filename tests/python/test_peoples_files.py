"""Small files as people make them, at the doors that they bring them to."""

import json
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from gainsay.cli.land import command as land
from gainsay.cli.land_images import command as land_images
from gainsay.cli.land_predictions import command as land_predictions
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.votes import land_sheet
from gainsay.python_udfs.pixels.image_bytes import decode_pixels
from tests.python.real_data import CASES, needs_cases

pytestmark = needs_cases


@pytest.fixture(autouse=True)
def _warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))


def rows(tmp_path: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(tmp_path / "gainsay.duckdb", read_only=True) as connection:
        return connection.execute(sql).fetchall()


def landed(place: str, *options: object) -> Result:
    """What landing the pictures at a place of the cases, and files of its folder, ends with."""
    folder = (CASES / place).parent
    named = [folder / each if "." in str(each) else each for each in options]
    return CliRunner().invoke(land_images, [str(CASES / place), *map(str, named)])


def said(result: Result) -> str:
    return f"{result.output}{result.exception or ''}"


# --- annotations: how many objects or captions land on pictures, and how many values are left out

ANNOTATED: dict[str, tuple[int, int]] = {
    "02-names-as-tools-write-them/result.json": (8, 8),
    "03-nfd-names/objects.json": (3, 2),
    "04-via-coco/via_project_coco.json": (3, 3),
    "05-masks/sam.json": (8, 8),
    "06-numbers-as-floats-and-texts/pandas.json": (8, 8),
    "07-categories/roboflow.json": (2, 2),
    "07-categories/supercategory_number.json": (2, 2),
    "21-json-oddities/big_ids.json": (2, 2),
    "21-json-oddities/bom.json": (2, 2),
    "28-boxes-of-other-kinds/odd.json": (4, 2),
}


@pytest.mark.parametrize("name", ANNOTATED)
def test_annotations_land_whole_on_their_pictures(tmp_path: Path, name: str) -> None:
    folder, file = name.split("/")
    result = landed(f"{folder}/pictures", "--annotations", file)
    assert result.exit_code == 0, said(result)
    found = rows(
        tmp_path,
        """
        select count(*), count(*) filter (len(annotations.bbox) = 4)
        from raw.own_annotations as annotations
        inner join raw.own_images as images on annotations.image_id = images.id
        inner join raw.own_matches as matches on images._position = matches._position
        inner join raw.image_files as files on matches.path = files.path
        """,
    )
    assert found == [ANNOTATED[name]]
    assert rows(tmp_path, "select * from raw.rejected_records") == []


def test_masks_of_all_forms_are_outlines_or_runs(tmp_path: Path) -> None:
    landed("05-masks/pictures", "--annotations", "sam.json")
    assert rows(
        tmp_path,
        """
        select
            len(segmentation_polygons[1]), len(segmentation_rle_counts) > 0,
            segmentation_rle_string[:3]
        from raw.own_annotations order by _position
        """,
    ) == [
        (None, True, None), (None, None, "nf4"), (None, None, "nf4"), (None, None, "nf4"),
        (None, None, None), (None, None, None), (None, None, None), (8, None, None),
    ]  # fmt: skip


# files that end with 1, and a part of the sentence that says what to do
REFUSED: dict[str, str] = {
    "07-categories/dict.json": "Expected `array`, got `object` - at `$.categories`",
    "20-formats-of-tools/0.txt": "YOLO: convert its folder with Datumaro",
    "20-formats-of-tools/0.xml": "Pascal VOC: convert its folder with Datumaro",
    "20-formats-of-tools/captions_results.json": "a captioner (COCO results): write an object with",
    "20-formats-of-tools/coco_results.json": "a detector (COCO results): write an object with",
    "20-formats-of-tools/createml.json": "CreateML: convert it to COCO with globox",
    "20-formats-of-tools/images_no_annotations.json": "its list `annotations` is empty",
    "20-formats-of-tools/label_studio.json": "Label Studio: export it there as COCO",
    "20-formats-of-tools/label_studio_min.json": "Label Studio: export it there as COCO",
    "20-formats-of-tools/labelme.json": "LabelMe: convert its folder with labelme2coco",
    "20-formats-of-tools/makesense.csv": "makesense.ai (CSV): export it there as COCO JSON",
    "20-formats-of-tools/rectlabel.json": "RectLabel: its `images` is one object",
    "20-formats-of-tools/supervisely.json": "Supervisely: export the project there",
    "20-formats-of-tools/via.json": "(VIA): export it there",
    "21-json-oddities/cut.json": "not JSON, or cut short (Input data was truncated)",
    "21-json-oddities/empty.json": "the file is empty",
    "21-json-oddities/lines.json": "writes a record a line: write an object with",
    "21-json-oddities/nan.json": "JSON has no NaN",
    "21-json-oddities/single_quotes.json": "write it with `json.dump`",
    "21-json-oddities/trailing_comma.json": "trailing comma in array (byte 540)",
    "21-json-oddities/twice.json": "several lists are called annotations",
    "21-json-oddities/utf16.json": "the file is UTF-16; save it as UTF-8",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_annotation_is_told_with_the_way_on(name: str) -> None:
    folder, file = name.split("/")
    result = landed(f"{folder}/pictures", "--annotations", file)
    assert result.exit_code == 1
    assert file in str(result.exception)
    assert REFUSED[name] in str(result.exception)


TOLD: dict[str, str] = {
    "02-names-as-tools-write-them/result.json": "of 8 images 8 are pictures here (5 by another",
    "07-categories/names.json": "2 objects are of a category that its list `categories` lacks",
    "07-categories/none.json": "2 objects are of a category that its list `categories` lacks",
    "28-boxes-of-other-kinds/azure.json": "all boxes lie within 0 and 1, as shares",
}


@pytest.mark.parametrize("name", TOLD)
def test_what_to_look_at_is_told_at_the_landing(name: str) -> None:
    folder, file = name.split("/")
    result = landed(f"{folder}/pictures", "--annotations", file)
    assert result.exit_code == 0, said(result)
    assert TOLD[name] in result.output


# --- manifests: rows, distinct pictures, captions, and what is rejected of them

MANIFESTS: dict[str, tuple[int, int, int, int]] = {
    "02-names-as-tools-write-them/manifest.csv": (8, 8, 8, 0),
    "03-nfd-names/pictures.csv": (2, 2, 2, 0),
    "15-spreadsheets/semicolons.csv": (3, 3, 3, 1),
    "15-spreadsheets/sep_line.csv": (3, 3, 3, 1),
    "15-spreadsheets/unicode.txt": (3, 3, 3, 1),
    "15-spreadsheets/unicode_text.csv": (3, 3, 3, 1),
    "16-manifests-of-others/captions.csv": (15, 3, 15, 0),
    "16-manifests-of-others/captions.txt": (15, 3, 15, 0),
    "16-manifests-of-others/captions_file.csv": (15, 3, 15, 0),
    "16-manifests-of-others/captions_list.jsonl": (6, 3, 6, 0),
    "16-manifests-of-others/metadata.json": (3, 3, 3, 0),
    "16-manifests-of-others/metadata.jsonl": (3, 3, 3, 0),
    "16-manifests-of-others/metadata_up.csv": (3, 3, 3, 0),
    "16-manifests-of-others/results.csv": (15, 3, 15, 0),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifests_of_others_land(tmp_path: Path, name: str) -> None:
    folder, file = name.split("/")
    result = landed(f"{folder}/pictures", "--manifest", file)
    assert result.exit_code == 0, said(result)
    assert rows(
        tmp_path,
        """
        select
            count(*), count(distinct path), count(caption),
            (select count(*) from raw.rejected_records)
        from raw.own_pictures
        """,
    ) == [MANIFESTS[name]]


def test_a_manifest_in_another_encoding_is_told() -> None:
    result = landed("15-spreadsheets/pictures", "--manifest", "ansi.csv")
    assert result.exit_code == 1
    assert "ansi.csv: is not UTF-8; save it as CSV in UTF-8" in str(result.exception)


# manifests of which nothing lands, and what is said of them
NO_MANIFESTS: dict[str, tuple[bytes, str]] = {
    "empty.csv": (b"", "the file is empty"),
    "empty.jsonl": (b"", "the file is empty"),
    "empty.parquet": (b"", "the file is empty"),
    "head.csv": (b"file,caption\n", "it has no rows"),
    "none.json": (b"[]", "it has no rows"),
    "no_file.csv": (b"caption,scene\na,b\n", "no column `file`, which names the pictures; found"),
    "no_file.jsonl": (b'{"caption": "a"}\n', "no row has a field `file`, which names the pictures"),
    "object.json": (b'{"images": []}', "no row has a field `file`, which names the pictures"),
    "utf16.jsonl": ('{"file": "0.jpg"}\n'.encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
    "latin.jsonl": (b'{"file": "0.jpg", "caption": "\xe9"}\n', "expected a JSON object in UTF-8"),
    "twice.jsonl": (b'{"file": "0.jpg", "file": "1.jpg"}\n', "expected one field of each name"),
    "elsewhere.csv": (b"file\nno.jpg\n", "expected a picture in the folder, which has none"),
}


@pytest.mark.parametrize("name", NO_MANIFESTS)
def test_a_manifest_of_which_nothing_lands_says_why(tmp_path: Path, name: str) -> None:
    content, sentence = NO_MANIFESTS[name]
    (tmp_path / name).write_bytes(content)
    pictures = str(CASES / "21-json-oddities/pictures")
    result = CliRunner().invoke(land_images, [pictures, "--manifest", str(tmp_path / name)])
    assert result.exit_code == 1
    assert sentence in str(result.exception)


def test_annotations_without_boxes_or_of_shared_ids_are_told(tmp_path: Path) -> None:
    pictures = str(CASES / "21-json-oddities/pictures")
    file = tmp_path / "annotations.json"

    def landed_with(annotation: dict[str, object]) -> str:
        images = [{"id": 0, "file_name": name} for name in ("0.jpg", "1.jpg")]
        parts = {"images": images, "annotations": [{"id": 1, "image_id": 0} | annotation]}
        file.write_text(json.dumps(parts | {"categories": [{"id": 1, "name": "dog"}]}))
        return said(CliRunner().invoke(land_images, [pictures, "--annotations", str(file)]))

    assert "none of its annotations has a `bbox`" in landed_with({"category_id": 1})
    told = landed_with({"category_id": 1, "bbox": [1, 2, 3, 4]})
    assert "1 ids are of several images, or of several categories" in told


def test_numbers_and_days_of_spreadsheets_are_read(tmp_path: Path) -> None:
    landed("15-spreadsheets/pictures", "--manifest", "semicolons.csv")
    assert rows(
        tmp_path,
        "select taken_at, latitude, heading from raw.own_pictures order by _position",
    ) == [
        ("2024-06-21T12:00:00", 48.8566, 90.0), ("2024-06-21T12:00:00", 48.8566, 90.0),
        # a month or a day may come first
        (None, 48.8566, 90.5),
    ]  # fmt: skip


def test_folders_by_split_are_told_apart(tmp_path: Path) -> None:
    """Annotations lie beside their pictures; a manifest above both folders must name them."""
    place = "33-folders-of-tools/dataset"
    files = [CASES / place / split / "_annotations.coco.json" for split in ("train", "valid")]
    options = [option for file in files for option in ("--annotations", str(file))]
    result = landed(place, *options)
    assert result.exit_code == 0, said(result)
    assert rows(
        tmp_path,
        """
        select count(*) from raw.own_matches
        where path like '%/' || split_part(_source_file, '/', -2) || '/%'
        """,
    ) == [(4,)]
    assert landed(place, "--manifest", "windows.csv").exit_code == 0
    for name in ("pandas.csv", "pandas.parquet"):
        refused = landed(place, "--manifest", name)
        assert refused.exit_code == 1
    assert rows(tmp_path, "select distinct expected from raw.rejected_records") == [
        ("the path within the folder of one of 2 of this name",)
    ]


# --- pictures


@pytest.mark.parametrize(("folder", "n"), [("10-sixteen-bits", 4), ("11-alpha", 4)])
def test_pictures_that_differ_have_hashes_that_differ(tmp_path: Path, folder: str, n: int) -> None:
    assert landed(f"{folder}/pictures").exit_code == 0
    assert rows(tmp_path, "select count(distinct perceptual_hash) from raw.image_files") == [(n,)]


def test_a_picture_in_alpha_alone_is_decoded_as_it_is_shown() -> None:
    for path in (CASES / "11-alpha/pictures").iterdir():
        pixels = decode_pixels(path.read_bytes())
        assert pixels.max() - pixels.min() > 100


def test_pictures_of_phones_and_browsers_are_read_or_told(tmp_path: Path) -> None:
    result = landed("13-heic-and-endings/pictures")
    assert "1 other files ignored (1 without an ending)" in result.output
    found = dict(rows(tmp_path, "select file_name, error from raw.image_files"))
    assert found["from_browser.jfif"] is found["really_jpeg.HEIC"] is found["good.jpg"] is None
    for name, kind, converter in (
        ("IMG_0002.HEIC", "HEIC", "heif-convert A.heic A.jpg"),
        ("IMG_0003.jpg", "HEIC", "sips -s format jpeg A.heic"),
        ("IMG_0004.avif", "AVIF", "avifdec A.avif A.png"),
    ):
        sentence = f"a picture in {kind}, which is not read here; convert it to JPEG or PNG ("
        assert found[name].startswith(sentence)
        assert converter in found[name]


def test_files_of_systems_are_left_out_and_counted(tmp_path: Path) -> None:
    for place, n in (("pictures", 5), ("archive.zip", 3)):
        result = landed(f"14-macos-and-windows/{place}")
        assert result.exit_code == 0, said(result)
        assert f"{n} files of macOS or Windows" in result.output
        assert "3 images landed" in result.output
    assert rows(tmp_path, "select distinct error_kind from raw.image_files") == [(None,)]


def test_files_of_systems_beside_official_files_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "questions"
    folder.mkdir()
    name = "v2_OpenEnded_mscoco_val2014_questions.json"
    questions = '{"questions": [{"image_id": 1, "question_id": 1000, "question": "Is it?"}]}'
    with zipfile.ZipFile(folder / "questions.zip", "w") as archive:
        archive.writestr(name, questions)
        archive.writestr(f"__MACOSX/{name}", b"\0\5\x16\7")
    for each in ("._questions.zip", ".DS_Store", "Thumbs.db"):
        (folder / each).write_bytes(b"\0\5\x16\7")
    (folder / "notes.txt").touch()
    result = CliRunner().invoke(land, [str(folder)])
    assert result.exit_code == 0, said(result)
    assert "1 other files ignored, 3 files of macOS or Windows left out" in result.output
    assert rows(tmp_path, "select question_id from raw.vqa_questions") == [(1000,)]


@pytest.mark.parametrize("name", ["data #2", "why?"])
def test_a_folder_that_reads_as_an_address_is_told_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / name / "gainsay.duckdb"))
    result = landed("21-json-oddities/pictures")
    assert "no warehouse can be built in a folder with" in str(result.exception)
    assert not (tmp_path / name).exists()


# --- answers and votes


@pytest.mark.parametrize(
    "name",
    [
        "22-typed/plain.json", "22-typed/floats.json", "22-typed/lists.json", "22-typed/hf.parquet",
        "22-typed/numbers_and_booleans.json", "22-typed/float_ids.parquet",
        "23-spreadsheets/semicolons.csv", "23-spreadsheets/sep_line.csv",
        "23-spreadsheets/tabs.csv", "23-spreadsheets/unicode_text.csv",
        "23-spreadsheets/answers.txt",
    ],
)  # fmt: skip
def test_answers_of_any_program_are_the_same_answers(tmp_path: Path, name: str) -> None:
    for file in (CASES / name, CASES / "22-typed/plain.json"):
        options = ["--benchmark", "vqa", "--model", file.name, str(file)]
        result = CliRunner().invoke(land_predictions, options)
        assert result.exit_code == 0, said(result)
    [(n_alike, n_keys)] = rows(
        tmp_path,
        f"""
        select
            count(*) filter (trim(said.prediction) = trim(plain.prediction)),
            count(distinct said.example_key)
        from raw.predictions as said
        inner join raw.predictions as plain using (example_key)
        where said.model = '{(CASES / name).name}' and plain.model = 'plain.json'
        """,
    )
    assert n_keys == 427
    # an answer that is a text of a truth value may be spelled otherwise
    assert n_alike > 400


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ansi.csv", "is not UTF-8; save it as CSV in UTF-8"),
        ("result.xlsx", "save its sheet as CSV in UTF-8, with ids as text"),
        ("rounded_ids.csv", "ids were rounded by a spreadsheet program"),
    ],
)
def test_answers_that_a_spreadsheet_changed_are_told(name: str, sentence: str) -> None:
    file = str(CASES / "23-spreadsheets" / name)
    result = CliRunner().invoke(land_predictions, ["--benchmark", "vqa", file])
    assert result.exit_code == 1
    assert sentence in str(result.exception)


# one table, as each format holds it: what the landing says, or that each has the same answers
_Rows = list[dict[str, str]]
_ROWS: _Rows = [
    {"question_id": str(100 + n), "answer": said} for n, said in enumerate(["yes", "two", ""])
]
_ODD_TABLES: dict[str, tuple[_Rows, str]] = {
    "as it is": (_ROWS, "1 of 3 answers are empty"),
    "no answers": (
        [{"question_id": row["question_id"], "model": "m"} for row in _ROWS],
        "'answer'; ",
    ),
    "no ids": (
        [{"nr": row["question_id"], "answer": row["answer"]} for row in _ROWS],
        "nr, answer",
    ),
    "half an answer": (
        [_ROWS[0], {"question_id": "101"}, _ROWS[1] | {"question_id": "102"}],
        "1 of 3 answers are empty",
    ),
    "all empty": ([row | {"answer": ""} for row in _ROWS], "3 of 3 answers are empty"),
    "ids twice": ([*_ROWS, _ROWS[0]], "1 of 4 answers have an id that an earlier one has"),
    "an empty id": ([*_ROWS, {"question_id": "", "answer": "no"}], "3 answers of m landed, 1 rej"),
    "no rows": ([], "no_"),
}


def _written(path: Path, rows: _Rows) -> Path:
    """A table in the format that the name of its file says."""
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["question_id", "answer"]
    if path.suffix == ".parquet":
        columns = {name: pa.array([row.get(name) for row in rows], pa.string()) for name in names}
        pq.write_table(pa.table(columns), path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows))
    elif path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    else:
        separator = {".csv": ",", ".tsv": "\t"}[path.suffix]
        lines = [names, *([str(row.get(name, "")) for name in names] for row in rows)]
        path.write_text("".join(f"{separator.join(line)}\n" for line in lines))
    return path


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl", "parquet"])
@pytest.mark.parametrize("kind", _ODD_TABLES)
def test_each_format_says_the_same_of_a_table(tmp_path: Path, kind: str, suffix: str) -> None:
    table, sentence = _ODD_TABLES[kind]
    file = _written(tmp_path / f"no_.{suffix}", table)
    result = CliRunner().invoke(land_predictions, ["--benchmark", "vqa", "--model", "m", str(file)])
    assert result.exit_code == (kind in ("no answers", "no ids", "no rows")), said(result)
    assert sentence in said(result)


def test_a_table_is_told_by_its_bytes_not_by_its_name(tmp_path: Path) -> None:
    semicolons = tmp_path / "a.tsv"
    semicolons.write_text("question_id;answer\n1;yes\n")
    options = ["--benchmark", "vqa", "--model", "m"]
    assert CliRunner().invoke(land_predictions, [*options, str(semicolons)]).exit_code == 0
    for name in ("a.json", "a.jsonl"):
        (tmp_path / name).write_bytes('[{"question_id": 1, "answer": "yes"}]'.encode("utf-16"))
        result = CliRunner().invoke(land_predictions, [*options, str(tmp_path / name)])
        assert "the file is UTF-16; save it as UTF-8" in said(result)
    for name in ("b.json", "b.jsonl", "b.csv", "b.parquet"):
        (tmp_path / name).touch()
        result = CliRunner().invoke(land_predictions, [*options, str(tmp_path / name)])
        assert "the file is empty" in said(result)


# of a record that has a field twice nobody knows which counts, unless both say the same
_TWICE = '{"question_id": 1, "answer": "yes", "answer": "no"}'
_ALIKE = '{"question_id": 2, "answer": "yes", "answer": "yes"}'


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_answers_with_a_field_twice_are_rejected(tmp_path: Path, name: str) -> None:
    text = f"[{_TWICE}, {_ALIKE}]" if name == "a.json" else f"{_TWICE}\n{_ALIKE}\n"
    (tmp_path / name).write_text(text)
    CliRunner().invoke(land_predictions, ["--benchmark", "vqa", str(tmp_path / name)])
    assert rows(tmp_path, "select example_key from raw.predictions") == [("2",)]
    assert rows(tmp_path, "select field, found, expected from raw.rejected_records") == [
        ("$.answer", '"yes" and "no"', "one field of each name")
    ]


def test_annotations_with_a_field_twice_are_rejected(tmp_path: Path) -> None:
    landed("21-json-oddities/pictures", "--annotations", "twice_in_record.json")
    assert rows(tmp_path, "select id from raw.own_annotations") == [("0",)]
    assert rows(tmp_path, "select field, found, expected from raw.rejected_records") == [
        ("$.image_id", "0 and 1", "one field of each name")
    ]


def test_questions_with_a_field_or_a_list_twice_are_told(tmp_path: Path) -> None:
    file = tmp_path / "v2_OpenEnded_mscoco_val2014_questions.json"
    head = '{"image_id": 42, "question_id": 42000, "question": "Is it red?"'
    file.write_text(f'{{"questions": [{head}, "question": "Is it blue?"}}, {head}}}]}}')
    assert CliRunner().invoke(land, [str(file)]).exit_code == 0
    assert rows(tmp_path, "select question from raw.vqa_questions") == [("Is it red?",)]
    assert rows(tmp_path, "select field from raw.rejected_records") == [("$.question",)]
    file.write_text(f'{{"questions": [{head}}}], "questions": []}}')
    assert "several lists are called questions" in said(CliRunner().invoke(land, [str(file)]))


def test_a_sheet_with_a_column_twice_is_told(tmp_path: Path) -> None:
    sheet = tmp_path / "ann.csv"
    sheet.write_text((CASES / "35-sheets/ben.csv").read_text().replace("is_right", "reader", 1))
    with (
        connect() as connection,
        pytest.raises(GainsayError, match="several columns are called reader"),
    ):
        land_sheet(DuckDbSink(connection), sheet)


@pytest.mark.parametrize("name", ["think.jsonl", "assistant.jsonl", "special_tokens.jsonl"])
def test_what_models_leave_in_answers_is_counted(name: str) -> None:
    file = str(CASES / "29-thoughts" / name)
    result = CliRunner().invoke(land_predictions, ["--benchmark", "vqa", file])
    assert "427 answers hold tokens of a chat template, or thoughts" in result.output


def test_a_sheet_with_semicolons_is_a_sheet() -> None:
    # without the queues of a built warehouse none of its rows can be read
    with connect() as connection, pytest.raises(GainsayError, match="review_questions: not built"):
        land_sheet(DuckDbSink(connection), CASES / "35-sheets/ben.csv")
