"""A warehouse with what `gainsay score` reads, of runs that were asked two examples each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from gainsay.foundation.queries import fields_of
from gainsay.scoring import boards


def write_boards_warehouse(path: Path, runs: Sequence[tuple[str, str]], **columns: Any) -> Path:
    """Runs as (model, run); `columns` are those of the leaderboard that have other values."""
    with duckdb.connect(path) as connection:
        connection.execute("""
            create schema evaluation; create schema vocabulary;
            create table evaluation.evaluation__leaderboard as
            select 'vqa' as benchmark, 'test' as split, 'open_ended' as task,
                'default' as condition, 'exact' as matcher, 'accuracy' as metric,
                null::bigint as rank, 'm' as model, 'r' as run, 0.5::double as value,
                null::double as standard_deviation, 'share' as unit, null::double as target,
                null::boolean as is_target_met, true as is_scored, 2::bigint as n,
                0::bigint as n_unanswered, 0::bigint as n_unrated, 0::bigint as n_unmatched,
                1.0::double as completeness, 1 as matcher_place, true as is_shown
            limit 0;
            create table evaluation.evaluation__metrics as
            select 'vqa' as benchmark, 'accuracy' as metric, 1 as place, true as is_ranked,
                'higher' as better;
            create table evaluation.evaluation__matchers as
            select 'vqa' as benchmark, 'open_ended' as task, 1 as place, 'exact' as matcher;
            create table evaluation.evaluation__matches as
            select 'f' as source_file, 1 as file_position, 'vqa' as benchmark,
                'open_ended' as task, 'default' as condition, 'm' as model, 'r' as run,
                'exact' as matcher, 'e' as example_id, 'i' as source_image_id,
                1.0::double as credit, ['split=test'] as slices, false as is_held_back
            limit 0;
            create table evaluation.evaluation__group_answers as
            select 'vqa' as benchmark, 'f' as source_file, 1 as file_position, 'exact' as matcher,
                'g' as group_id, true as is_right
            limit 0;
            create table evaluation.evaluation__scores as
            select 'f' as source_file, 'vqa' as benchmark, 'open_ended' as task,
                'default' as condition, 'exact' as matcher, 'overall' as slice_name,
                'accuracy' as metric, 0.5::double as value
            limit 0;
            create table evaluation.evaluation__runs as
            select 'vqa' as benchmark, 'm' as model, 'r' as run, 'f' as source_file,
                'open_ended' as task, 'default' as condition, 'all' as split,
                1::bigint as n_answers, 1::bigint as n_asked, 0::bigint as n_unmatched,
                null::varchar as other_model, 0::bigint as n_of_other_models
            limit 0;
            create table evaluation.evaluation__predictions as
            select 'f' as source_file, 'r' as reason, 'e' as example_key limit 0;
            create table vocabulary.prediction_rejections as
            select 'r' as reason, 'd' as description limit 0;
            create table vocabulary.split_roles as select 'test' as split, 'test' as role;
        """)
        empty = ", ".join(
            f"null::{'double' if name.endswith(('value', 'entropy')) else 'varchar'} as {name}"
            for name in fields_of(boards.Modalities)
        )
        connection.execute(
            f"create table evaluation.evaluation__modalities as select {empty} limit 0"
        )
        for number, (model, run) in enumerate(runs):
            connection.execute(
                "insert into evaluation.evaluation__leaderboard values ('vqa', 'test',"
                " 'open_ended', 'default', 'exact', 'accuracy', $rank, $model, $run, $value, 0.1,"
                " 'share', null, null, true, 2, 0, 0, 0, 1.0, 1, true)",
                {"rank": number + 1, "model": model, "run": run, "value": 1 / (number + 1)},
            )
            for name, value in columns.items():
                connection.execute(
                    f"update evaluation.evaluation__leaderboard set {name} = ?", [value]
                )
            for example in ("e1", "e2"):
                connection.execute(
                    "insert into evaluation.evaluation__matches values ($file, 1, 'vqa',"
                    " 'open_ended', 'default', $model, $run, 'exact', $example, $example, $credit,"
                    " ['split=test'], false)",
                    {"file": f"f{number}", "model": model, "run": run, "example": example,
                     "credit": 1 / (number + 1)},
                )  # fmt: skip
    return path
