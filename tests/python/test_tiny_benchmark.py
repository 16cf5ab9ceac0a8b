"""A benchmark plugs in: one folder of models, one of seeds, one of tests, and one name in a var.

What docs/adding_a_benchmark.md says is followed with the files of docs/tiny_benchmark, in a copy of
the project of which nothing else is changed.
"""

import json
import re
import shutil

import pytest

from tests.python.conftest import PROJECT
from tests.python.project_copies import CopyWarehouse, copied_project

pytestmark = pytest.mark.xdist_group("tiny_benchmark")

_PORTS = ("screened", "examples", "groups", "render_recipes", "renderings", "prompts", "guesses",
          "outcomes", "measures", "matchers", "metrics", "manifest", "gates", "review_records",
          "release_texts")  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> CopyWarehouse:
    """A corpus of a few pictures, built by a project that knows the tiny benchmark, too."""
    folder = tmp_path_factory.mktemp("tiny_benchmark")
    project = copied_project(folder / "project", ["clash", "tiny"])
    shutil.copytree(PROJECT / "docs/tiny_benchmark", project, dirs_exist_ok=True)
    warehouse = CopyWarehouse(folder, project)
    warehouse.run("synth", "corpus", "--images", "20")
    warehouse.run("land", "corpus")
    warehouse.run("land-images", "corpus")
    answers = [("tiny-1::plain", "Yes"), ("tiny-1::contrast", "no"), ("tiny-2::plain", "no"),
               ("tiny-3::plain", "yes")]  # fmt: skip
    (folder / "answers.jsonl").write_text(
        "".join(
            json.dumps({"example_id": name, "prediction": answer}) + "\n"
            for name, answer in answers
        )
    )
    warehouse.run(
        "land-predictions", "--benchmark", "tiny", "--model", "some-model", "answers.jsonl"
    )
    warehouse.run(
        "build", "--select", "+audit__funnel", "+audit__drops", "+images__renderings",
        "+evaluation__leaderboard", "+tiny__manifest", "+tiny__prompts", "+exports__jsonl",
        "tiny__guesses",
        "path:tests/sql/tiny", "path:tests/sql/audit",
    )  # fmt: skip
    return warehouse


def test_funnel_and_drops_tell_of_its_candidates(built: CopyWarehouse) -> None:
    assert built.rows("""
        select screening, stage_order, stage, reason, family, n, share
        from audit.audit__funnel
        where benchmark = 'tiny'
        order by stage_order
    """) == [
        ("tiny", 1, "picture", "no_picture", "claim", 1, 0.25),
        ("tiny", 2, "answer", "answer_open", "claim", 1, 0.25),
        ("tiny", 3, "retained", "retained", "claim", 2, 0.5),
    ]
    [no_picture, open_answer] = built.rows("""
        select candidate_id, reason, what_failed, len(captions_seen) > 0
        from audit.audit__drops
        where benchmark = 'tiny'
        order by candidate_id desc
    """)
    assert no_picture == ("tiny-4", "no_picture", "there is no picture to ask about", False)
    # its gate reads captions, which come from where all benchmarks' come from
    reason = 'the answer is neither yes nor no: it is "maybe"'
    assert open_answer == ("tiny-3", "answer_open", reason, True)
    assert "tiny: 4 candidates" in built.run("funnel", "--benchmark", "tiny")


def test_its_pictures_are_rendered(built: CopyWarehouse) -> None:
    rendered = built.rows("""
        select recipes.recipe_id, recipes.family, renderings.rendered_file
        from images.images__recipes as recipes
        inner join images.images__renderings as renderings
            on recipes.render_key = renderings.render_key
        where recipes.recipe_id like 'tiny-%' and renderings.error is null
        order by recipes.recipe_id
    """)
    assert [row[:2] for row in rendered] == [
        ("tiny-1::contrast", "contrast"),
        ("tiny-2::contrast", "contrast"),
    ]
    for *_, file in rendered:
        assert (built.folder / "renderings" / str(file)).is_file()


def test_its_answers_are_matched_by_its_rule_and_scored(built: CopyWarehouse) -> None:
    assert built.rows("""
        select example_id, matcher, credit
        from evaluation.evaluation__matches
        where benchmark = 'tiny'
        order by example_id
    """) == [
        ("tiny-1::contrast", "same_word", 0.0),
        ("tiny-1::plain", "same_word", 1.0),
        ("tiny-2::plain", "same_word", 1.0),
    ]
    assert built.rows("""
        select slice_value, round(value, 6), n
        from evaluation.evaluation__scores
        where benchmark = 'tiny' and metric = 'accuracy'
        order by slice_value
    """) == [
        ("all", 0.666667, 3),
        ("contrast", 0.0, 1),
        ("plain", 1.0, 2),
        ("test", 0.666667, 3),
    ]
    # what it was asked about a dropped claim is no example
    assert built.rows("""
        select example_key, reason
        from evaluation.evaluation__predictions
        where benchmark = 'tiny' and reason is not null
    """) == [("tiny-3::plain", "unknown_id")]


def test_its_answers_are_scored_again_by_the_command_that_scores_all(
    built: CopyWarehouse,
) -> None:
    answers = built.folder / "better.jsonl"
    golden = {"tiny-1": "yes", "tiny-2": "no"}
    answers.write_text(
        "".join(
            json.dumps({"example_id": f"{claim}::{operator}", "prediction": answer}) + "\n"
            for claim, answer in golden.items()
            for operator in ("plain", "contrast")
        )
    )
    built.run("land-predictions", "--benchmark", "tiny", "--model", "better", answers)

    shown = built.run("score", "--benchmark", "tiny")

    # a row a model, in the order of their ranks
    models = ("better", "some-model")
    rows = [line for line in shown.splitlines() if any(model in line for model in models)]
    assert [model for row in rows for model in models if model in row] == [*models]
    assert built.rows("""
        select model, rank, n from evaluation.evaluation__leaderboard
        where benchmark = 'tiny' and metric = 'accuracy' and is_shown order by rank
    """) == [("better", 1, 4), ("some-model", None, 3)]  # it left one of four out


def test_its_leaderboard_is_drawn_by_the_metric_that_it_puts_first(built: CopyWarehouse) -> None:
    picture = built.folder / "board.svg"
    built.run("plot", "leaderboard", "--benchmark", "tiny", picture)

    drawn = picture.read_text()
    assert "accuracy" in drawn
    assert "some-model" in drawn


def test_its_manifest_is_sealed_and_agrees(built: CopyWarehouse) -> None:
    file = built.folder / "tiny.json"
    built.run("manifest", "export", "--benchmark", "tiny", file)
    assert "every entry agrees" in built.run("manifest", "verify", "--benchmark", "tiny", file)
    manifest = json.loads(file.read_text())
    assert manifest["content"]["examples"]["n"] == "4"
    assert manifest["distribution"]["operator"] == {"contrast": "2", "plain": "2"}
    # its own seeds decided it, and no other benchmark's
    assert set(manifest["vocabulary"]) == {"tiny__gates", "tiny_answers", "tiny_claims"}


def test_its_examples_are_exported(built: CopyWarehouse) -> None:
    folder = built.folder / "exported"
    built.run("export", "jsonl", folder, "--benchmark", "tiny")
    [file] = folder.rglob("*.jsonl")
    records = {
        record["example_id"]: record for record in map(json.loads, file.read_text().splitlines())
    }
    assert {name: record["gold_answer"] for name, record in records.items()} == {
        "tiny-1::plain": "yes",
        "tiny-1::contrast": "yes",
        "tiny-2::plain": "no",
        "tiny-2::contrast": "no",
    }


def test_the_page_lists_the_ports_that_the_unions_read() -> None:
    page = (PROJECT / "docs/adding_a_benchmark.md").read_text()
    macro = (PROJECT / "macros/screening/ports.sql").read_text()
    listing = macro[macro.index("{%- set columns = {") : macro.index("} %}")]
    ports = dict(re.findall(r"'(\w+)': \[(.*?)\]", listing, flags=re.DOTALL))

    assert set(ports) == set(_PORTS)
    for port, columns in ports.items():
        start = page.index("`<b>__gates`" if port == "gates" else f"`<b>__{port}`")
        section = page[start:]
        for column in re.findall(r"'(\w+)'", columns):
            assert re.search(rf"\b{column}\b", section), f"{port}.{column} is not on the page"


def test_the_tiny_benchmark_changes_no_file_of_another() -> None:
    folder = PROJECT / "docs/tiny_benchmark"
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    own = ("models/benchmarks/tiny", "seeds/tiny", "tests/sql/tiny")
    assert files
    for file in files:
        assert str(file.parent) in own, f"{file} is outside the tiny benchmark's folders"
        assert not (PROJECT / file).exists()
