"""Files that cost much, hang, or look broken and are not: bounded by counting, and nothing lost."""

import bz2
import csv
import hashlib
import io
import json
import os
import struct
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import GifImagePlugin, TiffImagePlugin

from gainsay.foundation.chunked_files import measure_file
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import advance_unseen
from gainsay.ingest import coco, streams, vqa
from gainsay.ingest.answers import AnswerLanding, land_predictions
from gainsay.ingest.collect import files as listed_files
from gainsay.ingest.image_files import find_images
from gainsay.ingest.llm_responses import land_batch_output, land_request_file, response_of_line
from gainsay.ingest.parquet_files import ParquetRows
from gainsay.ingest.predictions import Answering, layout_of, read_predictions
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.streams import ReadAgainError, Repeats, arrays_of, undecoded_arrays
from gainsay.ingest.votes import land_log
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_image
from gainsay.python_udfs.pixels.image_files import ImageLimits
from gainsay.python_udfs.pixels.probing import probe

LAYOUT = layout_of()
MARK = b"\xef\xbb\xbf"


def _land(folder: Path, name: str, content: bytes) -> AnswerLanding:
    (folder / name).write_bytes(content)
    with connect(path=folder / "gainsay.duckdb") as connection:
        return land_predictions(
            DuckDbSink(connection),
            folder / name,
            Answering("occlusions", "open_ended", "default", "m", "default"),
            LAYOUT,
            advance_unseen,
        )


# --- sound input that was lost


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", b'{"example_id": "a", "prediction": "yes"}\n' * 2),
        ("a.json", b'[{"example_id": "a", "prediction": "yes"},\n{"example_id": "b"}]'),
        ("a.json", b'{"data": [{"example_id": "a", "prediction": "1"}, {"example_id": "b"}]}'),
        ("a.json", b'{"example_id": "a", "answer": "x"}\n{"example_id": "b"}\n'),
        ("a.csv", b"example_id,prediction\na,yes\nb,no\n"),
    ],
)
def test_a_byte_order_mark_loses_no_record(tmp_path: Path, name: str, content: bytes) -> None:
    landing = _land(tmp_path, name, MARK + content)
    assert (landing.n_records, landing.n_rejected) == (2, 0)


def _records(content: bytes, layout: Any) -> list[dict[str, Any]]:
    chunks = (content[n : n + 3] for n in range(0, len(content), 3))
    return [
        row
        for _, batches in arrays_of(chunks, layout, Repeats())
        for batch in batches
        for row in batch.records.to_pylist()
    ]


def test_a_byte_order_mark_before_official_files_is_none_of_their_text() -> None:
    sound = b'{"questions": [{"question_id": 1, "image_id": 2, "question": "Is it?"}]}'
    assert _records(MARK + sound, vqa.QUESTIONS) == _records(sound, vqa.QUESTIONS) != []
    with pytest.raises(Exception, match=r"\(byte 3\)"):
        _records(MARK + b"x", vqa.QUESTIONS)


def test_a_byte_order_mark_loses_no_vote(tmp_path: Path) -> None:
    (tmp_path / "log.ndjson").write_bytes(MARK + b"{}\n")
    with connect(path=tmp_path / "gainsay.duckdb") as connection:
        tables = DuckDbSink(connection)
        land_log(tables, tmp_path / "log.ndjson")
        [(found,)] = tables.rows("rejected_records", ["expected"], {})
    assert "missing required field" in found


def test_a_cell_is_as_long_as_an_answer(tmp_path: Path) -> None:
    answer = "because " * 40_000
    landing = _land(tmp_path, "a.csv", f"example_id,prediction\na,{answer}\n".encode())
    assert (landing.n_records, landing.n_rejected) == (1, 0)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    for name, separator in (("a.csv", ","), ("a.tsv", "\t")):
        text = separator.join(("example_id", "prediction", "prediction"))
        row = separator.join("abc")
        with pytest.raises(GainsayError, match="several columns are called prediction"):
            _land(tmp_path, name, f"{text}\n{row}\n".encode())
    column = pa.array(["a"])
    table = pa.Table.from_arrays([column] * 3, ["example_id", "prediction", "prediction"])
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(GainsayError, match="several columns are called prediction"):
        read_predictions(tmp_path / "a.parquet", LAYOUT)


def _jpeg_with_exif(exif: bytes) -> bytes:
    pixels = np.linspace(0, 255, 64 * 48 * 3).reshape(48, 64, 3).astype(np.uint8)
    encoded = cv2.imencode(".jpg", pixels)[1].tobytes()
    payload = b"Exif\0\0" + exif
    return encoded[:2] + b"\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload + encoded[2:]


@pytest.mark.parametrize(
    "exif",
    [b"", b"\0" * 40, b"garbage" * 9, b"MM\0*\0\0\0\x08\xff\xff", b"II*\0\xff\xff\xff\xff"],
    ids=["none", "zeros", "garbage", "endless", "outside"],
)
def test_garbage_for_exif_leaves_the_picture(exif: bytes) -> None:
    found = probe(_jpeg_with_exif(exif), 10**6)
    assert found.error_kind is None
    assert (found.width, found.height) == (64, 48)
    assert found.perceptual_hash == probe(_jpeg_with_exif(b"")[: -0 or None], 10**6).perceptual_hash


@given(st.binary(max_size=200))
@settings(max_examples=60)
def test_no_exif_makes_a_picture_undecodable(exif: bytes) -> None:
    assert probe(_jpeg_with_exif(exif), 10**6).error_kind is None


# --- what is small costs little


def _bomb_of_one_value() -> pa.Table:
    long = pa.array(["x" * 8_000_000]).dictionary_encode()
    prediction = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), long.dictionary)
    ids = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), pa.array(["a"]))
    return pa.table({"example_id": ids, "prediction": prediction})


def _bomb_of_rows() -> pa.Table:
    ids = pa.array(np.zeros(5_000_000, np.int64))
    return pa.table({"example_id": ids, "prediction": ids})


def _bomb_of_a_page() -> pa.Table:
    return pa.table({"example_id": ["a"], "prediction": ["x" * 200_000_000]})


def _read_all(path: Path) -> None:
    for run in read_predictions(path, LAYOUT).runs(advance_unseen):
        assert sum(len(bytes(raw)) for raw in run.raws) < 2**28


@pytest.mark.slow
@pytest.mark.parametrize("make", [_bomb_of_one_value, _bomb_of_rows, _bomb_of_a_page])
def test_a_parquet_file_gives_no_more_than_its_size_is_worth(
    tmp_path: Path, make: Callable[[], pa.Table]
) -> None:
    path = tmp_path / "answers.parquet"
    pq.write_table(make(), path, compression="zstd")
    assert path.stat().st_size < 100_000
    with pytest.raises(GainsayError, match="as no file of answers does"):
        _read_all(path)
    with (
        connect(path=tmp_path / "gainsay.duckdb") as connection,
        pytest.raises(GainsayError, match=r"answers\.parquet"),
    ):
        land_request_file(DuckDbSink(connection), path)


def test_values_of_a_dictionary_count_as_often_as_they_are_handed_over(tmp_path: Path) -> None:
    path = tmp_path / "answers.parquet"
    pq.write_table(_bomb_of_one_value(), path, compression="zstd")
    n_rows: list[int] = []
    with path.open("rb") as opened:
        rows = ParquetRows(path, opened, path.stat().st_size)
        with pytest.raises(GainsayError, match="as no file of answers does"):
            n_rows.extend(batch.num_rows for batch in rows.batches(rows.names))
    assert sum(n_rows) * 8_000_000 <= 2**28


def test_a_bomb_among_requests_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    names = ["custom_id", "task", "model", "prompt_sha256", "input_id", "body"]
    one = pa.array(["y"] * 5_000)
    body = pa.array(["x" * 60_000] * 5_000)
    pq.write_table(pa.Table.from_arrays([one] * 5 + [body], names), path, compression="zstd")
    with (
        connect(path=tmp_path / "gainsay.duckdb") as connection,
        pytest.raises(GainsayError, match=r"requests\.parquet: refused: its rows hold more than"),
    ):
        land_request_file(DuckDbSink(connection), path)


def test_many_equal_answers_are_no_bomb(tmp_path: Path) -> None:
    ids = pa.array([f"e{n}" for n in range(20_000)])
    table = pa.table({"example_id": ids, "prediction": ["yes"] * 20_000})
    pq.write_table(table, tmp_path / "answers.parquet", compression="zstd")
    runs = read_predictions(tmp_path / "answers.parquet", LAYOUT).runs(advance_unseen)
    assert sum(len(run.raws) for run in runs) == 20_000


SHAPES = {
    "keyed by id": b"{%b}" % b",".join(b'"%d":["yes"]' % n for n in range(20_000)),
    "objects by id": b"{%b}" % b",".join(b'"%d":{"p":["yes"]}' % n for n in range(20_000)),
    "empty arrays": b"[%b]" % b",".join([b"[]"] * 50_000),
    "empty arrays by one key": b"{%b}" % b",".join([b'"a":[]'] * 50_000),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_outline_of_a_file_is_read_a_few_times(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    content, checked = SHAPES[name], [0]
    check = streams._Outline._check

    def counting(outline: Any, part: bytearray, is_whole: bool) -> Any:
        checked[0] += len(part)
        return check(outline, part, is_whole)

    monkeypatch.setattr(streams._Outline, "_check", counting)
    for _, runs in undecoded_arrays(iter([content])):
        for _ in runs:
            pass
    assert checked[0] < 10 * len(content)


def _readings(content: bytes, layout: Any) -> tuple[int, list[dict[str, Any]]]:
    """How often a file is read until it is known what comes again, and the records then."""
    repeats = Repeats()
    for n_readings in range(1, 10):
        try:
            rows = [
                row
                for _, batches in arrays_of(iter([content]), layout, repeats)
                for batch in batches
                for row in batch.records.to_pylist()
            ]
        except ReadAgainError as error:
            repeats = error.repeats
        else:
            return n_readings, rows
    raise AssertionError("read ten times and more")


def test_arrays_that_come_again_are_read_twice() -> None:
    array = b'"questions": [{"question_id": %d, "image_id": 2, "question": "Is it?"}]'
    content = b"{%b}" % b",".join(array % n for n in range(5_000))
    n_readings, rows = _readings(content, vqa.QUESTIONS)
    assert n_readings == 2
    # the last counts
    assert [row["question_id"] for row in rows] == [4_999]


def test_several_arrays_that_come_again_are_read_twice() -> None:
    image = b'"images": [{"id": %d, "file_name": "%d.jpg", "width": 9, "height": 9}]'
    note = b'"annotations": [{"id": %d, "image_id": 1, "caption": "A cat."}]'
    content = b"{%b}" % b",".join(part % ((n,) * part.count(b"%d"))
                                  for n in range(9) for part in (image, note))  # fmt: skip
    assert _readings(content, coco.CAPTIONS)[0] == 2


def _tiff(n_pages: int) -> bytes:
    """Pages of one pixel, each with a directory of its own."""
    entries = ((256, 3, 1), (257, 3, 1), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
               (278, 3, 1), (279, 4, 1))  # fmt: skip
    body = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
    page = struct.pack("<H", len(entries)) + body
    size = len(page) + 4
    pages = [
        page + struct.pack("<I", 12 + (n + 1) * size if n + 1 < n_pages else 0)
        for n in range(n_pages)
    ]
    return b"II*\0" + struct.pack("<I", 12) + b"\x80\0\0\0" + b"".join(pages)


def _gif(n_frames: int) -> bytes:
    frame = b"\x2c\0\0\0\0\1\0\1\0\0\x02\x02\x44\x01\0"
    head = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff"
    return head + b"!\xf9\x04\0\0\0\0\0" + b"\0" + frame * n_frames + b";"


@pytest.mark.parametrize("make", [_tiff, _gif])
@pytest.mark.parametrize("n", [1, 2, 7, 999, 1_001, 200_000])
def test_pages_are_counted_without_comparing_them(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[int], bytes], n: int
) -> None:
    if n > 1_000:
        for kind in (TiffImagePlugin.TiffImageFile, GifImagePlugin.GifImageFile):
            monkeypatch.setattr(kind, "n_frames", property(lambda _: pytest.fail("counted")))
    found = probe(make(n), 10**6)
    assert (found.error_kind, found.n_frames) == (None, n)


@pytest.mark.slow
def test_a_table_that_inflates_without_bound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "yfcc100m_dataset.bz2"
    path.write_bytes(bz2.compress(b"\n" * 40_000_000))
    with pytest.raises(GainsayError, match="refused: inflates to more than 200 times"):
        for _ in listed_files._lines(path):
            pass
    path.write_bytes(bz2.compress(os.urandom(4_000_000).hex().encode()))
    with pytest.raises(GainsayError, match="line 1 is longer than"):
        next(listed_files._lines(path))


# --- what is no file is not waited for


def test_a_pipe_named_as_an_archive_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.zip")
    os.mkfifo(tmp_path / "y.jpg")
    found = find_images([str(tmp_path), str(tmp_path / "x.zip")], ImageLimits(9, 9))
    assert [image.error for image in found.files] == ["not a regular file"] * 2


def test_a_pipe_in_the_place_of_a_picture_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.png")
    for archive, path in ((None, "x.png"), ("x.png", "x.png!a.png")):
        with pytest.raises(ImageUnreadableError, match="not a regular file"):
            read_image(str(tmp_path / path), archive and str(tmp_path / archive), 100)


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_a_warehouse_that_is_no_file_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    path = Path("/dev/null") if kind == "device" else tmp_path / "gainsay.duckdb"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    with pytest.raises(GainsayError, match="no regular file"), connect(path=path):
        pass


@pytest.mark.parametrize(
    "name",
    ["raw.duckdb", "Conflict_Suite.duckdb", "main.duckdb", "temp.duckdb", "a'b.duckdb",
     'a"b.duckdb', "a.b.duckdb", ".hidden.duckdb", "vocabulary.db"],
)  # fmt: skip
def test_a_warehouse_whose_name_no_build_can_use_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(GainsayError, match="rename the file"), connect(path=tmp_path / name):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [":memory:", ":memory:x", "md:mine", "s3://bucket/x.duckdb", ""])
def test_a_warehouse_that_is_kept_nowhere_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("GAINSAY_DB", name)
    with pytest.raises(GainsayError, match="GAINSAY_DB"), connect():
        pass


# --- fuzzers: any bytes land or are refused with a reason, and nothing else happens


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
_ANSWERS = st.fixed_dictionaries(
    {"example_id": st.text(max_size=5) | _VALUES, "prediction": st.text(max_size=9) | _VALUES},
    optional={
        "confidence": _VALUES, "token_logprobs": _VALUES, "asked": _VALUES, "gold_answer": _VALUES,
        "modality_answers": _VALUES, "evaluation": _VALUES, "gainsay_answer": _VALUES,
    },
)  # fmt: skip


@st.composite
def _files(draw: st.DrawFn) -> tuple[str, bytes]:
    """A file of answers in some format, perhaps damaged."""
    suffix = draw(st.sampled_from([".jsonl", ".json", ".csv", ".tsv", ".parquet"]))
    records = draw(st.lists(_ANSWERS, max_size=5))
    if suffix in (".csv", ".tsv"):
        text = io.StringIO()
        writer = csv.writer(text, delimiter="," if suffix == ".csv" else "\t")
        writer.writerow(["example_id", "prediction", "confidence"])
        for record in records:
            writer.writerow([str(value) for value in list(record.values())[:3]])
        content = text.getvalue().encode("utf-8", "replace")
    elif suffix == ".parquet":
        buffer = io.BytesIO()
        columns = {name: [json.dumps(one[name]) for one in records] for name in
                   ("example_id", "prediction")}  # fmt: skip
        pq.write_table(pa.table(columns), buffer)
        content = buffer.getvalue()
    else:
        lines = [json.dumps(record) for record in records]
        content = ("\n".join(lines) if suffix == ".jsonl" else f"[{','.join(lines)}]").encode()
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, max(0, len(content) - 1)))
        piece = draw(st.binary(max_size=6))
        content = content[:place] + piece + content[place + draw(st.integers(0, 6)) :]
    return suffix, draw(st.sampled_from([b"", MARK])) + content


@pytest.fixture(name="folder_of_files", scope="module")
def folder_of_fuzzed_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed")


@pytest.fixture(name="tables", scope="module")
def tables_of_fuzzed_files(folder_of_files: Path) -> Iterator[DuckDbSink]:
    """One warehouse for all examples, since a new one costs more than an example."""
    with connect(path=folder_of_files / "gainsay.duckdb") as connection:
        yield DuckDbSink(connection)


@given(_files())
@settings(max_examples=80)
def test_any_file_of_answers_lands_or_is_refused_by_its_name(
    tables: DuckDbSink, folder_of_files: Path, file: tuple[str, bytes]
) -> None:
    suffix, content = file
    path = folder_of_files / f"answers{suffix}"
    path.write_bytes(content)
    answering = Answering("occlusions", "open_ended", "default", "m", "default")
    problem = ""
    try:
        n_records = land_predictions(
            tables, path, answering, LAYOUT, advance_unseen
        ).n_records  # fmt: skip
    except GainsayError as error:
        problem, n_records = str(error), 0
    # with its name, or with records
    assert ("answers" in problem) == (n_records == 0)


@given(st.lists(st.binary(max_size=40) | _VALUES.map(json.dumps).map(str.encode), max_size=6))
@settings(max_examples=60)
def test_any_file_of_a_batch_lands_every_line(
    tables: DuckDbSink, folder_of_files: Path, lines: list[bytes]
) -> None:
    path = folder_of_files / "output.jsonl"
    lines = [line.replace(b"\n", b" ").replace(b"\r", b" ") for line in lines]
    path.write_bytes(b"\n".join(lines))
    landing = land_batch_output(tables, path)
    name = f"batches/{hashlib.sha256(path.read_bytes()).hexdigest()}/output.jsonl"
    assert landing.n_lines == len(
        tables.rows("llm_responses", ["error"], {"_source_file": [name]})
    )  # fmt: skip


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "custom_id": _VALUES, "error": _VALUES,
            "response": st.fixed_dictionaries(
                {}, optional={"status_code": _VALUES, "body": _VALUES}
            ) | _VALUES,
        },
    )
)  # fmt: skip
@settings(max_examples=100)
def test_any_line_of_a_batch_is_a_response_or_says_why_not(line: dict[str, Any]) -> None:
    response = response_of_line(json.dumps(line).encode())
    assert response.custom_id is not None or response.error is not None


_SOUND = json.dumps(
    {"questions": [{"question_id": n, "image_id": 2, "question": "Is it?"} for n in range(3)]}
).encode()


@given(st.integers(0, len(_SOUND)), st.integers(0, 9), st.binary(max_size=9), st.integers(1, 40))
@settings(max_examples=120)
def test_any_official_file_is_read_alike_however_it_is_cut(
    place: int, n_lost: int, piece: bytes, chunk: int
) -> None:
    content = _SOUND[:place] + piece + _SOUND[place + n_lost :]

    def read(chunks: Iterator[bytes]) -> object:
        try:
            return [
                (batch.records.to_pylist(), [one.field for one in batch.rejections])
                for _, batches in arrays_of(chunks, vqa.QUESTIONS, Repeats())
                for batch in batches
            ]
        except (ValueError, RecursionError, ReadAgainError) as error:
            return type(error), str(error)

    pieces = [content[start : start + chunk] for start in range(0, len(content), chunk)]
    assert read(iter(pieces)) == read(iter([content]))


def test_a_measured_file_is_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    with pytest.raises(GainsayError, match="not a regular file"):
        measure_file(tmp_path / "a.jsonl")
    assert list(islice(tmp_path.iterdir(), 2)) == [tmp_path / "a.jsonl"]
