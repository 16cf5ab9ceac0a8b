"""The report in Chromium, opened from disk with the network off."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gainsay.report.page import report
from tests.python import image_specimens as specimens
from tests.python.chromium import chromium_in, set_colours, set_width, violations
from tests.python.conftest import PATIENCE, Warehouse
from tests.python.test_report import HOSTILE

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def page(tiny: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on disk with pictures and hostile texts."""
    folder = tmp_path_factory.mktemp("report")
    warehouse = tiny.copied_to(folder)
    (folder / "photo.jpg").write_bytes(specimens.jpeg())
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("""
            update report.report__example_pictures set picture_id = shown_image_id;
            delete from report.report__drop_examples where stage = 'consistency' and place > 5;
            delete from report.report__pictures;
        """)
        connection.execute(
            """
            insert into report.report__pictures
            select image_id, image_id, null, $path, null, null, 'Attribution', 'http://by',
                'javascript:alert(1)', 'shown'
            from (
                select shown_image_id as image_id from report.report__example_pictures
                union
                select source_image_id from report.report__drop_examples
            ) where image_id is not null
            """,
            {"path": str(folder / "photo.jpg")},
        )
        for place, text in enumerate(HOSTILE, start=6):
            connection.execute(
                """
                insert into report.report__drop_examples
                select benchmark, screening, stage, reason, $t || $p, $t, source_image_id, $t, $t,
                    $t, $t, [$t], [$t], $t, $p, false
                from report.report__drop_examples
                where benchmark = 'conflict_suite' and stage = 'consistency'
                limit 1
                """,
                {"t": text, "p": place},
            )
            connection.execute(
                "insert into report.report__distributions"
                " values ('conflict_suite', 'family', $t, 2, 5, 0.5)",
                {"t": text},
            )
        written = folder / "report.html"
        written.write_bytes(report(connection, [], folder))
    return written


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser without a network."""
    with chromium_in(tmp_path_factory.mktemp("profile")) as driver:
        driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
        )
        yield driver


def _open(driver: Any, page: Path, fragment: str = "", width: int = 1440) -> None:
    set_width(driver, width)
    # a fragment alone would not load the page anew
    driver.get("about:blank")
    for kind in ("browser", "performance"):
        driver.get_log(kind)
    driver.get(f"{page.as_uri()}{fragment}")


def test_it_asks_for_nothing_and_complains_of_nothing(chromium: Any, page: Path) -> None:
    _open(chromium, page)
    chromium.execute_script(
        "for (const fold of document.querySelectorAll('details')) fold.open = true"
    )
    messages = [
        json.loads(entry["message"])["message"] for entry in chromium.get_log("performance")
    ]
    asked = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert page.as_uri() in asked
    assert [url for url in asked if not url.startswith("data:") and url != page.as_uri()] == []
    assert chromium.get_log("browser") == []


def test_hostile_texts_do_nothing(chromium: Any, page: Path) -> None:
    from selenium.common.exceptions import NoAlertPresentException

    _open(chromium, page, "#drops-conflict_suite-consistency")
    text = chromium.find_element("tag name", "body").text
    assert HOSTILE[0] in text
    assert "a[U+202E]b[U+2066]c␀d␇e" in text
    assert chromium.find_elements("css selector", "a[href^=javascript]") == []
    with pytest.raises(NoAlertPresentException):
        chromium.switch_to.alert.dismiss()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_no_violation(chromium: Any, page: Path, scheme: str, width: int) -> None:
    set_colours(chromium, scheme)
    _open(chromium, page, "#drops-conflict_suite-consistency", width)
    assert violations(chromium) == []


def _open_all(driver: Any) -> None:
    """Open all folds, but for long cells, and wait until tables fit a narrow page."""
    driver.execute_script(
        "for (const fold of document.querySelectorAll('details:not(.whole)')) fold.open = true"
    )
    # two frames: folds say that they are open in the first, tables are fitted in the second
    driver.execute_async_script(
        "const done = arguments[0]; let left = 4;"
        " const wait = () => { left -= 1; if (left) requestAnimationFrame(wait); else done(); };"
        " setTimeout(wait)"
    )


@pytest.mark.parametrize("width", [360, 400, 768, 1400])
def test_nothing_is_wider_than_the_window(chromium: Any, page: Path, width: int) -> None:
    _open(chromium, page, "", width)
    _open_all(chromium)
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= width
    # what is wider scrolls in a box of its own
    boxes = chromium.execute_script(
        "return [...document.querySelectorAll('main table')].map((table) => {"
        " const box = table.parentElement.getBoundingClientRect();"
        " return [getComputedStyle(table.parentElement).overflowX, box.left, box.right]; })"
    )
    assert boxes
    assert all(flow == "auto" and 0 <= left <= right <= width for flow, left, right in boxes)
    # and on a telephone shows its rows as lists, which do not scroll at all
    if width <= 400:
        wider = chromium.execute_script(
            "return [...document.querySelectorAll('.scroll, pre')].filter((box) =>"
            " box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent.slice(0, 80))"
        )
        assert wider == []
        assert chromium.find_elements("css selector", ".scroll.listed")


def test_the_first_screens_say_what_came_out_and_the_rest_is_folded(
    chromium: Any, page: Path
) -> None:
    _open(chromium, page, "", 1400)
    assert chromium.execute_script("return document.documentElement.scrollHeight") < 4 * 900
    last = "return [...document.querySelectorAll('#outcome > .part')].at(-1)"
    assert chromium.execute_script(f"{last}.getBoundingClientRect().bottom") < 2 * 900
    assert chromium.execute_script(
        "return [...document.querySelectorAll('main > section:not(#outcome)')]"
        ".every((one) => one.querySelector('details.chapter:not([open])'))"
    )
    # and a link of the contents opens what it leads to
    chromium.find_element("css selector", "nav a[href='#distributions']").click()
    assert chromium.find_element("css selector", "#distributions .intro").is_displayed()


def test_a_long_cell_shows_its_first_lines_until_it_is_opened(chromium: Any, page: Path) -> None:
    _open(chromium, page)
    _open_all(chromium)
    cells = chromium.find_elements("css selector", "td .whole")
    assert cells
    heights = "return [...document.querySelectorAll('td .whole')].map((one) => one.clientHeight)"
    line = chromium.execute_script(
        "return parseFloat(getComputedStyle(arguments[0]).lineHeight)", cells[0]
    )
    assert max(chromium.execute_script(heights)) <= 4 * line
    [longest] = sorted(cells, key=lambda cell: len(cell.get_property("textContent")))[-1:]
    shown = longest.size["height"]
    longest.find_element("css selector", "summary").click()
    assert longest.size["height"] > shown


def _shown(driver: Any) -> list[str]:
    """The names of the cards that the filter leaves."""
    names: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('.card:not([hidden]) .name bdi')]"
        ".map((name) => name.textContent)"
    )
    return names


def test_the_filter_is_in_the_fragment(chromium: Any, page: Path) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    _open(chromium, page)
    everything = _shown(chromium)
    chromium.find_element("id", "filter").send_keys("ONERROR")
    WebDriverWait(chromium, PATIENCE).until(lambda driver: "filter=" in driver.current_url)
    [name] = _shown(chromium)
    assert name.startswith("<img src=x onerror")
    found = chromium.find_element("id", "found").text
    assert found == f"1 of {len(everything)} records on this page"
    fragment = chromium.current_url.partition("#")[2]
    _open(chromium, page, f"#{fragment}")
    assert _shown(chromium) == [name]
    # the fold around it is open
    assert chromium.find_element("css selector", ".card:not([hidden])").is_displayed()


def test_enter_goes_to_what_the_filter_found(chromium: Any, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    _open(chromium, page)
    chromium.find_element("id", "filter").send_keys("onerror")
    WebDriverWait(chromium, PATIENCE).until(lambda driver: "filter=" in driver.current_url)
    assert chromium.execute_script("return CSS.highlights.get('found').size") >= 1
    chromium.find_element("id", "filter").send_keys(Keys.ENTER)
    # it opens the folds around the first card that is left, and scrolls to it
    [card] = chromium.execute_script(
        "return [...document.querySelectorAll('.card')].filter((card) => !card.hidden).slice(0, 1)"
    )
    assert card.is_displayed()
    WebDriverWait(chromium, PATIENCE).until(
        lambda driver: driver.execute_script(
            "const box = arguments[0].getBoundingClientRect();"
            " return box.bottom > 0 && box.top < innerHeight",
            card,
        )
    )


def test_a_link_opens_the_folds_around_its_target(chromium: Any, page: Path) -> None:
    _open(chromium, page)
    card = chromium.find_element("css selector", ".drops .card")
    assert not card.is_displayed()
    _open(chromium, page, f"#{card.get_attribute('id')}")
    assert chromium.find_element("css selector", ".drops .card").is_displayed()


def test_tables_sort_by_number_and_the_order_is_in_the_fragment(chromium: Any, page: Path) -> None:
    _open(chromium, page, "#overview")
    find = "#overview th[data-column=n_candidates]"
    chromium.find_element("css selector", f"{find} button").click()

    def column() -> list[int]:
        cells = chromium.execute_script(
            "const place = document.querySelector(arguments[0]).cellIndex;"
            "return [...document.querySelectorAll('#overview tbody tr')]"
            ".map(row => row.cells[place].textContent)",
            find,
        )
        return [int(cell.replace(",", "")) for cell in cells]

    assert column() == sorted(column(), reverse=True)
    assert chromium.find_element("css selector", find).get_attribute("aria-sort") == "descending"
    ordered = column()
    _open(chromium, page, f"#{chromium.current_url.partition('#')[2]}")
    assert column() == ordered
    chromium.find_element("css selector", f"{find} button").click()
    assert column() == ordered[::-1]


def test_a_record_is_enlarged_and_keys_go_on(chromium: Any, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    _open(chromium, page, "#drops-conflict_suite-consistency")
    fold = chromium.find_element("id", "drops-conflict_suite-consistency")
    names = [name.text for name in fold.find_elements("css selector", ".name bdi")]
    zoom = fold.find_element("css selector", ".zoom")
    zoom.click()
    dialog = chromium.find_element("id", "lightbox")
    assert dialog.is_displayed()
    assert dialog.find_element("css selector", ".name").text.startswith(names[0])
    chromium.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert dialog.find_element("css selector", ".name").text.startswith(names[1])
    chromium.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not dialog.is_displayed()


def test_it_prints(chromium: Any, page: Path) -> None:
    _open(chromium, page)
    printed = chromium.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert printed["data"].startswith("JVBERi0")
    # what is folded is printed, too, and is folded again
    n_closed = "return document.querySelectorAll('main details:not([open])').length"
    before = chromium.execute_script(n_closed)
    chromium.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert (before > 0, chromium.execute_script(n_closed)) == (True, 0)
    chromium.execute_script("dispatchEvent(new Event('afterprint'))")
    assert chromium.execute_script(n_closed) == before
