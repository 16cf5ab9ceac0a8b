"""Who counts as a reader: one person is one, however the name is written."""

import json
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.sinks.duckdb import DuckDbSink, ensure_raw_schema
from gainsay.ingest.votes import land_log, person_of, reader_name
from gainsay.review.readers import reader_names

FULL_WIDTH = "\uff21\uff4e\uff4e"
ALIKE = ["Ann", "ann", "ANN", FULL_WIDTH, " Ann ", "A\u006en", "\u1d2cnn"]


@pytest.mark.parametrize("name", ALIKE)
def test_spellings_of_a_name_are_one_person(name: str) -> None:
    assert person_of(name) == "ann"
    with pytest.raises(GainsayError, match="named already"):
        reader_names(["Ann", name], "--reader")


@pytest.mark.parametrize("name", ["Anna", "An n", "Bob", "\u0410nn"])
def test_other_names_are_other_people(name: str) -> None:
    assert len(reader_names(["Ann", name], "--reader")) == 2


@pytest.mark.parametrize(
    "name", ["all", "ALL", "\uff41\uff4c\uff4c", "", " ", "a\u200bb", "\u3164", "x" * 61]
)
def test_nobody_is_called_so(name: str) -> None:
    assert reader_name(name) is None
    with pytest.raises(GainsayError, match="--reader"):
        reader_names([name], "--reader")


@pytest.mark.parametrize(
    "arguments",
    [
        ("review", "--reader", "Ann", "--reader", "Ann", "--no-browser"),
        ("review", "--reader", "Ann", "--reader", FULL_WIDTH, "--overlap", "0.5", "--no-browser"),
        ("review", "--adjudicator", "Eve", "--adjudicator", "eve", "--no-browser"),
        ("review", "--reader", "Eve", "--adjudicator", "\uff25ve", "--no-browser"),
    ],
)
def test_one_person_is_not_asked_twice(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    with connect():
        pass
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code != 0
    assert "named already" in result.output or "name another person" in result.output


@pytest.mark.parametrize("share", ["nan", "inf", "-inf", "1e999", "-1", "1.1", "x"])
def test_a_share_is_a_number(share: str) -> None:
    for command in (("review", "--overlap", share), ("review", "export", "--overlap", share)):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 2
        assert "--overlap" in result.output


def test_a_log_counts_the_readers_that_have_landed(tmp_path: Path) -> None:
    connection = duckdb.connect()
    ensure_raw_schema(connection)
    for place, reader in enumerate(["Ann", "ann", FULL_WIDTH, "Bob"]):
        event = {
            "event_id": f"{place:032x}", "kind": "vote", "benchmark": "b", "queue": "q",
            "record_id": f"r{place}", "record_md5": "0" * 32, "question": "verdict",
            "reader": reader, "answer": "keep", "voted_at": "2026-01-01T00:00:00Z",
        }  # fmt: skip
        log = tmp_path / f"{place}.ndjson"
        log.write_text(json.dumps(event) + "\n", encoding="utf-8")
        assert land_log(DuckDbSink(connection), log).n_landed == 1
    counted = connection.execute("select reader, count(*) from raw.votes group by 1 order by 1")
    assert counted.fetchall() == [("Ann", 3), ("Bob", 1)]
