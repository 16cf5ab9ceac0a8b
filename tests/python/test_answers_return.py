"""The way out and back of every benchmark, task, condition and format, walked by known models.

An example leaves as a prompt or in an export's file and comes back as an answer. A model that
knows what is right has everything right, in a word or in a sentence, by whatever id it was given;
one that guesses is near chance; one that always says the same gets no group; and ids that name
nothing are told when they land, and are an error when they are scored.
"""

import csv
import json
import shutil
from collections.abc import Iterator
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow.parquet as pq
import pytest
import yaml

from gainsay.exports.export import export
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import advance_unseen
from gainsay.foundation.sheets import allow_long_cells
from gainsay.ingest.answers import land_predictions
from gainsay.ingest.predictions import Answering
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.project.answer_files import answer_files
from gainsay.scoring.boards import require_scored, unscored_runs
from tests.python.conftest import Warehouse, once

BENCHMARKS = (
    "certainly_uncertain", "clash", "conflict_suite", "conflict_suite_refined", "occlusions",
    "reality_check",
)  # fmt: skip
_CONFLICTS = ("conflict_suite", "conflict_suite_refined", "occlusions")
LANGUAGES = ("ar", "en", "es", "hi", "zh")
# what is asked, as (benchmark, task, condition)
ASKED = (
    ("certainly_uncertain", "open_ended", "default"),
    *(
        ("clash", task, condition)
        for task in ("open_ended", "multiple_choice")
        for condition in ("conflicting", "original")
    ),
    *(
        (benchmark, task, "default")
        for benchmark in _CONFLICTS
        for task in ("open_ended", "answer_and_action")
    ),
    *(("reality_check", "open_ended", language) for language in LANGUAGES),
)
_FORMATS = ("jsonl", "hugging-face", "lmms-eval", "vlmevalkit")
# whose files hold right answers and ids, as (benchmark, format)
EXPORTED = tuple((benchmark, kind) for benchmark in BENCHMARKS for kind in _FORMATS)
# an answer that is always the same, by task
_ALWAYS = {"multiple_choice": "(A)"}
# the best value of these is not that of a model that knows what is right: where abstaining is right
# it gives no gold answer, and people are less sure than it is
_OWN_BEST = {"accuracy": _CONFLICTS, "people_brier": BENCHMARKS, "people_calibration": BENCHMARKS}
# of the file in which a format's evaluator keeps answers, where it is no lines of JSON
_SUFFIXES = {"vlmevalkit": ".tsv"}
_FEW_RESAMPLES = {"evaluation_bootstrap_resamples": 2, "evaluation_bootstrap_most_resamples": 2}
# the models and seeds of a warehouse
_BUILT = "select table_name from information_schema.tables where table_schema <> 'raw' order by all"
_VIEWS = """
    select table_name from information_schema.tables
    where table_schema = 'exports' and table_type = 'VIEW'
"""
_RIGHT = Path(__file__).with_name("right_answers.sql").read_text()


class AnswerLine(NamedTuple):
    """One answer of a file, and what else the file says of it."""

    example_id: str
    prediction: str
    further: dict[str, Any]

    @property
    def line(self) -> str:
        """The answer as a line of a file."""
        named = {"example_id": self.example_id, "prediction": self.prediction}
        return f"{json.dumps(named | self.further)}\n"


@pytest.fixture(scope="module")
def walked(shared_folder: Path, reality_check: Warehouse) -> Warehouse:
    """The corpus with pictures, built, answered by every model, and scored once."""
    return Warehouse(once(shared_folder, "walked", partial(_walk, reality_check)))


def _walk(made: Warehouse, folder: Path) -> None:
    files = made.folder / "files"
    warehouse = made.copied_to(folder, GAINSAY_RENDERINGS=str(folder / "renderings"))
    # annotators and renderers need not do again what they did for Reality Check
    shutil.copytree(made.folder / "renderings", folder / "renderings")
    built = [name for (name,) in warehouse.rows(_BUILT)]
    warehouse.build(
        "--vars", (files / "vars.yml").read_text(),
        "--select", "+tag:evaluation", "+path:models/exports/formats", "+exports__prompts",
        "--exclude", "evaluation__predictions+", *map(str, built),
    )  # fmt: skip
    with duckdb.connect(warehouse.path) as connection:
        _keep_views(connection)
        for asked, answers in _prompted(connection).items():
            for model, said in answers.items():
                file = folder / "answers.jsonl"
                file.write_text("".join(one.line for one in said))
                _land(connection, file, Answering(*asked, model, "default"))
        for benchmark, kind in EXPORTED:
            for condition, file in _exported(connection, folder, benchmark, kind).items():
                answering = Answering(benchmark, "open_ended", condition, f"by {kind}", "default")
                _land(connection, file, answering)
    lost = folder / "lost.jsonl"
    lost.write_text(
        "".join(f'{{"example_id": "lost-{n}", "prediction": "no"}}\n' for n in range(3))
    )
    told = {
        benchmark: warehouse.gainsay("land-predictions", "--benchmark", benchmark, lost).stderr
        for benchmark in BENCHMARKS
    }
    (folder / "told.json").write_text(json.dumps(told))
    # what `gainsay score` builds, with fewer resamples: nothing here is about deviations
    settings = yaml.safe_load((files / "vars.yml").read_text())
    warehouse.build(
        "--vars", json.dumps({**settings, **_FEW_RESAMPLES}),
        "--select", "tag:evaluation,evaluation__predictions+",
    )  # fmt: skip


def _keep_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Put tables into the place of what is exported: each of many exports would plan the views."""
    for (name,) in connection.execute(_VIEWS).fetchall():
        connection.execute(f"create table exports.kept as from exports.{name}")
        connection.execute(f"drop view exports.{name}")
        connection.execute(f"alter table exports.kept rename to {name}")


def _prompted(
    connection: duckdb.DuckDBPyConnection,
) -> dict[tuple[str, str, str], dict[str, list[AnswerLine]]]:
    """By what is asked the answers of each model that was given the prompts."""
    found: dict[tuple[str, str, str], dict[str, list[AnswerLine]]] = {}
    for (
        benchmark,
        task,
        condition,
        example_id,
        asked_id,
        right,
        sentence,
        _,
        action,
        guess,
    ) in connection.execute(_RIGHT).fetchall():
        models = found.setdefault((benchmark, task, condition), {})
        sure = {"confidence": 1.0, "stated_action": action}
        for model, name, said, further in (
            ("oracle", example_id, right, sure),
            # in words of which a judge says that they are right
            ("talkative", example_id, sentence, sure | {"lave_rating": 3}),
            ("random", example_id, guess, {}),
            ("always", example_id, _ALWAYS.get(task, "yes"), {}),
            # a control is no record
            ("by record", asked_id or example_id, right, {}),
        ):
            models.setdefault(model, []).append(AnswerLine(name, said, further))
    return found


def _land(connection: duckdb.DuckDBPyConnection, file: Path, answering: Answering) -> None:
    layout = answer_files(answering.benchmark).layout()
    land_predictions(DuckDbSink(connection), file, answering, layout, advance_unseen)


def _exported(
    connection: duckdb.DuckDBPyConnection, folder: Path, benchmark: str, kind: str
) -> dict[str, Path]:
    """By condition a file as the format's evaluator writes it, of an export's right answers."""
    place = folder / "exported" / benchmark / kind
    export(connection, kind, place, benchmark)
    found: dict[str, list[dict[str, Any]]] = {}
    for record in _records(place, kind):
        condition = record.get("language") or (
            record["operator"] if benchmark == "clash" else "default"
        )
        found.setdefault(condition, []).append(record)
    return {
        condition: _returned(place / f"{condition}{_SUFFIXES.get(kind, '.jsonl')}", kind, records)
        for condition, records in found.items()
    }


def _returned(file: Path, kind: str, records: list[dict[str, Any]]) -> Path:
    if kind == "vlmevalkit":
        # its evaluator leaves out the pictures, and adds a column
        with file.open("w", newline="") as text:
            names = [name for name in records[0] if name != "image"]
            writer = csv.DictWriter(
                text, [*names, "prediction"], delimiter="\t", extrasaction="ignore"
            )
            writer.writeheader()
            writer.writerows(one | {"prediction": one["target"]} for one in records)
        return file
    lines = (AnswerLine(one["example_id"], one["target"], {}).line for one in records)
    if kind == "lmms-eval":
        lines = (
            f"{json.dumps({'doc_id': n, 'gainsay_answer': json.loads(line)})}\n"
            for n, line in enumerate(lines)
        )
    file.write_text("".join(lines))
    return file


def _records(place: Path, kind: str) -> Iterator[dict[str, Any]]:
    if kind == "jsonl":
        for file in sorted(place.rglob("*.jsonl")):
            yield from map(json.loads, file.read_text().splitlines())
    elif kind == "vlmevalkit":
        allow_long_cells()
        for file in sorted(place.rglob("*.tsv")):
            with file.open(newline="") as text:
                for row in csv.DictReader(text, delimiter="\t"):
                    yield {**row, "target": row["answer"]}
    else:
        for file in sorted(place.rglob("*.parquet")):
            names = pq.read_schema(file).names
            wanted = {"example_id", "target", "operator", "language"} & {*names}
            yield from pq.read_table(file, columns=sorted(wanted)).to_pylist()


def test_every_prompt_is_walked(walked: Warehouse) -> None:
    prompts = walked.rows("""
        select distinct benchmark, task, condition from exports.exports__prompts order by all
    """)
    assert prompts == sorted(ASKED)
    [(n_prompts,)] = walked.rows("select count(*) from exports.exports__prompts")
    assert walked.rows("""
        select model, count(*) from evaluation.evaluation__predictions
        where model in ('oracle', 'talkative', 'random', 'always', 'by record')
        group by model having count(*) <> count(*) filter (reason is null)
    """) == []  # fmt: skip
    assert walked.rows(
        "select count(*) from evaluation.evaluation__predictions where model = 'oracle'"
    ) == [(n_prompts,)]


@pytest.mark.parametrize("asked", ASKED, ids="-".join)
@pytest.mark.parametrize("model", ["oracle", "talkative", "by record"])
def test_who_knows_has_everything_right(
    walked: Warehouse, asked: tuple[str, str, str], model: str
) -> None:
    assert _wrong(walked, asked, model) == []


@pytest.mark.parametrize(("benchmark", "kind"), EXPORTED)
def test_an_export_brings_its_ids_and_right_answers_back(
    walked: Warehouse, benchmark: str, kind: str
) -> None:
    landed = walked.rows(f"""
        select distinct benchmark, task, condition from evaluation.evaluation__predictions
        where benchmark = '{benchmark}' and model = 'by {kind}'
    """)
    assert landed
    for asked in landed:
        assert _wrong(walked, asked, f"by {kind}") == []


def _wrong(walked: Warehouse, asked: tuple[object, ...], model: str) -> list[tuple[object, ...]]:
    """The answers of a model to what was asked that are not scored, or not worth all."""
    benchmark, task, condition = asked
    return walked.rows(f"""
        select predictions.example_key, predictions.prediction, predictions.reason, matches.credit
        from evaluation.evaluation__predictions as predictions
        left join (
            select matches.* from evaluation.evaluation__matches as matches
            inner join evaluation.evaluation__matchers as matchers
                using (benchmark, task, matcher)
            where matchers.place = 1
        ) as matches using (source_file, file_position)
        where predictions.benchmark = '{benchmark}' and predictions.task = '{task}'
            and predictions.condition = '{condition}' and predictions.model = '{model}'
            -- controls have no credit of their own
            and coalesce(matches.credit, matches.is_correct::double, 0) < 1
        order by all limit 3
    """)


@pytest.mark.parametrize("asked", ASKED, ids="-".join)
def test_who_knows_has_the_best_value_of_every_metric(
    walked: Warehouse, asked: tuple[str, str, str]
) -> None:
    benchmark, task, condition = asked
    rows = walked.rows(f"""
        select metric, split, value, n,
            case better when 'lower' then 0 else if(unit = 'percent', 100, 1) end as best
        from evaluation.evaluation__leaderboard
        inner join (select benchmark, metric, better from evaluation.evaluation__metrics)
            using (benchmark, metric)
        where benchmark = '{benchmark}' and task = '{task}' and condition = '{condition}'
            and model = 'oracle' and matcher_place = 1
        order by all
    """)
    found = {
        (metric, split): (value, best)
        for metric, split, value, _, best in rows
        if benchmark not in _OWN_BEST.get(str(metric), ())
    }
    assert {metric for metric, _ in found} >= {"group_accuracy", "ece"}
    assert {where: one for where, one in found.items() if one[0] != one[1]} == {}
    # some of it is shown without asking for a split
    [(n_shown,)] = walked.rows(f"""
        select count(*) filter (is_shown) from evaluation.evaluation__leaderboard
        where benchmark = '{benchmark}' and task = '{task}' and condition = '{condition}'
            and model = 'oracle'
            and (split in (select split from vocabulary.split_roles where role = 'test')
                or benchmark not in (
                    select benchmark from evaluation.evaluation__runs
                    inner join vocabulary.split_roles using (split) where role = 'test'
                ))
    """)
    assert n_shown


@pytest.mark.parametrize("asked", ASKED, ids="-".join)
def test_who_guesses_is_near_chance(walked: Warehouse, asked: tuple[str, str, str]) -> None:
    benchmark, task, condition = asked
    chances = [
        1 / len(choices)
        for of_benchmark, of_task, of_condition, *_, choices, _, _ in walked.rows(_RIGHT)
        if isinstance(choices, list) and (of_benchmark, of_task, of_condition) == asked
    ]
    [(mean,)] = walked.rows(f"""
        select avg(coalesce(credit, is_correct::double))
        from evaluation.evaluation__matches
        inner join evaluation.evaluation__matchers using (benchmark, task, matcher)
        where benchmark = '{benchmark}' and task = '{task}' and condition = '{condition}'
            and model = 'random' and place = 1
    """)
    deviation = sqrt(sum(one * (1 - one) for one in chances)) / len(chances)
    assert mean == pytest.approx(sum(chances) / len(chances), abs=3 * deviation)


@pytest.mark.parametrize("asked", ASKED, ids="-".join)
def test_who_always_says_the_same_has_no_group(
    walked: Warehouse, asked: tuple[str, str, str]
) -> None:
    benchmark, task, condition = asked
    values = walked.rows(f"""
        select value from evaluation.evaluation__leaderboard
        where benchmark = '{benchmark}' and task = '{task}' and condition = '{condition}'
            and model = 'always' and metric = 'group_accuracy'
    """)
    assert {value for (value,) in values} == {0}


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_ids_that_name_nothing_are_told_and_an_error(walked: Warehouse, benchmark: str) -> None:
    told = json.loads((walked.folder / "told.json").read_text())[benchmark]
    assert f"lost: 3 of 3 ids name no example of {benchmark}" in told
    assert "'lost-0'; ids are like '" in told

    with walked.connect() as connection:
        unscored = unscored_runs(connection, benchmark)
        with pytest.raises(GainsayError) as raised:
            require_scored(connection, unscored)
    assert str(raised.value).startswith(
        f"{benchmark}, lost, run default: none of 3 answers is scored; 3 unknown_id (such as"
        " 'lost-0')"
    )
    assert ", with ids like '" in str(raised.value)
    assert walked.rows(f"""
        select metric from evaluation.evaluation__leaderboard
        where benchmark = '{benchmark}' and model = 'lost'
    """) == []  # fmt: skip
