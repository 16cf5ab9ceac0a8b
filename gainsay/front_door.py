"""What a notebook needs: a connection, examples, scores of answers, what dropped and why."""

import atexit
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

import duckdb
import msgspec
import pyarrow as pa

from gainsay.foundation import connection as connections
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import read
from gainsay.ingest.predictions import Answering
from gainsay.inspect.funnel import FunnelRow, read_funnel
from gainsay.project.holdings import require_built
from gainsay.python_udfs.engines.duckdb import register
from gainsay.rows import Rows
from gainsay.scoring.boards import Score, read_scores, require_scored, require_scores, unscored_runs
from gainsay.scoring.differences import Difference, paired_differences

if TYPE_CHECKING:
    import datasets

# half of a character, which JSON can spell and no text can hold
_HALF = re.compile("[\ud800-\udfff]")
_LONGEST_SHOWN = 60
_BEYOND_IDS = 2**63
# over the answers to all splits
_ALL = "all"


class Drop(msgspec.Struct, frozen=True):
    """A row of `audit__drops`: a candidate that is no record, and why."""

    screening: str
    candidate_id: str
    stage: str
    reason: str
    family: str | None
    source_image_id: str | None
    image_file: str | None
    question: str | None
    answer: str | None
    gold_answer: str | None
    captions_seen: list[str]
    what_failed: str


def connect(warehouse: str | Path | None = None) -> duckdb.DuckDBPyConnection:
    """The warehouse as a DuckDB connection that changes nothing in it; close it, or use a `with`.

    Beside the warehouse it does what DuckDB does: it reads data frames and files, and `copy ... to`
    writes the file that is named. `gainsay sql` is for queries of others: it does neither.
    `warehouse` is a DuckDB file; without it the one that `GAINSAY_DB` names. Raises `GainsayError`
    where there is none, or another process writes to it.
    """
    opened = connections.opened(read_only=True, path=_path(warehouse))
    # a view may call them
    register(opened)
    return opened


@overload
def load(
    benchmark: str,
    split: str | None = None,
    *,
    ids: Iterable[str] | None = None,
    pictures: Literal[False] = False,
    warehouse: str | Path | None = None,
) -> pa.Table: ...
@overload
def load(
    benchmark: str,
    split: str | None = None,
    *,
    ids: Iterable[str] | None = None,
    pictures: Literal[True],
    warehouse: str | Path | None = None,
) -> "datasets.Dataset": ...
def load(
    benchmark: str,
    split: str | None = None,
    *,
    ids: Iterable[str] | None = None,
    pictures: bool = False,
    warehouse: str | Path | None = None,
) -> "pa.Table | datasets.Dataset":
    """The examples of a benchmark, of one of its splits, or those of some `ids`.

    As an Arrow table with a row an example, in the order of their ids; with `pictures` as a
    `datasets.Dataset` of the records whose picture may be given along, pictures included, as
    `gainsay export hugging-face` writes them: on disk, until the process ends. Raises
    `GainsayError` where the benchmark is not built, has no such split or id, or no picture is
    available.
    """
    _require_texts(benchmark=benchmark, split="any" if split is None else split)
    named = None if ids is None else _named(ids)
    with connect(warehouse) as opened:
        if pictures:
            require_built(benchmark, opened)
            return _dataset(opened, benchmark, split, named)
        known = opened.execute(
            "select 1 from information_schema.tables where table_schema = $benchmark"
            " and table_name = $benchmark || '__examples'",
            {"benchmark": benchmark},
        ).fetchall()
        if not known:
            require_built(benchmark, opened)
            raise GainsayError(f"{benchmark}: no such benchmark here; `gainsay build` builds it")
        relation = f'"{benchmark}"."{benchmark}__examples"'
        if split is not None:
            _require_split(opened, relation, benchmark, split)
        if named is not None:
            _require_ids(opened, relation, benchmark, named)
        return opened.sql(
            f"select * from {relation} where ($split is null or split = $split)"
            " and ($ids is null or example_id in (select unnest($ids))) order by 1",
            params={"split": split, "ids": named},
        ).to_arrow_table()


def funnel(benchmark: str, *, warehouse: str | Path | None = None) -> Rows[FunnelRow]:
    """How many candidates of a benchmark ended at each stage, by family, in the stages' order.

    What no stage stopped ends at `retained`. Raises `GainsayError` where it is not built.
    """
    _require_texts(benchmark=benchmark)
    with connect(warehouse) as opened:
        return Rows(FunnelRow, read_funnel(opened, benchmark))


def drops(
    benchmark: str,
    stage: str | None = None,
    *,
    most: int | None = 10_000,
    warehouse: str | Path | None = None,
) -> Rows[Drop]:
    """The candidates of a benchmark that dropped, or those at one stage, in the order of their ids.

    At most so many, or all with `most=None`. Raises `GainsayError` where the benchmark is not
    built, and for a stage that is none of its own.
    """
    _require_texts(benchmark=benchmark, stage="any" if stage is None else stage)
    if most is not None and not (
        isinstance(most, Integral) and not isinstance(most, bool) and 0 <= most < _BEYOND_IDS
    ):
        raise GainsayError(f"most: expected a whole number, or None for all, found {_shown(most)}")
    with connect(warehouse) as opened:
        stages = {row.stage for row in read_funnel(opened, benchmark)} - {"retained"}
        if stage is not None and stage not in stages:
            raise GainsayError(
                f"{benchmark}: nothing dropped at a stage {stage!r}; there are"
                f" {', '.join(sorted(stages))}"
            )
        found = read(
            opened,
            Drop,
            "audit.audit__drops",
            where="benchmark = $benchmark and ($stage is null or stage = $stage)",
            order="screening, candidate_id" + ("" if most is None else f" limit {int(most)}"),
            parameters={"benchmark": benchmark, "stage": stage},
        )
    return Rows(Drop, found)


def compare(
    first: str,
    second: str,
    benchmark: str | None = None,
    *,
    split: str | None = None,
    matcher: str | None = None,
    warehouse: str | Path | None = None,
) -> Rows[Difference]:
    """How two models differ on what both answered, as `gainsay score --compare` says it.

    By whole groups, then by examples, for each task and condition: over the test splits, or over
    `split` (`all` for all answers), by the first matcher of the task or by `matcher`. A model of
    several runs is named with one, `model/run`. Raises `GainsayError` for a model without scores,
    and where the two share no answer. Two warehouses are compared by the command `gainsay compare`.
    """
    optional = {"benchmark": benchmark, "split": split, "matcher": matcher}
    given = {name: value for name, value in optional.items() if value is not None}
    _require_texts(first=first, second=second, **given)
    with connect(warehouse) as opened:
        found = paired_differences(opened, (first, second), benchmark, split, matcher)
    return Rows(Difference, found)


def score(
    benchmark: str,
    answers: Mapping[str, str | None],
    model: str,
    *,
    run: str = "default",
    task: str = "open_ended",
    condition: str | None = None,
    split: str | None = None,
    warehouse: str | Path | None = None,
) -> Rows[Score]:
    """Land a model's answers, by the ids of examples, score them, and give the model's scores.

    They are those of the leaderboard: over the test splits, by the task's first matcher, or over
    `split` (`all` for all answers). Answers of the same model and run to the same task and
    condition are replaced. Raises `GainsayError`, before anything lands, for what could not be
    scored: another benchmark or condition, a name that looks like another model's or is a board's
    own, two answers to one id, an answer that is neither a text nor None; before dbt runs, where no
    id names an example of the benchmark as it was built; and where no answer is scored, and says
    why. What it does stands on standard error, and how many ids name no example.
    """
    from gainsay.project.answer_files import answering_of
    from gainsay.scoring.naming import require_condition

    names = {"benchmark": benchmark, "model": model, "run": run, "task": task}
    optional = {"condition": condition, "split": split}
    _require_texts(
        **names, **{name: given for name, given in optional.items() if given is not None}
    )
    answering = answering_of(benchmark, task, condition, model, run)
    said = _said(answers)
    path = _path(warehouse) or connections.warehouse_path()
    # to land would make a warehouse where there is none
    with connect(path) as opened:
        require_condition(opened, benchmark, answering.condition)
        _require_scored_split(opened, benchmark, split)
    _land(path, said, answering)
    with connect(path) as opened:
        _tell_of_names(opened, answering)
    # dbt takes seconds to import, for which nobody waits whose answers cannot be scored
    from gainsay.project.building import build
    from gainsay.scoring.building import scoring_plan

    _say(f"{len(said):,} answers landed; dbt reads the project")
    with connections.building_in(path):
        plan = scoring_plan()
        _say("dbt builds the scores")
        outcome = build(plan.arguments, manifest=plan.manifest)
    if not outcome.is_success:
        failed = ", ".join(failure.name for failure in outcome.failures)
        raise GainsayError(f"the scores could not be built: {failed}")
    with connect(path) as opened:
        scores = [
            one
            for one in read_scores(opened, benchmark, split)
            if Answering(benchmark, one.task, one.condition, one.model, one.run) == answering
        ]
        unscored = [
            one
            for one in unscored_runs(opened, benchmark)
            if (one.model, one.run) == (answering.model, answering.run)
        ]
        if not scores:
            require_scored(opened, unscored)
    require_scores(scores, [], split)
    return Rows(Score, scores)


def _tell_of_names(opened: duckdb.DuckDBPyConnection, answering: Answering) -> None:
    """Say which ids name no example; where none does, raise `GainsayError`."""
    from gainsay.scoring.naming import namings

    for found in namings(opened, answering.source_file):
        sentences = found.sentences()
        if found.n_unknown + found.n_misplaced == found.n_answers:
            raise GainsayError("answers: " + "; ".join(sentences))
        for sentence in sentences:
            _say(sentence)


def _say(what: str) -> None:
    sys.stderr.write(f"gainsay.score: {what}\n")
    sys.stderr.flush()


def _path(warehouse: str | Path | None) -> Path | None:
    if warehouse is None:
        return None
    if not isinstance(warehouse, str | Path):
        raise GainsayError(f"warehouse: {_shown(warehouse)} is no path; give a str or a Path")
    if not str(warehouse).strip():
        raise GainsayError("warehouse: an empty path; name a file, or leave it out")
    return Path(warehouse)


def _require_texts(**given: object) -> None:
    """Raise `GainsayError` for the name of something that is no text, or an empty one."""
    for name, value in given.items():
        if not _is_text(value) or not value:
            raise GainsayError(f"{name}: expected a name as a text, found {_shown(value)}")


def _is_text(value: object) -> bool:
    """Whether a value is a text that a table can hold."""
    return isinstance(value, str) and not _HALF.search(value)


def _shown(value: object) -> str:
    try:
        shown = " ".join(repr(value).split())
    except Exception:
        # what cannot be shown, such as a number of 5,000 digits
        return f"something of the type {type(value).__name__}"
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}..."


def _said(answers: Mapping[str, str | None]) -> dict[str, str | None]:
    """Answers by the ids of examples, each id a text, as files hold them.

    A Series of pandas may have an id twice, and a number and its text are one id.
    """
    try:
        pairs = [(key, answer) for key, answer in answers.items()]
    except (AttributeError, TypeError, ValueError) as error:
        raise GainsayError(
            f"answers: expected a dict of answers by the ids of examples, found {_shown(answers)}"
        ) from error
    said: dict[str, str | None] = {}
    for key, answer in pairs:
        is_number = isinstance(key, Integral) and not isinstance(key, bool)
        if not _is_text(key) and not (is_number and abs(int(key)) < _BEYOND_IDS):
            raise GainsayError(f"answers: {_shown(key)} is no id of an example; give a text")
        name = str(key)
        if name in said:
            raise GainsayError(f"answers: two answers to {_shown(name)}; give the one that counts")
        if answer is not None and not _is_text(answer):
            raise GainsayError(
                f"answers: the answer to {_shown(name)} is {_shown(answer)}; expected a text, or"
                " None where there is none"
            )
        said[name] = answer
    if not said:
        raise GainsayError("answers: there are none")
    return said


def _require_scored_split(
    opened: duckdb.DuckDBPyConnection, benchmark: str, split: str | None
) -> None:
    """Raise `GainsayError` for what is no split of the benchmark, and no role of one."""
    schemas = dict(
        opened.execute(
            "select table_name, table_schema from information_schema.tables"
            " where table_name in ('split_roles', $benchmark || '__examples')",
            {"benchmark": benchmark},
        ).fetchall()
    )
    if split in (None, _ALL) or "split_roles" not in schemas:
        return
    known = "select split from vocabulary.split_roles where role = 'test'"
    examples = f"{benchmark}__examples"
    if examples in schemas:
        known += f' union select split from "{schemas[examples]}"."{examples}"'
    else:
        # a question set, whose splits are as published
        known = "select split from vocabulary.split_roles"
    names = opened.execute(
        f"select name from ({known}) as splits (name) where name is not null union"
        f" select role from vocabulary.split_roles where split in ({known}) order by 1"
    ).fetchall()
    if (split,) not in names:
        shown = ", ".join(name for (name,) in names)
        raise GainsayError(f"{benchmark}: no split {split!r}; there are {shown}, {_ALL}")


def _require_split(
    opened: duckdb.DuckDBPyConnection, relation: str, benchmark: str, split: str
) -> None:
    rows = opened.execute(f"select distinct split from {relation} order by 1").fetchall()
    names = [name for (name,) in rows if name is not None]
    if split not in names:
        raise GainsayError(f"{benchmark}: no split {split!r}; there are {', '.join(names)}")


def _named(ids: Iterable[str]) -> list[str]:
    """Ids of examples as a list, each once; a text is one id and no list of letters."""
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise GainsayError(f"ids: expected a list of ids of examples, found {_shown(ids)}")
    found = list(ids)
    for name in found:
        if not _is_text(name):
            raise GainsayError(f"ids: {_shown(name)} is no id of an example; give a text")
    return list(dict.fromkeys(found))


def _require_ids(
    opened: duckdb.DuckDBPyConnection, relation: str, benchmark: str, ids: list[str]
) -> None:
    known = opened.execute(
        f"select example_id from {relation} where example_id in (select unnest($ids))", {"ids": ids}
    ).fetchall()
    unknown = [name for name in ids if (name,) not in {*known}]
    if unknown:
        more = "" if len(unknown) == 1 else f", and {len(unknown) - 1:,} more"
        raise GainsayError(f"{benchmark}: no example {_shown(unknown[0])}{more}")


def _dataset(
    opened: duckdb.DuckDBPyConnection, benchmark: str, split: str | None, ids: list[str] | None
) -> "datasets.Dataset":
    """The records with their pictures, as files of Arrow that are read where they are looked at."""
    try:
        import datasets
    except ImportError as error:
        raise GainsayError(
            "pictures come as a dataset of Hugging Face's `datasets`: pip install datasets"
        ) from error
    from gainsay.exports.export import export

    # what is made of the dataset lies beside it, and both are read as long as the process lives
    kept = tempfile.mkdtemp(prefix="gainsay-load-")
    atexit.register(shutil.rmtree, kept, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=kept) as folder:
        chosen = None if ids is None else tuple(ids)
        export(opened, "hugging-face", Path(folder), benchmark, split, ids=chosen)
        files = sorted(str(path) for path in Path(folder).rglob("*.parquet"))
        return datasets.Dataset.from_parquet(files, cache_dir=kept)


def _land(path: Path, answers: Mapping[str, str | None], answering: Answering) -> None:
    from gainsay.foundation.progress import advance_unseen
    from gainsay.ingest.answers import land_predictions
    from gainsay.ingest.predictions import layout_of
    from gainsay.ingest.sinks.duckdb import DuckDbSink

    with tempfile.TemporaryDirectory() as folder, connections.connect(path=path) as opened:
        file = Path(folder) / "answers.jsonl"
        records = ({"example_id": name, "prediction": said} for name, said in answers.items())
        file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        land_predictions(DuckDbSink(opened), file, answering, layout_of(), advance_unseen)
