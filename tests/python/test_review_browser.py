"""The review page in Chromium: keys, undo, votes that wait, two readers, a server that dies."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.python.chromium import chromium_in, set_colours, set_width, violations
from tests.python.review_server import Json, ReviewServer, review_server, until
from tests.python.review_warehouse import (
    ARABIC,
    HOSTILE,
    JAPANESE,
    VALIDATION,
    VERIFICATION,
    write_review_warehouse,
)

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Browsers by the names of who sits before them."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        drivers: dict[str, Any] = {}

        def driver(name: str) -> Any:
            if name not in drivers:
                profile = tmp_path_factory.mktemp(name)
                drivers[name] = stack.enter_context(chromium_in(profile))
            return drivers[name]

        yield driver


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ReviewServer]:
    warehouse = write_review_warehouse(tmp_path / "gainsay.duckdb", 12)
    with review_server(warehouse, "--no-land") as running:
        yield running


class Desk:
    """A person before the page."""

    def __init__(
        self, driver: Any, server: ReviewServer, name: str, queue: tuple[str, str]
    ) -> None:
        self.driver, self.server = driver, server
        set_width(driver, 1440)
        driver.get_log("browser")
        driver.get(f"{server.address}/#{queue[0]}/{queue[1]}")
        until(lambda: self.shows("#name") or self.shows("#work"), "the page opens", driver)
        if self.shows("#name"):
            self.find("#name").send_keys(name, "\n")
        self.wait_for(lambda: self.shows("#work"), "a record is shown")

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def shows(self, selector: str) -> bool:
        return any(element.is_displayed() for element in self.all(selector))

    def text(self, selector: str) -> str:
        text: str = self.find(selector).text
        return text

    def press(self, *keys: str) -> None:
        for key in keys:
            self.wait_for(lambda: not self.all("#decide[aria-busy]"), "the record can be answered")
            self.driver.switch_to.active_element.send_keys(key)

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        until(condition, what, self.driver)

    @property
    def record(self) -> str:
        return self.text("#record-id") if self.shows("#work") else ""

    def wait_for_another(self, record: str) -> None:
        self.wait_for(lambda: self.record not in ("", record), f"another record than {record}")

    def wait_until_kept(self, n_events: int) -> list[Json]:
        self.wait_for(lambda: len(self.server.events()) == n_events, f"{n_events} events are kept")
        return self.server.events()

    def unsent(self) -> list[str]:
        keys: list[str] = self.driver.execute_script(
            "return Object.keys(localStorage).filter(key => key.startsWith('gainsay-review|'))"
        )
        return keys

    @property
    def decisions(self) -> list[str]:
        texts: list[str] = self.driver.execute_script(
            "return [...document.querySelectorAll('#decisions .given')]"
            ".map((given) => given.textContent)"
        )
        return texts


def test_every_key_does_what_it_says(profiles: Callable[[str], Any], server: ReviewServer) -> None:
    from selenium.webdriver.common.keys import Keys

    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    first = ann.record
    ann.press("a")
    ann.wait_for_another(first)
    second = ann.record
    # a number, an answer that wants a note, and its note
    ann.press("1")
    ann.wait_for_another(second)
    third = ann.record
    ann.press("2")
    ann.wait_for(lambda: ann.shows("#note"), "the page asks why")
    ann.press("a b f x ?", Keys.ENTER)
    ann.wait_for_another(third)
    events = ann.wait_until_kept(3)
    assert [(event["record_id"], event["answer"], event["note"]) for event in events] == [
        (first, "keep", None), (second, "wrong_category", None),
        (third, "wrong_answer", "a b f x ?"),
    ]  # fmt: skip

    # escape takes an answer back that waits for its note
    fourth = ann.record
    ann.press("2")
    ann.wait_for(lambda: ann.shows("#note"), "the page asks why")
    ann.press(Keys.ESCAPE)
    assert not ann.shows("#keep")
    # f flags and takes the flag back
    ann.press("f")
    assert ann.find("#flag").get_attribute("aria-pressed") == "true"
    ann.press("f")
    assert ann.find("#flag").get_attribute("aria-pressed") == "false"
    events = ann.wait_until_kept(5)
    assert [event["kind"] for event in events[3:]] == ["vote", "undo"]
    assert ann.record == fourth
    # n writes a note that goes with the next answer
    ann.press("n")
    ann.press("seen", Keys.ENTER)
    ann.press("x")
    ann.wait_for_another(fourth)
    assert ann.wait_until_kept(6)[-1]["note"] == "seen"


def test_a_double_tap_answers_one_record(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    """The second key comes before anybody has seen the record that it would answer."""
    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    first = ann.record
    ann.wait_for(lambda: not ann.all("#decide[aria-busy]"), "the record can be answered")
    ann.driver.execute_script("""
        const tap = () => document.body.dispatchEvent(
          new KeyboardEvent("keydown", {key: "a", code: "KeyA", bubbles: true}));
        const id = () => document.getElementById("record-id").textContent;
        const first = id();
        tap();
        const again = () => (id() === first ? requestAnimationFrame(again) : tap());
        again();
    """)
    ann.wait_for_another(first)
    second = ann.record
    ann.press("x")
    ann.wait_for_another(second)
    assert [event["record_id"] for event in ann.wait_until_kept(2)] == [first, second]


def test_keys_that_decide_nothing(profiles: Callable[[str], Any], server: ReviewServer) -> None:
    from selenium.webdriver.common.keys import Keys

    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    # what is skipped comes again after all others
    first = ann.record
    ann.press(" ")
    ann.wait_for_another(first)
    # ? shows the keys, which answer nothing while they are shown
    ann.press("?")
    ann.wait_for(lambda: ann.shows("#help"), "the keys are shown")
    ann.press("a")
    ann.press(Keys.ESCAPE)
    assert not ann.shows("#help")
    assert server.events() == []

    # + - 0 zoom, arrows move
    def transform() -> str:
        style: str = ann.find(".frame img").get_attribute("style")
        return style

    ann.press("+")
    zoomed = transform()
    assert "scale(1.5)" in zoomed
    ann.press(Keys.ARROW_LEFT)
    assert transform() != zoomed
    ann.press(Keys.ARROW_RIGHT)
    assert transform() == zoomed
    ann.press("-")
    assert "scale(1)" in transform()
    ann.press("+", "+", "0")
    assert "scale(1)" in transform()
    while ann.record != first:
        before = ann.record
        ann.press("a")
        ann.wait_for_another(before)
    ann.press("a")
    done = "All 12 records are decided."
    ann.wait_for(lambda: done in ann.text("#message-text"), done)
    assert ann.driver.get_log("browser") == []


def test_undo_by_key_and_in_the_list(profiles: Callable[[str], Any], server: ReviewServer) -> None:
    from selenium.webdriver.common.keys import Keys

    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    seen = []
    for _ in range(3):
        seen.append(ann.record)
        ann.press("a")
        ann.wait_for_another(seen[-1])
    fourth = ann.record
    assert ann.decisions == ["Keep"] * 3
    ann.press(Keys.BACKSPACE)
    ann.wait_for(lambda: ann.record == seen[2], "the record is shown again")
    ann.press("x")
    # what was on the screen comes back
    ann.wait_for(lambda: ann.record == fourth, "the record before the undo")
    assert ann.decisions == ["Drop", "Keep", "Keep"]
    ann.find("#decisions li:nth-child(3) button").click()
    ann.wait_for(lambda: ann.record == seen[0], "the oldest decision is shown again")
    events = ann.wait_until_kept(6)
    assert [event["undoes"] for event in events if event["kind"] == "undo"] == [
        events[2]["event_id"], events[0]["event_id"],
    ]  # fmt: skip
    # after a reload the server says the same
    ann.driver.refresh()
    ann.wait_for(lambda: ann.record == seen[0], "the record that is open again")
    ann.wait_for(lambda: ann.decisions == ["Drop", "Keep"], "the decisions that stand")


def test_several_questions_of_a_record(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    from selenium.webdriver.common.keys import Keys

    ann = Desk(profiles("ann"), server, "ann", VALIDATION)
    first = ann.record
    assert [element.text for element in ann.all("#texts mark")] == ["black", "white"]
    assert [element.text for element in ann.all("#choices .letter")] == list("ABCD")
    ann.press("a", "a")
    # a reload forgets nothing
    ann.wait_until_kept(2)
    ann.driver.refresh()
    ann.wait_for(lambda: ann.record == first, "the same record")
    assert ann.text("#asked") == "Is the question clear?"
    ann.press(Keys.BACKSPACE)
    assert ann.text("#asked") == "Is the change plausible and objective?"
    ann.press("x")
    ann.press("far off", Keys.ENTER)
    ann.press("a")
    ann.wait_for_another(first)
    events = ann.wait_until_kept(5)
    assert [(event["kind"], event["question"], event["answer"]) for event in events[2:]] == [
        ("undo", "is_plausible", None), ("vote", "is_plausible", "no"),
        ("vote", "is_question_clear", "yes"),
    ]  # fmt: skip


def test_a_key_that_is_held_and_keys_of_the_browser(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    first = ann.record
    ann.driver.execute_script(
        "for (const more of [{repeat: true}, {ctrlKey: true}, {metaKey: true}, {altKey: true},"
        " {isComposing: true}])"
        " document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'a', code: 'KeyA', bubbles: true, ...more}))"
    )
    ActionChains(ann.driver).key_down(Keys.CONTROL).send_keys("x").key_up(Keys.CONTROL).perform()
    assert (ann.record, server.events()) == (first, [])
    # space on a button presses it and does not skip
    ann.driver.execute_script("document.getElementById('flag').focus()")
    ann.press(" ")
    assert ann.wait_until_kept(1)[0]["question"] == "flag"
    assert ann.record == first
    # a keyboard of another script gives the letter at that place
    ann.driver.execute_script(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'ф', code: 'KeyA', bubbles: true}))"
    )
    ann.wait_for_another(first)
    # without keys, letters do nothing
    ann.press("?")
    ann.find("#keys-on").click()
    ann.press(Keys.ESCAPE)
    second = ann.record
    ann.press("x")
    assert (ann.record, len(ann.wait_until_kept(2))) == (second, 2)
    ann.press("?")
    ann.find("#keys-on").click()


def test_a_vote_that_is_not_sent_survives_a_reload_and_a_kill(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    first = ann.record
    ann.press("a")
    ann.wait_for_another(first)
    ann.wait_for(lambda: not ann.unsent(), "the first vote is acknowledged")
    second = ann.record
    server.kill()
    ann.press("x")
    ann.wait_for(lambda: ann.text("#unsent").startswith("1 unsent"), "the page says 1 unsent")
    [waiting] = ann.unsent()
    # the next record was fetched before; its vote waits, too
    ann.wait_for_another(second)
    ann.press("a")
    ann.wait_for(lambda: ann.text("#unsent").startswith("2 unsent"), "the page says 2 unsent")
    server.start()
    ann.driver.refresh()
    events = ann.wait_until_kept(3)
    assert [event["answer"] for event in events] == ["keep", "drop", "keep"]
    assert waiting.endswith(events[1]["event_id"])
    ann.wait_for(lambda: not ann.unsent() and not ann.text("#unsent"), "nothing is unsent")
    ann.wait_for(lambda: len(ann.decisions) == 3, "all three are decided")


def _ann_on_a_full_disk(profiles: Callable[[str], Any], server: ReviewServer) -> tuple[Desk, str]:
    """A reader whose first vote the server could not keep, and the record it is on."""
    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    server.limit_files(10)
    first = ann.record
    ann.press("a")
    ann.wait_for(
        lambda: ann.text("#unsent") == "1 unsent: the server's disk is full", "the page says so"
    )
    return ann, first


def test_the_list_keeps_what_a_reader_points_at(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    ann, first = _ann_on_a_full_disk(profiles, server)
    undo = ann.find("#decisions li button")
    # neither what is decided next nor that it was sent makes the button anew
    ann.wait_for_another(first)
    second = ann.record
    ann.press("a")
    ann.wait_for_another(second)
    ann.driver.execute_script("arguments[0].focus()", undo)
    server.limit_files()
    ann.wait_until_kept(2)
    ann.wait_for(lambda: "unsent" not in ann.text("#decisions"), "nothing is unsent")
    assert ann.all("#decisions li button")[1] == undo
    assert ann.driver.switch_to.active_element == undo
    undo.click()
    ann.wait_for(lambda: ann.record == first, "the first record is shown again")
    assert ann.decisions == ["Keep"]


def test_a_full_disk_is_said_and_nothing_is_acknowledged(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    ann, first = _ann_on_a_full_disk(profiles, server)
    assert server.events() == []
    assert "unsent" in ann.text("#decisions")
    ann.driver.refresh()
    ann.wait_for_another(first)
    ann.wait_for(lambda: "disk is full" in ann.text("#unsent"), "it says so after a reload")
    assert len(ann.unsent()) == 1
    server.limit_files()
    assert [event["record_id"] for event in ann.wait_until_kept(1)] == [first]
    ann.wait_for(lambda: ann.text("#unsent") == "", "nothing is unsent")


def test_killed_amid_40_votes_and_started_again(
    profiles: Callable[[str], Any], tmp_path: Path
) -> None:
    warehouse = write_review_warehouse(tmp_path / "gainsay.duckdb", 40, pictures=False)
    with review_server(warehouse, "--no-land") as server:
        ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
        # a reader who is as fast as the page, and never waits for an answer
        ann.driver.execute_script("""
            const voting = setInterval(() => {
              if (document.getElementById("work").hidden) return;
              document.body.dispatchEvent(
                new KeyboardEvent("keydown", {key: "a", code: "KeyA", bubbles: true}));
            }, 1);
        """)
        for n_kept in (8, 24):
            ann.wait_for(lambda n=n_kept: len(server.events()) >= n, f"{n_kept} are kept")  # type: ignore[misc]
            server.kill()
            server.start()
        done = "All 40 records are decided."
        ann.wait_for(lambda: done in ann.text("#message-text") and not ann.unsent(), done)
        events = server.events()
        assert len({event["event_id"] for event in events}) == len(events) == 40
        assert len({event["record_id"] for event in events}) == 40


def test_two_readers_at_once_are_blind(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    from selenium.webdriver.common.keys import Keys

    ann = Desk(profiles("ann"), server, "ann", VALIDATION)
    bob = Desk(profiles("bob"), server, "bob", VALIDATION)
    # three readers are wanted, so both see the same one
    first = ann.record
    assert bob.record == first
    ann.press("x")
    ann.press("ann's secret", Keys.ENTER)
    ann.press("a", "a")
    ann.wait_for_another(first)
    ann.wait_until_kept(3)
    bob.driver.refresh()
    bob.wait_for(lambda: bob.record == first, "bob's record")
    assert bob.decisions == []
    assert "secret" not in bob.driver.page_source
    assert [element.text for element in bob.all("#questions .given")] == ["", "", ""]
    bob.press("a", "a", "a")
    bob.wait_for_another(first)
    assert bob.record == ann.record
    readers = [event["reader"] for event in bob.wait_until_kept(6)]
    assert readers == ["ann"] * 3 + ["bob"] * 3
    # one vote is enough here, so they share the work
    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    bob = Desk(profiles("bob"), server, "bob", VERIFICATION)
    assert bob.record != ann.record


def test_an_adjudicator_settles_and_readers_stay_blind(
    profiles: Callable[[str], Any], tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    warehouse = write_review_warehouse(tmp_path / "gainsay.duckdb", 4)
    server = ReviewServer(warehouse, "--no-land", "--adjudicator", "kim")
    links = [line.partition(": ")[2] for line in server.start() if line.startswith("kim: ")]
    try:
        for name, plausible in (("ann", "a"), ("bob", "x"), ("eve", "a")):
            reader = Desk(profiles(name), server, name, VALIDATION)
            assert not reader.shows("#agreement")
            first = reader.record
            reader.press("a", plausible)
            if plausible == "x":
                reader.press("too far off", Keys.ENTER)
            reader.press("a")
            reader.wait_for_another(first)
        driver = profiles("kim")
        driver.get(links[0])
        kim = Desk(driver, server, "kim", VALIDATION)
        assert kim.record == first
        assert kim.text("#asked") == "Is the change plausible and objective?"
        assert kim.text("#readers-said").splitlines() == [
            "2 of 3: Yes", "1 of 3: No", "“too far off”",
        ]  # fmt: skip
        assert "0 of 1 disagreements settled" in kim.text("#progress-text")
        kim.wait_for(lambda: "0.33" in kim.text("#agreement-rows"), "how far they agree")
        for width in (400, 1440):
            set_width(driver, width)
            assert violations(driver) == []
            assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        kim.press("x")
        kim.press("one colour", Keys.ENTER)
        kim.wait_for(lambda: "1 of 1 disagreements" in kim.text("#message-text"), "it is settled")
        ruling = kim.wait_until_kept(10)[-1]
        assert (ruling["kind"], ruling["reader"], ruling["answer"]) == ("ruling", "kim", "no")
        # it can be taken back with a key
        kim.press(Keys.BACKSPACE)
        kim.wait_for(lambda: kim.record == first, "it is open again")
        ann = Desk(profiles("ann"), server, "ann", VALIDATION)
        assert "too far off" not in ann.driver.page_source
        assert "settled" not in ann.text("#progress-text")
    finally:
        server.kill()


def test_a_queue_of_several_languages_is_read_one_by_one(
    profiles: Callable[[str], Any], tmp_path: Path
) -> None:
    import duckdb

    warehouse = write_review_warehouse(tmp_path / "gainsay.duckdb", 12)
    with duckdb.connect(warehouse) as connection:
        # the hostile text has no language
        connection.execute("delete from review.review__records where draw % 4 = 3")
    with review_server(warehouse, "--no-land") as server:
        _read_by_language(Desk(profiles("ann"), server, "ann", VERIFICATION))


def _read_by_language(ann: Desk) -> None:
    options = [option.text for option in ann.all("#language option")]
    assert options == ["English (3)", "Arabic (3)", "Japanese (3)", "all languages"]
    assert {text.get_attribute("lang") for text in ann.all("#texts dd")} == {"en"}
    ann.find("#language option[value=ar]").click()
    for _ in range(3):
        ann.wait_for(lambda: ann.all("#texts [lang=ar]") != [], "an Arabic text")
        record = ann.record
        ann.press("a")
        ann.wait_for(lambda before=record: ann.record != before, "the next one")
    ann.wait_for(lambda: "in this language" in ann.text("#message-title"), "no more Arabic")
    ann.find("#language option[value='']").click()
    ann.wait_for(lambda: ann.shows("#work"), "others are left")


def test_a_record_without_pictures_leaves_no_room_for_them(
    profiles: Callable[[str], Any], tmp_path: Path
) -> None:
    warehouse = write_review_warehouse(tmp_path / "gainsay.duckdb", 12, pictures=False)
    with review_server(warehouse, "--no-land") as server:
        ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
        assert not ann.shows("#pictures")
        # what there is stands in the middle, as wide as the page leaves it
        around, width = ann.driver.execute_script(
            "const box = document.querySelector('#panel').getBoundingClientRect();"
            " return [[box.left, innerWidth - box.right], box.width]"
        )
        assert around[0] == pytest.approx(around[1], abs=20)
        assert width > 600


def test_another_reader_in_the_same_browser_takes_no_votes_along(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    ann, _ = _ann_on_a_full_disk(profiles, server)
    ann.find("#change-reader").click()
    assert "1 unsent of ann" in ann.text("#others-unsent")
    ann.find("#name").send_keys("carol", "\n")
    ann.wait_for(lambda: ann.text("#reader") == "carol", "carol is here")
    server.limit_files()
    ann.wait_for(lambda: ann.shows("#work"), "a record is shown")
    record = ann.record
    ann.press("x")
    ann.wait_for_another(record)
    assert [event["reader"] for event in ann.wait_until_kept(1)] == ["carol"]
    ann.find("#change-reader").click()
    ann.find("#name").send_keys("ann", "\n")
    assert [event["reader"] for event in ann.wait_until_kept(2)] == ["carol", "ann"]


def test_a_rebuilt_record_is_said_to_be_stale(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    import duckdb

    ann = Desk(profiles("ann"), server, "ann", VERIFICATION)
    first = ann.record
    server.kill()
    ann.press("a")
    with duckdb.connect(server.warehouse) as connection:
        connection.execute(
            "update review.review__records set record_md5 = md5(record_md5) where record_id = ?",
            [first],
        )
    server.start()
    ann.wait_for(lambda: "has been rebuilt" in ann.text("#notices"), "the page says so")
    ann.wait_until_kept(1)
    ann.driver.refresh()
    ann.wait_for(lambda: ann.record == first, "the record comes again")


def test_texts_of_every_script_and_hostile_ones(
    profiles: Callable[[str], Any], server: ReviewServer
) -> None:
    ann = Desk(profiles("ann"), server, "ann", VALIDATION)
    set_colours(ann.driver, "light")
    for place in range(4):
        texts = {element.get_attribute("lang"): element for element in ann.all("#texts dd")}
        if place == 1:
            assert texts["ar"].text == ARABIC
            assert texts["ar"].get_attribute("dir") == "rtl"
            aligned = "return getComputedStyle(arguments[0]).direction"
            assert ann.driver.execute_script(aligned, texts["ar"]) == "rtl"
        if place == 2:
            assert texts["ja"].text == JAPANESE
            assert ann.find("#texts [lang=ja] mark").text == "黒い"
        if place == 3:
            assert ann.all("#texts img, #texts script") == []
            shown = HOSTILE.replace("\u202e", "[U+202E]").replace("\u2066", "[U+2066]")
            assert texts[""].text == shown
        record = ann.record
        ann.press("a", "a", "a")
        ann.wait_for_another(record)
    assert ann.driver.get_log("browser") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_no_violation(
    profiles: Callable[[str], Any], server: ReviewServer, scheme: str, width: int
) -> None:
    from selenium.webdriver.common.keys import Keys

    ann = Desk(profiles("ann"), server, "ann", VALIDATION)
    set_colours(ann.driver, scheme)
    set_width(ann.driver, width)
    assert violations(ann.driver) == []
    ann.press("a", "f", "x")
    ann.wait_for(lambda: ann.shows("#keep"), "the page asks why")
    assert violations(ann.driver) == []
    assert ann.driver.execute_script("return document.documentElement.scrollWidth") <= width
    ann.press(Keys.ESCAPE, "?")
    assert violations(ann.driver) == []
    ann.press(Keys.ESCAPE)
    ann.find("#change-reader").click()
    assert violations(ann.driver) == []
