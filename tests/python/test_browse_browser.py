"""The pages of candidates in Chromium: by keys alone, on a telephone, in the dark."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.python.browse_warehouse import write_browse_warehouse
from tests.python.chromium import chromium_in, set_colours, set_width, violations
from tests.python.conftest import PATIENCE, PROJECT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where `gainsay browse` serves."""
    folder = tmp_path_factory.mktemp("browse")
    path = write_browse_warehouse(folder / "gainsay.duckdb")
    process = subprocess.Popen(
        [sys.executable, "-m", "gainsay", "browse", "--no-browser", "--port", "0"],
        cwd=PROJECT,
        env=os.environ | {"GAINSAY_DB": str(path), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait()


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium_in(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def press(driver: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(driver).send_keys(key).perform()


def wait_for(driver: Any, condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(driver, PATIENCE).until(
        lambda browser: browser.execute_script(f"return {condition}")
    )


def test_a_reader_goes_by_keys_from_the_list_to_a_record_and_back(
    driver: Any, address: str
) -> None:
    from selenium.webdriver.common.keys import Keys

    set_width(driver, 1400)
    driver.get(f"{address}/?stage=retained&sort=id")
    press(driver, "j", "j", "k", "j", Keys.ENTER)
    wait_for(driver, "document.title.startsWith('vqa-002')")
    shown = "[...document.querySelectorAll('.overlay')].map((one) => getComputedStyle(one).display)"
    assert driver.execute_script(f"return {shown}") == ["none", "none"]
    press(driver, "2")
    assert (
        driver.execute_script(
            "return getComputedStyle(document.querySelector('.overlay.masks')).display"
        )
        == "inline"
    )
    press(driver, Keys.ARROW_RIGHT)
    wait_for(driver, "document.title.startsWith('vqa-003')")
    press(driver, "u")
    wait_for(driver, "document.title.startsWith('3 candidates')")


def test_a_key_copies_the_sql(driver: Any, address: str) -> None:
    driver.get(f"{address}/?q=zebra")
    driver.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": address},
    )
    press(driver, "c")
    wait_for(driver, "document.querySelector('.copy').textContent.includes('Copied')")
    copied = driver.execute_async_script(
        "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"
    )
    assert copied.startswith("select *\nfrom audit.audit__candidates\nwhere")


def test_words_are_searched_and_the_order_is_chosen(driver: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    driver.get(f"{address}/?family=existence")
    press(driver, "/", "zebra", Keys.ENTER)
    wait_for(driver, "location.search.includes('q=zebra')")
    wait_for(driver, "document.title.startsWith('1 candidate ')")
    assert "family=existence" in driver.current_url
    Select(driver.find_element("id", "sort")).select_by_value("question")
    wait_for(driver, "location.search.includes('sort=question')")
    assert "q=zebra" in driver.current_url


def test_two_clicks_lead_to_what_models_are_at_odds_about(driver: Any, address: str) -> None:
    driver.get(address)
    link = "[...document.querySelectorAll('#facets a')].find((a) => a.textContent === 'disagree')"
    driver.execute_script(f"{link}.click()")
    wait_for(driver, "document.title.startsWith('1 candidate ')")
    driver.find_element("css selector", "#candidates > li > a").click()
    wait_for(driver, "document.title.startsWith('vqa-001')")
    title = driver.find_element("id", "answers-title").text
    assert title == "Answers of models, at odds about 1 of 1 examples"
    # on a telephone, too, one sees which model said what, and what it was worth
    set_width(driver, 400)
    row = driver.find_element("css selector", ".answers tr.odds")
    credit = row.find_element("css selector", ".number").rect
    assert credit["x"] + credit["width"] <= 400
    set_width(driver, 1400)


def test_marks_are_made_by_a_key_and_kept_by_the_browser(driver: Any, address: str) -> None:
    driver.get(f"{address}/?stage=retained&sort=id")
    press(driver, "j", "j", "m")
    assert driver.find_element("id", "marked").text == "Marked (1)"
    driver.get(f"{address}/candidate?of=clash&in=clash&candidate_id=clash-1")
    press(driver, "m")
    assert driver.find_element("id", "mark").get_attribute("aria-pressed") == "true"
    driver.find_element("id", "marked").click()
    wait_for(driver, "document.title.startsWith('2 marked')")
    assert driver.find_element("id", "ids-1").text.split() == [
        "conflict_suite::conflict_suite::vqa-002", "clash::clash::clash-1",
    ]  # fmt: skip
    assert violations(driver) == []
    driver.find_element("id", "unmark").click()
    wait_for(driver, "document.title.startsWith('0 marked')")
    driver.get(address)
    assert not driver.find_element("id", "marked").is_displayed()


def test_keys_do_nothing_while_somebody_types(driver: Any, address: str) -> None:
    driver.get(address)
    press(driver, "/", "c", "u", "j")
    assert driver.execute_script("return document.querySelector('#q').value") == "cuj"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
def test_pages_fit_and_break_no_rule_of_accessibility(
    driver: Any, address: str, width: int, scheme: str
) -> None:
    set_width(driver, width)
    set_colours(driver, scheme)
    for path in (
        "/",
        "/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-002",
        "/boards",
        "/marked?mark=conflict_suite::conflict_suite::vqa-002",
        "/?sort=nothing",
    ):
        driver.get(address + path)
        assert violations(driver) == []
        assert driver.execute_script(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    errors = [
        entry["message"]
        for entry in driver.get_log("browser")
        if "Content Security Policy" in entry["message"] or "Uncaught" in entry["message"]
    ]
    assert errors == []
