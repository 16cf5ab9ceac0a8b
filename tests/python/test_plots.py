"""Pictures show what is scored, and are the same for the same scores."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.python.conftest import Warehouse, once


@pytest.fixture(scope="module")
def scored(shared_folder: Path, corpus: Path) -> Warehouse:
    """The references' answers to the synthetic corpus, scored by one command."""

    def make(folder: Path) -> None:
        warehouse = Warehouse(folder)
        warehouse.gainsay("land", corpus)
        shown = warehouse.gainsay("score", "--references").stdout
        (folder / "shown.txt").write_text(shown)

    return Warehouse(once(shared_folder, "plotted", make))


pytestmark = pytest.mark.xdist_group("plots")


def test_one_command_shows_the_leaderboard(scored: Warehouse) -> None:
    lines = (scored.folder / "shown.txt").read_text().splitlines()
    success = [line for line in lines if " task_success " in line]
    assert len(success) == 8
    assert "oracle (reference)" in success[0]
    assert "1.0000 ± 0.0000" in success[0]


@pytest.mark.parametrize("kind", ["risk-coverage", "reliability", "severity", "leaderboard"])
def test_every_model_is_in_the_picture(scored: Warehouse, tmp_path: Path, kind: str) -> None:
    png, svg, again = (tmp_path / name for name in ("a.png", "a.svg", "b.svg"))
    scored.gainsay("plot", kind, png, svg)
    scored.gainsay("plot", kind, again)

    assert svg.read_bytes() == again.read_bytes()
    with Image.open(png) as image:
        # text of 15 points stays above 7 when the picture is halved
        assert image.width >= 1_000
        assert len(image.convert("RGB").getcolors(2**24) or []) > 10
    comments = svg.read_text()
    named = {"oracle", "calibrated", "overconfident"}
    if kind in ("severity", "leaderboard"):
        named |= {"always_vision", "always_text", "majority", "random", "always_abstain"}
    assert {name for name in named if f"<!-- {name} -->" in comments} == named
    ElementTree.fromstring(comments)


def test_what_is_not_scored_cannot_be_drawn(scored: Warehouse, tmp_path: Path) -> None:
    process = scored.gainsay("plot", "modality", tmp_path / "a.png", check=False)
    assert process.returncode == 1
    assert "clash: no answers are scored; land answers and run `dbt build`" in process.stderr
    assert list(tmp_path.iterdir()) == []
