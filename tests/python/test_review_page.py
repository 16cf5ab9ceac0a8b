"""What the review page's server answers, and whom it refuses."""

import json
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from gainsay.cli import main
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.votes import reader_name
from gainsay.review.app import Place, ReviewPage, marked_parts
from gainsay.review.desk import Desk
from gainsay.review.guard import MOST_BODY_BYTES
from gainsay.review.log import VoteLog, log_path
from gainsay.review.readers import Readers
from gainsay.review.records import ShownText, ids_of_file, read_queues
from gainsay.review.serving import People, serve
from tests.python.conftest import PROJECT
from tests.python.review_server import Json, Reader, ReviewServer, review_server
from tests.python.review_warehouse import (
    HOSTILE,
    VALIDATION,
    VERIFICATION,
    write_review_warehouse,
)

EVENT_COLUMNS = (
    "event_id", "kind", "undoes", "benchmark", "queue", "record_id", "record_md5", "question",
    "answer", "note", "reader",
)  # fmt: skip
ADDRESS = "http://127.0.0.1:8750"
OWN = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", "Origin": ADDRESS}


class Page:
    """The application without a socket, and its readers."""

    def __init__(
        self, warehouse: Path, *, has_links: bool = False, adjudicators: tuple[str, ...] = ()
    ) -> None:
        with connect(read_only=True, path=warehouse) as connection:
            self.queues = read_queues(connection)
        folder = warehouse.parent / "votes"
        self.logs = {queue.key: VoteLog(log_path(folder, queue)) for queue in self.queues}
        desks = [
            Desk(queue, self.logs[queue.key], adjudicators=adjudicators) for queue in self.queues
        ]
        self.readers = Readers(folder, adjudicators)
        place = Place(8750, ("127.0.0.1", "localhost", "[::1]"), has_links)
        self.app = ReviewPage(desks, warehouse.parent, self.readers, place).app()

    def stranger(self) -> TestClient:
        return TestClient(self.app, base_url=ADDRESS, follow_redirects=False)

    def reader(self, name: str) -> TestClient:
        client = self.stranger()
        client.cookies.set("gainsay_review_8750", self.readers.cookie(name), domain="127.0.0.1")
        return client


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    return write_review_warehouse(tmp_path / "gainsay.duckdb")


@pytest.fixture
def page(warehouse: Path) -> Page:
    return Page(warehouse)


def _post(client: TestClient, path: str, body: object, **headers: str) -> Any:
    return client.post(path, content=json.dumps(body), headers=OWN | headers)


def _next(client: TestClient, queue: tuple[str, str] = VERIFICATION, **more: Any) -> Json:
    answer = _post(client, "/api/next", {"benchmark": queue[0], "queue": queue[1], **more})
    assert answer.status_code == 200, answer.text
    body: Json = answer.json()
    return body


def _of(queue: tuple[str, str], vote: Json, question: str) -> Json:
    return vote | {"benchmark": queue[0], "queue": queue[1], "question": question}


def _vote(record: Json, reader: str, answer: str = "keep") -> Json:
    return {
        "event_id": secrets.token_hex(16), "kind": "vote", "benchmark": VERIFICATION[0],
        "queue": VERIFICATION[1], "record_id": record["record_id"],
        "record_md5": record["record_md5"], "question": "verdict", "answer": answer,
        "note": f"{reader} thinks so", "reader": reader,
    }  # fmt: skip


def test_a_vote_is_in_the_log_when_it_is_acknowledged(page: Page) -> None:
    ann = page.reader("ann")
    record = _next(ann)["record"]
    vote = _vote(record, "ann")
    receipt = _post(ann, "/api/votes", {"events": [vote]}).json()
    assert receipt["acknowledged"] == [vote["event_id"]]
    assert receipt["progress"]["readers"] == {"ann": 1}
    [line] = page.logs[VERIFICATION].path.read_text().splitlines()
    kept = json.loads(line)
    assert kept.pop("voted_at").endswith("Z")
    assert kept == vote | {"undoes": None}
    assert _next(ann)["record"]["record_id"] != record["record_id"]


def test_a_name_in_other_letters_is_the_same_reader(page: Page) -> None:
    ann = page.reader("Ann")
    record = _next(ann)["record"]
    _post(ann, "/api/votes", {"events": [_vote(record, "Ann")]})
    again = page.stranger()
    assert _post(again, "/api/session", {"reader": " ann "}).json() == {"reader": "Ann"}
    assert _post(again, "/api/session", {"reader": "anna"}).json() == {"reader": "anna"}


def test_nobody_hears_what_others_answer(page: Page) -> None:
    ann, bob = page.reader("ann"), page.reader("bob")
    record = _next(ann)["record"]
    vote = _vote(record, "ann", "wrong_answer")
    assert _post(ann, "/api/votes", {"events": [vote]}).status_code == 200
    asked = {"benchmark": VERIFICATION[0], "queue": VERIFICATION[1]}
    look = asked | {"record_id": record["record_id"]}
    heard = [
        _post(bob, "/api/record", look).text,
        _post(bob, "/api/next", asked).text,
        bob.get("/api/session").text,
        bob.get("/").text,
    ]
    for text in heard:
        assert "thinks so" not in text
        assert vote["event_id"] not in text
    assert _post(bob, "/api/record", look).json()["record"]["answers"] == {}
    # ann hears her own
    assert _post(ann, "/api/record", look).json()["record"]["answers"] == {
        "verdict": "wrong_answer"
    }


def test_an_adjudicator_settles_what_readers_differ_about(warehouse: Path) -> None:
    """Three readers answer three questions of two records; they differ about two questions."""
    page = Page(warehouse, adjudicators=("kim",))
    said = {"ann": ("yes", "yes", "no"), "bob": ("yes", "no", "no"), "eve": ("yes", "yes", "no")}
    questions = ("is_contradicted", "is_plausible", "is_question_clear")
    for reader, answers in said.items():
        client = page.reader(reader)
        record = _next(client, VALIDATION)["record"]
        assert record["record_id"] == "validation-0"
        events = [
            _of(VALIDATION, _vote(record, reader, answer), question)
            for question, answer in zip(questions, answers, strict=True)
        ]
        assert _post(client, "/api/votes", {"events": events}).status_code == 200
    kim = page.reader("kim")
    reply = _next(kim, VALIDATION)
    assert (reply["progress"]["n_disputed"], reply["progress"]["n_settled"]) == (1, 0)
    record = reply["record"]
    assert record["questions"] == ["is_plausible"]
    assert record["said"] == {
        "is_plausible": [
            {"answer": "yes", "n": 2, "notes": ["ann thinks so", "eve thinks so"]},
            {"answer": "no", "n": 1, "notes": ["bob thinks so"]},
        ]
    }
    ruling = _of(VALIDATION, _vote(record, "kim", "no"), "is_plausible") | {"kind": "ruling"}
    receipt = _post(kim, "/api/votes", {"events": [ruling]}).json()
    assert receipt["acknowledged"] == [ruling["event_id"]]
    assert receipt["progress"]["n_settled"] == 1
    # what an adjudicator says counts as no reader's
    assert receipt["progress"]["readers"] == {"ann": 1, "bob": 1, "eve": 1}
    assert _next(kim, VALIDATION)["record"] is None
    # it can be taken back, and comes again
    undo = ruling | {
        "kind": "undo", "event_id": secrets.token_hex(16), "answer": None, "note": None,
        "undoes": ruling["event_id"],
    }  # fmt: skip
    assert _post(kim, "/api/votes", {"events": [undo]}).json()["progress"]["n_settled"] == 0
    assert _next(kim, VALIDATION)["record"]["record_id"] == "validation-0"


def test_readers_hear_nothing_of_disputes(warehouse: Path) -> None:
    page = Page(warehouse, adjudicators=("kim",))
    ann = page.reader("ann")
    reply = _next(ann)
    assert "n_disputed" not in reply["progress"]
    assert "said" not in reply["record"]
    of = {"benchmark": VERIFICATION[0], "queue": VERIFICATION[1]}
    assert _post(ann, "/api/agreement", of).status_code == 403
    # a ruling of one who does not adjudicate stays in the page that made it
    ruling = _vote(reply["record"], "ann") | {"kind": "ruling"}
    assert _post(ann, "/api/votes", {"events": [ruling]}).status_code == 409
    assert page.logs[VERIFICATION].path.read_bytes() == b""


def test_who_once_took_the_name_is_no_adjudicator(warehouse: Path) -> None:
    stranger = Page(warehouse).stranger()
    assert _post(stranger, "/api/session", {"reader": "kim"}).status_code == 200
    cookie = str(stranger.cookies["gainsay_review_8750"])
    assert Readers(warehouse.parent / "votes").reader(cookie) == "kim"
    assert Readers(warehouse.parent / "votes", ["kim"]).reader(cookie) is None


def test_an_adjudicator_comes_by_a_link(warehouse: Path) -> None:
    page = Page(warehouse, adjudicators=("kim",))
    stranger = page.stranger()
    for name in ("kim", " KIM "):
        assert _post(stranger, "/api/session", {"reader": name}).status_code == 403
    link = page.readers.link(ADDRESS, "kim").removeprefix(ADDRESS)
    assert stranger.get(link).status_code == 303
    session = stranger.get("/api/session").json()
    assert (session["reader"], session["is_adjudicator"]) == ("kim", True)
    of = {"benchmark": VERIFICATION[0], "queue": VERIFICATION[1]}
    assert _post(stranger, "/api/agreement", of).json() == {"agreement": {}}


def test_nobody_hears_what_is_gold(tmp_path: Path) -> None:
    ann = Page(write_review_warehouse(tmp_path / "w.duckdb", gold=(0,))).reader("ann")
    reply = _next(ann)
    assert set(reply) == {"record", "last_decisions", "progress"}
    assert set(reply["record"]) == {
        "record_id", "record_md5", "pictures", "texts", "choices", "questions", "answers",
    }  # fmt: skip
    assert "gold" not in json.dumps(reply)


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/api/next"), ("POST", "/api/record"), ("POST", "/api/votes"), ("GET", "/picture")],
)
@pytest.mark.parametrize("cookie", [None, "616e6e.0000", "616e6e", "zz.zz", ".", "616e6e.é"])
def test_without_a_name_there_is_nothing(
    page: Page, method: str, path: str, cookie: str | None
) -> None:
    stranger = page.stranger()
    headers = OWN if cookie is None else OWN | {"Cookie": f"gainsay_review_8750={cookie}"}
    encoded = {name: value.encode() for name, value in headers.items()}
    assert stranger.request(method, path, content="{}", headers=encoded).status_code == 401


def test_on_loopback_anybody_takes_a_name(page: Page) -> None:
    ann = page.stranger()
    assert _post(ann, "/api/session", {"reader": "  ann \n lee "}).json() == {"reader": "ann lee"}
    assert ann.get("/api/session").json()["reader"] == "ann lee"
    cookie = ann.cookies.jar._cookies["127.0.0.1"]["/"]["gainsay_review_8750"]  # type: ignore[attr-defined]
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"
    for unfit in ("", "  ", "a\u202eb", "x" * 61):
        assert _post(ann, "/api/session", {"reader": unfit}).status_code == 400


def test_elsewhere_a_name_comes_with_its_link(warehouse: Path) -> None:
    page = Page(warehouse, has_links=True)
    stranger = page.stranger()
    assert _post(stranger, "/api/session", {"reader": "ann"}).status_code == 403
    token = page.readers.token("ann")
    for name, wrong in (("bob", token), ("ann", token[:-1]), ("ann", ""), ("ann", "é")):
        assert stranger.get("/", params={"reader": name, "token": wrong}).status_code == 403
    link = page.readers.link(ADDRESS, "ann").removeprefix(ADDRESS)
    answer = stranger.get(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert stranger.get("/api/session").json()["reader"] == "ann"


def test_links_stay_good_and_their_secret_is_nobodys(page: Page, warehouse: Path) -> None:
    folder = warehouse.parent / "votes"
    assert Readers(folder).reader(page.readers.cookie("ann")) == "ann"
    assert stat.S_IMODE((folder / ".secret").stat().st_mode) == 0o600
    (folder / ".secret").write_bytes(b"short")
    with pytest.raises(GainsayError, match="no secret of 32 bytes"):
        Readers(folder)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1:8751"}, 421),
        ({"Host": "127.0.0.1:8750.evil.example"}, 421),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:8750"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_what_other_sites_send_is_refused(page: Page, headers: Json, status: int) -> None:
    ann = page.reader("ann")
    vote = _vote(_next(ann)["record"], "ann")
    assert _post(ann, "/api/votes", {"events": [vote]}, **headers).status_code == status
    assert page.logs[VERIFICATION].path.read_bytes() == b""


def test_other_sites_read_nothing_and_may_link_here(page: Page) -> None:
    ann = page.reader("ann")
    for path in ("/api/session", "/static/review.js", "/picture"):
        assert ann.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        assert ann.get(path, headers={"Origin": "http://evil.example"}).status_code == 403
    assert ann.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert ann.get("/", headers=link | {"Sec-Fetch-Dest": "document"}).status_code == 200
    for dest in ("iframe", "frame", "embed", "object", "image", "script", "style", "empty"):
        for mode in ("navigate", "no-cors", "cors"):
            into = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
            assert ann.get("/", headers=into).status_code == 403
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        assert ann.request(method, "/api/votes").status_code == 405
    assert ann.get("/", headers={"Host": "localhost:8750"}).status_code == 200


def test_whatever_is_answered_is_kept_in(page: Page) -> None:
    ann = page.reader("ann")
    for path in ("/", "/static/review.css", "/api/session", "/nothing", "/picture"):
        headers = ann.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers


def test_a_body_is_bounded_whatever_it_declares(page: Page) -> None:
    ann = page.reader("ann")
    large = b'{"events": "' + b"x" * MOST_BODY_BYTES + b'"}'
    assert ann.post("/api/votes", content=large, headers=OWN).status_code == 413

    def chunks() -> Iterator[bytes]:
        yield large[: len(large) // 2]
        yield large[len(large) // 2 :]

    assert ann.post("/api/votes", content=chunks(), headers=OWN).status_code == 413
    assert ann.post("/api/votes", content="{", headers=OWN).status_code == 400


@pytest.mark.parametrize(
    "change",
    [
        {"event_id": "no"},
        {"event_id": "../../x" * 5},
        {"note": "x" * 2_001},
        {"note": "a\0b"},
        {"record_id": "x" * 501},
        {"record_md5": "x"},
        {"kind": "delete"},
        {"voted_at": "2020-01-01T00:00:00Z"},
        {"reader": ""},
    ],
)
def test_what_the_page_never_sends_is_refused(page: Page, change: Json) -> None:
    ann = page.reader("ann")
    vote = _vote(_next(ann)["record"], "ann") | change
    assert _post(ann, "/api/votes", {"events": [vote]}).status_code == 400
    assert page.logs[VERIFICATION].path.read_bytes() == b""


def test_votes_of_another_reader_stay_with_them(page: Page) -> None:
    vote = _vote(_next(page.reader("ann"))["record"], "ann")
    answer = _post(page.reader("bob"), "/api/votes", {"events": [vote]})
    assert answer.status_code == 409
    assert "bob has signed in" in answer.json()["error"]


def test_pictures_are_had_by_record_and_place_alone(page: Page) -> None:
    ann = page.reader("ann")
    asked = {"benchmark": VERIFICATION[0], "queue": VERIFICATION[1], "record_id": "verification-0"}
    picture = ann.get("/picture", params=asked | {"place": "0"})
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    assert picture.content.startswith(b"\xff\xd8\xff")
    assert "sandbox" in picture.headers["content-security-policy"]
    again = {"If-None-Match": picture.headers["etag"]}
    assert ann.get("/picture", params=asked | {"place": "0"}, headers=again).status_code == 304
    # not rendered
    assert ann.get("/picture", params=asked | {"place": "1"}).status_code == 404
    for place in ("2", "-1", "99999999999999999999", "0/../1", "", "\u0660"):
        assert ann.get("/picture", params=asked | {"place": place}).status_code == 404
    for escape in ("../../etc/passwd", "/etc/passwd", "verification-0/../x", "verification-0\0"):
        elsewhere = asked | {"record_id": escape, "place": "0"}
        assert ann.get("/picture", params=elsewhere).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/%2e%2e/app.py",
        "/static//etc/passwd", "/static/.secret", "/static/review.html.jinja", "/../etc/passwd",
    ],
)  # fmt: skip
def test_no_path_leads_to_a_file(page: Page, path: str) -> None:
    answer = page.reader("ann").get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize("shown", ["outside.png", "notes.txt", "gone.png"])
def test_a_rendering_stays_in_its_folder_and_a_picture_is_one(page: Page, shown: str) -> None:
    folder = page.logs[VERIFICATION].path.parents[1]
    (folder / "outside.png").symlink_to("/etc/hostname")
    (folder / "notes.txt").write_text("no picture")
    queue = next(queue for queue in page.queues if queue.key == VERIFICATION)
    picture = {"role": "x", "file": shown, "is_rendering": True}
    record = queue.records["verification-0"]
    changed = msgspec.structs.replace(record, shown=json.dumps({"pictures": [picture]}))
    queue.records["verification-0"] = changed
    asked = {"benchmark": VERIFICATION[0], "queue": VERIFICATION[1], "record_id": "verification-0"}
    answer = page.reader("ann").get("/picture", params=asked | {"place": "0"})
    assert answer.status_code == 404


def test_marks_part_a_text_and_none_is_lost() -> None:
    text = ShownText("Caption", "a black cat", [(2, 7), None, (4, 9), (10, 99), (5, 5)])
    parts = marked_parts(text)
    assert [(part["text"], part["is_marked"]) for part in parts] == [
        ("a ", False), ("black", True), (" c", True), ("a", False), ("t", True),
    ]  # fmt: skip


def test_invisible_marks_are_shown(page: Page) -> None:
    record = _next(page.reader("ann"), VALIDATION, skipped=[f"validation-{n}" for n in range(3)])
    text = record["record"]["texts"][-1]["parts"][0]["text"]
    assert text == HOSTILE.replace("\u202e", "[U+202E]").replace("\u2066", "[U+2066]")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Ann", "Ann"),
        (" e\u0301va ", "éva"),
        ("李雷", "李雷"),
        ("\u200b", None),
        ("a\0", None),
        (" all", None),
    ],
)
def test_names_are_composed_and_visible(name: str, kept: str | None) -> None:
    assert reader_name(name) == kept


# as a process


@pytest.mark.long
@pytest.mark.slow
def test_all_that_was_acknowledged_is_there_once_after_a_kill(warehouse: Path) -> None:
    with review_server(warehouse, "--no-land") as server:
        ann = Reader(server.port, "ann")
        record = ann.next(VERIFICATION)["record"]
        votes = [ann.vote(VERIFICATION, record, ("keep", "drop")[place % 2]) for place in range(50)]
        acknowledged = []
        for vote in votes[:30]:
            status, receipt = ann.send(vote)
            assert status == 200
            acknowledged += receipt["acknowledged"]
        server.kill()
        # half a line, as a kill in the middle of writing leaves it
        log = server.logs / "certainly_uncertain__verification.ndjson"
        with log.open("ab") as file:
            file.write(b'{"event_id":"')
        server.start()
        back = Reader(server.port, "ann")
        # the page sends again what it has no receipt of, and here even what it has
        for vote in votes[20:]:
            status, receipt = back.send(vote)
            assert (status, receipt["acknowledged"]) == (200, [vote["event_id"]])
        kept = [event["event_id"] for event in server.events()]
        assert acknowledged == kept[:30]
        assert kept == [vote["event_id"] for vote in votes]
        last = back.next(VERIFICATION)["last_decisions"][0]
        assert last["event_id"] == votes[-1]["event_id"]


@pytest.mark.slow
def test_a_full_disk_acknowledges_nothing(warehouse: Path) -> None:
    with review_server(warehouse, "--no-land") as server:
        ann = Reader(server.port, "ann")
        record = ann.next(VERIFICATION)["record"]
        kept, refused = (ann.vote(VERIFICATION, record, answer) for answer in ("keep", "drop"))
        assert ann.send(kept)[0] == 200
        log = server.logs / "certainly_uncertain__verification.ndjson"
        before = log.read_bytes()
        server.limit_files(len(before) + 100)
        status, answer = ann.send(refused)
        assert (status, answer["error"]) == (507, "the server's disk is full")
        assert log.read_bytes() == before
        server.limit_files()
        assert ann.send(refused)[1]["acknowledged"] == [refused["event_id"]]
        assert [event["event_id"] for event in server.events()] == [
            kept["event_id"], refused["event_id"],
        ]  # fmt: skip


@pytest.mark.slow
def test_the_log_lands_when_the_page_ends_and_counts_afterwards(warehouse: Path) -> None:
    server = ReviewServer(warehouse)
    server.start()
    ann = Reader(server.port, "ann")
    record = ann.next(VERIFICATION)["record"]
    vote = ann.vote(VERIFICATION, record, "keep")
    flag = ann.vote(VERIFICATION, record, "yes", "flag")
    ann.send(vote, flag, ann.undo(flag))
    # nothing holds the warehouse's lock while people work
    with connect(path=warehouse) as connection:
        connection.execute("create table raw.written (a integer)")
    assert "3 votes" in server.stop()
    columns = ", ".join(EVENT_COLUMNS)
    with connect(read_only=True, path=warehouse) as connection:
        landed = connection.execute(
            f"select {columns}, strftime(voted_at, '%Y-%m-%dT%H:%M:%S.%fZ') from raw.votes"
            " order by voted_at"
        ).fetchall()
    kept = server.events()
    assert landed == [tuple(event[name] for name in (*EVENT_COLUMNS, "voted_at")) for event in kept]
    # what has landed counts, also where its log is gone
    for log in server.logs.glob("*.ndjson"):
        log.unlink()
    with review_server(warehouse, "--no-land") as again:
        reply = Reader(again.port, "ann").next(VERIFICATION)
    assert reply["progress"]["readers"] == {"ann": 1}
    assert reply["record"]["record_id"] != record["record_id"]
    assert [event["event_id"] for event in reply["last_decisions"]] == [vote["event_id"]]


@pytest.mark.slow
def test_progress_and_agreement_are_said_while_people_work(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the logs, without a build: ann and bob read one record and differ about one question."""
    monkeypatch.setenv("GAINSAY_DB", str(warehouse))
    asked = ["review", "progress", "--benchmark", "clash"]
    with review_server(warehouse, "--no-land") as server:
        record = None
        for name, answers in (("ann", ("yes", "yes", "no")), ("bob", ("yes", "no", "no"))):
            reader = Reader(server.port, name)
            record = reader.next(VALIDATION)["record"]
            questions = zip(record["questions"], answers, strict=True)
            reader.send(
                *(reader.vote(VALIDATION, record, a, question) for question, a in questions)
            )
        said = CliRunner().invoke(main, [*asked, "--log", str(server.logs)]).output
    assert "clash/validation: 0 of 12 records decided, each by 3" in said
    assert "  ann: 1 read\n  bob: 1 read\n" in said
    lines = [line.replace("│", " ").split() for line in said.splitlines()]
    assert ["is_contradicted", "1", "1.00"] in [line[:3] for line in lines]
    assert ["is_plausible", "1", "0.00"] in [line[:3] for line in lines]


@pytest.mark.slow
def test_records_are_dealt_to_who_was_named(warehouse: Path) -> None:
    dealing = ("--reader", "Ann", "--reader", "bob", "--overlap", "0.5")
    server = ReviewServer(warehouse, "--no-land", "--queue", VERIFICATION[1], *dealing)
    said = server.start()
    try:
        # six of twelve are read by both, the others by one
        assert "  Ann 9, bob 9" in said
        read = {name: _read_all(Reader(server.port, name)) for name in ("ann", "bob")}
        assert [len(records) for records in read.values()] == [9, 9]
        assert len(read["ann"] & read["bob"]) == 6
        with pytest.raises(AssertionError):
            Reader(server.port, "eve")
    finally:
        server.kill()


def _read_all(reader: Reader) -> set[str]:
    found = set()
    while record := reader.next(VERIFICATION)["record"]:
        found.add(record["record_id"])
        name = reader.name if reader.name != "ann" else "Ann"
        vote = reader.vote(VERIFICATION, record, "keep") | {"reader": name}
        assert reader.send(vote)[0] == 200
    return found


@pytest.mark.slow
def test_a_log_that_cannot_land_is_safe_and_says_how(warehouse: Path) -> None:
    server = ReviewServer(warehouse)
    server.start()
    ann = Reader(server.port, "ann")
    ann.send(ann.vote(VERIFICATION, ann.next(VERIFICATION)["record"], "keep"))
    with connect(path=warehouse):
        output = server.stop()
    log = server.logs / "certainly_uncertain__verification.ndjson"
    assert f"land them later: gainsay land-votes {log}" in output
    assert len(server.events()) == 1


# before it starts


@pytest.mark.parametrize(
    ("host", "reason"),
    [("0.0.0.0", "name the address"), ("::", "name the address"), ("192.0.2.1", "--reader")],
)
def test_beyond_loopback_it_asks_for_more(tmp_path: Path, host: str, reason: str) -> None:
    with pytest.raises(GainsayError, match=reason):
        serve([], str(tmp_path), tmp_path, People(), host, 0, lambda _: None)


def test_without_its_packages_it_says_what_to_install(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(warehouse))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    result = CliRunner().invoke(main, ["review", "--no-browser"])
    assert result.exit_code == 1
    assert "needs starlette and uvicorn: " in result.output
    assert "gainsay review export" in result.output


def test_the_docs_name_the_commands_that_the_program_names(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What landing votes says comes next is what docs/review.md says."""
    monkeypatch.setenv("GAINSAY_DB", str(warehouse))
    log = tmp_path / "b__q.ndjson"
    log.write_bytes(b"")
    said = CliRunner().invoke(main, ["land-votes", str(log)]).output
    [following] = [
        line.removeprefix("next: ") for line in said.splitlines() if line.startswith("next: ")
    ]
    assert f"\n{following}\n" in (PROJECT / "docs/review.md").read_text()


def test_without_records_it_says_so(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(warehouse))
    result = CliRunner().invoke(main, ["review", "--benchmark", "pope", "--no-browser"])
    assert result.exit_code == 1
    assert "pope: nothing to look at in the warehouse" in result.output
    none = ["review", "--query", "select 'x'", "--no-browser"]
    assert "among the records that are named" in CliRunner().invoke(main, none).output
    bad = ["review", "--query", "select", "--no-browser"]
    assert "--query: " in CliRunner().invoke(main, bad).output


def test_a_query_names_the_records(warehouse: Path) -> None:
    with connect(read_only=True, path=warehouse) as connection:
        queues = read_queues(connection, record_ids={"validation-3", "validation-5", "other"})
    assert [list(queue.records) for queue in queues] == [["validation-3", "validation-5"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\n\n two \n", {"one", "two"}),
        ('\ufeff["one", "two"]', {"one", "two"}),
        # a candidate's, as `gainsay browse` writes it, and the record of it in its own benchmark
        ("clash::clash::a::b\n", {"clash::clash::a::b", "a::b"}),
    ],
)
def test_a_file_names_the_records(tmp_path: Path, text: str, expected: set[str]) -> None:
    (tmp_path / "ids.txt").write_text(text, encoding="utf-8")
    assert ids_of_file(tmp_path / "ids.txt") == expected


@pytest.mark.parametrize("text", ["", "[1]", "["])
def test_a_file_without_ids_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "ids.txt").write_text(text)
    with pytest.raises(GainsayError, match=r"ids\.txt: .*expected ids of records"):
        ids_of_file(tmp_path / "ids.txt")


def test_ids_are_read_from_a_file_of_text_alone(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    os.mkfifo(tmp_path / "pipe")
    for name, said in [
        ("none", "cannot be read"), ("bytes", "is not UTF-8"), ("pipe", "not a regular file"),
    ]:  # fmt: skip
        with pytest.raises(GainsayError, match=f"{name}: {said}"):
            ids_of_file(tmp_path / name)


@pytest.mark.parametrize("key", ["f", "?", "ab", "x"])
def test_a_key_is_one_answer_and_none_of_the_pages(warehouse: Path, key: str) -> None:
    with connect(path=warehouse) as connection:
        connection.execute(
            "update vocabulary.review_questions set answer_key = ? where answer = 'keep'", [key]
        )
    with (
        connect(read_only=True, path=warehouse) as connection,
        pytest.raises(
            GainsayError, match="answer_key of certainly_uncertain/verification, verdict"
        ),
    ):
        read_queues(connection)
