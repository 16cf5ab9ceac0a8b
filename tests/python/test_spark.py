"""Spark reads, computes and keeps what DuckDB does, and a kill leaves whole tables.

One Spark session serves the tests of this file; the project is built by the commands a user
runs, in a warehouse of its own.
"""
# characters that look like others are among the cases
# ruff: noqa: RUF001

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import IO, Any
from zipfile import ZipFile

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gainsay.exports.export import Exported, export
from gainsay.exports.on_spark import export_on_spark
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.renderings import read_rendering
from gainsay.ingest.answers import land_predictions
from gainsay.ingest.files import find_sources
from gainsay.ingest.image_files import find_images, land_images
from gainsay.ingest.landing import Landing, land
from gainsay.ingest.llm_responses import (
    Request,
    land_batch_output,
    land_request_file,
    land_requests,
    write_requests,
)
from gainsay.ingest.predictions import Answering, layout_of
from gainsay.ingest.raw import RAW_TABLES
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.sinks.duckdb_images import DuckDbImages
from gainsay.ingest.sinks.spark import SparkSink, spark_type
from gainsay.ingest.sinks.spark_images import SparkImages
from gainsay.ingest.votes import land_log
from gainsay.project.runner import run_dbt
from gainsay.python_udfs import storage
from gainsay.python_udfs.engines import duckdb as duckdb_engine
from gainsay.python_udfs.pixels.image_files import ImageLimits
from gainsay.python_udfs.registry import UDFS, Udf
from gainsay.spark.session import spark_session
from tests.python import image_specimens as specimens
from tests.python.batch_output import answer_line
from tests.python.commands_in_turn import END
from tests.python.conftest import PROJECT, Warehouse, not_in_a_quick_run
from tests.python.made_exports import add_what_is_due
from tests.python.official_layout import Asked, question, write, write_corpus
from tests.python.test_networks import (
    depth_network,
    detector,
    grounder,
    segmenter,
    text_network,
)
from tests.python.test_translating import write_parrot

pytestmark = pytest.mark.xdist_group("spark")

# a short life: no time for the compiler's second stage, none to wait for a disk; the first stage
# alone would have too little room for the code of all models
QUICK = {
    "SPARK_SUBMIT_OPTS": (
        "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseSerialGC"
        " -Dderby.system.durability=test"
    ),
    "SPARK_DRIVER_MEMORY": "2g",
}
LOCAL = "--master local[2] --conf spark.sql.shuffle.partitions=2 pyspark-shell"
# the Conflict Suite of protocol v1; a cluster builds the other benchmarks, too
MODELS = ("+conflict_suite__manifest", "+conflict_suite__pilot", "+audit__rejected_inputs")
MARTS = (
    "audit__rejected_inputs",
    "conflict_suite__examples",
    "conflict_suite__manifest",
    "conflict_suite__pilot",
    "conflict_suite__screened",
)
QUESTIONS = "v2_OpenEnded_mscoco_train2014_questions.json"
ASKED = [
    Asked(1, "Is there a cat?", "yes", ["A cat.", "A tabby cat."]),
    Asked(2, "How many cats?", "2", ["Two cats."]),
    Asked(3, "What color is the cat?", "black", []),
]


# what says who asks a store, and where it is
_STORE_VARIABLES = (
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL",
)  # fmt: skip


@pytest.fixture(scope="module")
def store_settings(bucket: str) -> list[str]:
    """What a session tells its workers of the store of a bucket."""
    assert bucket.startswith("s3://")
    return [f"spark.executorEnv.{name}={os.environ[name]}" for name in _STORE_VARIABLES]


@pytest.fixture(scope="module")
def spark(
    tmp_path_factory: pytest.TempPathFactory,
    store_settings: list[str],
    pytestconfig: pytest.Config,
) -> Iterator[Any]:
    """A session on empty tables, with the functions of the registry; workers know the bucket."""
    not_in_a_quick_run(pytestconfig)
    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in QUICK.items():
            patch.setenv(name, value)
        patch.setenv("PYSPARK_SUBMIT_ARGS", "pyspark-shell")
        patch.setenv("GAINSAY_SPARK_WAREHOUSE", str(folder))
        settings = ["spark.sql.shuffle.partitions=2", *store_settings]
        with spark_session(master="local[2]", settings=settings) as session:
            from gainsay.python_udfs.engines.spark import register

            register(session)
            yield session


class SparkCommands:
    """Commands of `gainsay` on Spark tables in a folder, one after another in one process.

    Each makes its session and stops it as it would alone, but Java starts once for all of them,
    and anew after a kill.
    """

    def __init__(self, folder: Path, parsed: Path, **environment: str) -> None:
        """`parsed` is what `GAINSAY_PARSED` names; `environment` wins over what is usual here."""
        self.folder = folder
        self.environment = environment
        self.parsed = parsed
        self._process: subprocess.Popen[str] | None = None

    def run(self, *arguments: str | Path) -> str:
        """What a command prints; it must succeed."""
        lines = []
        for line in self._printed(*arguments):
            if line.startswith(END):
                if line == f"{END}0\n":
                    return "".join(lines)
                break
            lines.append(line)
        pytest.fail(f"{arguments}\n{''.join(lines)}")

    def build(self, *arguments: str) -> None:
        """Build on Spark, without tests."""
        self.run(*self._build_command(*arguments))

    def kill_build_at(self, line: str, *arguments: str) -> None:
        """Begin to build, and kill the process and all that it started once it prints `line`."""
        seen = any(line in printed for printed in self._printed(*self._build_command(*arguments)))
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self.close()
        assert seen

    def compare(self, warehouse: Warehouse, *marts: str) -> None:
        """Marts are those of a warehouse on DuckDB, and there are some in each."""
        names = [option for mart in marts for option in ("--mart", mart)]
        printed = self.run("compare", *names, warehouse.path, "spark")
        # none is empty, none is in neither
        assert printed.count("agrees") == len(marts)

    def close(self) -> None:
        """Wait for the end of the process, which keeps the tables to itself until then."""
        if self._process is not None:
            self._process.communicate()
        self._process = None

    def _build_command(self, *arguments: str) -> list[str]:
        return [
            "spark", "build", "--exclude-resource-type", "test",
            "--target-path", str(self.folder / "target"),
            "--log-path", str(self.folder / "logs"),
            *arguments,
        ]  # fmt: skip

    def _printed(self, *arguments: str | Path) -> IO[str]:
        """The lines that a command prints, as they come."""
        self._process = self._process or self._started()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([*map(str, arguments)]), file=self._process.stdin, flush=True)
        return self._process.stdout

    def _started(self) -> "subprocess.Popen[str]":
        environment = {
            "GAINSAY_DB": str(self.folder / "gainsay.duckdb"),
            "GAINSAY_PARSED": str(self.parsed),
            "GAINSAY_SPARK_WAREHOUSE": str(self.folder / "spark"),
            "PYSPARK_SUBMIT_ARGS": LOCAL,
        }
        return subprocess.Popen(
            [sys.executable, "-m", "tests.python.commands_in_turn"],
            cwd=PROJECT,
            env=os.environ | environment | QUICK | self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


@pytest.fixture(scope="module")
def built(
    tiny_corpus: Path, parsed_for_spark: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkCommands]:
    """The synthetic corpus landed on Spark, the Conflict Suite built there."""
    commands = SparkCommands(tmp_path_factory.mktemp("built_on_spark"), parsed_for_spark)
    commands.run("land", "--target", "spark", tiny_corpus)
    commands.build("--select", *MODELS)
    yield commands
    commands.close()


@pytest.mark.xdist_group("spark_build")
def test_every_mart_and_manifest_hash_is_that_of_duckdb(
    built: SparkCommands, tiny: Warehouse
) -> None:
    built.compare(tiny, *MARTS)


@pytest.mark.xdist_group("spark_build")
def test_killed_build_leaves_the_old_tables_or_the_new_and_the_next_succeeds(
    built: SparkCommands, tiny: Warehouse
) -> None:
    """Another held-out family changes the split of most examples."""
    selected = ("--select", "conflict_suite__examples")
    start = "START sql table model conflict_suite.conflict_suite__examples "
    another = ("--vars", "{conflict_suite_heldout_family: count}")
    built.kill_build_at(start, *another, *selected)

    marts = ("conflict_suite__examples", "conflict_suite__manifest")
    built.compare(tiny, *marts)

    built.build(*selected)
    built.compare(tiny, *marts)
    # nor is anything left of what the killed one wrote
    store = built.folder / "spark/tables/gainsay_store.db"
    assert len(list(store.glob("conflict_suite__conflict_suite__examples__v*"))) == 1


# what each macro gives on both engines: a Jinja expression, and the value that is expected
CASES: list[tuple[str, Any]] = [
    ("regexp_extract_all(text_literal('两只dogs'), '\\\\p{Han}|[a-z]+')", ["两", "只", "dogs"]),
    ("normalized_text(text_literal(' Is\\tÉ\\u00a0\\n THE  '))", "is é the"),
    ("lower_text(text_literal('İΣΑΣ K'))", "iσασ k"),
    ("tokens(text_literal('İs it 5cm—naïve?'))", ["is", "it", "5cm", "na", "ve"]),
    ("tokens(text_literal(''))", []),
    ("tokens('cast(null as string)')", None),
    ("word_tokens(text_literal('Ünder_score, ٣ x'))", ["ünder_score", "٣", "x"]),
    ("spaced_phrase(text_literal('I can’t, Ann\\'s'))", " i can't ann's "),
    ("stripped_line(text_literal('\\u2028 a\\tb\\x85'))", "a b"),
    ("without_final_stops(text_literal('End. .\\n'))", "End"),
    ("word_pieces(text_literal('  a b-c!'))", ["  a", " b", "-c"]),
    ("plain_digits(text_literal('0070'))", "70"),
    ("next_number(text_literal('1999'))", "2000"),
    ("previous_number(text_literal('1000'))", "999"),
    ("regexp_matches(text_literal('5\\n'), '^[0-9]+$')", False),
    ("regexp_matches(text_literal('a\\rb'), 'a.b')", True),
    ("regexp_matches_whole(text_literal('12'), text_literal('a|[0-9]+'))", True),
    ("regexp_matches_whole(text_literal('a12'), text_literal('a|[0-9]+'))", False),
    ("regexp_matches_whole(text_literal('12\\n'), text_literal('a|[0-9]+'))", False),
    ("'(select ' ~ row_text('pairs') ~ ' from (select 1 as pair, cast(null as string) as letter)"
     " as pairs)'", '{"pair":1,"letter":null}'),
    ("regexp_extract(text_literal('ab12cd'), '[0-9]+')", "12"),
    ("regexp_extract(text_literal('abcd'), '[0-9]+')", ""),
    ("regexp_replace(text_literal('a1b22'), '[0-9]+', '')", "ab"),
    ("regexp_split(text_literal('1a2'), '[0-9]')", ["", "a", ""]),
    ("try_cast_bigint(text_literal('12'))", 12),
    ("try_cast_bigint(text_literal('7.0'))", 7),
    ("try_cast_bigint(text_literal('x'))", None),
    ("text_literal('it\\'s \\\\ \"$1\"')", "it's \\ \"$1\""),
    ("canonical_row([text_literal('é😀'), 'null', '1'])", "2:é😀-1:1"),
    ("canonical_list(list_with_nulls(text_literal('é😀'), 'null', text_literal('1')))",
     "2:é😀-1:1"),
    ("sha256_hex(text_literal('é'))",
     "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"),
    ("hex_to_bigint(text_literal('ffffffff'))", 4294967295),
    ("integer_division('7', '2')", 3),
    # what both engines read as it is
    ("'cast(1 as bigint) << cast(62 as int)'", 4611686018427387904),
    ("json_extract_string(text_literal('{\"a\": {\"b\": \"c\"}}'), '$.a.b')", "c"),
    ("json_extract_string(text_literal('no json'), '$.a')", None),
    ("json_field(text_literal('{\"a\": true}'), text_literal('a'))", "true"),
    ("json_field(text_literal('no json'), text_literal('a'))", None),
    ("json_field_type(text_literal('{\"a\": \"true\"}'), text_literal('a'))", "string"),
    ("json_field_type(text_literal('{\"a\": true}'), text_literal('a'))", "boolean"),
    ("json_field_type(text_literal('{\"a\": {\"b\": 1}}'), text_literal('a'))", "other"),
    ("json_field_type(text_literal('{\"a\": null}'), text_literal('a'))", None),
    ("json_field_type(text_literal('{\"a\": true}'), text_literal('b'))", None),
    ("list_sort_distinct(list_value(\"'b'\", \"'a'\", \"'b'\"))", ["a", "b"]),
    ("list_value(\"'a'\", 'null')", ["a"]),
    ("list_intersect(list_value('1', '2', '3'), list_value('3', '1'))", [1, 3]),
    ("list_intersect_size(list_value('1', '2', '3'), list_value('3', '1'))", 2),
    ("'array_contains(' ~ list_value('1', '2') ~ ', 2)'", True),
    ("'array_contains(' ~ list_value('1', '2') ~ ', 3)'", False),
    ("list_length(empty_list('bigint'))", 0),
    ("list_extract(list_value('1', '2'), 2)", 2),
    ("list_extract(list_value('1', '2'), 3)", None),
    ("list_extract(list_value('1', '2'), '1 - 1')", None),
    ("list_extract(list_value('1', '2'), '1 - 2')", None),
    ("list_position(list_value(\"'a'\", \"'b'\"), \"'b'\")", 2),
    ("list_position(list_value(\"'a'\"), \"'c'\")", None),
    ("array_join(list_value(\"'a'\", \"'b'\"), \"'-'\")", "a-b"),
    ("array_join(empty_list('string'), \"'-'\")", ""),
    ("list_head(list_value('1', '2', '3'), 2)", [1, 2]),
    ("list_head(list_value('1', '2', '3'), 0)", []),
    ("list_head(list_value('1'), '1 - 2')", None),
    ("list_concat(list_value('1'), list_value('2'))", [1, 2]),
    ("list_transform(list_value('1', '2'), 'n', 'n * 10')", [10, 20]),
    ("list_filter(list_value('1', '2'), 'n', 'n > 1')", [2]),
    ("integer_series('1', '3')", [1, 2, 3]),
    ("'(' ~ struct_pack(a='1', b=\"'x'\") ~ ').b'", "x"),
    ("seeded_int('split', \"'coco-9'\", 1000)", 296),
    ("decimal_var('conflict_suite_train_share')", "0.700000"),
    ("jaccard('1', '2', '3')", 0.25),
    ("jaccard('0', '0', '0')", 1.0),
    ("'(select ' ~ array_agg('seeded_place', order_by='key_asked') ~ ' from ('"
     " ~ seeded_places('(select ' ~ unnest_list(integer_series('1', '9')) ~ ' as key_asked)',"
     " 'split', 'key_asked') ~ ') as places)'", [2, 8, 1, 7, 0, 4, 5, 6, 3]),
    # of the order 5, 3, 1, 9, 6, 7, 8, 4, 2 the even ones alone are counted
    ("'(select ' ~ array_agg('seeded_place', order_by='key_asked') ~ ' from ('"
     " ~ seeded_places('(select *, key_asked % 2 = 0 as is_even from (select '"
     " ~ unnest_list(integer_series('1', '9')) ~ ' as key_asked))',"
     " 'split', 'key_asked', counted='is_even') ~ ') as places)'",
     [-1, 3, -1, 2, -1, 0, 0, 1, -1]),
    # aggregates over the rows (1, 'b', null), (2, 'a', 5), (3, null, 6)
    ("min_by('word', order_by='place')", "b"),
    ("min_by('number', order_by='place')", 5),
    ("first_values_by('place', order_by='place', n=2)", [1, 2]),
    ("first_values_by('place', order_by='-place', n=2)", [3, 2]),
    ("first_values_by('place', order_by='place', n=9)", [1, 2, 3]),
    ("array_agg('word', order_by='place')", ["b", "a", None]),
    ("array_agg('place', order_by='word')", [2, 1, 3]),
    ("listagg_lines('word', order_by='word')", "a\nb"),
    ("array_join(array_agg('number', order_by='place'), \"'-'\")", "5-6"),
    ("list_length(array_agg_unordered('word'))", 3),
]  # fmt: skip


@pytest.fixture(scope="module")
def computed(
    spark: Any, parsed_for_spark: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Any]]:
    """The values of all cases, per engine."""
    folder = tmp_path_factory.mktemp("cases")
    listing = ",\n".join(
        f"{{{{ {expression} }}}} as case_{number}" for number, (expression, _) in enumerate(CASES)
    )
    rows = "values (1, 'b', null), (2, 'a', 5), (3, null, 6)"
    query = f"select {listing} from ({rows}) as given(place, word, number)"
    compiled = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(PROJECT)
        patch.setenv("GAINSAY_DB", str(folder / "gainsay.duckdb"))
        patch.setenv("GAINSAY_PARSED", str(parsed_for_spark))
        for target in ("dev", "spark"):
            result = run_dbt(
                ["--quiet", "compile", "--inline", query, "--target", target,
                 "--no-introspect", "--no-populate-cache"],
                target_path=folder / target,
            )  # fmt: skip
            assert result.success, result.exception
            compiled[target] = result.result.results[0].node.compiled_code
    with duckdb.connect() as connection:
        on_duckdb = connection.execute(compiled["dev"]).fetchone()
    assert on_duckdb is not None
    return {"duckdb": list(on_duckdb), "spark": list(spark.sql(compiled["spark"]).first())}


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
@pytest.mark.parametrize(
    ("number", "expected"), [(number, value) for number, (_, value) in enumerate(CASES)],
    ids=[expression for expression, _ in CASES],
)  # fmt: skip
def test_macros_give_the_same_on_both_engines(
    computed: dict[str, list[Any]], engine: str, number: int, expected: Any
) -> None:
    found = computed[engine][number]
    assert (str(found) if "decimal" in CASES[number][0] else found) == expected


def test_every_macro_that_differs_has_a_form_for_both_engines_and_no_other() -> None:
    """On a third engine dbt says which form it searched for; a default form would guess."""
    text = "".join(path.read_text() for path in (PROJECT / "macros").rglob("*.sql"))
    names = set(re.findall(r"adapter\.dispatch\('(\w+)'", text))
    forms = set(re.findall(r"macro ([a-z]+)__(\w+)\(", text))

    assert len(names) > 30
    assert {(form, name) for form in ("duckdb", "spark") for name in names} <= forms
    assert [name for form, name in forms if form == "default"] == []


def _arguments(folder: Path, scheme: str) -> dict[str, list[list[Any]]]:
    """A few rows of arguments for every function of the registry, which keep theirs in `folder`.

    `scheme` stands before it: nothing for its path, `file://` for a URL.
    """
    kept = f"{scheme}{folder / 'kept'}"
    from PIL import Image

    (folder / "network").mkdir(parents=True)
    # one for all, because a model of words says where it was trained
    parrot = folder.parent / "parrot"
    if not parrot.exists():
        write_parrot(parrot)
    picture = folder / "picture.png"
    Image.linear_gradient("L").resize((64, 48)).convert("RGB").save(picture)
    sha256 = hashlib.sha256(picture.read_bytes()).hexdigest()
    seen = [str(picture), None, sha256, kept, 1_000_000]
    gone = [str(folder.parent / "gone.png"), None, "f" * 64, kept, 1_000_000]
    square = {"polygons": [[1.0, 1.0, 6.0, 1.0, 6.0, 6.0, 1.0, 6.0]]}
    (union,) = (udf for udf in UDFS if udf.name == "gs_union_mask")
    sizes = [pa.array([8]), pa.array([10])]
    (mask,) = union.load()(pa.array([[square]], union.parameters[0]), *sizes).to_pylist()
    scored = {"key": 1, "cluster": 2, "cell": 0}
    ratios = [scored | {"key": key, "number": key} for key in (1, 3)]
    share = {"metric": "share", "numerator": 1.0, "denominator": 2.0, "numbers": [1, 3]}
    recipe = [
        "key",
        str(picture),
        None,
        sha256,
        "gaussian_noise",
        2,
        *[None] * 5,
        "seed",
        None,
        None,
    ]
    return {
        "gs_porter_stem": [["running"], ["ponies"], [None]],
        "gs_ratio_errors": [
            [
                ratios,
                [share],
                [{"cell": 0, "slice": 0}],
                [{"metric": "share", "part_of": None}],
                20,
            ]
        ],
        "gs_mean_errors": [[[{"key": 1, "cluster": 2, "value": 0.5}], 20]],
        "gs_agreement": [
            [
                [
                    {"record": "r1", "reader": reader, "answer": answer, "cluster": 1}
                    for reader, answer in (("ann", "yes"), ("bob", "no"))
                ],
                2,
                20,
                0.95,
            ],
        ],
        "gs_confidence_errors": [
            [
                [scored | {"tie": 5, "confidence": 0.5, "credit": 1.0}],
                [{"cell": 0, "slice": 0}],
                5,
                10,
                0.8,
                20,
            ],
        ],
        "gs_union_mask": [[[square], 8, 10], [[], 8, 10]],
        "gs_hole_mask": [[mask["rle"], 8, 10, 1, 0.5]],
        "gs_control_mask": [[mask["rle"], 8, 10, mask["rle"], "0" * 32]],
        "gs_covered_area": [[mask["rle"], 8, 10, 0, 0, 4, 4], [None, 8, 10, 0, 0, 4, 4]],
        "gs_open_share": [[mask["rle"], 8, 10], [None, 8, 10]],
        "gs_common_area": [[mask["rle"], mask["rle"], 8, 10], [mask["rle"], None, 8, 10]],
        "gs_render": [[*recipe, kept, 1_000_000]],
        "gs_sun": [["2014-06-21T12:00:00", 60, None, 48.0, 11.0, "closed_form"], [None] * 6],
        "gs_shadow": [seen, gone],
        "gs_texture": [seen, gone],
        "gs_crop_detail": [[*seen, 1, 1, 9, 6, 24], [*gone, 1, 1, 9, 6, 24]],
        "gs_mirror_difference": [seen, gone],
        "gs_object_colors": [
            [*seen, [{"bbox": [0.0, 0.0, 4.0, 4.0], "rle": None}]],
            [*gone, []],
        ],
        "gs_outline": [seen, gone],
        "gs_plain_text": [["<a href='x'>Some&amp;one</a>"], [""], [None]],
        "gs_script_share": [
            ["这是 A", "han"],
            ["Hello", "latin"],
            ["Hello", "han"],
            [None, "latin"],
        ],
        "gs_tidy_translation": [["多 少 cats", "zh"], ["نعم", "ar"], ["Sí", "es"], [None, "zh"]],
        "gs_mask_slots": [["Which {object_category} is {color}?"], [""], [None]],
        "gs_restore_slots": [
            ["Más [ slot_0 ]?", "More {object_category}?"],
            ["Más [SLOT_0]?", None],
        ],
        "gs_translate": [
            ["which image has more", None, str(parrot), kept],
            [None, None, str(parrot), kept],
        ],
        "gs_shadow_region": [seen, gone],
        "gs_turned_shadow_shares": [
            [mask["rle"], 8, 10, 4.0, 4.0, 60.0, None],
            [mask["rle"], 8, 10, 4.0, 4.0, None, None],
        ],
        "gs_check_edit": [["key", *gone[:3], "none.png", "0" * 64, "flip", None, None, *gone[3:]]],
        "gs_texts": [gone],
        "gs_objects": [[*seen, str(detector(folder / "network"))]],
        "gs_depth": [[*seen, str(depth_network(folder / "network"))]],
        "gs_writing": [[*seen, str(text_network(folder / "network"))]],
        "gs_object_outline": [
            [*seen, 1.0, 1.0, 9.0, 9.0, str(segmenter(folder / "network"))],
        ],
        "gs_named_outline": [
            [
                *seen,
                "a red cup",
                0.3,
                0.25,
                str(grounder(folder / "grounder")),
                str(segmenter(folder / "network")),
            ],
        ],
        "gs_inpainter_version": [["telea"], ["ns"]],
        "gs_package_md5": [
            ["gainsay.python_udfs"],
            ["no_such_package"],
            ["no_such.package"],
            ["no name"],
            [None],
        ],
        "gs_is_rendered": [["aa/none.jpg", 5, str(folder)], [None, None, str(folder)]],
        "gs_absolute_path": [["/data/renderings"], ["data/renderings"], [None]],
        "gs_near_pairs": [
            [["0" * 16, "0" * 15 + "1", "f" * 16], 9, 20, 100],
            [[], 9, 20, 100],
        ],
    }


def _called(udf: Udf, folder: Path, scheme: str = "") -> pa.Table:
    rows = zip(*_arguments(folder, scheme)[udf.name], strict=True)
    columns = [pa.array(values, kind) for values, kind in zip(rows, udf.parameters, strict=True)]
    return pa.table(columns, [f"argument_{number}" for number in range(len(columns))])


@pytest.mark.slow
@pytest.mark.parametrize("udf", UDFS, ids=lambda udf: udf.name)
def test_functions_of_the_registry_give_the_same_on_both_engines(
    spark: Any, tmp_path: Path, udf: Udf
) -> None:
    given = _called(udf, tmp_path / "expected")
    query = f"select {udf.name}({', '.join(given.column_names)}) as result from given"
    spark.createDataFrame(_called(udf, tmp_path / "spark", "file://")).createOrReplaceTempView(
        "given"
    )
    on_spark = [tuple(row.asDict(recursive=True).values()) for row in spark.sql(query).collect()]
    with duckdb.connect() as connection:
        duckdb_engine.register(connection)
        connection.register("given", _called(udf, tmp_path / "duckdb"))
        on_duckdb = connection.execute(query).fetchall()

    expected = udf.load()(*(column.combine_chunks() for column in given.columns)).to_pylist()
    assert [value for (value,) in on_duckdb] == expected
    assert [value for (value,) in on_spark] == expected
    assert any(value is not None for value in expected)


@pytest.mark.parametrize(
    ("kind", "shard_bytes", "files"),
    [
        ("jsonl", 10**6, ["records.jsonl"]),
        ("jsonl", 500, [f"records-{number:05}-of-00004.jsonl" for number in range(4)]),
        (
            "hugging-face",
            1000,
            [
                *(f"data/test-{number:05}-of-00002.parquet" for number in range(2)),
                *(f"data/train-{number:05}-of-00004.parquet" for number in range(4)),
            ],
        ),
    ],
)
def test_executors_write_the_exports_of_duckdb(
    spark: Any, tmp_path: Path, kind: str, shard_bytes: int, files: list[str]
) -> None:
    """A shard of 1,000 bytes takes one picture of some 750, one of 500 two lines."""
    records = _records_with_pictures(tmp_path)
    spark.sql("create schema if not exists exports")
    with duckdb.connect() as connection:
        connection.execute("create schema exports")
        for name in ("records", "jsonl", "hugging_face"):
            available = [one for one in records if one["picture_state"] == "available"]
            rows = available if name == "hugging_face" else records
            others = [("severity", pa.int32()), ("is_two_sided", pa.bool_())]
            columns = [(name, pa.string()) for name in rows[0] if name not in dict(others)]
            copied = pa.Table.from_pylist(rows, pa.schema([*columns, *others]))
            connection.execute(f"create table exports.exports__{name} as from copied")
            frame = spark.createDataFrame(copied)
            frame.write.mode("overwrite").saveAsTable(f"exports.exports__{name}")
        add_what_is_due(connection)
        spark.sql("create schema if not exists conflict_suite")
        for table in ("exports.exports__deliverable", "conflict_suite.conflict_suite__examples"):
            rows = connection.sql(f"from {table}").to_arrow_table()
            spark.createDataFrame(rows).write.mode("overwrite").saveAsTable(table)
        here = export(connection, kind, tmp_path / "here", shard_bytes=shard_bytes)
    [there] = export_on_spark(
        spark, kind, tmp_path / "there", split="all", shard_bytes=shard_bytes
    ).values()

    assert there == here == Exported(8 if kind == "jsonl" else 6, {"not_landed": 2})
    for folder in (tmp_path / "here", tmp_path / "there"):
        written = [path for path in folder.rglob("*") if path.is_file()]
        names = {str(path.relative_to(folder)) for path in written}
        assert names == {*files, "README.md", ".gainsay-export"}
    for name in (*files, "README.md"):
        ours, theirs = tmp_path / "here" / name, tmp_path / "there" / name
        if name.endswith(".parquet"):
            assert pq.read_table(ours).equals(pq.read_table(theirs), check_metadata=True)
        else:
            assert ours.read_bytes() == theirs.read_bytes()


def test_a_format_that_is_no_shards_is_not_written_from_spark(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(GainsayError, match="export jsonl, hugging-face, or llava from DuckDB"):
        export_on_spark(spark, "llava", tmp_path / "llava")


def _records_with_pictures(folder: Path) -> list[dict[str, Any]]:
    """Eight records of two splits, two of them without a picture."""
    from PIL import Image

    picture = folder / "picture.png"
    # what noise takes: more than half of 1,000 bytes
    noise = hashlib.shake_128(b"noise").digest(26 * 26)
    Image.frombytes("L", (26, 26), noise).save(picture)
    return [
        {
            "benchmark": "conflict_suite",
            "example_id": f"vqa-{number}::clean",
            "split": "test" if number % 3 == 0 else "train",
            "operator": "clean",
            "question": f"Is it {number}? É",
            "severity": None if number == 4 else number,
            "is_two_sided": True,
            "license_name": None if number == 5 else "CC BY 2.0",
            "license_url": "https://creativecommons.org/licenses/by/2.0/",
            "picture_state": "not_landed" if number > 6 else "available",
            "image": f"images/{number}.png",
            "image_path": str(picture),
            "image_archive": None,
        }
        for number in range(1, 9)
    ]


@pytest.fixture
def raw(spark: Any) -> SparkSink:
    """The sink of a session that has no raw tables yet."""
    for schema in ("raw", "gainsay_store"):
        spark.sql(f"drop schema if exists {schema} cascade")
    shutil.rmtree(_tables(spark), ignore_errors=True)
    return SparkSink(spark)


def _tables(spark: Any) -> Path:
    return Path(spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:"))


def _land(sink: SparkSink, *paths: Path) -> list[Landing]:
    return land(sink, find_sources(paths).sources, _untold)


def _untold(amount: int = 1) -> None:
    """Progress that nobody watches."""


def _everything(spark: Any) -> list[str]:
    """All rows of all raw tables, landing times included, by one query."""
    rows = (f"select '{table}', to_json(struct(*)) from raw.{table}" for table in RAW_TABLES)
    return sorted(map(repr, spark.sql(" union all ".join(rows)).collect()))


def test_landing_brings_the_rows_and_columns_of_duckdb(
    spark: Any, raw: SparkSink, tiny_corpus: Path, tmp_path: Path
) -> None:
    landings = _land(raw, tiny_corpus)
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        sources = find_sources([tiny_corpus]).sources
        on_duckdb = land(DuckDbSink(connection), sources, _untold)
        assert [(landing.n_records, landing.n_rejected, landing.state) for landing in landings] == [
            (landing.n_records, landing.n_rejected, landing.state) for landing in on_duckdb
        ]
        for table, columns in RAW_TABLES.items():
            found = spark.table(f"raw.{table}")
            named = {field.name: field.dataType.simpleString() for field in found.schema.fields}
            assert named == {
                name: spark_type(kind).replace(": ", ":").replace(", ", ",")
                for name, kind in columns
            }
            _same_rows(spark, connection, table)


def _same_rows(spark: Any, connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """Check that a raw table has the same rows on both engines but for times; how many."""
    timeless = [name for name, kind in RAW_TABLES[table] if kind != "timestamp"]
    found = spark.table(f"raw.{table}").select(*timeless).collect()
    rows = [row.asDict(recursive=True) for row in found]
    expected = connection.execute(f"select {', '.join(timeless)} from raw.{table}").fetchall()
    assert sorted(map(repr, rows)) == sorted(
        repr(dict(zip(timeless, row, strict=True))) for row in expected
    ), table
    return len(rows)


def test_landing_again_changes_nothing_and_another_content_replaces_the_rows(
    spark: Any, raw: SparkSink, tmp_path: Path
) -> None:
    corpus = write_corpus(tmp_path / "corpus", ASKED)
    _land(raw, corpus)
    before = _everything(spark)

    assert [landing.state for landing in _land(raw, corpus)] == ["unchanged"] * 3
    assert _everything(spark) == before

    write_corpus(corpus, [ASKED[0], Asked(9, "Is it?", "no", ["A cat.", "A tabby cat."])])
    states = {landing.source.official.name: landing.state for landing in _land(raw, corpus)}

    assert states[QUESTIONS] == "replaced"
    asked = spark.sql("select question_id from raw.vqa_questions order by question_id").collect()
    assert [question_id for (question_id,) in asked] == [1, 9]
    # what is seen no more is kept no longer
    assert len(list((_tables(spark) / "gainsay_store_raw/vqa_questions").rglob("*.parquet"))) == 1

    write_corpus(corpus, ASKED)
    _land(raw, corpus)
    assert spark.table("raw.vqa_questions").count() == 3


def test_a_failed_landing_changes_nothing_and_can_be_repeated(
    spark: Any, raw: SparkSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_corpus(tmp_path / "corpus", ASKED[:1])
    _land(raw, corpus)
    before = _everything(spark)

    write_corpus(corpus, ASKED)
    (corpus / QUESTIONS).write_bytes(b'{"questions": [')
    with pytest.raises(GainsayError, match="cut short"):
        _land(raw, corpus)
    assert _everything(spark) == before

    write_corpus(corpus, ASKED)
    with monkeypatch.context() as patch:
        # the last step before the new rows are shown
        patch.setattr(raw, "_write_list", _fail)
        with pytest.raises(GainsayError, match="nothing was landed: no space"):
            _land(raw, corpus)
    assert _everything(spark) == before

    assert {landing.state for landing in _land(raw, corpus)} == {"replaced"}
    assert spark.table("raw.vqa_questions").count() == 3


def _fail() -> str:
    raise OSError("no space left")


def test_rejected_records_land_with_their_reason(
    spark: Any, raw: SparkSink, tmp_path: Path
) -> None:
    questions = [question(1, 1, "Is it?"), {"question_id": "two"}]
    write(tmp_path / QUESTIONS, {"questions": questions})

    (landing,) = _land(raw, tmp_path)

    assert (landing.n_records, landing.n_rejected) == (1, 1)
    (row,) = spark.table("raw.rejected_records").collect()
    assert (row["field"], row["_position"], row["_source_file"]) == (
        "$.question_id", 1, QUESTIONS,
    )  # fmt: skip


def test_answers_of_models_land_as_on_duckdb(spark: Any, raw: SparkSink, tmp_path: Path) -> None:
    """Another file in the place of the former, records that do not fit, the same once more."""
    asked = Answering("clash", "open_ended", "conflicting", "some/model, 'quoted'", "default")
    file = tmp_path / "answers.jsonl"
    states = []
    with duckdb.connect() as connection:
        for answers in (["red", "blue", "green"], ["red", None, 7], ["red", None, 7]):
            records = [{"image_id": n, "prediction": text} for n, text in enumerate(answers)]
            file.write_text("\n".join(map(json.dumps, [*records, {"prediction": "red"}])))
            on_spark, on_duckdb = (
                land_predictions(
                    sink, file, asked, layout_of(usual=("image_id", "prediction")), _untold
                )
                for sink in (raw, DuckDbSink(connection))
            )
            assert on_spark == on_duckdb
            states.append(on_spark.state)
            assert _same_rows(spark, connection, "predictions")
            assert _same_rows(spark, connection, "rejected_records")
            assert _same_rows(spark, connection, "landed_predictions") == 1

    assert states == ["landed", "replaced", "unchanged"]


def test_batches_and_votes_land_as_on_duckdb(spark: Any, raw: SparkSink, tmp_path: Path) -> None:
    """Each of them twice: what was landed before changes nothing."""
    batch, log = tmp_path / "output.jsonl", tmp_path / "votes.ndjson"
    batch.write_text(f"{answer_line('a', 'yes')}\nno line\n")
    event = {
        "event_id": "e1", "kind": "vote", "benchmark": "b", "queue": "q", "record_id": "r1",
        "record_md5": "m1", "question": "is_right", "answer": "yes", "reader": "ann",
        "voted_at": "2026-01-01T10:00:00+02:00",
    }  # fmt: skip
    log.write_text(f"{json.dumps(event)}\nno event\n")
    request = Request("a", "task", "model", "0" * 64, "input", "{}")
    requests = tmp_path / "requests.parquet"
    with duckdb.connect() as connection:
        assert land_requests(DuckDbSink(connection), [request]) == 1
        assert write_requests(connection, requests) == 1
        for n_new in (1, 0):
            assert land_request_file(DuckDbSink(connection), requests) == 0
            assert land_request_file(raw, requests) == n_new
            for sink in (raw, DuckDbSink(connection)):
                assert land_batch_output(sink, batch).n_unfit == 1
                assert land_log(sink, log).n_rejected == 1
            for table, n_rows in (
                ("llm_requests", 1), ("llm_responses", 2), ("votes", 1), ("rejected_records", 1),
            ):  # fmt: skip
                assert _same_rows(spark, connection, table) == n_rows


@pytest.mark.usefixtures("raw")
def test_pictures_land_as_on_duckdb(spark: Any, tmp_path: Path) -> None:
    """New ones, one that has changed, one that is gone, one in an archive, and one no picture."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("000000000001.jpg", "b.png", "c.png"):
        (folder / name).write_bytes(specimens.jpeg(16, 16))
    (folder / "d.png").write_bytes(b"no picture")
    with ZipFile(folder / "e.zip", "w") as archive:
        archive.write(folder / "b.png", "inside/b.png")
    limits = ImageLimits(10**8, 10**8)
    landings = []
    with duckdb.connect() as connection:
        for _ in range(2):
            images = find_images([str(folder)], limits).files
            on_spark, on_duckdb = (
                land_images(rows, images, [str(folder)], limits, _untold)
                for rows in (SparkImages(spark), DuckDbImages(connection))
            )
            assert on_spark == on_duckdb
            landings.append((on_spark.n_read, on_spark.n_unchanged, on_spark.n_gone))
            assert _same_rows(spark, connection, "image_files") == len(images)
            (folder / "b.png").write_bytes(specimens.jpeg(24, 16))
            (folder / "c.png").unlink(missing_ok=True)

    assert landings == [(5, 0, 0), (1, 3, 1)]
    assert on_spark.errors == {"not_an_image": 1}


@pytest.mark.usefixtures("raw")
def test_workers_read_pictures_of_a_bucket_and_render_into_it(
    spark: Any, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are told of the store by the session; this process, the driver, no longer knows it."""
    folder = f"{bucket}/{tmp_path.name}"
    sizes = {"a.jpg": 48, "b.jpg": 24}
    for name, width in sizes.items():
        picture = specimens.jpeg(width, 16)
        storage.write_whole(f"{folder}/{name}", picture)
        (tmp_path / name).write_bytes(picture)
    limits = ImageLimits(10**8, 10**8)
    images = find_images([folder], limits).files
    render = """
        select rendering.* from (
            select gs_render(
                path, path, archive, sha256, 'gaussian_noise', 2, null, null, null, null, null,
                'seed', null, null, '{folder}/renderings', 1000000
            ) as rendering
            from {pictures}
        )
    """
    with monkeypatch.context() as driver:
        rows = SparkImages(spark)
        landed = land_images(rows, images, [folder], limits, _untold)
        for name in _STORE_VARIABLES:
            driver.delenv(name)
        frame = spark.sql(render.format(folder=folder, pictures="raw.image_files"))
        rendered = sorted((row.asDict() for row in frame.collect()), key=itemgetter("sha256"))

    assert (landed.n_read, landed.errors) == (2, {})
    with duckdb.connect() as connection:
        duckdb_engine.register(connection)
        connection.execute("create table pictures (path text, archive text, sha256 text)")
        for name in sizes:
            sha256 = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
            connection.execute(
                "insert into pictures values (?, null, ?)", [str(tmp_path / name), sha256]
            )
        expected = connection.execute(render.format(folder=tmp_path, pictures="pictures"))
        names = [column[0] for column in expected.description or ()]
        rows_here = [dict(zip(names, row, strict=True)) for row in expected.fetchall()]
    assert rendered == sorted(rows_here, key=itemgetter("sha256"))
    for row in rendered:
        data = read_rendering(f"{folder}/renderings", row["rendered_file"], 10**6)
        assert hashlib.sha256(data).hexdigest() == row["sha256"]
