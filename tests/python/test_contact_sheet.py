"""Contact sheets of any benchmark: which rows, in which order, and what a tile says."""

from pathlib import Path

import duckdb
import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.renderings import renderings_of
from gainsay.report.contact_sheet import contact_sheet
from gainsay.report.example_rows import group_rows, sample_groups
from gainsay.report.suite_rows import sample_bases
from tests.python import image_specimens as specimens


@pytest.fixture
def benchmark(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    """A benchmark of two groups: one of a photograph, its rendering and a donor, one not landed."""
    for name in ("photo", "donor", "rendered"):
        (tmp_path / f"{name}.jpg").write_bytes(specimens.jpeg())
    connection = duckdb.connect()
    connection.execute("""
        create schema tiny; create schema images;
        create table tiny.tiny__examples (
            example_id varchar, group_id varchar, source_image_id varchar, shown_image_id varchar,
            recipe_id varchar, split varchar, family varchar, text_input varchar,
            question varchar, gold_answer varchar, target varchar
        );
        insert into tiny.tiny__examples values
            ('a::boxed', 'a', 'i1', 'i1', 'r1', 'test', 'count', 'A dog.', 'How many?', '1', null),
            ('a::late', 'a', 'i1', 'i1', 'r2', 'test', 'count', 'A dog.', 'How many?', '1', '1'),
            ('a::swapped', 'a', 'i1', 'i2', null, 'test', 'count', 'A dog.', 'How many?', '1', '1'),
            ('a::whole', 'a', 'i1', 'i1', null, 'test', 'count', null, 'How many?', '1', '1'),
            ('b::one', 'b', 'i3', 'i3', null, null, null, null, 'Who?', null, null),
            ('b::two', 'b', 'i3', 'i3', null, null, null, null, 'Where?', null, null);
        create table images.images__files (source_image_id varchar, path varchar, archive varchar);
        create table images.images__recipes (recipe_id varchar, render_key varchar);
        insert into images.images__recipes values ('r1', 'k1'), ('r2', 'k2');
        create table images.images__renderings (
            render_key varchar, rendered_file varchar, error varchar
        );
        insert into images.images__renderings values
            ('k1', 'rendered.jpg', null), ('k2', null, 'the disk is full');
    """)
    connection.executemany(
        "insert into images.images__files values (?, ?, null)",
        [("i1", str(tmp_path / "photo.jpg")), ("i2", str(tmp_path / "donor.jpg"))],
    )
    return connection


def test_a_group_is_a_row_and_the_source_comes_first(
    benchmark: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    # by an example or by the group, once
    [row] = group_rows(benchmark, "tiny", ["a::boxed", "a"], tmp_path)
    assert row.heading == ["How many?", "gold answer: 1   count   test   (a, i1)"]
    assert [(tile.image_state, tile.picture is not None, tile.lines) for tile in row.tiles] == [
        ("clean", True, ["whole", "-> 1", "text: none"]),
        (None, True, ["boxed", "-> abstain", "text: A dog."]),
        (None, False, ["late", "-> 1", "text: A dog.", "no picture: the disk is full"]),
        (None, True, ["swapped", "-> 1", "text: A dog."]),
    ]
    assert contact_sheet([row]).startswith(b"\x89PNG")


def test_questions_that_differ_stand_below_their_pictures(
    benchmark: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    [row] = group_rows(benchmark, "tiny", ["b"], tmp_path)
    absent = "no picture: not landed, or not rendered yet"
    assert row.heading[0] == "several questions"
    assert [tile.lines for tile in row.tiles] == [
        ["one", "-> abstain", "Who?", "text: none", absent],
        ["two", "-> abstain", "Where?", "text: none", absent],
    ]


def test_a_tile_says_how_a_benchmark_abstains(
    benchmark: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    benchmark.execute("alter table tiny.tiny__examples add column answer varchar")
    benchmark.execute(
        "update tiny.tiny__examples set answer = 'I see none.' where recipe_id = 'r1'"
    )
    [row] = group_rows(benchmark, "tiny", ["a"], tmp_path)
    assert [tile.lines[1] for tile in row.tiles] == [
        "-> 1",
        "-> abstain: I see none.",
        *2 * ["-> 1"],
    ]


def test_only_what_has_landed_is_sampled(benchmark: duckdb.DuckDBPyConnection) -> None:
    assert sample_groups(benchmark, "tiny", 5, 7) == ["a"]
    # pictures are landed, and they are not those of the examples
    benchmark.execute("update images.images__files set source_image_id = 'other'")
    with pytest.raises(GainsayError, match="tiny: no example has one of the 2 landed pictures"):
        sample_groups(benchmark, "tiny", 5, 7)
    benchmark.execute("delete from images.images__files")
    with pytest.raises(GainsayError, match="tiny: no example has a picture, and none is landed"):
        sample_groups(benchmark, "tiny", 5, 7)


def test_bases_are_sampled_where_nothing_can_be_hidden_in_them() -> None:
    with duckdb.connect() as connection:
        connection.execute("""
            create schema conflict_suite; create schema occlusions; create schema images;
            create table conflict_suite.conflict_suite__screened as
            select 'vqa-' || n as base_id, 'coco-' || n as source_image_id, n > 1 as is_retained
            from range(1, 4) as numbers(n);
            create table images.images__files as
            select 'coco-' || n as source_image_id from range(1, 3) as numbers(n);
            create table occlusions.occlusions__screened (
                base_id varchar, operator varchar, paired_example_id varchar
            );
        """)
        assert sample_bases(connection, 5, 7) == ["vqa-2"]
        connection.execute(
            "insert into occlusions.occlusions__screened values"
            " ('vqa-3', 'occlusion_target', 'vqa-3::control')"
        )
        assert sample_bases(connection, 5, 7) == ["vqa-3"]


def test_a_warehouse_knows_where_its_renderings_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAINSAY_RENDERINGS", raising=False)
    with duckdb.connect() as connection:
        assert renderings_of(connection) == "data/renderings"
        connection.execute(
            "create schema images; create table images.images__renderings_folder as"
            " select '/elsewhere/renderings' as folder"
        )
        assert renderings_of(connection) == "/elsewhere/renderings"
        monkeypatch.setenv("GAINSAY_RENDERINGS", "named")
        assert renderings_of(connection) == "named"


@pytest.mark.parametrize(
    ("name", "benchmark_name", "message"),
    [
        ("c", "tiny", "c: tiny has no example or group of this name"),
        ("a", "huge", "huge: not in the warehouse, which has examples of tiny"),
    ],
)
def test_what_is_not_there_is_named(
    benchmark: duckdb.DuckDBPyConnection, tmp_path: Path, name: str, benchmark_name: str,
    message: str,
) -> None:  # fmt: skip
    with pytest.raises(GainsayError, match=message):
        group_rows(benchmark, benchmark_name, [name], tmp_path)
