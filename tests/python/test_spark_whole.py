"""Every mart that Spark builds of a corpus with pictures and answers is that of DuckDB.

Not in CI: `make test-cluster`. On two cores that nothing else uses it takes half an hour.
"""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from gainsay.foundation.connection import connect
from tests.python.answered_corpus import (
    Command,
    answer_commands,
    batch_commands,
    corpus_commands,
    vote_commands,
    write_corpus,
)
from tests.python.conftest import Warehouse
from tests.python.real_data import needs_clash
from tests.python.test_spark import SparkCommands

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]

# what is made of answers, so that it can be asked who judges them
_ANSWERED = ("stg_gainsay__predictions+",)
_EXPORTS = ("exports__jsonl", "exports__hugging_face")
# nobody answers several times, or sees one side alone
_EMPTY = "evaluation__answer_entropies, evaluation__modalities"


def _run(warehouse: Warehouse, commands: list[Command]) -> None:
    for command in commands:
        warehouse.gainsay(*command)


@needs_clash
def test_every_mart_is_that_of_duckdb(tmp_path: Path, parsed_for_spark: Path) -> None:
    """Pictures, answers with confidences, votes, batches of language models and lineage in them."""
    files = tmp_path / "files"
    one = Warehouse(
        tmp_path,
        GAINSAY_RENDERINGS=str(tmp_path / "of_one"),
        GAINSAY_EXPORTS=str(tmp_path / "exports_of_one"),
    )
    write_corpus(one, files)
    corpus_vars = (files / "corpus/vars.yml").read_text()
    build_vars = ("--vars", corpus_vars)
    export_vars = ("--vars", f"{corpus_vars}export_formats: [jsonl, hugging-face]\n")
    landings = corpus_commands(files)
    _run(one, landings)
    one.build(*build_vars)
    with connect(path=one.path) as connection:
        answers = answer_commands(connection, files)
    _run(one, answers)
    one.build(*build_vars, "--select", *_ANSWERED)
    with connect(path=one.path) as connection:
        said = [
            *vote_commands(connection, files),
            *batch_commands(connection, files),
            ["lineage", "--land"],
        ]
    _run(one, said)
    one.build(*build_vars)

    many = SparkCommands(
        tmp_path,
        parsed_for_spark,
        GAINSAY_RENDERINGS=str(tmp_path / "of_many"),
        GAINSAY_EXPORTS=str(tmp_path / "exports_of_many"),
        SPARK_DRIVER_MEMORY="4g",
        SPARK_SUBMIT_OPTS="-XX:+UseSerialGC -Dderby.system.durability=test",
    )
    try:
        for command, *options in (*landings, *answers, *said):
            at = 1 if command == "llm" else 0
            many.run(command, *options[:at], "--target", "spark", *options[at:])
        many.build(*build_vars)
        printed = many.run("compare", "--rows", "20", one.path, "spark")
        many.build(*export_vars, "--select", *_EXPORTS)
        by_command = tmp_path / "exports_of_many/by_command"
        many.run("export", "--target", "spark", "jsonl", by_command, "--split", "all")
    finally:
        many.close()

    assert "all marts of" in printed, printed
    # nor is there any mart that is in neither, or of which both engines have no row
    assert "in neither" not in printed, printed
    assert f"empty in both: {_EMPTY}\n" in printed, printed
    # what people doubt is among the rows that both have
    doubted = one.rows("""
        select distinct is_answerable from certainly_uncertain.certainly_uncertain__examples
        where source = 'people' and answer_shares is not null
    """)
    assert len(doubted) == 2
    one.build(*export_vars, "--select", *_EXPORTS)
    # executors wrote what the build and the command export
    exports_of_one = _exported(tmp_path / "exports_of_one")
    assert {"jsonl", "hugging-face"} == exports_of_one.keys()
    exports_of_many = _exported(tmp_path / "exports_of_many")
    assert exports_of_many.pop("by_command") == exports_of_one["jsonl"]
    assert exports_of_many == exports_of_one


def _exported(folder: Path) -> dict[str, dict[str, object]]:
    """By format the records of every file, and of other files what is in them.

    DuckDB's builds leave the table of a format beside its folder, Spark's have it as a view.
    """
    return {
        export.name: {
            str(file.relative_to(export)): (
                pq.read_table(file).to_pylist() if file.suffix == ".parquet" else file.read_bytes()
            )
            for file in export.rglob("*")
            if file.is_file()
        }
        for export in folder.iterdir()
        if export.is_dir()
    }
