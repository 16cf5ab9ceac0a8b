"""The obvious way to land: DuckDB's own `read_json` on the same files into the same tables."""

import sys
from pathlib import Path

import duckdb

_QUESTION = "struct(question_id bigint, image_id bigint, question varchar)"
_ANNOTATION = """struct(
    question_id bigint, image_id bigint, question_type varchar, answer_type varchar,
    multiple_choice_answer varchar,
    answers struct(answer varchar, answer_confidence varchar, answer_id bigint)[]
)"""
_CAPTION = "struct(id bigint, image_id bigint, caption varchar)"
_TABLES = {
    "vqa_questions": ("v2_OpenEnded_*_questions.json", "questions", _QUESTION),
    "vqa_annotations": ("v2_mscoco_*_annotations.json", "annotations", _ANNOTATION),
    "coco_captions": ("captions_*.json", "annotations", _CAPTION),
}


def main(folder: Path, database: Path) -> None:
    """Create the three tables, all rows of both splits in each."""
    database.unlink(missing_ok=True)
    with duckdb.connect(database) as connection:
        connection.execute("set preserve_insertion_order = false")
        for table, (pattern, array, record) in _TABLES.items():
            connection.execute(f"""
                create table {table} as
                select unnest(record)
                from (
                    select unnest({array}) as record
                    from read_json(
                        '{folder / pattern}',
                        columns = {{{array}: '{record}[]'}},
                        maximum_object_size = 2000000000
                    )
                )
            """)


main(Path(sys.argv[1]), Path(sys.argv[2]))
