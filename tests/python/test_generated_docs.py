"""The pages that `make docs` writes leave no rule out."""

import runpy
from types import SimpleNamespace

import pytest
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


def test_pages_name_each_benchmark(pages: dict[str, str]) -> None:
    names = {f"{name}_rules.md" for name in generate.benchmarks()}

    assert pages.keys() == names | {"reality_check_questions.md"}


def _cells(path: str, column: str) -> list[str]:
    return [row[column] for row in generate._rows(PROJECT / path)]


def _prefixed(benchmark: str) -> list[str]:
    return [v.name for v in generate.variables_of(benchmark) if v.name.startswith(benchmark)]
