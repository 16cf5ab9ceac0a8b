"""What an export does to the folder that it is written into, and how much of it is in memory."""

import json
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from PIL import Image

from gainsay.exports.export import export
from gainsay.exports.formats import FORMATS, several_pictures
from gainsay.exports.templates import cell, link
from gainsay.foundation.errors import GainsayError
from tests.python.hugging_face import load_dataset
from tests.python.made_exports import add_languages, make_exports


@pytest.fixture
def photographs(tmp_path: Path) -> list[Path]:
    """Three pictures that look and weigh alike."""
    folder = tmp_path / "photographs"
    folder.mkdir()
    paths = [folder / f"{number}.png" for number in range(3)]
    for number, path in enumerate(paths):
        noise = np.random.default_rng(number).integers(0, 256, (50, 50, 3), np.uint8)
        Image.fromarray(noise).save(path)
    return paths


@pytest.fixture
def warehouse(photographs: list[Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    """The models that exports read, with a record per picture."""
    with duckdb.connect() as connection:
        make_exports(connection, photographs[0].parent)
        yield connection


def _forbid(warehouse: duckdb.DuckDBPyConnection, *example_ids: str) -> None:
    warehouse.execute(
        "update exports.records set image_path = null where list_contains(?, example_id)",
        [list(example_ids)],
    )


def _files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


_LOOSE = ["image-folder", "llava", "dpo", "r-tuning", "action-sft", "coco-instances", "clash-sft",
          "clash-llava", "clash-mplug-owl"]  # fmt: skip


@pytest.mark.parametrize("kind", _LOOSE)
def test_a_picture_that_is_no_longer_allowed_leaves_the_folder(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "out"
    export(warehouse, kind, folder)
    before = _files(folder)
    (folder / "notes.txt").write_text("mine")
    (folder / "images/mine.png").write_text("mine, too")
    _forbid(warehouse, "e1")

    export(warehouse, kind, folder)

    assert "images/1.png" in before
    kept = {name for name in before if name != "images/1.png"}
    assert set(_files(folder)) == kept | {"notes.txt", "images/mine.png"}
    texts = "".join(path.read_text() for path in folder.glob("*.json*"))
    assert "1.png" not in texts


def test_what_an_export_before_there_were_lists_wrote_goes_too(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    export(warehouse, "image-folder", folder)
    # pictures were beside their metadata
    for path in sorted((folder / "images").iterdir()):
        path.rename(folder / path.name)
    (folder / "mine.png").write_text("mine")
    metadata = folder / "metadata.jsonl"
    metadata.write_text(metadata.read_text().replace("images/", ""))
    (folder / ".gainsay-export").unlink()
    _forbid(warehouse, "e1")

    export(warehouse, "image-folder", folder)

    assert _files(folder) == [
        ".gainsay-export", "README.md", "images/0.png", "images/2.png", "metadata.jsonl",
        "mine.png",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind != "jsonl"])
def test_nothing_of_an_export_stays_once_nothing_is_allowed(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "out"
    export(warehouse, kind, folder)
    n_files = len(_files(folder)) - 1
    _forbid(warehouse, "e0", "e1", "e2")
    (folder / "notes.txt").write_text("mine")

    with pytest.raises(GainsayError, match=f"; {n_files} files of the earlier export were removed"):
        export(warehouse, kind, folder)

    assert _files(folder) == ["notes.txt"]


@pytest.mark.parametrize("kind", [kind for kind, one in FORMATS.items() if one.has_names])
def test_without_pictures_the_files_of_coco_are_named(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    """Records whose picture may not leave are there, too; edited ones have no name."""
    _forbid(warehouse, "e1")
    warehouse.execute("update exports.records set name_state = 'edited' where example_id = 'e2'")
    folder = tmp_path / "out"
    export(warehouse, kind, folder)
    assert {"images/0.png", "images/2.png"} <= {*_files(folder)}

    exported = export(warehouse, kind, folder, is_without_pictures=True)

    assert (exported.n_records, exported.left_out) == (2, {"edited": 1})
    assert not (folder / "images").exists()
    for path in folder.glob("*.json*"):
        text = path.read_text()
        assert all(f"train2017/{number}.jpg" in text for number in (0, 1))
        assert not re.search("images/|name_state|photograph", text)
    assert "There are none here" in (folder / "README.md").read_text()


@pytest.mark.parametrize("kind", ["jsonl", "hugging-face", "vlmevalkit", "coco-instances"])
def test_formats_that_are_not_to_train_on_have_no_names(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    with pytest.raises(GainsayError, match=f"{kind} of conflict_suite has no names in the place"):
        export(warehouse, kind, tmp_path / "out", is_without_pictures=True)
    assert not (tmp_path / "out").exists()


def test_a_misspelt_split_leaves_the_earlier_export_alone(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    export(warehouse, "llava", folder)
    before = _files(folder)

    with pytest.raises(GainsayError, match="no split 'trian'; there are train"):
        export(warehouse, "llava", folder, split="trian")

    assert _files(folder) == before


def test_a_misspelt_benchmark_is_named(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    with pytest.raises(GainsayError, match="no benchmark 'clsh'; there are conflict_suite"):
        export(warehouse, "llava", tmp_path / "out", "clsh")
    assert not (tmp_path / "out").exists()


def test_a_stopped_export_leaves_no_card_and_no_half_of_a_file(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    assert export(warehouse, "llava", folder).n_records == 3
    whole = (folder / "llava_sft.json").read_bytes()
    warehouse.execute("""
        update exports.records set image_path = image_path || '.gone' where example_id = 'e2'
    """)
    _forbid(warehouse, "e0")

    with pytest.raises(GainsayError, match=r"2\.png\.gone: cannot be read: No such"):
        export(warehouse, "llava", folder)

    # what is forbidden is gone first, whatever happens then
    assert _files(folder) == [
        ".gainsay-export", "images/1.png", "images/2.png", "llava_sft.json",
    ]  # fmt: skip
    assert (folder / "llava_sft.json").read_bytes() == whole


def test_pictures_of_a_stopped_export_are_known_to_the_next(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    warehouse.execute("""
        update exports.records set image_path = image_path || '.gone' where example_id = 'e2'
    """)
    with pytest.raises(GainsayError, match="cannot be read"):
        export(warehouse, "llava", folder)
    assert "images/0.png" in _files(folder)
    # a kill may leave half of a file, and half of a line of the list
    (folder / ".gainsay-parts").mkdir()
    (folder / ".gainsay-parts/7").write_text("half of a picture")
    with (folder / ".gainsay-export").open("a") as listed:
        listed.write('"images/9')
    _forbid(warehouse, "e0", "e2")

    export(warehouse, "llava", folder)

    assert _files(folder) == [
        ".gainsay-export", "README.md", "images/1.png", "llava_sft.json",
    ]  # fmt: skip


def test_somebody_elses_file_is_not_overwritten(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "README.md").write_text("my notes")

    with pytest.raises(GainsayError, match=r"README\.md: is no file of an earlier export"):
        export(warehouse, "llava", folder)

    assert (folder / "README.md").read_text() == "my notes"


@pytest.mark.parametrize("kind", FORMATS)
def test_no_file_is_written_where_somebody_has_one_of_its_name(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    """Whichever of an export's files it is, it stops the export before the first is written."""
    export(warehouse, kind, tmp_path / "whole", shard_bytes=1)
    names = [name for name in _files(tmp_path / "whole") if name != ".gainsay-export"]
    assert len(names) > 1
    for number, name in enumerate(names):
        folder = tmp_path / str(number)
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("mine")

        with pytest.raises(GainsayError, match=f"{name}: is no file of an earlier export"):
            export(warehouse, kind, folder, shard_bytes=1)

        assert _files(folder) == [name]
        assert (folder / name).read_text() == "mine"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("hugging-face", "data/train-00000-of-00007.parquet"),
        ("lmms-eval", "data/train-00006-of-00007.parquet"),
        ("jsonl", "records-00000-of-00007.jsonl"),
    ],
)
def test_what_passes_for_a_shard_stops_an_export(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str, name: str
) -> None:
    """Readers take all files of that pattern, so that its rows would pass for the export's."""
    mine = tmp_path / "out" / name
    mine.parent.mkdir(parents=True)
    # a link to nowhere is there, too
    mine.symlink_to(tmp_path / "gone")

    with pytest.raises(GainsayError, match=f"{name}: is no file of an earlier export"):
        export(warehouse, kind, tmp_path / "out")

    mine.rename(mine.with_name("notes.txt"))
    assert export(warehouse, kind, tmp_path / "out").n_records == 3


def test_a_folder_holds_one_export(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(warehouse, "llava", folder)
    before = _files(folder)

    with pytest.raises(GainsayError, match="holds llava of conflict_suite; export dpo"):
        export(warehouse, "dpo", folder)

    assert _files(folder) == before


@pytest.mark.parametrize("name", ["../mine.txt", "/mine.txt", "images/link/mine.txt"])
def test_a_list_names_nothing_outside_its_folder(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "out"
    export(warehouse, "llava", folder)
    (tmp_path / "mine.txt").write_text("mine")
    (folder / "images/link").symlink_to(tmp_path)
    with (folder / ".gainsay-export").open("a") as listed:
        listed.write(json.dumps(name) + "\n")

    with pytest.raises(GainsayError, match="leaves the folder"):
        export(warehouse, "llava", folder)

    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_parquet_is_sharded_by_size(
    warehouse: duckdb.DuckDBPyConnection, photographs: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    largest = max(path.stat().st_size for path in photographs)

    export(warehouse, "hugging-face", folder, shard_bytes=2 * largest)
    assert sorted(path.name for path in (folder / "data").iterdir()) == [
        "train-00000-of-00002.parquet", "train-00001-of-00002.parquet",
    ]  # fmt: skip
    loaded = load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache"))
    assert [row["example_id"] for row in loaded] == ["e0", "e1", "e2"]
    for row, path in zip(loaded, photographs, strict=True):
        assert np.array_equal(np.asarray(row["image"]), np.asarray(Image.open(path)))

    export(warehouse, "hugging-face", folder, shard_bytes=largest)
    assert len(list((folder / "data").iterdir())) == 3
    export(warehouse, "hugging-face", folder)
    assert [path.name for path in (folder / "data").iterdir()] == ["train-00000-of-00001.parquet"]


def test_lmms_eval_reads_every_shard(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(warehouse, "lmms-eval", folder, shard_bytes=1)
    task = (folder / "gainsay_conflict_suite.yaml").read_text()
    assert [name in task for name in _files(folder / "data")] == [True] * 3


@pytest.mark.slow
def test_objects_are_not_held_in_memory(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """Three thousand times the objects take hardly more memory."""

    def peak(folder: Path) -> int:
        tracemalloc.start()
        export(warehouse, "coco-instances", folder)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(tmp_path / "first")
    few = peak(tmp_path / "few")
    warehouse.execute("""
        insert into exports.exports__edited_instances
        select instances.* replace (6 + n as instance_id)
        from exports.exports__edited_instances as instances, range(20_000) as numbers(n)
        where instance_id = 0
    """)
    many = peak(tmp_path / "many")

    written = json.loads((tmp_path / "many/instances.json").read_text())
    assert len(written["annotations"]) == 20_006
    assert [annotation["id"] for annotation in written["annotations"]] == list(range(1, 20_007))
    assert many < few + 5_000_000


def test_pictures_are_numbered_alike_in_images_and_annotations(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    _forbid(warehouse, "e0")
    export(warehouse, "coco-instances", tmp_path / "out")
    written = json.loads((tmp_path / "out/instances.json").read_text())

    assert [(image["id"], image["file_name"]) for image in written["images"]] == [
        (1, "images/1.png"), (2, "images/2.png"),
    ]  # fmt: skip
    objects = [(one["image_id"], one["source_instance_id"]) for one in written["annotations"]]
    assert objects == [(1, 1), (1, 4), (2, 2), (2, 5)]
    assert written["categories"] == [{"id": 1, "name": "person", "supercategory": "person"}]
    assert all((image["width"], image["height"]) == (50, 50) for image in written["images"])


def test_cards_hold_no_markup_of_landed_files() -> None:
    assert cell("a | [b](c) <script>\n# d") == r"a \| \[b\](c) \<script\> # d"
    assert link({"license_name": "BY]", "license_url": "http://a.b/c"}) == r"[BY\]](http://a.b/c)"
    assert link({"license_name": "BY", "license_url": "javascript:x"}) == "BY"
    assert link({"license_name": None, "license_url": None}) == "unknown"


@pytest.mark.parametrize("wrong", ["too many", "another", "too few"])
@pytest.mark.parametrize("kind", FORMATS)
def test_a_wrong_row_stops_every_export(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str, wrong: str
) -> None:
    rows = FORMATS[kind].model
    warehouse.execute(f"""
        create table exports.right_rows as from {rows};
        create or replace view {rows} as {_WRONG_ROWS[wrong]}
    """)
    with pytest.raises(
        GainsayError, match="what was written is not what the benchmark has"
    ) as stop:
        export(warehouse, kind, tmp_path / "out", FORMATS[kind].benchmark or "conflict_suite")
    n = FORMATS[kind].copies * {"too many": 4, "another": 3, "too few": 2}[wrong]
    assert f": {n} records" in str(stop.value)
    assert not (tmp_path / "out/README.md").exists()


_WRONG_ROWS = {
    "too many": """
        from exports.right_rows
        union all
        select * replace ('e9' as example_id) from exports.right_rows where example_id = 'e0'
    """,
    "another": """
        select * replace (if(example_id = 'e0', 'e9', example_id) as example_id)
        from exports.right_rows
    """,
    "too few": "from exports.right_rows where example_id <> 'e0'",
}


_WRONG_QUESTIONS = {
    **_WRONG_ROWS,
    # a question asked among those of another language, and one language's question asked twice
    "another language": """
        select * replace (if(example_id = 'e0', 'hi', language) as language)
        from exports.right_rows
    """,
    "twice": """
        from exports.right_rows
        union all
        from exports.right_rows where example_id = 'e0'
    """,
}


@pytest.mark.parametrize("wrong", _WRONG_QUESTIONS)
@pytest.mark.parametrize("kind", several_pictures("reality_check"))
def test_a_wrong_question_stops_an_export_in_several_languages(
    warehouse: duckdb.DuckDBPyConnection, photographs: list[Path], tmp_path: Path, kind: str,
    wrong: str,
) -> None:  # fmt: skip
    add_languages(warehouse, photographs[0].parent)
    assert export(warehouse, kind, tmp_path / "right", "reality_check").n_records == 4
    rows = "exports.exports__reality_check"
    # the question that the rows above know as e0
    query = _WRONG_QUESTIONS[wrong].replace("'e0'", "'q0::en'").replace("'e9'", "'q9::en'")
    warehouse.execute(f"""
        create table exports.right_rows as from {rows};
        create or replace view {rows} as {query}
    """)
    with pytest.raises(GainsayError, match="what was written is not what the benchmark") as stop:
        export(warehouse, kind, tmp_path / "out", "reality_check")
    n = {"too many": 5, "twice": 5, "too few": 3}.get(wrong, 4)
    assert f": {n} records" in str(stop.value)
    assert not (tmp_path / "out/README.md").exists()
    # one language alone is counted by itself
    with pytest.raises(GainsayError, match="what was written is not what the benchmark"):
        export(warehouse, kind, tmp_path / "en", "reality_check", language="en")


def test_a_row_in_another_split_or_group_is_found_where_files_say_it(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """CertainlyUncertain's test split was delivered with pairs that are held back."""
    warehouse.execute("update exports.records set split = 'held_back' where example_id = 'e0'")
    export(warehouse, "jsonl", tmp_path / "right")
    assert [row["example_id"] for row in _lines(tmp_path / "right")] == ["e1", "e2"]
    assert "| 1 |" in (tmp_path / "right/README.md").read_text().split("Records that stay")[1]
    export(warehouse, "jsonl", tmp_path / "held", split="held_back")
    assert [row["example_id"] for row in _lines(tmp_path / "held")] == ["e0"]

    warehouse.execute("""
        create table exports.right_rows as from exports.exports__jsonl;
        create or replace view exports.exports__jsonl as
        select * replace ('train' as split) from exports.right_rows
    """)
    with pytest.raises(GainsayError, match="train, clean: 3 records where 2 are expected"):
        export(warehouse, "jsonl", tmp_path / "wrong")
    warehouse.execute("update exports.records set split = 'train'")
    warehouse.execute("""
        update conflict_suite.conflict_suite__examples set group_id = 'ge1' where example_id = 'e0'
    """)
    with pytest.raises(GainsayError, match="others than expected or in other groups"):
        export(warehouse, "jsonl", tmp_path / "wrong")


def test_the_balanced_mix_says_what_the_words_tell(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    export(warehouse, "carm", tmp_path / "unread", "conflict_suite_refined")
    assert "Nobody has read it blind" in (tmp_path / "unread/README.md").read_text()
    warehouse.execute("""
        create schema audit;
        create table audit.audit__blind_scores as
        select 'conflict_suite_refined' as benchmark, condition, 'both' as view,
            'cross_fitted' as reader, 'all' as slice_name, 468 as n,
            0.667 as most_frequent_accuracy, 0.972 as blind_accuracy
        from (values ('carm'), ('refined')) as conditions (condition)
    """)
    export(warehouse, "carm", tmp_path / "read", "conflict_suite_refined")
    card = (tmp_path / "read/README.md").read_text()
    assert card.count("| question and text | cross_fitted | 468 | 0.667 | 0.972 |") == 1
    [first, *others] = json.loads((tmp_path / "read/carm.json").read_text())
    assert [first["id"], *(other["id"] for other in others)] == ["e0", "e1", "e2"]
    assert first["conversations"][1]["value"] == "Action: trust_vision\nAnswer: yes"
    assert (first["text_state"], first["split"]) == ("clean", "train")


def test_a_card_for_finetuning_says_what_the_words_of_its_records_tell(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    export(warehouse, "jsonl", tmp_path / "jsonl")
    assert "What the words tell" not in (tmp_path / "jsonl/README.md").read_text()
    export(warehouse, "dpo", tmp_path / "unread")
    assert "Nobody has read it blind" in (tmp_path / "unread/README.md").read_text()
    # e9 is another record, e2 is told by its words and stays behind
    warehouse.execute("""
        create schema audit;
        create table audit.audit__blind_guesses as
        select 'conflict_suite' as benchmark, 'open_ended' as task, 'question' as view,
            'answer' as guessed, reader, 'e' || n as example_id,
            if(n = 0, 'yes', 'no') as label, n <> 1 as is_right
        from (values (0), (1), (2), (9)) as numbers (n)
        cross join (values ('cross_fitted'), ('train_to_test')) as readers (reader);
        create table exports.right_rows as from exports.exports__dpo;
        create or replace view exports.exports__dpo as
        select * replace (example_id <> 'e2' as is_two_sided) from exports.right_rows;
        create table exports.right_due as from exports.exports__deliverable;
        create or replace view exports.exports__deliverable as
        select * replace (example_id <> 'e2' as is_two_sided) from exports.right_due
    """)
    for is_one_sided, row in ((False, "2 | 0.500 | 0.500"), (True, "3 | 0.667 | 0.667")):
        folder = tmp_path / str(is_one_sided)
        export(warehouse, "dpo", folder, is_one_sided=is_one_sided)
        assert f"| question | answer | {row} |\n" in (folder / "README.md").read_text()
    warehouse.execute("delete from audit.audit__blind_guesses")
    export(warehouse, "dpo", tmp_path / "none")
    assert "reads none of these records" in (tmp_path / "none/README.md").read_text()


def test_a_record_has_all_that_its_benchmark_says_of_it(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    export(warehouse, "jsonl", tmp_path / "out")
    record = _lines(tmp_path / "out")[0]
    # a number, not the text that a decimal is otherwise
    assert (record["group_id"], record["donor_jaccard"]) == ("ge0", 0.5)
    export(warehouse, "hugging-face", tmp_path / "parquet")
    [first, *_] = load_dataset(str(tmp_path / "parquet"), split="train")
    assert (first["group_id"], float(first["donor_jaccard"])) == ("ge0", 0.5)


def _lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]
