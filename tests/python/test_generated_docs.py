"""The pages that `make docs` writes leave no rule out."""

import re
import runpy
from functools import cache
from types import SimpleNamespace

import pytest
import yaml
from PIL import Image

from tests.python.conftest import PROJECT

picture = SimpleNamespace(**runpy.run_path(str(PROJECT / "docs" / "picture.py")))
generate = SimpleNamespace(**runpy.run_path(str(PROJECT / "docs" / "generate.py")))
FINDINGS = """
select
    candidate_id,
    -- a crowd's outline covers an unknown number of people,
    -- so nothing in it can be counted
    not coalesce(
        has_crowd, false
    ) as passes_crowd,
    -- the masks fit the picture
    is_fitting as passes_masks,
    passes_pictures
from objects
"""


def test_the_picture_of_the_report_is_of_today() -> None:
    """Where this fails: `make demo`, and `python docs/picture.py data/demo/report.html`."""
    with Image.open(picture.PICTURE) as drawn:
        assert drawn.text[picture.KEY] == picture.drawn_by()  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The text of each page."""
    pages: dict[str, str] = generate.pages()
    return pages


@pytest.mark.parametrize(
    ("column", "rule"),
    [
        ("passes_crowd", "a crowd's outline covers an unknown number of people, so nothing in it can be counted"),  # noqa: E501
        ("passes_masks", "the masks fit the picture"),
        ("passes_pictures", ""),
        ("passes_nothing", ""),
    ],
)  # fmt: skip
def test_a_rule_is_the_comment_above_its_column(column: str, rule: str) -> None:
    assert generate.comment_above(column, FINDINGS) == rule


@pytest.mark.parametrize("benchmark", generate.benchmarks())
def test_a_page_names_every_rule_of_its_benchmark(pages: dict[str, str], benchmark: str) -> None:
    page = pages[f"{benchmark}_rules.md"]
    models = list(generate.models_of(benchmark))
    reasons = _cells(f"seeds/{benchmark}/{benchmark}__gates.csv", "reason")
    tests = [name for model in models for name in model.tests]
    seeds = [path.stem for path in (PROJECT / "seeds" / benchmark).glob("*.csv")]
    files = [path.stem for path in generate.models_folder(benchmark).rglob("*.sql")]
    named = [f"`{name}`" for name in (*seeds, *files, *_prefixed(benchmark))]

    assert min(map(len, (models, reasons, tests, files))) > 3
    assert len(seeds) > 1
    assert [text for text in (*reasons, *named) if text not in page] == []
    assert [name for name in tests if name.replace("_", " ").capitalize() not in page] == []


def test_every_var_has_a_comment() -> None:
    """The comment of a group stands above its first var, and says what they decide."""
    assert [variable.name for variable in generate.variables() if not variable.comment] == []


def test_the_page_of_questions_shows_every_text(pages: dict[str, str]) -> None:
    page = pages["reality_check_questions.md"]
    folder = "seeds/reality_check/reality_check_"
    texts = _cells(f"{folder}question_templates.csv", "text_en")
    texts += _cells(f"{folder}template_translations.csv", "text")

    assert len(texts) == 250
    assert [text for text in texts if text not in page] == []


def test_the_page_of_capabilities_is_of_its_file() -> None:
    """Where this fails: `make docs`, or `python docs/generate.py` alone."""
    assert generate.CAPABILITIES.read_text() == generate.capabilities()


def test_every_capability_has_a_state_a_place_and_a_reason() -> None:
    rows = generate._rows(generate.CAPABILITIES.with_suffix(".csv"))

    assert len(rows) > 150
    assert [row for row in rows if row["state"] not in generate.STATES] == []
    assert [row for row in rows if not row["where"] or not row["why"]] == []
    assert [row for row in rows if row["count"] and not row["query"]] == []
    assert len({(row["document"], row["capability"]) for row in rows}) == len(rows)
    assert [name for row in rows for name in _unknown(row["where"], row["why"])] == []


@pytest.mark.parametrize(
    ("where", "why", "unknown"),
    [
        ("conflict_suite__bases; audit__published_counts; gates; seeded_int; gs_render", "", ["gates"]),  # noqa: E501
        ("task_success; seed; docs/vision.md; raw.votes; gainsay score", "`unk_vqa`", []),
        ("conflict_suite__base; docs/visions.md", "", ["conflict_suite__base", "docs/visions.md"]),
        ("seed", "drop as `no_edit`, see `tests/python/test_no.py`", ["tests/python/test_no.py"]),
    ],
)  # fmt: skip
def test_a_place_that_is_not_there_is_found(where: str, why: str, unknown: list[str]) -> None:
    assert _unknown(where, why) == unknown


def test_pages_name_each_benchmark(pages: dict[str, str]) -> None:
    names = {f"{name}_rules.md" for name in generate.benchmarks()}

    assert pages.keys() == names | {"reality_check_questions.md"}


def _cells(path: str, column: str) -> list[str]:
    return [row[column] for row in generate._rows(PROJECT / path)]


def _prefixed(benchmark: str) -> list[str]:
    return [v.name for v in generate.variables_of(benchmark) if v.name.startswith(benchmark)]


def _unknown(where: str, why: str) -> list[str]:
    """What is named and is nowhere; commands are those of a page, which test_pages.py knows."""
    named = [name for name in where.split("; ") if not name.startswith(("gainsay ", "make "))]
    named += re.findall(r"`([^`]*/[^`]*)`", why)
    return [name for name in named if name not in _names() and not (PROJECT / name).exists()]


@cache
def _names() -> frozenset[str]:
    """Models, analyses, seeds, raw tables, macros, functions of the registry, vars and metrics."""
    macros = [path.read_text() for path in PROJECT.glob("macros/**/*.sql")]
    registry = (PROJECT / "python_udfs" / "registry.py").read_text()
    [raw] = yaml.safe_load((PROJECT / "models" / "staging" / "_sources.yml").read_text())["sources"]
    patterns = ("models/**/*.sql", "analyses/*.sql", "seeds/**/*.csv")
    return frozenset({
        *(path.stem for pattern in patterns for path in PROJECT.glob(pattern)),
        *(name for text in macros for name in re.findall(r"macro (\w+)\(", text)),
        *re.findall(r'"(gs_\w+)"', registry),
        *(variable.name for variable in generate.variables()),
        *_cells("seeds/evaluation/metrics.csv", "metric"),
        *(f"raw.{table['name']}" for table in raw["tables"]),
    })  # fmt: skip
