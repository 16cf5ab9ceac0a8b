"""Pictures that splits share, at 50,000, 100,000 and 200,000 landed ones."""

from pathlib import Path

from gainsay.foundation.connection import connect
from gainsay.ingest.sinks.duckdb import ensure_raw_schema
from tests.benchmarks.measuring import Measurement, dbt, gainsay, measured

_COUNTS = (50_000, 100_000, 200_000)
_MODELS = (
    "split_roles",
    "images__duplicates",
    "images__likeness_keys",
    "exports__split_pictures",
    "audit__image_overlap",
)
_WITHOUT_TESTS = ("--exclude-resource-type", "test", "unit_test")
# in a hundred pictures one is a copy, one of a group that shares a hash, and ten are near another
_FILES = """
    create table images.images__files as
    with

    places as (

        select
            place,
            case
                when place % 100 = 0 then place + 1
                when place % 100 between 2 and 11 then place + 20
                else place
            end as original
        from range($n) as places (place)

    )

    select
        'coco-' || place as source_image_id,
        sha256(cast(case when place % 100 = 0 then original else place end as varchar)) as sha256,
        case
            when place % 100 = 50 then repeat('0', 16)
            -- three bits of the first digit are turned
            when original > place + 1
                then
                    format('{:x}', xor(('0x' || md5(cast(original as varchar))[1])::integer, 7))
                    || md5(cast(original as varchar))[2:16]
            else md5(cast(original as varchar))[1:16]
        end as perceptual_hash
    from places
"""
# a picture is in a split of each of six benchmarks, in four of them to train on
_SHOWN = """
    create table exports.exports__shown_pictures as
    select
        benchmark,
        source_image_id || '::' || benchmark as example_id,
        cast(1 as integer) as place,
        source_image_id,
        source_image_id as shown_image_id,
        cast(null as varchar) as recipe_id,
        case
            when md5(benchmark || source_image_id) < 'c' then 'train'
            when md5(benchmark || source_image_id) < 'e' then 'val'
            else 'test_id'
        end as split
    from images.images__files
    cross join (select unnest(['a', 'b', 'c', 'd', 'e', 'f']) as benchmark)
"""


def image_overlap(folder: Path) -> list[Measurement]:
    """Measure what looks alike, and the pictures that every two of 18 splits share.

    Ratios are of seconds of all cores, to those of half as many pictures.
    """
    measurements: list[Measurement] = []
    earlier: dict[str, float] = {}
    for n in _COUNTS:
        database = folder / str(n) / "gainsay.duckdb"
        environment = {"GAINSAY_DB": str(database)}
        _make(database, n)
        build = dbt(database.parent, "build", "--select", *_MODELS, *_WITHOUT_TESTS)
        for stage, command in (
            ("likeness keys, dbt's start included", build),
            ("overlap of 18 splits", gainsay("sql", "from audit.audit__image_overlap")),
        ):
            done = measured(command, **environment)
            ratio = done.cpu_seconds / earlier[stage] if stage in earlier else None
            earlier[stage] = done.cpu_seconds
            measurements.append(
                Measurement(
                    f"{stage}, {n:,} pictures", done.seconds, n, done.megabytes, ratio=ratio,
                    # twice the pictures may take a little more than twice the time
                    at_most=2.5 if ratio else None,
                )
            )  # fmt: skip
    return measurements


def _make(database: Path, n: int) -> None:
    """A warehouse of so many pictures, and of what shows them, with nothing else in it."""
    database.parent.mkdir(parents=True, exist_ok=True)
    database.unlink(missing_ok=True)
    with connect(path=database) as connection:
        ensure_raw_schema(connection)
        connection.execute("create schema images; create schema exports")
        connection.execute(_FILES, {"n": n})
        connection.execute(_SHOWN)
