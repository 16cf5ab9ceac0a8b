"""Questions of a first minute, each answered by clicking as a person would.

What came out; which gate removed most, and was it right; a dropped and a retained record with what
was hidden; the SQL behind a number, copied; what changed between two builds.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from gainsay.foundation.connection import connect
from gainsay.python_udfs.pixels.masks import decode
from gainsay.report.page import report
from tests.python import image_specimens as specimens
from tests.python.chromium import chromium_in, set_width
from tests.python.conftest import PATIENCE, PROJECT, Warehouse
from tests.python.demos import Demo
from tests.python.review_server import until

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@dataclass
class Desk:
    """A person before the pages of one warehouse."""

    driver: Any
    warehouse: Warehouse
    address: str
    report: Path
    difference: Path

    def all(self, selector: str) -> list[Any]:
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def click(self, selector: str, text: str) -> None:
        """Click the first element of a selector that says something, once it is there."""
        from selenium.webdriver.support.ui import WebDriverWait

        def shown(_driver: Any) -> Any:
            hits = [one for one in self.all(selector) if one.is_displayed() and text in one.text]
            return hits[0] if hits else None

        element = WebDriverWait(self.driver, PATIENCE).until(shown, f"{selector}: {text}")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def rows(self, table: str) -> list[dict[str, str]]:
        """The rows of a table that is on the screen, by their headings."""
        found: list[dict[str, str]] = self.driver.execute_script(
            """
            const table = document.querySelector(arguments[0]);
            const heads = [...table.querySelectorAll("thead tr > *")];
            return [...table.querySelectorAll("tbody tr")].map((row) => Object.fromEntries(
              [...row.children].map((cell, place) => [
                heads[place].textContent.trim(), cell.innerText.trim()])));
            """,
            table,
        )
        return found

    def is_in_view(self, selector: str) -> bool:
        return bool(
            self.driver.execute_script(
                "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                " return box.top < innerHeight && box.bottom > 0",
                selector,
            )
        )

    def copied(self) -> str:
        text: str = self.driver.execute_async_script(
            "navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))"
        )
        return text


@pytest.fixture(scope="module")
def desk(tiny: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A small warehouse with a photograph, people's verdicts on one gate, and an earlier build."""
    folder = tmp_path_factory.mktemp("now")
    earlier = tiny.copied_to(tmp_path_factory.mktemp("earlier"))
    earlier.build(
        "--select", "conflict_suite__caption_findings", "conflict_suite__screened",
        "conflict_suite__manifest_entries", "conflict_suite__manifest", "audit__funnel",
        "audit__candidates", "report__stages", "report__manifests",
        "--vars", "{conflict_suite_consistency_filter: false}",
    )  # fmt: skip
    warehouse = tiny.copied_to(folder)
    photograph = folder / "photo.jpg"
    photograph.write_bytes(specimens.jpeg())
    with duckdb.connect(warehouse.path) as connection:
        # a view cannot be updated
        connection.execute(
            "create table photographed as"
            " select * replace ($path as path) from exports.exports__pictures",
            {"path": str(photograph)},
        )
        connection.execute("""
            drop view exports.exports__pictures;
            create table exports.exports__pictures as from photographed;
            drop table photographed;
        """)
        connection.execute("""
            update audit.audit__gate_precision
            set n = 50, n_right = 45, share = 0.9, low = 0.786398, high = 0.956524, n_readers = 2
            where benchmark = 'conflict_suite' and stage = 'family'
        """)
    pages = folder / "report.html", folder / "difference.html"
    with connect(read_only=True, path=warehouse.path) as connection:
        pages[0].write_bytes(report(connection, [], str(folder)))
        pages[1].write_bytes(report(connection, [], str(folder), earlier.path))
    process = subprocess.Popen(
        [sys.executable, "-m", "gainsay", "browse", "--no-browser", "--port", "0"],
        cwd=PROJECT,
        env=os.environ | {"GAINSAY_DB": str(warehouse.path), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    try:
        with chromium_in(tmp_path_factory.mktemp("profile")) as driver:
            set_width(driver, 1400)
            driver.execute_cdp_cmd(
                "Browser.grantPermissions",
                {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
            )
            yield Desk(driver, warehouse, address, *pages)
    finally:
        process.terminate()
        process.wait()


def test_what_was_built(desk: Desk) -> None:
    desk.driver.get(desk.report.as_uri())
    desk.click("nav a", "What passed")
    assert desk.is_in_view("#overview")
    shown = {
        row["screening"]: (row["retained"], row["candidates"])
        for row in desk.rows("#overview table")
    }
    built = desk.warehouse.rows(
        "select screening, sum(is_retained::int)::bigint, count(*) from audit.audit__candidates"
        " group by screening"
    )
    assert {name: (f"{kept:,}", f"{n:,}") for name, kept, n in built}.items() <= shown.items()


def test_which_gate_removed_most_and_was_it_right(desk: Desk) -> None:
    desk.driver.get(desk.report.as_uri())
    desk.click("nav ul ul a[href^='#removed']", "Conflict Suite")
    table = "#funnel-conflict_suite-conflict_suite table"
    dropped = [row for row in desk.rows(table) if row["stage"] not in ("candidates", "retained")]
    most = max(dropped, key=lambda row: int(row["ended"].replace(",", "")))
    [(stage, n)] = desk.warehouse.rows("""
        select stage, count(*) from audit.audit__candidates
        where benchmark = 'conflict_suite' and not is_retained
        group by stage order by count(*) desc limit 1
    """)
    assert (most["stage"], most["ended"]) == (stage, f"{n:,}")
    assert stage == "family"
    assert most["right people say"] == "90.0 % of 50 (78.6 to 95.7)"
    # and its records, to judge it oneself
    desk.click("details.drops summary", "family_filtered")
    assert len(desk.all("#drops-conflict_suite-conflict_suite-family .card, "
                        "#drops-conflict_suite-family .card")) > 3  # fmt: skip


@pytest.fixture
def desk_of_demo(desk: Desk, demo: Demo) -> Iterator[Desk]:
    """The same person before the demo, whose pictures have something hidden in them."""
    warehouse = Warehouse(demo.folder, demo.folder / "data/demo/gainsay.duckdb")
    with demo.served(demo.line("browse")) as (address, _):
        yield replace(desk, warehouse=warehouse, address=address)


@pytest.mark.parametrize("ended", ["dropped", "retained"])
def test_a_dropped_and_a_retained_record_with_what_was_hidden(
    desk_of_demo: Desk, ended: str
) -> None:
    desk = desk_of_demo
    # a stage whose candidates had come so far that they say what they would hide
    [(stage,)] = desk.warehouse.rows(f"""
        select coalesce(drop_stage, 'retained') as stage from occlusions.occlusions__screened
        where is_retained = {ended == "retained"}
        group by stage having bool_and(rle is not null or box_left is not null)
        order by count(*) desc, stage limit 1
    """)
    desk.driver.get(desk.address)
    desk.click("#facets a", "occlusions")
    desk.click("#facets a", str(stage).replace("_", " "))
    desk.click("#candidates > li > a", "")
    desk.click("#overlays label", "what is hidden")
    assert desk.driver.find_element("css selector", ".facts").text.startswith(ended)
    # the switch was on, and is off now
    hidden = desk.driver.find_element("css selector", ".overlay.covered path")
    assert not hidden.is_displayed()
    desk.click("#overlays label", "what is hidden")
    assert hidden.is_displayed()
    # the outline is that of the candidate, and lies on its photograph
    name = desk.driver.find_element("css selector", ".facts code").text
    [(rle, height, width, *box)] = desk.warehouse.rows(
        "select rle, image_height, image_width, box_left, box_top, box_width, box_height"
        f" from occlusions.occlusions__screened where candidate_id = '{name}'"
    )
    if rle is not None:
        rows, columns = np.nonzero(decode(str(rle), int(str(height)), int(str(width))))
        box = [columns.min(), rows.min(), np.ptp(columns), np.ptp(rows)]
    drawn = desk.driver.execute_script(
        "const box = arguments[0].getBBox(); return [box.x, box.y, box.width, box.height]", hidden
    )
    assert drawn == pytest.approx(list(map(int, map(str, box))), abs=1)
    overlaid = (
        "const [image, svg] = document.querySelectorAll('.stack > *');"
        " const [one, other] = [image, svg].map((each) => each.getBoundingClientRect());"
        " return image.naturalWidth > 0 && Math.abs(one.width - other.width) < 1"
        " && Math.abs(one.top - other.top) < 1"
    )
    until(lambda: desk.driver.execute_script(overlaid), "the photograph is there", desk.driver)
    # and what a retained one became is shown as it was rendered
    rendered = desk.all(".examples img")
    assert len(rendered) == (ended == "retained")
    for image in rendered:
        desk.driver.execute_script("arguments[0].scrollIntoView()", image)
        until(lambda image=image: image.get_property("naturalWidth") > 0, "loads", desk.driver)  # type: ignore[misc]


def test_the_sql_behind_a_number_copied(desk: Desk) -> None:
    desk.driver.get(f"{desk.address}/?benchmark=conflict_suite")
    desk.click("#facets a", "consistency")
    n = desk.driver.find_element("css selector", "#count").text.partition(" ")[0]
    desk.click(".copy", "Copy the SQL")
    desk.click(".copy", "Copied")
    rows = desk.warehouse.rows(desk.copied())
    assert f"{len(rows):,}" == n
    # the report's numbers have theirs
    desk.driver.get(desk.report.as_uri())
    desk.click("nav a", "What passed")
    desk.click("#overview .query summary", "Query")
    desk.click("#overview .copy", "")
    assert len(desk.warehouse.rows(desk.copied())) == len(desk.rows("#overview table"))


def test_what_changed_between_two_builds(desk: Desk) -> None:
    desk.driver.get(desk.difference.as_uri())
    desk.click("nav a", "What changed")
    first = desk.rows("#difference-stages table")[0]
    [(n,)] = desk.warehouse.rows(
        "select count(*) from conflict_suite.conflict_suite__screened"
        " where drop_stage = 'consistency'"
    )
    # the largest flow leads
    assert first["stage"] in ("consistency", "retained")
    assert abs(int(first["change"].replace(",", ""))) == n
    [move] = desk.rows("#moves-conflict_suite table")
    assert (move["stage before"], move["stage now"], move["candidates"]) == (
        "retained",
        "consistency",
        f"{n:,}",
    )
    assert len(desk.rows("#moved-conflict_suite table")) >= min(n, 12)
