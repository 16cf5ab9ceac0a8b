"""R-Tuning from landed answers: what a model gets wrong becomes "I don't know"."""

from pathlib import Path

import duckdb

from gainsay.exports.writers.r_tuning import _answer
from tests.python.conftest import PROJECT, Warehouse


def test_what_a_model_gets_wrong_it_learns_not_to_know(tmp_path: Path) -> None:
    compiled = Warehouse(tmp_path)
    compiled.dbt(
        "compile", "--no-introspect", "--select", "exports__r_tuning",
        "--vars", "{export_r_tuning_model: asked}",
    )  # fmt: skip
    [path] = (tmp_path / "target/compiled").rglob("exports__r_tuning.sql")
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as gainsay; use gainsay")
        connection.execute("create schema vocabulary")
        connection.execute(
            "create table vocabulary.instructions as from read_csv(?, header = true)",
            [str(PROJECT / "seeds/shared/language/instructions.csv")],
        )
        connection.execute("""
            create schema exports;
            create schema evaluation;
            create table exports.exports__records as
            select
                'b' as benchmark, example_id, split, 'Q?' as prompt, target, rejected,
                'red' as gold_answer,
                is_abstention_right, 'available' as picture_state, 'not_of_coco' as name_state,
                null as photograph_name, true as is_two_sided,
                'images/1.jpg' as image,
                '1.jpg' as image_path, null as image_archive
            from (values
                ('right', 'train', 'red', 'I don''t know.', false),
                -- the other side of its pair would be no true word of this picture
                ('wrong', 'train', 'red', 'There is no dog in the image.', false),
                ('half', 'train', 'red', 'There is no dog in the image.', false),
                ('open', 'train', 'I can''t tell.', 'red', true),
                ('guessed', 'train', 'I can''t tell.', 'red', true),
                ('tested', 'test', 'red', 'I don''t know.', false),
                ('unrated', 'train', 'red', 'I don''t know.', false),
                ('unasked', 'train', 'red', 'I don''t know.', false)
            ) as records (example_id, split, target, rejected, is_abstention_right);
            create table evaluation.evaluation__matches as
            select 'b' as benchmark, *
            from (values
                ('asked', 'right', 'exact', 0.0, null), ('asked', 'right', 'extracted', 1.0, null),
                ('asked', 'wrong', 'exact', 0.0, true), ('asked', 'open', 'exact', 1.0, true),
                ('asked', 'half', 'exact', 0.5, true),
                ('asked', 'guessed', 'exact', 0.0, true), ('asked', 'tested', 'exact', 1.0, true),
                ('asked', 'unrated', 'exact', 0.0, false),
                ('another', 'unasked', 'exact', 1.0, true)
            ) as matches (model, example_id, matcher, credit, is_rated)
        """)
        rows = connection.execute(
            f"select example_id, answer, is_sure from ({path.read_text()}) order by example_id"
        ).fetchall()

    assert rows == [
        ("guessed", "I can't tell.", False),
        ("half", "red", True),
        ("open", "I can't tell.", True),
        ("right", "red", True),
        ("wrong", "I don't know", False),
    ]


def test_an_answer_is_one_sentence_whatever_it_ends_in() -> None:
    record = {"example_id": "e", "image": "1.jpg", "prompt": "Q?", "is_sure": False}
    for answer in ("I don't know.", "I don't know"):
        written = _answer({**record, "answer": answer})
        assert written["text"].startswith("Q?\nAnswer: I don't know. Are you sure you ")
        assert [turn["value"] for turn in written["conversations"]][1] == "I don't know."
        assert written["conversations"][-1]["value"] == "I am unsure."
