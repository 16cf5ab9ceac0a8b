"""Published CLASH answers get the authors' flags, and the tables their published figures."""

import csv
import json
import re
from collections import Counter, defaultdict
from math import sqrt
from pathlib import Path
from statistics import fmean

import pytest

from gainsay.scoring.boards import boards, read_scores
from tests.python.conftest import Warehouse, once
from tests.python.official_layout import Asked, write_corpus
from tests.python.published_clash import Published, land, published
from tests.python.real_data import CLASH, needs_clash

pytestmark = [needs_clash, pytest.mark.xdist_group("clash")]

FLAGS = ("is_contradiction", "is_image_only", "is_text_only")
STRICT = ("multiple_choice", "conflicting", "strict")
OPEN_ENDED = ("open_ended", "conflicting", "relaxed")
FIGURES = [
    (STRICT, "gpt-5", {"contradiction": 86.81, "image_only": 1.09, "text_only": 10.69,
                       "distractor": 0.16, "none": 1.25}),
    (STRICT, "gemini-2.5-flash-lite", {"contradiction": 7.49, "image_only": 74.94,
                                       "text_only": 15.53, "distractor": 2.03, "none": 0.0}),
    (OPEN_ENDED, "gpt-5", {"contradiction": 81.19, "image_only": 1.09, "text_only": 9.52,
                           "none": 8.20}),
    (OPEN_ENDED, "gpt-4.1-mini", {"contradiction": 39.97, "image_only": 40.44,
                                  "text_only": 19.67, "none": 5.54}),
    (OPEN_ENDED, "llava-v1.5-7b", {"contradiction": 0.0}),
    (("open_ended", "original", "relaxed"), "llava-v1.5-7b", {"image_only": 92.82}),
]  # fmt: skip

# of which samples are generated and tested, that nobody has answered
OWN_CAPTIONS = [
    "A black cat is sitting on a wooden bench.",
    "A white dog is lying on a red couch.",
    "A man is holding a blue umbrella on the beach.",
    "Two giraffes are standing in the grass.",
    "A woman is riding a horse on the beach.",
    "A green bus is parked next to a building.",
]


@pytest.fixture(scope="module")
def scored(shared_folder: Path) -> Warehouse:
    """The published answers landed, matched and scored, beside samples of one's own captions."""

    def make(folder: Path) -> None:
        warehouse = Warehouse(folder)
        land(warehouse)
        # what one caption alone says makes no sample
        asked = [
            Asked(n, "Is it?", "yes", [caption, f"There: {caption}"])
            for n, caption in enumerate(OWN_CAPTIONS)
        ]
        warehouse.gainsay("land", write_corpus(folder / "own", asked))
        # of other benchmarks nothing is answered here
        warehouse.dbt(
            "build", "--select", "+tag:evaluation", "--exclude-resource-type", "unit_test",
            "--vars", "{clash_test_share: 1, benchmarks: [clash], question_sets: []}",
        )  # fmt: skip

    return Warehouse(once(shared_folder, "clash", make))


def _flags(record: dict[str, bool]) -> tuple[bool, ...]:
    """The authors' flags; open-ended answers have no distractor."""
    named = ("contradiction", "image_only", "text_only", "irrelevant")
    return tuple(record.get(f"matches_{name}", False) for name in named)


@pytest.mark.parametrize("answers", published(), ids=lambda a: f"{a.task}-{a.condition}-{a.model}")
def test_every_flag_is_the_published_one(scored: Warehouse, answers: Published) -> None:
    matcher = "strict" if answers.task == "multiple_choice" else "relaxed"
    rows = scored.rows(f"""
        select image_id, is_contradiction, is_image_only, is_text_only, is_distractor, is_none
        from evaluation.evaluation__matches
        where benchmark = 'clash' and task = '{answers.task}' and matcher = '{matcher}'
            and condition = '{answers.condition}' and model = '{answers.model}'
        order by file_position
    """)
    expected = [(record["image_id"], *_flags(record["evaluation"])) for record in answers.records]

    assert [row[:-1] for row in rows] == expected
    assert [row[-1] for row in rows] == [not any(row[1:]) for row in expected]


def test_nothing_published_is_left_unscored(scored: Warehouse) -> None:
    assert scored.rows("""
        select count(*), count(reason) from evaluation.evaluation__predictions
    """) == [(1_281 * len(published()), 0)]


@pytest.mark.parametrize(("asked", "model", "figures"), FIGURES)
def test_tables_are_the_published_ones(
    scored: Warehouse, asked: tuple[str, str, str], model: str, figures: dict[str, float]
) -> None:
    scores = {
        str(metric): (round(float(str(value)), 2), n)
        for metric, value, n in scored.rows(f"""
            select metric, value, n
            from evaluation.evaluation__scores
            where (task, condition, matcher) = {asked} and model = '{model}'
                and slice_name = 'overall'
        """)
    }

    assert {metric: scores[metric] for metric in figures} == {
        metric: (value, 1_281) for metric, value in figures.items()
    }


def test_deviations_are_those_of_a_share(scored: Warehouse) -> None:
    rows = scored.rows("""
        select value, standard_deviation, n, case unit when 'percent' then 100 else 1 end
        from evaluation.evaluation__scores
        where slice_name = 'overall'
    """)

    # by what an answer is worth, and by whole samples and how many of them are answered
    assert len(rows) == (5 + 2) * 9
    for value, deviation, n, whole in rows:
        p = float(str(value)) / int(str(whole))
        expected = sqrt(p * (1 - p) / int(str(n)))
        assert float(str(deviation)) / int(str(whole)) == pytest.approx(expected, abs=0.0005)


def _table(scored: Warehouse, name: str) -> dict[tuple[object, ...], float]:
    """Values of a table by task, matcher, model, row and column."""
    return {
        tuple(key): round(float(str(value)), 2)
        for *key, value in scored.rows_of_analysis(
            "evaluation__clash_tables",
            "select task, matcher, model, row_name, column_name, value"
            f" from analysis where table_name = '{name}'",
        )
    }


def test_the_table_of_preferences_is_the_published_one(scored: Warehouse) -> None:
    table = _table(scored, "modality_preference")
    published_figures = {
        (task, matcher, model, "all", metric): figure
        for (task, condition, matcher), model, figures in FIGURES
        if condition == "conflicting"
        for metric, figure in figures.items()
    }
    assert {key: table[key] for key in published_figures} == published_figures


def test_the_table_with_non_conflicting_samples_is_the_published_one(scored: Warehouse) -> None:
    key = ("open_ended", "relaxed", "llava-v1.5-7b", "all")
    # the other models' answers to the original captions are not published
    assert _table(scored, "non_conflicting") == {
        (*key, "conflict"): 0.0, (*key, "no_conflict"): 92.82, (*key, "overall"): 46.41,
    }  # fmt: skip
    [(n, deviation)] = scored.rows_of_analysis(
        "evaluation__clash_tables",
        "select n, standard_deviation from analysis"
        " where table_name = 'non_conflicting' and column_name = 'overall'",
    )
    # a resample draws a sample with both its captions
    p = 0.9282
    assert n == 2 * 1_281
    assert deviation == pytest.approx(100 * sqrt(p * (1 - p) / 1_281) / 2, abs=0.05)


@pytest.mark.parametrize("change_type", ["object", "attribute"])
def test_the_tables_by_category_are_those_of_the_published_flags(
    scored: Warehouse, change_type: str
) -> None:
    samples = json.loads((CLASH / "clash_test.json").read_text())["samples"]
    categories = {
        (s["image_id"], s["question"]): s["category"]
        for s in samples if s["change_type"] == change_type and isinstance(s["category"], str)
    }  # fmt: skip
    expected = {}
    for answers in published():
        matcher = "strict" if answers.task == "multiple_choice" else "relaxed"
        if answers.condition == "original":
            continue
        flags: dict[str, list[bool]] = defaultdict(list)
        for record in answers.records:
            category = categories.get((record["image_id"], record["question"]))
            if category is not None:
                flags[category].append(record["evaluation"]["matches_image_only"])
        for category, held in flags.items():
            key = (answers.task, matcher, answers.model, category, "image_only")
            expected[key] = round(100 * fmean(held), 2)
    table = _table(scored, f"{change_type}_category")

    assert len(expected) >= 6 * 4
    assert {key: table[key] for key in expected} == expected


def test_the_table_of_judges_is_that_of_their_labels(scored: Warehouse) -> None:
    [answers] = [a for a in published() if a.file.parent.name == "llm_as_judge"]
    judges = ("gpt-5", "gemini-2.5-pro")
    labels = [
        [record[f"evaluation_{judge}_prediction"] for judge in judges] for record in answers.records
    ]
    metrics = {"CONFLICT": "contradiction", "IMAGE": "image_only", "TEXT": "text_only",
               "NONE": "none"}  # fmt: skip
    shares = {("all", "agreement"): fmean(len(set(given)) == 1 for given in labels)}
    for label, metric in metrics.items():
        said = [[each == label for each in given] for given in labels]
        shares |= {(j, metric): fmean(of[n] for of in said) for n, j in enumerate(judges)}
        shares["at least one", metric] = fmean(map(any, said))
        shares["all", metric] = fmean(map(all, said))

    assert _table(scored, "judge_agreement") == {
        ("open_ended", "judge", "internvl-1.5", *key): round(100 * share, 2)
        for key, share in shares.items()
    }


def test_each_caption_is_ranked_by_its_own_right_answer(scored: Warehouse) -> None:
    rows = scored.rows("""
        select condition, metric, count(*) from evaluation.evaluation__leaderboard
        where matcher = 'relaxed' and task = 'open_ended' and split = 'test'
            and model not in ('blind reader', 'majority')
        group by all order by all
    """)
    # and whole samples by both of them
    assert rows == [
        ("conflicting", "contradiction", 4),
        ("conflicting", "group_accuracy", 4),
        ("original", "group_accuracy", 1),
        ("original", "image_only", 1),
    ]


def test_whoever_always_says_contradiction_is_a_row_of_the_board(scored: Warehouse) -> None:
    """It leads where captions are changed, and is right of no sample as a whole."""
    assert scored.rows("""
        select distinct condition, metric, value from evaluation.evaluation__leaderboard
        where model = 'majority' and benchmark = 'clash' and split = 'test'
        order by all
    """) == [
        ("conflicting", "contradiction", 100.0),
        ("conflicting", "group_accuracy", 0.0),
        ("original", "group_accuracy", 0.0),
        ("original", "image_only", 0.0),
    ]


def test_published_models_are_whole_and_ranked_beside_generated_samples(scored: Warehouse) -> None:
    [(n_released, n_generated)] = scored.rows("""
        select
            count(*) filter (where split = 'test'), count(*) filter (where split = 'test_generated')
        from clash.clash__examples where condition = 'conflicting'
    """)
    rows = scored.rows("""
        select model, task, completeness, rank is not null
        from evaluation.evaluation__leaderboard
        where split = 'test' and (condition, metric) = ('conflicting', 'contradiction')
            and matcher = 'relaxed' and model not in ('blind reader', 'majority')
        order by all
    """)

    # 1,281 of 1,289 samples: eight pictures stand twice, and answers name pictures
    assert (n_released, int(str(n_generated)) > 0) == (1_289, True)
    assert {(model, task) for model, task, *_ in rows} >= {
        ("gpt-5", "multiple_choice"), ("gpt-5", "open_ended"), ("gpt-4.1-mini", "open_ended"),
    }  # fmt: skip
    assert all(float(str(completeness)) >= 0.99 and ranked for *_, completeness, ranked in rows)


def test_what_is_not_published_is_no_table(scored: Warehouse) -> None:
    assert _table(scored, "spatial") == _table(scored, "fine_tuning") == {}


# other spellings that the tables have for a model
SPELLINGS = {
    "gpt41mini": "GPT-4.1-mini", "llava157b": "LLaVA-v1.5-7B", "llava157bft": "LLaVA-v1.5-7B-ft",
    "minigpt47blrv": "LRV-MiniGPT4-7b", "qwen2vl7b": "Qwen2vl-instruct-7b",
}  # fmt: skip
COLUMNS = {
    "Conflict": "contradiction", "Image": "image_only", "Text": "text_only",
    "Distractor": "distractor", "Incorrect": "none", "Overall": "overall",
}  # fmt: skip
JUDGES = {
    "judge: GPT-5": "gpt-5", "judge: Gemini": "gemini-2.5-pro",
    "judge: at least one": "at least one", "judge: Both": "all",
}  # fmt: skip


def _plain(model: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", model.lower())


def _printed(row: dict[str, str]) -> tuple[str | None, ...]:
    """A row of the printed tables as the seed has it: where it stands, and its figure."""
    matcher, condition, column = row["matcher"], row["condition"], row["column"]
    slice_name, slice_value, metric = "overall", "all", COLUMNS.get(column, "contradiction")
    benchmark, task = "clash", row["task"]
    if row["slice"].endswith("category"):
        slice_name = row["slice"].replace(" ", "_")
        slice_value = {"Vehicles": "transportation"}.get(column, column.lower())
    elif row["slice"] == "spatial":
        slice_name, slice_value = "change_type", "relation"
    elif matcher in JUDGES:
        matcher, slice_name, slice_value = "judge", "judges", JUDGES[matcher]
    elif condition == "both":
        condition = {"Conflict": "conflicting", "No conflict": "original"}.get(column, "both")
        metric = "image_only" if column == "No conflict" else metric
    elif row["table"] in ("14", "15"):
        benchmark = "pope" if row["table"] == "14" else column.lower()
        condition = column.lower() if row["table"] == "14" else "default"
        task = matcher = metric = "not named"
    model = _plain(SPELLINGS.get(_plain(row["model"]), row["model"]))
    return (
        benchmark, f"Table {row['table']}", model, task, condition, matcher, slice_name,
        slice_value, metric, row["value"], row["standard_deviation"],
    )  # fmt: skip


def test_the_seed_has_every_printed_figure() -> None:
    with (CLASH / "published_tables.csv").open(newline="") as text:
        printed = sorted(map(_printed, csv.DictReader(text)))
    seed = Path(__file__).parents[2] / "seeds/shared/published/published_results.csv"
    with seed.open(newline="") as text:
        held = sorted(
            (
                row["benchmark"], row["published_table"], _plain(row["published_model"]),
                row["task"], row["condition"], row["matcher"], row["slice_name"],
                row["slice_value"], row["metric"], row["value"], row["standard_deviation"],
            )
            for row in csv.DictReader(text) if row["published_table"].startswith("Table ")
        )  # fmt: skip
    assert held == printed
    assert len(held) == 465


def test_every_printed_figure_is_ours_or_says_why_not(scored: Warehouse) -> None:
    """Printed are means of resamples, so they differ by a part of the printed deviation."""
    rows = scored.rows("""
        select published_table, not_computed_because, difference, published_deviation
        from evaluation.evaluation__published_results
        where published_table like 'Table %'
    """)
    # the figures of Tables 8 and 9 fit other numbers of samples in a category
    tolerated = {
        "Table 8": 0.3, "Table 9": 0.45, "Table 10": 0.1, "Table 11": 0.1, "Table 12": 0.2,
        "Table 13": 0.2,
    }  # fmt: skip
    assert len(rows) == 465
    assert Counter(table for table, reason, *_ in rows if reason is None) == {
        "Table 8": 12, "Table 9": 12, "Table 10": 16, "Table 11": 16, "Table 12": 24,
        "Table 13": 24,
    }  # fmt: skip
    for table, reason, difference, deviation in rows:
        assert (difference is None) == (reason is not None), (table, reason)
        if reason is None:
            # none is printed beside a share of 0
            share = tolerated[str(table)] * float(str(deviation or 0))
            assert abs(float(str(difference))) <= max(0.005, share), (table, difference)


def test_models_of_one_caption_rank_among_each_other(scored: Warehouse) -> None:
    with scored.connect() as connection:
        found = [
            one
            for one in boards(connection, read_scores(connection, "clash"))
            if (one.task, one.condition) == ("open_ended", "conflicting")
        ]
    # one model was shown the original captions, too, and has whole samples
    assert [one.note for one in found] == ["", "no answers under original"]
    assert {score.model for row in found[0].rows for score in row.values()} >= {"llava-v1.5-7b"}
    assert found[1].lead.metric == "contradiction"
    assert [next(iter(row.values())).model for row in found[1].rows][:2] == [
        "gpt-5", "gpt-4.1-mini",
    ]  # fmt: skip


def test_samples_of_two_categories_count_in_neither(scored: Warehouse) -> None:
    counts = dict(
        scored.rows("""
        select slice_name, sum(n)
        from evaluation.evaluation__scores
        where model = 'gpt-5' and matcher = 'strict' and metric = 'none'
        group by slice_name
    """)
    )
    assert counts["overall"] == counts["change_type"] == 1_281
    assert counts["split"] == counts["origin"] == 1_281
    # 18 of the samples, all of which gpt-5 answered
    assert counts["object_category"] + counts["attribute_category"] == 1_281 - 18


def test_published_scores_stand_beside_ours(scored: Warehouse) -> None:
    rows = scored.rows("""
        select published_model, task, condition, metric, difference, n - published_n
        from evaluation.evaluation__published_results
        where own_value is not null and published_n is not null
    """)
    assert len({(model, task, condition) for model, task, condition, *_ in rows}) == 6
    # as printed, to two digits
    assert [row for row in rows if abs(row[4]) > 0.00501 or row[5]] == []


def test_a_leaderboard_of_two_tasks_is_drawn_task_by_task_with_both_matchers(
    scored: Warehouse, tmp_path: Path
) -> None:
    """Ranks are of one task: a weak model of one does not stand above a stronger one of another."""
    drawn = tmp_path / "leaderboard.svg"
    scored.gainsay("plot", "--benchmark", "clash", "leaderboard", drawn)
    words = drawn.read_text()

    # each of the two runs of multiple choice left another sample out, and the blind reader neither
    assert "<!-- clash, strict and relaxed, test, n = 1,281 to 1,282 -->" in words
    named = [
        "gemini-2.5-flash-lite", "gpt-5",
        "llava-v1.5-7b", "gpt-4.1-mini", "gpt-5", "internvl-1.5", "llava-v1.5-7b",
    ]  # fmt: skip
    found = [word for word in re.findall(r"<!-- (\S+) -->", words) if word in named]
    assert found == named
