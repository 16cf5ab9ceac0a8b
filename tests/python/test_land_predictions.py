"""Files of answers land whole, in any format, and every record that does not fit says why."""

import gzip
import json
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from gainsay.cli import main
from gainsay.foundation import archives, chunked_files
from gainsay.foundation.chunked_files import ChunkedFile, measure_file
from gainsay.foundation.connection import connect
from gainsay.foundation.progress import advance_unseen
from gainsay.ingest import predictions, rejections, streams
from gainsay.ingest.answers import land_predictions
from gainsay.ingest.predictions import Answering, layout_of
from tests.python.counting_tables import peak_of_landing

RECORDS: list[dict[str, Any]] = [
    {"question_id": 1, "answer": "yes", "confidence": 0.25},
    {"question_id": 2, "answer": 'a "quoted", text\nin two lines', "confidence": None},
    {"question_id": 3, "answer": "жёлтый 🐈", "confidence": 1.0},
    {"question_id": 4, "answer": None, "confidence": 0.5},
]
LANDED = [
    ("1", "yes", 0.25),
    ("2", 'a "quoted", text\nin two lines', None),
    ("3", "жёлтый 🐈", 1.0),
    ("4", None, 0.5),
]


@pytest.fixture(autouse=True)
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "warehouse" / "gainsay.duckdb"
    monkeypatch.setenv("GAINSAY_DB", str(path))
    return path


def _land(file: Path, *options: str, benchmark: str = "vqa", model: str = "m") -> Result:
    return CliRunner().invoke(
        main, ["land-predictions", "--benchmark", benchmark, "--model", model, *options, str(file)]
    )


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connect(read_only=True) as connection:
        return connection.execute(query).fetchall()


def _answers() -> list[tuple[Any, ...]]:
    return _rows("select example_key, prediction, confidence from raw.predictions order by all")


def _rejected() -> list[tuple[Any, ...]]:
    return _rows(
        "select _position, field, found, expected from raw.rejected_records order by _position"
    )


def _lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _write(
    folder: Path,
    name: str,
    records: Sequence[dict[str, Any]] = RECORDS,
    *,
    ensure_ascii: bool = False,
) -> Path:
    path = folder / name
    lines = "".join(json.dumps(record, ensure_ascii=ensure_ascii) + "\n" for record in records)
    if name.endswith((".jsonl", "lines.json")):
        path.write_text(lines)
    elif name.endswith(".jsonl.gz"):
        path.write_bytes(gzip.compress(lines.encode()))
    elif name == "object.json":
        path.write_text(json.dumps({"of": "m", "answers": records}))
    elif name.endswith(".json"):
        path.write_text(json.dumps(records))
    elif name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist([*records]), path, row_group_size=1_000)
    else:
        cells = [
            ["" if value is None else str(value).replace('"', '""') for value in record.values()]
            for record in records
        ]
        separator = "\t" if name.endswith(".tsv") else ","
        rows = [separator.join(f'"{cell}"' for cell in row) for row in cells]
        path.write_text("\n".join([separator.join(records[0]), *rows]))
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.csv", "a.tsv", "a.parquet"])
def test_all_formats_land_alike(tmp_path: Path, name: str) -> None:
    result = _land(_write(tmp_path, name))
    assert result.exit_code == 0, result.output
    assert "4 answers of m landed" in result.output
    # a table has no types for ids, so that a CSV's are texts; they land as texts anyway
    assert _answers() == LANDED
    assert _rejected() == []


def test_decimals_of_a_database_are_numbers(tmp_path: Path) -> None:
    table = pa.table(
        {
            "question_id": pa.array([1, 2], pa.int64()),
            "answer": ["yes", "no"],
            "confidence": pa.array([Decimal("0.25"), None], pa.decimal128(3, 2)),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    result = _land(tmp_path / "a.parquet")
    assert result.exit_code == 0, result.output
    assert _answers() == [("1", "yes", 0.25), ("2", "no", None)]


def test_columns_are_taken_as_told(tmp_path: Path) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"id": "x::clean", "out": "2", "question_id": 9}])
    result = _land(file, "--id-column", "id", "--answer-column", "out")
    assert result.exit_code == 0, result.output
    assert _answers() == [("x::clean", "2", None)]


def test_what_does_not_fit_is_told_and_the_rest_lands(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(
        '{"question_id": 1, "answer": "yes"}\n'
        '{"question_id": 2, "answer": 3}\n'
        "\n"
        '{"question_id": 1.5, "answer": "yes"}\n'
        '{"answer": "yes"}\n'
        '{"question_id": 5, "answer": "no", "confidence": 1.5}\n'
        '{"question_id": 6, "answer": "no", "lave_rating": 4}\n'
        '{"question_id": 7, "answer": "cut o'
    )
    result = _land(file)
    assert result.exit_code == 0, result.output
    assert "4 answers of m landed, 3 rejected, 2 odd values left empty" in result.output
    # a number is its text, and what is odd of an optional field leaves that empty
    assert _answers() == [
        ("1", "yes", None),
        ("2", "3", None),
        ("5", "no", None),
        ("6", "no", None),
    ]
    assert _rejected() == [
        (2, "$.question_id", "1.5", "int | str"),
        (3, "$.question_id", "nothing", "required field"),
        (4, "$.confidence", "1.5", "float <= 1.0; left empty"),
        (5, "$.lave_rating", "4", "int <= 3; left empty"),
        (6, "$", "Input data was truncated", "one whole JSON object in a line"),
    ]


def test_a_wrong_number_in_a_table_leaves_its_field_empty(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("question_id,answer,confidence\n1,yes,0.5\n2,no,high\n3,,0\n")
    _land(file)
    assert _answers() == [("1", "yes", 0.5), ("2", "no", None), ("3", None, 0.0)]
    assert _rejected() == [(1, "$.confidence", '"high"', "float | null; left empty")]


def test_values_of_another_type_are_what_they_can_only_mean(tmp_path: Path) -> None:
    records: list[Any] = [
        {"question_id": 1.0, "answer": True},
        {"question_id": 2, "answer": False},
        {"question_id": 3, "answer": 2.0},
        {"question_id": 4, "answer": 2.5},
        {"question_id": 5, "answer": ["a cat"]},
        {"question_id": 6, "answer": "no", "confidence": "0.5"},
        {"question_id": 2**70, "answer": "of an id beyond 64 bits"},
        {"question_id": 8, "answer": ["a cat", "a dog"]},
        {"question_id": 9, "answer": {"text": "a cat"}},
    ]
    _land(_lines(tmp_path / "a.jsonl", records))
    assert _answers() == [
        ("1", "yes", None), (str(2**70), "of an id beyond 64 bits", None), ("2", "no", None),
        ("3", "2", None), ("4", "2.5", None), ("5", "a cat", None), ("6", "no", 0.5),
    ]  # fmt: skip
    assert _rejected() == [
        (7, "$.answer", "array of length 2", "str | null"),
        (8, "$.answer", "object", "str | null"),
    ]


def test_a_row_of_more_or_fewer_cells_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("question_id,answer\n1,yes\n2,yes, it is\n3,yes,\n4,\n5")
    assert "3 answers of m landed, 2 rejected" in _land(file).output
    assert _answers() == [("1", "yes", None), ("3", "yes", None), ("4", None, None)]
    expected = "2 cells, as the first line; one with a comma stands in quotes"
    assert _rejected() == [(1, "$", "3 cells", expected), (4, "$", "1 cells", expected)]


def test_landing_again_changes_nothing_and_other_content_replaces(tmp_path: Path) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"question_id": 1, "answer": "a"}, {"question_id": 2}])
    _land(file)
    before = _rows("select * from raw.predictions") + _rows("select * from raw.landed_predictions")
    assert "unchanged" in _land(file).output
    after = _rows("select * from raw.predictions") + _rows("select * from raw.landed_predictions")
    assert after == before

    _lines(
        file,
        [{"question_id": 1, "answer": {}}, {"question_id": 1.5}, {"question_id": 3, "answer": "c"}],
    )
    assert "2 answers of m replaced, 1 rejected" in _land(file).output
    assert _answers() == [("1", None, None), ("3", "c", None)]
    assert len(_rejected()) == 1


def test_models_and_runs_stand_side_by_side(tmp_path: Path) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"question_id": 1, "answer": "a"}])
    _land(file, model="org/one")
    _land(file, model="two")
    _land(file, "--run", "again", model="two")
    assert _rows("select model, run from raw.predictions order by all") == [
        ("org/one", "default"), ("two", "again"), ("two", "default"),
    ]  # fmt: skip


def test_answers_of_pope_without_ids_are_known_by_their_lines(tmp_path: Path) -> None:
    records: list[Any] = [
        {"question": "Is there a cat in the image?", "answer": "Yes, there is."},
        "no record",
        {"question": "Is there a dog in the image?", "answer": None},
    ]
    # POPE's own files are lines under this name
    file = _lines(tmp_path / "coco_pope_random.json", records)
    result = _land(file, "--condition", "random", benchmark="pope")
    assert result.exit_code == 0, result.output
    assert _answers() == [("line 1", "Yes, there is.", None), ("line 3", None, None)]
    assert [row[0] for row in _rejected()] == [1]

    # where any record has an id, one without an id is rejected
    file = _lines(tmp_path / "some.jsonl", [records[0], records[2] | {"question_id": 2}])
    _land(file, "--condition", "popular", benchmark="pope")
    assert _answers()[0] == ("2", None, None)
    assert _rejected()[0][:2] == (0, "$.question_id")


def test_answers_without_ids_need_the_setting_that_they_are_of(tmp_path: Path) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"question": "Is there a cat?", "answer": "no"}])
    result = _land(file, benchmark="pope")
    assert result.exit_code == 1
    assert "'default' is no setting; expected one of random, popular, adversarial" in result.output
    assert "none of its records fits; $.question_id" in _land(file, benchmark="okvqa").output


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"1 yes", "expected a name that ends in .jsonl, .json, .csv, .tsv, .parquet"),
        ("a.json", b'[{"question_id": 1', "not a JSON array of answers, or cut short"),
        ("a.json", b'{"a": [], "b": []}', "an object with 2 arrays"),
        ("a.json", b"[]", "holds no records"),
        ("a.jsonl", b"", "the file is empty"),
        ("a.jsonl", b"\n", "holds no records"),
        ("a.json", b'{"answers": [], "answers": [{}]}', "several lists are called answers"),
        ("a.jsonl", b'{"id": 1, "text": "a"}\n', "none of its records fits; $.question_id"),
        ("a.jsonl", b"\x00\x01\n", "none of its records fits"),
        ("a.csv", b"id,text\n1,a\n", "no column 'question_id'; its columns are id, text"),
        ("a.csv", b"question_id,answer\n1,\xff\n", "is not UTF-8; save it as CSV in UTF-8"),
        ("a.csv", b"", "the file is empty"),
        ("a.csv", b"\n", "holds no records, nor a first line with names of columns"),
        ("a.csv", b'question_id,answer\n1,a\n2,"b\n3,c\n', "no CSV from line 3 on: unexpected end"),
        ("a.parquet", b"PAR1 no PAR1", "not of the format that its name says"),
        ("a.jsonl.gz", b"no gzip", "truncated or corrupt"),
        ("a.jsonl.gz", gzip.compress(b"{}" * 99)[:-9], "truncated or corrupt"),
        (
            "a.jsonl.gz",
            gzip.compress(b"{}" * 99)[:10] + b"\xff" * 40,
            "truncated or corrupt",
        ),
        ("a.jsonl.gz", gzip.compress(bytes(40 * 2**20)), "inflates to more than 200 times"),
    ],
)
def test_a_file_that_is_none_lands_nothing(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    good = _lines(tmp_path / "good.jsonl", [{"question_id": 1, "answer": "a"}])
    _land(good)
    (tmp_path / name).write_bytes(content)
    result = _land(tmp_path / name)

    assert result.exit_code == 1
    assert f"Error: {tmp_path / name}: " in result.output
    assert message in result.output
    assert _answers() == [("1", "a", None)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_what_no_text_can_hold_is_a_rejected_row(tmp_path: Path, name: str) -> None:
    records = [
        {"question_id": 1, "answer": "yes"},
        {"question_id": 2, "answer": "half of a pair \ud800"},
        {"question_id": "\udfff", "answer": "no"},
    ]
    result = _land(_write(tmp_path, name, records, ensure_ascii=True))
    assert result.exit_code == 0, result.output
    assert _answers() == [("1", "yes", None)]
    assert [position for position, *_ in _rejected()] == [1, 2]


def test_a_key_that_is_no_text_is_a_rejected_row(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(
        b'{"question_id": 1, "answer": null}\n{"\xff": 1, "question_id": 2, "answer": 3}\n'
    )
    result = _land(file)
    assert result.exit_code == 0, result.output
    assert _answers() == [("1", None, None)]
    assert _rejected() == [(1, "$.answer", "object", "str | null")]


SHAPES = {
    "lines.jsonl": '{"question_id": 1, "answer": "a"}\n\n{"question_id": 2}\r\n{"question_id": 3, ',
    "marked.jsonl": '\ufeff{"question_id": 1, "answer": "a"}\n{"question_id": 2}\n',
    "array.json": '[{"question_id": 1, "answer": "a"},\n 7, {"question_id": 2}]',
    "object.json": '{"of": {"a": [1]}, "answers": [{"question_id": 1, "answer": "a"},'
                   ' {"question_id": 2}], "n": 2}',
    "lines.json": '{"question_id": 1, "answer": "a", "of": [1]}\n{"question_id": 2}',
    "samples.json": '[{"gainsay_answer": {"example_id": 1, "prediction": "a"}, "doc_id": 5},'
                    ' {"gainsay_answer": {"example_id": 2}}]',
    "cells.csv": 'question_id,answer\r\n1,"a"\r\n2,\r\n3\r\n',
}  # fmt: skip


@pytest.mark.parametrize("run_bytes", [1, 40, 2**17])
@pytest.mark.parametrize("name", SHAPES)
def test_what_a_file_holds_does_not_depend_on_how_it_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, run_bytes: int
) -> None:
    monkeypatch.setattr(streams, "RUN_BYTES", run_bytes)
    monkeypatch.setattr(archives, "_READ_SIZE", max(3, run_bytes // 2))
    (tmp_path / name).write_text(SHAPES[name], newline="")
    result = _land(tmp_path / name)
    assert result.exit_code == 0, result.output
    assert _answers() == [("1", "a", None), ("2", None, None)]
    # places count records, the rejected ones too
    places = [place for (place,) in _rows("select _position from raw.predictions order by all")]
    rejected = [place for place, *_ in _rejected()]
    assert sorted(places + rejected) == list(range(len(places) + len(rejected)))


@pytest.mark.parametrize("run_bytes", [60, 2**17])
@pytest.mark.parametrize("ending", ["", "}", ", {]", "] 5", ", NaN]"])
def test_an_array_that_breaks_in_its_middle_lands_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, run_bytes: int
) -> None:
    monkeypatch.setattr(streams, "RUN_BYTES", run_bytes)
    records = [{"question_id": number, "answer": "yes"} for number in range(50)]
    file = tmp_path / "a.json"
    file.write_text(json.dumps(records)[:-1] + ending)
    with pytest.raises(msgspec.DecodeError) as raised:
        msgspec.json.decode(file.read_bytes(), type=list[msgspec.Raw])
    result = _land(file)
    assert result.exit_code == 1
    # as the decoder says it of the whole file
    assert f"not a JSON array of answers, or cut short ({raised.value})" in result.output
    assert _rows("select 1 from information_schema.tables where table_name = 'predictions'") == []


def test_a_file_that_is_written_to_while_it_lands_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _lines(tmp_path / "a.jsonl", RECORDS)

    def measure_and_write(path: Path) -> ChunkedFile:
        measured = measure_file(path)
        _lines(path, RECORDS[:1])
        return measured

    monkeypatch.setattr(predictions, "measure_file", measure_and_write)
    result = _land(file)
    assert result.exit_code == 1
    assert "a.jsonl: another program wrote to it while it was landed" in result.output


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["a.jsonl", "a.jsonl.gz", "a.json", "object.json", "lines.json", "a.csv", "a.parquet"]
)
def test_memory_does_not_grow_with_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(streams, "RUN_BYTES", 2**13)
    monkeypatch.setattr(archives, "_READ_SIZE", 2**13)
    monkeypatch.setattr(chunked_files, "_READ_BYTES", 2**13)
    monkeypatch.setattr(rejections, "_BYTES_IN_MEMORY", 2**13)
    peaks, sizes = [], []
    # what is imported and compiled with the first file counts for none
    for n_records in (20_000, 2_000, 20_000):
        folder = tmp_path / str(n_records)
        folder.mkdir(exist_ok=True)
        # every other record has no id, so that it is rejected
        records = [
            {"question_id": None if number % 2 else number, "answer": f"{number} yes " * 8}
            for number in range(n_records)
        ]
        file = _write(folder, name, records)
        landing = partial(
            land_predictions,
            path=file,
            answering=Answering("vqa", "open_ended", "default", "m", "r"),
            layout=layout_of(usual=("question_id", "answer")),
            advance=advance_unseen,
        )
        n_rows, peak = peak_of_landing(landing)
        assert n_rows == n_records
        peaks.append(peak)
        sizes.append(sum(len(json.dumps(record)) for record in records))
    # what other threads take by the way is counted, too
    assert peaks[2] < peaks[1] + (sizes[2] - sizes[1]) / 5
    assert peaks[2] < sizes[2] / 2


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    result = _land(tmp_path / "none.jsonl")
    assert result.exit_code == 1
    assert "none.jsonl: cannot be read: No such file or directory" in result.output


def test_what_plugs_in_lands_as_predict_writes_it(tmp_path: Path) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"example_id": "x::1", "prediction": "2", "asked": {}}])
    result = _land(file, "--task", "ranking", benchmark="occlusions")
    assert result.exit_code == 0, result.output
    assert _answers() == [("x::1", "2", None)]


def test_published_choices_flags_and_judges_land(tmp_path: Path) -> None:
    choices = {
        name: {"choice": letter, "answer": name}
        for name, letter in zip(
            ("image_only", "text_only", "irrelevant_but_plausible", "contradiction"),
            "CDBA",
            strict=True,
        )
    }
    flags = {"matches_contradiction": True, "matches_image_only": False,
             "matches_text_only": False, "matches_irrelevant": False}  # fmt: skip
    record = {"image_id": 5, "question": "What?", "prediction": "(A)", "modality_answers": choices,
              "evaluation": flags, "evaluation_judge-1_prediction": "CONFLICT"}  # fmt: skip
    file = tmp_path / "a.json"
    file.write_text(json.dumps([record]))
    result = _land(file, "--task", "multiple_choice", benchmark="clash")
    assert result.exit_code == 0, result.output

    assert _rows("""
        select task, condition, question, image_only_answer, image_only_letter, text_only_letter,
            distractor_letter, contradiction_letter, judge_labels, published_is_contradiction,
            published_is_distractor, published_is_none
        from raw.predictions
    """) == [
        ("multiple_choice", "conflicting", "What?", "image_only", "C", "D", "B", "A",
         [{"judge": "judge-1", "label": "CONFLICT"}], True, False, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--task", "multiple_choice"], "vqa is asked open-ended only"),
        (["--run", "a/b"], "no / in its name"),
        (["--run", ""], "run '': a name has 1 to 200 letters"),
        (["--condition", ""], "condition '': a name has"),
        (["--model", ""], "model '': a name has"),
        (["--model", "blind reader"], "and is not: blind reader, majority"),
        (
            ["--benchmark", "chess"],
            "chess: no benchmark; there are amber, certainly_uncertain, clash, ",
        ),
        (
            ["--benchmark", "clash", "--task", "essay"],
            "essay: clash knows open_ended and",
        ),
    ],
)
def test_names_that_mean_nothing_are_refused(
    tmp_path: Path, options: list[str], message: str
) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"question_id": 1, "answer": "a"}])
    result = _land(file, *options)
    assert result.exit_code == 2
    assert message in result.output


ASKED = {"benchmark": "conflict_suite", "task": "answer_and_action", "condition": "default",
         "model": "m", "prompt_version": "p-1", "prompt_sha256": "0" * 64,
         "parameters": {"temperature": 0, "max_tokens": 9}}  # fmt: skip


def _asked_lines(folder: Path, *asked: dict[str, object]) -> Path:
    return _lines(folder / "asked.jsonl", [
        {"example_id": f"e{number}", "prediction": "2", "confidence": 0.5,
         "confidence_kind": "self_verification", "stated_action": "abstain", "asked": each}
        for number, each in enumerate(asked)
    ])  # fmt: skip


def _land_asked(file: Path, *options: str) -> Result:
    task = "answer_and_action"
    return _land(file, "--task", task, "--model", "m", *options, benchmark="conflict_suite")


def test_how_answers_were_asked_for_lands_with_them(tmp_path: Path) -> None:
    result = _land_asked(_asked_lines(tmp_path, ASKED, ASKED))
    assert result.exit_code == 0, result.output
    assert _rows("""
        select distinct task, stated_action, confidence, confidence_kind, prompt_version,
            prompt_sha256, parameters
        from raw.predictions
    """) == [("answer_and_action", "abstain", 0.5, "self_verification", "p-1", "0" * 64,
              '{"max_tokens":9,"temperature":0}')]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": "n"}, "record 2 is an answer of n to conflict_suite, answer_and_action, default;"
                         " expected one of m to"),
        ({"task": "open_ended"}, "record 2 is an answer of m to conflict_suite, open_ended"),
        ({"prompt_sha256": "1" * 64}, "record 2 answers another prompt (p-1) than the first"),
    ],
    ids=["model", "task", "prompt"],
)  # fmt: skip
def test_answers_to_different_questions_share_no_run(
    tmp_path: Path, changed: dict[str, object], message: str
) -> None:
    result = _land_asked(_asked_lines(tmp_path, ASKED, ASKED | changed))
    assert result.exit_code == 1
    assert message in " ".join(result.output.split())
    assert _rows("select 1 from information_schema.tables where table_name = 'predictions'") == []


def test_several_files_land_under_the_models_of_their_names(tmp_path: Path) -> None:
    first = _lines(tmp_path / "llava-1.5.jsonl", RECORDS[:2])
    second = _write(tmp_path, "gpt.jsonl.gz")
    command = ["land-predictions", "--benchmark", "vqa", str(first), str(second)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    counted = _rows("select model, count(*) from raw.predictions group by all order by all")
    assert counted == [("gpt", 4), ("llava-1.5", 2)]
    repeated = CliRunner().invoke(main, command)
    assert repeated.output.count("unchanged") == 2


def test_one_side_alone_of_a_condition_lands(tmp_path: Path) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"image_id": 1, "prediction": "a"}])
    result = _land(file, "--condition", "conflicting_text_only", benchmark="clash")
    assert result.exit_code == 0, result.output
    refused = _land(file, "--condition", "other_text_only", benchmark="clash")
    assert "clash knows conflicting and original" in refused.output


@pytest.mark.parametrize("name", ["gpt.csv", "GPT.csv"])
def test_several_files_of_one_model_are_refused(tmp_path: Path, name: str) -> None:
    first = _write(tmp_path, "gpt.jsonl")
    second = _write(tmp_path, name)
    for options in ([], ["--model", "gpt"]):
        command = ["land-predictions", "--benchmark", "vqa", *options, str(first), str(second)]
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 2
        assert "gpt" in result.output or "--model" in result.output


def test_a_field_whose_name_is_escaped_is_read(tmp_path: Path) -> None:
    path = tmp_path / "escaped.jsonl"
    path.write_text('{"question_id": 1, "answer": "yes", "\\u0063onfidence": 0.25}\n')
    assert _land(path).exit_code == 0
    assert _answers() == [("1", "yes", 0.25)]


@pytest.mark.parametrize(
    "benchmark",
    ["certainly_uncertain", "clash", "vqa", "vizwiz", "gqa", "amber", "mmhal", "occlusions"],
)
def test_files_with_example_ids_land_for_every_benchmark(tmp_path: Path, benchmark: str) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"example_id": "e", "prediction": "red"}])
    result = _land(file, benchmark=benchmark)
    assert result.exit_code == 0, result.output
    assert _rows("select example_key, prediction from raw.predictions") == [("e", "red")]


def test_a_file_whose_columns_fit_says_which_it_has_and_which_would_do(tmp_path: Path) -> None:
    file = _lines(tmp_path / "a.jsonl", [{"uid": 1, "text": "red"}])
    result = _land(file, benchmark="certainly_uncertain")
    assert result.exit_code == 1
    assert "its fields are uid, text; expected an id in question_id or example_id" in result.output
    assert "and an answer in prediction or answer" in result.output
