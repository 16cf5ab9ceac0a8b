"""A landing is whole, repeatable, and says what became of every file and record."""

import gzip
import json
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.ingest import landing as landing_module
from gainsay.ingest.files import Content, Source, find_sources
from gainsay.ingest.landing import Landing, land
from gainsay.ingest.sinks.duckdb import DuckDbSink
from tests.python.conftest import PROJECT
from tests.python.official_layout import Asked, Json, question, write, write_corpus

QUESTIONS = "v2_OpenEnded_mscoco_train2014_questions.json"
ANNOTATIONS = "v2_mscoco_train2014_annotations.json"
CAPTIONS = "captions_train2014.json"
INSTANCES = "instances_train2014.json"
ASKED = [
    Asked(1, "Is there a cat?", "yes", ["A cat.", "A tabby cat."]),
    Asked(2, "How many cats?", "2", ["Two cats."]),
    Asked(3, "What color is the cat?", "black", []),
]
TABLES = """
    select table_name from information_schema.tables where table_schema = 'raw' order by all
"""


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "warehouse" / "gainsay.duckdb"
    monkeypatch.setenv("GAINSAY_DB", str(path))
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus", ASKED)


def _land(*paths: Path) -> list[Landing]:
    with connect() as connection:
        return land(DuckDbSink(connection), find_sources(paths).sources, _untold)


def _untold(amount: int = 1) -> None:
    """Progress that nobody watches."""


def _states(*paths: Path) -> dict[str, str]:
    return {landing.source.official.name: landing.state for landing in _land(*paths)}


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connect(read_only=True) as connection:
        return connection.execute(query).fetchall()


def _everything(without: str = "") -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all raw tables, landing times included; no columns that match `without`."""
    columns = f"columns(lambda name: not regexp_full_match(name, '{without}'))"
    with connect(read_only=True) as connection:
        return {
            table: connection.execute(f"select {columns} from raw.{table} order by all").fetchall()
            for (table,) in connection.execute(TABLES).fetchall()
        }


@pytest.mark.usefixtures("warehouse")
def test_every_field_lands_as_it_was_delivered(corpus: Path) -> None:
    _land(corpus)
    assert _rows("select * exclude (_landed_at, _source_sha256) from raw.vqa_questions") == [
        (asked.question_id, position + 1, asked.question, QUESTIONS, position)
        for position, asked in enumerate(ASKED)
    ]
    annotation = _rows("select * exclude (_landed_at, _source_sha256) from raw.vqa_annotations")[1]
    assert annotation[:5] == (2, 2, "none of the above", "other", "2")
    assert annotation[5] == [
        {"answer": "2", "answer_confidence": "yes", "answer_id": n} for n in range(1, 11)
    ]
    assert _rows("select id, image_id, caption, _position from raw.coco_captions") == [
        (1, 1, "A cat.", 0), (2, 1, "A tabby cat.", 1), (3, 2, "Two cats.", 2),
    ]  # fmt: skip
    assert _rows("select * exclude (_landed_at, _source_sha256) from raw.coco_images limit 1") == [
        (1, "COCO_train2014_000000000001.jpg", 640, 480, 4, "", "", "2013-11-14 17:02:52",
         CAPTIONS, 0)
    ]  # fmt: skip


@pytest.mark.usefixtures("warehouse")
def test_masks_land_by_their_form(tmp_path: Path) -> None:
    common = {"image_id": 7, "category_id": 1, "area": 12.5, "bbox": [0, 1, 2.5, 3], "iscrowd": 0}
    masks: list[object] = [
        [[1, 2, 3, 4, 5, 6.5]],
        {"counts": [5, 3, 2], "size": [2, 5]},
        {"counts": "52203", "size": [2, 5]},
    ]
    file = {
        "images": [],
        "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}],
        "licenses": [{"id": 4, "name": "CC BY", "url": "http://x"}],
        "annotations": [{"id": n, "segmentation": m} | common for n, m in enumerate(masks)],
    }
    write(tmp_path / INSTANCES, file)
    _land(tmp_path / INSTANCES)
    assert _rows("select columns('segmentation|bbox') from raw.coco_instances order by id") == [
        ([0.0, 1.0, 2.5, 3.0], [[1.0, 2.0, 3.0, 4.0, 5.0, 6.5]], None, None, None),
        ([0.0, 1.0, 2.5, 3.0], None, [5, 3, 2], None, [2, 5]),
        ([0.0, 1.0, 2.5, 3.0], None, None, "52203", [2, 5]),
    ]
    assert _rows("select name, supercategory from raw.coco_categories") == [("cat", "animal")]
    assert _rows("select id, name from raw.coco_licenses") == [(4, "CC BY")]


@pytest.mark.usefixtures("warehouse")
def test_the_same_files_again_change_nothing(corpus: Path) -> None:
    assert set(_states(corpus).values()) == {"landed"}
    before = _everything()
    assert set(_states(corpus).values()) == {"unchanged"}
    assert _everything() == before


@pytest.mark.usefixtures("warehouse")
@pytest.mark.parametrize("container", ["gz", "zip"])
def test_the_same_content_in_another_container_is_unchanged(
    corpus: Path, tmp_path: Path, container: str
) -> None:
    _land(corpus)
    before = _everything()
    packed = tmp_path / "packed"
    packed.mkdir()
    for path in corpus.iterdir():
        if container == "gz":
            (packed / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        else:
            with zipfile.ZipFile(packed / f"{path.stem}.zip", "w") as archive:
                archive.write(path, f"annotations/{path.name}")
    assert _states(packed) == dict.fromkeys((CAPTIONS, QUESTIONS, ANNOTATIONS), "unchanged")
    assert _everything() == before


@pytest.mark.usefixtures("warehouse")
def test_a_changed_file_replaces_its_rows_and_no_others(corpus: Path) -> None:
    _land(corpus)
    before = _everything()
    write(corpus / QUESTIONS, {"questions": [question(9, 9, "Why?"), "no question"]})
    assert _states(corpus) == {
        CAPTIONS: "unchanged",
        QUESTIONS: "replaced",
        ANNOTATIONS: "unchanged",
    }
    after = _everything()
    assert _rows("select question_id, _position from raw.vqa_questions") == [(9, 0)]
    assert _rows("select _source_file, _position from raw.rejected_records") == [(QUESTIONS, 1)]
    for table in set(before) - {"vqa_questions", "rejected_records", "landed_files"}:
        assert after[table] == before[table]
    landed_at = "select landed_at from raw.landed_files where source_file "
    assert _rows(f"{landed_at} = '{QUESTIONS}'") > _rows(f"{landed_at} = '{CAPTIONS}'")


@pytest.mark.usefixtures("warehouse")
def test_rejected_records_of_a_replaced_file_go_with_it(corpus: Path) -> None:
    good = (corpus / QUESTIONS).read_bytes()
    write(corpus / QUESTIONS, {"questions": [question(9, 9, "Why?"), "no question"]})
    _land(corpus)
    (corpus / QUESTIONS).write_bytes(good)
    _land(corpus)
    assert _rows("select count(*) from raw.rejected_records") == [(0,)]
    assert _rows("select n_records, n_rejected from raw.landed_files where n_rejected > 0") == []


@pytest.mark.usefixtures("warehouse")
def test_both_years_and_splits_lie_side_by_side(tmp_path: Path) -> None:
    names = ["captions_train2014.json", "captions_val2014.json", "captions_train2017.json"]
    for n, name in enumerate(names):
        write(tmp_path / name, {"annotations": [{"id": n, "image_id": n, "caption": name}]})
    _land(tmp_path)
    assert _rows("select _source_file, caption from raw.coco_captions order by id") == [
        (name, name) for name in names
    ]
    assert _rows("select source_file, split, year from raw.landed_files order by all") == [
        ("captions_train2014.json", "train", 2014),
        ("captions_train2017.json", "train", 2017),
        ("captions_val2014.json", "val", 2014),
    ]


@pytest.mark.usefixtures("warehouse")
def test_landed_files_says_what_landed(corpus: Path) -> None:
    write(corpus / QUESTIONS, {"questions": [question(1, 1, "?"), 7, question(2, 2, "?")]})
    _land(corpus)
    path = corpus / QUESTIONS
    assert _rows(
        "select kind, split, year, path, n_bytes, n_records, n_rejected"
        f" from raw.landed_files where source_file = '{QUESTIONS}'"
    ) == [("vqa_questions", "train", 2014, str(path), path.stat().st_size, 2, 1)]


@pytest.mark.usefixtures("warehouse")
def test_rejected_records_say_where_and_why(corpus: Path) -> None:
    file: Json = json.loads((corpus / CAPTIONS).read_text())
    file["annotations"][1]["image_id"] = "one"
    file["images"][2] = {"id": 3}
    write(corpus / CAPTIONS, file)
    _land(corpus)
    assert _rows("""
        select array_name, _position, field, found, expected, record, _source_file
        from raw.rejected_records
        order by array_name
    """) == [
        ("annotations", 1, "$.image_id", '"one"', "int",
         '{"id": 2, "image_id": "one", "caption": "A tabby cat."}', CAPTIONS),
        ("images", 2, "$.file_name", "nothing", "required field", '{"id": 3}', CAPTIONS),
    ]  # fmt: skip
    assert _rows("select id from raw.coco_captions order by id") == [(1,), (3,)]
    assert _rows("select id from raw.coco_images order by id") == [(1,), (2,)]


@pytest.mark.usefixtures("warehouse")
@pytest.mark.parametrize(
    "text",
    [
        "nul \0 byte",
        "\0",
        "",
        "x" * 10_000_000,
        "\U0001f408\u200d\u2b1b",
        "قطة \u202eعلى",
        "%s'\"\\",
    ],
    ids=["nul", "only nul", "empty", "ten megabytes", "emoji", "right to left", "quotes"],
)
def test_unusual_text_lands_as_it_is(corpus: Path, text: str) -> None:
    write(corpus / CAPTIONS, {"annotations": [{"id": 1, "image_id": 1, "caption": text}]})
    write(corpus / QUESTIONS, {"questions": [question(1, 1, "?"), question(2, 2, text)]})
    _land(corpus)
    assert _rows("select caption from raw.coco_captions") == [(text,)]
    assert _rows("select question from raw.vqa_questions where question_id = 2") == [(text,)]


BROKEN_FILES = {
    "empty": (b"", "not JSON, or cut short"),
    "no JSON": (b"<html>404</html>", "not JSON, or cut short"),
    "truncated": (b'{"questions": [{"question_id": 1, "image', "not JSON, or cut short"),
    "list": (b"[]", "not a file of vqa_questions.*Expected `object`, got `array`"),
    "no records": (b'{"info": {}}', "not a file of vqa_questions.*required field `questions`"),
    "another kind": (
        b'{"questions": [{"id": 1, "image_id": 2, "caption": "x"}]}',
        "not a file of vqa_questions.*none of its questions fits.*question_id of the first",
    ),
    "nested": (
        b'{"questions": ' + b"[" * 100_000,
        "not a file of vqa_questions.*nested too deeply",
    ),
}


@pytest.mark.usefixtures("warehouse")
@pytest.mark.parametrize("broken", BROKEN_FILES)
@pytest.mark.parametrize("container", ["json", "gz", "zip"])
def test_one_broken_file_and_nothing_lands(corpus: Path, broken: str, container: str) -> None:
    _land(corpus)
    before = _everything()
    # the changed captions and annotations come first, and must not stay
    write(corpus / CAPTIONS, {"annotations": [{"id": 9, "image_id": 9, "caption": "new"}]})
    content, message = BROKEN_FILES[broken]
    (corpus / QUESTIONS).unlink()
    path = corpus / f"{QUESTIONS}.gz"
    if container == "json":
        path = corpus / QUESTIONS
        path.write_bytes(content)
    elif container == "gz":
        path.write_bytes(gzip.compress(content))
    else:
        path = corpus / "z.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(QUESTIONS, content)
    with pytest.raises(GainsayError, match=rf"(?s){path.name}.*: {message}"):
        _land(corpus)
    assert _everything() == before


@pytest.mark.usefixtures("warehouse")
def test_failure_in_a_first_landing_leaves_no_tables(corpus: Path) -> None:
    (corpus / QUESTIONS).write_bytes(b"{")
    with pytest.raises(GainsayError):
        _land(corpus)
    assert _rows("select * from information_schema.tables") == []
    _land(corpus / CAPTIONS)
    assert _rows("select count(*) from raw.coco_captions") == [(3,)]


@pytest.mark.usefixtures("warehouse")
def test_interrupted_landing_is_taken_back_and_can_be_repeated(corpus: Path) -> None:
    sources = find_sources([corpus]).sources

    def interrupt(amount: int = 1) -> None:
        raise KeyboardInterrupt(amount)

    with connect() as connection:
        with pytest.raises(KeyboardInterrupt):
            land(DuckDbSink(connection), sources, interrupt)
        assert connection.execute(TABLES).fetchall() == []
        assert [landing.state for landing in land(DuckDbSink(connection), sources, _untold)] == [
            "landed"
        ] * 3


def _write_infos(folder: Path) -> None:
    """Files that say something of themselves, at different places, and files that do not."""
    info = {"description": "a \ud83d\ude00", "year": 2017, "contributor": "me", "other": [1]}
    questions = [question(1, 1, "Is there a cat?")]
    write(folder / QUESTIONS, {"info": info, "questions": questions})
    # as a program writes keys that it sorts
    write(folder / CAPTIONS, {"annotations": [], "images": [], "info": {"contributor": "you"}})
    write(folder / INSTANCES, {"info": ["a list"], "annotations": [], "images": []})
    write(folder / ANNOTATIONS, {"annotations": [], "info": 5})
    lines = [{"info": {"version": "1.0"}, "label_name": "/m/1", "display_name": "Cat"}]
    lines.append({"info": {"version": "2.0"}, "label_name": "/m/2", "display_name": "Dog"})
    (folder / "openimages_classes.jsonl").write_text("\n".join(map(json.dumps, lines)))


@pytest.mark.usefixtures("warehouse")
def test_what_a_file_says_of_itself_lands_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    _write_infos(folder)
    assert {landing.n_rejected for landing in _land(folder)} == {0}
    infos = "select _source_file, description, version, year, contributor from raw.file_info"
    assert sorted(_rows(infos)) == [
        (CAPTIONS, None, None, None, "you"),
        ("openimages_classes.jsonl", None, "1.0", None, None),
        (QUESTIONS, "a \U0001f600", None, "2017", "me"),
    ]

    # what it said goes with what it held
    write(folder / QUESTIONS, {"questions": []})
    _land(folder)
    assert [row[0] for row in sorted(_rows(infos))] == [CAPTIONS, "openimages_classes.jsonl"]


@pytest.mark.usefixtures("warehouse")
def test_truncated_container_lands_nothing(corpus: Path) -> None:
    packed = gzip.compress((corpus / QUESTIONS).read_bytes())
    (corpus / QUESTIONS).unlink()
    (corpus / f"{QUESTIONS}.gz").write_bytes(packed[:-9])
    with pytest.raises(GainsayError, match="truncated or corrupt"):
        _land(corpus)
    assert _rows("select * from information_schema.tables") == []


@pytest.mark.usefixtures("warehouse")
def test_a_file_without_records_lands(tmp_path: Path) -> None:
    write(tmp_path / QUESTIONS, {"questions": []})
    (landing,) = _land(tmp_path)
    assert (landing.n_records, landing.n_rejected, landing.state) == (0, 0, "landed")


@pytest.mark.usefixtures("warehouse")
def test_a_file_that_is_written_while_it_is_landed_is_refused(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = landing_module.measure

    def measure_and_write(source: Source) -> Content:
        content = measure(source)
        write(source.container, {"questions": [question(1, 1, "Another?")], "annotations": []})
        return content

    monkeypatch.setattr(landing_module, "measure", measure_and_write)
    with pytest.raises(GainsayError, match=f"{QUESTIONS}: another program wrote to it"):
        _land(corpus / QUESTIONS)
    assert _rows("select * from information_schema.tables") == []


@pytest.mark.usefixtures("warehouse")
def test_a_file_with_two_arrays_of_one_name_is_refused(tmp_path: Path) -> None:
    parts = [json.dumps(records) for records in ([question(1, 1, "?"), 7], [question(2, 1, "?")])]
    members = ", ".join(f'"questions": {part}' for part in parts)
    (tmp_path / QUESTIONS).write_text(f"{{{members}}}")
    with pytest.raises(GainsayError, match="several lists are called questions"):
        _land(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("warehouse")
@pytest.mark.parametrize("n_between", [0, 2_000])
def test_of_questions_of_one_id_the_last_lands(tmp_path: Path, n_between: int) -> None:
    asked = [("a", {"imageId": "1", "question": "First?"}), ("b", 7)]
    asked += [(f"{n}", {"imageId": "1", "question": "Whose?" * 20}) for n in range(n_between)]
    asked += [("a", {"imageId": "1", "question": "Last?"}), ("b", {"imageId": 1})]
    members = ", ".join(f"{json.dumps(key)}: {json.dumps(record)}" for key, record in asked)
    (tmp_path / "testdev_balanced_questions.json").write_text(f"{{{members}}}")
    (landing,) = _land(tmp_path)
    assert (landing.n_records, landing.n_rejected) == (n_between + 1, 1)
    assert _rows("select question, _position from raw.gqa_questions where question_id = 'a'") == [
        ("Last?", 0)
    ]
    assert _rows("select field, found, _position from raw.rejected_records") == [
        ("$.question", "nothing", 1)
    ]


@pytest.mark.usefixtures("warehouse")
def test_one_file_named_twice_lands_once(corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / f"{QUESTIONS}.gz"
    copy.parent.mkdir()
    copy.write_bytes(gzip.compress((corpus / QUESTIONS).read_bytes()))
    assert len(_land(corpus, corpus / QUESTIONS, copy)) == 3
    assert _rows("select count(*) from raw.vqa_questions") == [(3,)]


@pytest.mark.usefixtures("warehouse")
def test_two_files_of_one_name_that_differ_are_refused(corpus: Path, tmp_path: Path) -> None:
    other = write_corpus(tmp_path / "other", ASKED[:1])
    with pytest.raises(GainsayError, match=f"both are {CAPTIONS}, with different content"):
        _land(corpus, other)
    assert _rows("select * from information_schema.tables") == []


@pytest.mark.usefixtures("warehouse")
def test_members_of_one_name_that_differ_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for folder, n in (("a", 1), ("b", 2)):
            archive.writestr(
                f"{folder}/{QUESTIONS}", json.dumps({"questions": [question(n, n, "?")]})
            )
    with pytest.raises(GainsayError, match=f"both are {QUESTIONS}, with different content"):
        _land(tmp_path)


@pytest.mark.usefixtures("warehouse")
def test_order_of_the_files_does_not_matter(corpus: Path) -> None:
    paths = sorted(corpus.iterdir())
    _land(*paths)
    first = _everything(without="_?landed_at|path")
    with connect() as connection:
        connection.execute("drop schema raw cascade")
    _land(*reversed(paths))
    assert _everything(without="_?landed_at|path") == first


@pytest.mark.usefixtures("warehouse")
def test_progress_counts_every_byte(tmp_path: Path) -> None:
    for name, count in ((QUESTIONS, 5_000), ("v2_OpenEnded_mscoco_val2014_questions.json", 3)):
        write(tmp_path / name, {"questions": [question(n, n, "?") for n in range(count)]})
    sources = find_sources([tmp_path]).sources
    for _ in ("landed", "unchanged"):
        counted: list[int] = []
        with connect() as connection:
            land(
                DuckDbSink(connection),
                sources,
                lambda amount=1, counted=counted: counted.append(amount),
            )
        total = sum(source.size for source in sources)
        assert abs(sum(counted) - total) <= len(counted)
        assert min(counted) > 0


@pytest.mark.usefixtures("warehouse")
def test_random_corpus_loses_no_record(tmp_path: Path) -> None:
    dice = random.Random(7)
    spoilt: list[object] = [7, None, {"question_id": 1.5}, question(2**63, 1, "?"), "\ud800"]
    records = [
        dice.choice(spoilt) if dice.random() < 0.1 else question(n, n, "?") for n in range(20_000)
    ]
    write(tmp_path / QUESTIONS, {"questions": records})
    (landing,) = _land(tmp_path)
    good = [
        n
        for n, record in enumerate(records)
        if isinstance(record, dict) and record.get("question_id") == n
    ]
    assert (landing.n_records, landing.n_rejected) == (len(good), len(records) - len(good))
    assert _rows("select _position from raw.vqa_questions order by 1") == [(n,) for n in good]
    assert _rows("""
        select count(distinct _position), min(_position), max(_position)
        from (
            select _position from raw.vqa_questions
            union all
            select _position from raw.rejected_records
        )
    """) == [(20_000, 0, 19_999)]


@pytest.fixture
def sizeable(tmp_path: Path) -> Iterator[Path]:
    """An annotation file of 160 MB, in a small zip."""
    answers = [{"answer": "yes", "answer_confidence": "maybe", "answer_id": n} for n in range(10)]
    template = json.dumps(
        {
            "question_id": 0,
            "image_id": 1,
            "question_type": "is the",
            "answer_type": "yes/no",
            "multiple_choice_answer": "yes",
            "answers": answers,
        }
    )
    path = tmp_path / "sizeable.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(ANNOTATIONS, "w") as member,
    ):
        member.write(b'{"annotations": [')
        for start in range(0, 200_000, 1_000):
            records = (
                template.replace('"question_id": 0', f'"question_id": {n}')
                for n in range(start, start + 1_000)
            )
            member.write((", ".join(records) + ", ").encode())
        member.write(template.encode() + b"]}")
    yield path
    path.unlink()


@pytest.mark.long
@pytest.mark.slow
def test_memory_is_bounded_by_the_file(sizeable: Path, warehouse: Path) -> None:
    size = find_sources([sizeable]).sources[0].size
    assert size > 150 * 2**20
    # json.load takes a gigabyte for it
    # the peak of getrusage would count what this process held when it started the other
    script = (
        "import re, sys; from pathlib import Path; from gainsay.cli import main;"
        "main(sys.argv[1:], standalone_mode=False);"
        "print(re.search(r'VmHWM:\\s+(\\d+) kB', Path('/proc/self/status').read_text())[1])"
    )
    environment = {"GAINSAY_DB": str(warehouse), "GAINSAY_MEMORY_LIMIT": "256MB"}
    process = subprocess.run(
        [sys.executable, "-c", script, "land", sizeable],
        cwd=PROJECT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    peak = int(process.stdout.split()[-1]) * 1024
    assert peak < 2 * size + 350 * 2**20
    assert _rows("select count(*), max(question_id) from raw.vqa_annotations") == [
        (200_001, 199_999)
    ]


@pytest.mark.usefixtures("warehouse")
def test_command_reports_every_file(corpus: Path) -> None:
    (corpus / "readme.txt").write_text("")
    result = CliRunner().invoke(main, ["land", str(corpus)], env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.output
    for name in (CAPTIONS, QUESTIONS, ANNOTATIONS):
        (line,) = (line for line in result.output.splitlines() if name in line)
        assert "landed" in line
    assert "1 other files ignored" in result.output


@pytest.mark.usefixtures("warehouse")
def test_command_ends_with_1_and_the_reason(corpus: Path) -> None:
    (corpus / QUESTIONS).write_text("{")
    result = CliRunner().invoke(main, ["land", str(corpus)])
    assert result.exit_code == 1
    assert f"{QUESTIONS}: not JSON, or cut short" in result.output


@pytest.mark.usefixtures("warehouse")
def test_command_tells_of_a_last_line_that_is_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "yfcc_autotags.jsonl"
    whole = '{"photo_id": 1, "autotags": "tree:0.9"}\n'
    file.write_text(whole + whole.replace("1", "2")[:20])
    result = CliRunner().invoke(main, ["land", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert f"{file}: the last line is cut short" in result.output
    assert "reasons: gainsay sql 'select * from raw.rejected_records'" in result.output

    file.write_text(whole + whole.replace("1", "2").rstrip())
    result = CliRunner().invoke(main, ["land", str(tmp_path)])
    assert "cut short" not in result.output
    assert "reasons" not in result.output


def test_warehouse_that_is_another_file(warehouse: Path, corpus: Path) -> None:
    warehouse.parent.mkdir()
    warehouse.write_text("not a database " * 1_000)
    with pytest.raises(GainsayError, match="cannot open the warehouse"):
        _land(corpus)


def test_warehouse_that_another_process_holds(warehouse: Path, corpus: Path) -> None:
    _land(corpus)
    with duckdb.connect(warehouse):
        held = subprocess.run(
            [sys.executable, "-m", "gainsay", "land", corpus],
            cwd=PROJECT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert held.returncode == 1
    who = f"another process (PID {os.getpid()}) has it open; try again once it has ended"
    assert f"{warehouse}: cannot open the warehouse: {who}" in held.stderr
