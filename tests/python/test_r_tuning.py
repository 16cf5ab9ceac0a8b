"""R-Tuning from landed answers: what a model gets wrong becomes "I don't know"."""

from pathlib import Path

import duckdb

from tests.python.conftest import Warehouse


def test_what_a_model_gets_wrong_it_learns_not_to_know(tmp_path: Path) -> None:
    compiled = Warehouse(tmp_path)
    compiled.dbt(
        "compile", "--no-introspect", "--select", "exports__r_tuning",
        "--vars", "{export_r_tuning_model: asked}",
    )  # fmt: skip
    [path] = (tmp_path / "target/compiled").rglob("exports__r_tuning.sql")
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as gainsay; use gainsay")
        connection.execute("""
            create schema exports;
            create schema evaluation;
            create table exports.exports__records as
            select
                'b' as benchmark, example_id, split, 'Q?' as prompt, target, rejected,
                'red' as gold_answer,
                is_abstention_right, 'available' as picture_state, 'images/1.jpg' as image,
                '1.jpg' as image_path, null as image_archive
            from (values
                ('right', 'train', 'red', 'I don''t know.', false),
                ('wrong', 'train', 'red', 'I don''t know.', false),
                ('open', 'train', 'I can''t tell.', 'red', true),
                ('guessed', 'train', 'I can''t tell.', 'red', true),
                ('tested', 'test', 'red', 'I don''t know.', false),
                ('unrated', 'train', 'red', 'I don''t know.', false),
                ('unasked', 'train', 'red', 'I don''t know.', false)
            ) as records (example_id, split, target, rejected, is_abstention_right);
            create table evaluation.evaluation__matches as
            select 'b' as benchmark, *
            from (values
                ('asked', 'right', 'exact', 0.0), ('asked', 'right', 'extracted', 1.0),
                ('asked', 'wrong', 'exact', 0.5), ('asked', 'open', 'exact', 1.0),
                ('asked', 'guessed', 'exact', 0.0), ('asked', 'tested', 'exact', 1.0),
                ('asked', 'unrated', 'exact', null), ('another', 'unasked', 'exact', 1.0)
            ) as matches (model, example_id, matcher, credit)
        """)
        rows = connection.execute(
            f"select example_id, answer, is_sure from ({path.read_text()}) order by example_id"
        ).fetchall()

    assert rows == [
        ("guessed", "I can't tell.", False),
        ("open", "I can't tell.", True),
        ("right", "red", True),
        ("wrong", "I don't know.", False),
    ]
