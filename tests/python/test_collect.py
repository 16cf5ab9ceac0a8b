"""Images are listed and fetched as sources give them, whatever goes wrong on the way."""

import bz2
import json
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from gainsay.cli import collect as command
from gainsay.cli.progress import progress_of_each
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance, advance_unseen
from gainsay.ingest.collect import fetching, files, streetview, wikimedia
from gainsay.ingest.collect.client import (
    Client,
    Hosts,
    NoAnswerError,
    Pace,
    PrivateAddressError,
    _PublicConnection,
    without_secrets,
)
from gainsay.ingest.collect.fetching import Folder, Opened, fetch, original_check
from gainsay.ingest.collect.layouts import YfccPhoto
from gainsay.ingest.collect.listing import Warehouse, alone
from gainsay.ingest.collect.records import image_id_of
from gainsay.python_udfs.text.markup import plain_text
from tests.python import image_specimens as specimens
from tests.python.conftest import PROJECT
from tests.python.real_data import RECORDED, needs_recordings
from tests.python.sources_server import (
    Fault,
    Sources,
    SourcesHandler,
    api_error,
    cut,
    redirect,
    serving,
    status,
)

KEY = "AIza-a-key-that-is-nowhere"


@dataclass
class FakeClock:
    """Time that passes by waiting alone."""

    seconds: float = 0.0
    pauses: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.seconds += seconds


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sources]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("GAINSAY_CONTACT", "tests@example.org")
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    monkeypatch.setenv("GAINSAY_PROJECT", str(PROJECT))
    # commands wait for nothing
    monkeypatch.setattr(command, "SystemClock", FakeClock)
    with serving(Sources()) as served:
        yield served


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(sources: Sources, clock: FakeClock) -> Iterator[Client]:
    client = client_of(sources, clock)
    yield client
    client.close()


def client_of(sources: Sources, clock: FakeClock, pace: float = 1e9) -> Client:
    hosts = Hosts(("commons.wikimedia.org", "maps.googleapis.com"), sources.url)
    return Client(
        hosts, Pace(pace, (1, 2, 4), 600), clock, user_agent="gainsay (test)", secrets=[KEY]
    )


@pytest.fixture
def warehouse(clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    return Warehouse(connect, clock)


def rows(warehouse: Warehouse, sql: str) -> list[tuple[Any, ...]]:
    with warehouse.opened() as connection:
        return connection.execute(sql).fetchall()


# --- how a source is asked


def picture(client: Client, sources: Sources) -> bytes:
    return client.get(f"{sources.url}/a.jpg", most_bytes=10**6).body


@pytest.fixture(autouse=True)
def a_picture(sources: Sources) -> bytes:
    sources.pictures["/a.jpg"] = specimens.jpeg()
    return sources.pictures["/a.jpg"]


def waited(clock: FakeClock) -> list[float]:
    return [pause for pause in clock.pauses if pause >= 1]


@pytest.mark.parametrize(
    ("faults", "pauses"),
    [
        ([], []),
        ([status(429), status(429)], [1, 2]),
        ([cut, status(500), status(503)], [1, 2, 4]),
        ([status(429, Retry_After="7"), status(500)], [7, 2]),
        # less than it would wait anyway
        ([status(503), status(503, Retry_After="1")], [1, 2]),
    ],
    ids=["well", "429", "cut", "retry_after", "short_retry_after"],
)
def test_failures_that_pass_are_tried_again(
    client: Client, sources: Sources, clock: FakeClock, a_picture: bytes,
    faults: list[Any], pauses: list[float],
) -> None:  # fmt: skip
    sources.faults += faults
    assert picture(client, sources) == a_picture
    assert waited(clock) == pauses


@pytest.mark.parametrize(
    ("faults", "reason", "n_requests", "is_final"),
    [
        ([status(500)] * 4, "gave up after 4 tries: 500", 4, False),
        ([status(404)], "404 Not Found", 1, True),
        ([status(403)], "403 Forbidden", 1, True),
        # Wikimedia has thumbnails of some widths only, and no wait will change that
        ([status(429, b"Use thumbnail steps listed at https://w.wiki/GHai")], "width", 1, True),
        ([status(200, b"x" * 1_000_001)], "too large: 1,000,001 bytes", 1, True),
    ],
    ids=["500", "404", "403", "thumbnail_width", "too_large"],
)
def test_what_cannot_be_had_says_why(
    client: Client, sources: Sources, clock: FakeClock,
    faults: list[Any], reason: str, n_requests: int, is_final: bool,
) -> None:  # fmt: skip
    sources.faults += faults
    with pytest.raises(NoAnswerError, match=reason) as error:
        picture(client, sources)
    assert (error.value.n_requests, error.value.is_final) == (n_requests, is_final)
    assert waited(clock) == ([1, 2, 4] if n_requests == 4 else [])


def test_a_body_without_a_length_is_bounded(client: Client, sources: Sources) -> None:
    def endless(handler: SourcesHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(100):
                handler.wfile.write(b"x" * 100_000)
        except OSError:
            # who asked has hung up
            pass

    sources.faults.append(endless)
    with pytest.raises(NoAnswerError, match="too large: more bytes"):
        picture(client, sources)


def test_a_long_wait_ends_the_run(client: Client, sources: Sources, clock: FakeClock) -> None:
    sources.faults.append(status(429, Retry_After="3600"))
    with pytest.raises(GainsayError, match="come back in 60 minutes"):
        picture(client, sources)
    assert waited(clock) == []


def test_a_source_is_asked_so_often_and_no_more(sources: Sources, clock: FakeClock) -> None:
    client = client_of(sources, clock, pace=2)
    for _ in range(3):
        picture(client, sources)
    client.close()
    assert clock.pauses == [0.5, 0.5]


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://upload.wikimedia.org/a.jpg?x=1#here", "https://upload.wikimedia.org/a.jpg?x=1"),
        ("http://farm3.staticflickr.com/a.jpg", "https://farm3.staticflickr.com/a.jpg"),
        ("file:///etc/passwd", "scheme is file"),
        ("ftp://upload.wikimedia.org/a.jpg", "scheme is ftp"),
        ("/etc/passwd", "scheme is missing"),
        ("https://evil.org/a.jpg", "evil.org is no host"),
        ("https://upload.wikimedia.org.evil.org/a.jpg", "is no host"),
        ("https://evilstaticflickr.com/a.jpg", "is no host"),
        ("https://127.0.0.1/a.jpg", "127.0.0.1 is no host"),
        ("https://upload.wikimedia.org:8443/a.jpg", "a user or a port"),
        ("https://upload.wikimedia.org@evil.org/a.jpg", "a user or a port"),
        ("https://[::1", "it is no address"),
    ],
)
def test_addresses_lead_to_hosts_of_the_source_alone(url: str, asked: str) -> None:
    hosts = Hosts(("upload.wikimedia.org", ".staticflickr.com"))
    if asked.startswith("https://"):
        assert hosts.resolve(url) == asked
    else:
        with pytest.raises(NoAnswerError, match=f"refused: .*{asked}"):
            hosts.resolve(url)


@pytest.mark.parametrize(
    "target",
    ["file:///etc/passwd", "http://127.0.0.1:9/a.jpg", "https://10.0.0.1/a.jpg", "http://[::1"],
)
def test_redirects_lead_nowhere_else(client: Client, sources: Sources, target: str) -> None:
    sources.faults.append(redirect(target))
    with pytest.raises(NoAnswerError, match="refused"):
        picture(client, sources)
    assert len(sources.requests) == 1


def test_redirects_within_the_source_are_followed_for_a_while(
    client: Client, sources: Sources, a_picture: bytes
) -> None:
    sources.faults += [redirect("/a.jpg")] * 2
    assert picture(client, sources) == a_picture
    sources.faults += [redirect("/a.jpg")] * 9
    with pytest.raises(NoAnswerError, match="more than 5 redirects"):
        picture(client, sources)


def test_a_name_that_leads_into_a_private_network_is_not_talked_to() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connection = _PublicConnection("127.0.0.1", server.getsockname()[1])
        with pytest.raises(PrivateAddressError, match="not public"):
            connection._new_conn()
        accepted, _ = server.accept()
        with accepted:
            assert accepted.recv(1) == b""


def test_no_message_holds_a_secret(sources: Sources, clock: FakeClock) -> None:
    client = client_of(sources, clock)
    signed = streetview.Key(KEY, "c2VjcmV0").sign(f"{sources.url}/a.jpg?heading=0")
    sources.faults += [lambda handler: handler.connection.close()] * 4
    with pytest.raises(NoAnswerError) as error:
        client.get(signed, most_bytes=10)
    client.close()
    assert KEY not in str(error.value)
    assert without_secrets(signed) == f"{sources.url}/a.jpg?heading=0"


# --- Wikimedia Commons


def walked(client: Client, warehouse: Warehouse, name: str = "animals", limit: int = 100) -> Any:
    topic = wikimedia.Topic(name, limit)
    return wikimedia.list_topic(client, warehouse, topic, 4, advance_unseen)


def subcategory(pageid: int, title: str) -> dict[str, Any]:
    return {"pageid": pageid, "ns": 14, "title": title}


def test_a_category_is_walked_to_its_end(
    client: Client, warehouse: Warehouse, sources: Sources
) -> None:
    bare = {"pageid": 1, "ns": 6, "title": "File:a.jpg"}
    further = {"continue": "||", "gcmcontinue": "1"}
    sources.categories = {
        "Category:Animals": [
            # the first part of the batch has no data of the file
            {"continue": further, "query": {"pages": [bare, subcategory(9, "Category:Cats")]}},
            {"batchcomplete": True, "query": {"pages": [sources.file(1, "a.jpg")]}},
        ],
        # a loop, and a file of both
        "Category:Cats": [
            {
                "batchcomplete": True,
                "query": {"pages": [sources.file(2, "b.jpg"), sources.file(1, "a.jpg"),
                                    subcategory(8, "Category:Animals")]},
            }
        ],
    }  # fmt: skip
    state = walked(client, warehouse)

    assert (state.n_listed, state.is_complete) == (3, True)
    listed = rows(
        warehouse, "select pageid, url, query, cursor from raw.wikimedia_pages order by _position"
    )
    assert [(pageid, url) for pageid, url, *_ in listed] == [
        (1, f"{sources.url}/a.jpg"), (2, f"{sources.url}/b.jpg"), (1, f"{sources.url}/a.jpg"),
    ]  # fmt: skip
    assert {json.loads(cursor)["category"] for *_, cursor in listed} == {
        "Category:Animals", "Category:Cats",
    }  # fmt: skip
    # every key of `continue` is sent back
    asked = sources.asked("/w/api.php")
    assert [query["gcmtitle"] for query in asked] == [*["Category:Animals"] * 2, "Category:Cats"]
    assert {name: asked[1][name] for name in further} == further
    assert {(query["maxlag"], query["gcmtype"]) for query in asked} == {("5", "file|subcat")}
    # nothing is left to ask
    assert walked(client, warehouse).n_listed == 3
    assert len(sources.requests) == 3


def test_categories_are_walked_so_deep(
    client: Client, warehouse: Warehouse, sources: Sources
) -> None:
    for depth in range(7):
        name = "Animals" if depth == 0 else f"Level {depth}"
        below = subcategory(100 + depth, f"Category:Level {depth + 1}")
        pages = [sources.file(depth + 1, f"{depth}.jpg"), below]
        sources.categories[f"Category:{name}"] = [{"query": {"pages": pages}}]
    assert walked(client, warehouse).n_listed == 5


def test_a_topic_that_is_no_category_is_searched(
    client: Client, warehouse: Warehouse, sources: Sources
) -> None:
    missing = {"ns": 14, "title": "Category:Animals", "missing": True}
    sources.categories["Category:Animals"] = [{"query": {"pages": [missing]}}]
    sources.found = [sources.file(5, "c.jpg")]
    assert walked(client, warehouse).n_listed == 1
    assert sources.asked("/w/api.php")[-1]["gsrsearch"] == "filetype:bitmap animals"
    [(cursor,)] = rows(warehouse, "select cursor from raw.wikimedia_pages")
    assert json.loads(cursor) == {"continue": None, "search": "animals"}


def test_a_busy_api_is_waited_for(
    client: Client, warehouse: Warehouse, sources: Sources, clock: FakeClock
) -> None:
    sources.categories["Category:Animals"] = [{"query": {"pages": [sources.file(1, "a.jpg")]}}]
    sources.faults += [api_error("maxlag", Retry_After="5"), api_error("ratelimited")]
    assert walked(client, warehouse).n_listed == 1
    assert waited(clock) == [5, 2]
    sources.faults += [api_error("badtoken")]
    with pytest.raises(GainsayError, match="refused: badtoken"):
        walked(client, warehouse, "streets")


def test_a_listing_goes_on_behind_its_last_batch(
    client: Client, warehouse: Warehouse, sources: Sources
) -> None:
    sources.categories["Category:Animals"] = [
        {
            "batchcomplete": True,
            "continue": {"gcmcontinue": "1"},
            "query": {"pages": [sources.file(1, "a.jpg")]},
        },
        {"batchcomplete": True, "query": {"pages": [sources.file(2, "b.jpg")]}},
    ]
    sources.faults += [SourcesHandler.answer, *[status(500)] * 4]
    with pytest.raises(GainsayError, match="what was listed is kept"):
        walked(client, warehouse)
    assert rows(warehouse, "select n_listed, is_complete from raw.collection_cursors") == [
        (1, False)
    ]
    state = walked(client, warehouse)
    assert (state.n_listed, state.is_complete) == (2, True)
    positions = "select pageid, _position from raw.wikimedia_pages order by all"
    assert rows(warehouse, positions) == [(1, 0), (2, 1)]


@pytest.mark.parametrize("is_batch_complete", [True, False])
def test_a_listing_that_comes_back_to_where_it_was_ends(
    client: Client, warehouse: Warehouse, sources: Sources, is_batch_complete: bool
) -> None:
    again = {"batchcomplete": True} if is_batch_complete else {}
    part = {"continue": {"gcmcontinue": "1"}, "query": {"pages": [sources.file(1, "a.jpg")]}}
    sources.categories["Category:Animals"] = [again | part] * 9
    with pytest.raises(GainsayError, match=r"the listing does not end: .* came again"):
        walked(client, warehouse)
    assert len(sources.requests) == 2


def test_a_listing_that_brings_nothing_for_ever_ends(
    client: Client, warehouse: Warehouse, sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wikimedia, "_MOST_EMPTY", 5)
    sources.categories["Category:Animals"] = [
        {"continue": {"gcmcontinue": str(n + 1)}, "query": {"pages": []}} for n in range(20)
    ]
    with pytest.raises(GainsayError, match="after many parts without a page"):
        walked(client, warehouse)
    assert len(sources.requests) == 6


def drip(handler: SourcesHandler) -> None:
    """Send a byte now and then, without end."""
    pause = threading.Event()
    handler.send_response(200)
    handler.end_headers()
    with suppress(OSError):
        while True:
            handler.wfile.write(b"x")
            handler.wfile.flush()
            pause.wait(0.02)


def impatient_client(sources: Sources, clock: FakeClock) -> Client:
    """A client that waits 0.3 seconds for the whole of an answer, and asks once."""
    hosts = Hosts(("commons.wikimedia.org", "maps.googleapis.com"), sources.url)
    return Client(
        hosts, Pace(1e9, (), 600), clock, user_agent="gainsay (test)", seconds_of_answer=0.3
    )


def test_an_answer_that_drips_has_an_end(sources: Sources, clock: FakeClock) -> None:
    sources.faults.append(drip)
    client = impatient_client(sources, clock)
    with pytest.raises(NoAnswerError, match="took too long"):
        picture(client, sources)
    client.close()


@needs_recordings
def test_recorded_parts_are_merged_by_page() -> None:
    parts = [
        wikimedia.decode_part((RECORDED / f"continued_{number}.json").read_bytes())
        for number in (1, 2, 3)
    ]
    assert [part.is_batch_complete for part in parts] == [False, False, True]
    assert parts[0].further == {
        "continue": "||imageinfo",
        "gucontinue": "Edvard_Munch_-_Night_in_Nice_(1891).jpg|nowiki|1281339",
    }
    pages = wikimedia.merged(page for part in parts for page in part.pages)
    records = [wikimedia.as_record(page, "x", "y") for page in pages]
    assert len(records) == 9
    assert all(record.url and record.width and record.extmetadata for record in records)
    licenses = [
        msgspec.json.decode(record.extmetadata).get("License", {}).get("value")
        for record in records
    ]
    assert sorted(licenses) == ["cc-by-sa-3.0-de", *["cc-by-sa-4.0"] * 5, *["pd"] * 3]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Artist Name", "Artist Name"),
        ('<a href="https://test.com/linkspot" title="linktitle">link text</a>', "link text"),
        ('<div class="fn value">\nJona Lendering</div>', "Jona Lendering"),
        ('<a rel="nofollow" href="x">Jeff &amp; Brian</a> from Eastbourne',
         "Jeff & Brian from Eastbourne"),
        ("a<br>b<script>alert(1)</script><!-- c --> &lt;d&gt;", "a b <d>"),
        ("<b>A</b>da", "Ada"),
        ("<img src=x>", None),
        (None, None),
    ],
)  # fmt: skip
def test_markup_becomes_plain_text(html: str | None, text: str | None) -> None:
    import pyarrow as pa

    assert plain_text(pa.array([html], pa.string())).to_pylist() == [text]


@needs_recordings
def test_recorded_artists_become_plain_text() -> None:
    import pyarrow as pa

    found = {}
    for path in RECORDED.glob("image_info_artist_*.json"):
        artist = json.loads(path.read_bytes())["extmetadata"]["Artist"]["value"]
        [found[path.stem.removeprefix("image_info_artist_")]] = plain_text(
            pa.array([artist], pa.string())
        ).to_pylist()
    assert found == {
        "string": "Artist Name",
        "div": "Jona Lendering",
        "link": "link text",
        "internal_link": "NotaRealUser",
        "partial_link": "Jeff & Brian from Eastbourne",
    }


# --- Street View

PARIS = streetview.City("Paris", 48.8566, 2.3522)


def test_points_are_the_same_everywhere() -> None:
    locations = [streetview.location_of(PARIS, point, 42) for point in range(50)]
    assert len(set(locations)) == 50
    for location in locations:
        lat, lon = map(float, location.split(","))
        assert abs(lat - PARIS.lat) <= 0.02
        assert abs(lon - PARIS.lon) <= 0.0305
    # by hand, from md5('42:rc_streetview_lat:Paris:0') and md5('42:rc_streetview_lon:Paris:0')
    assert locations[0] == "48.866012,2.357793"


def panorama(pano_id: str) -> dict[str, Any]:
    return {
        "status": "OK",
        "pano_id": pano_id,
        "date": "2019-07",
        "copyright": "© Somebody",
        "location": {"lat": 48.85, "lng": 2.35},
    }


def test_panoramas_are_listed_with_whatever_status(
    client: Client, warehouse: Warehouse, sources: Sources, clock: FakeClock
) -> None:
    first, second, third, fourth = (streetview.location_of(PARIS, point, 42) for point in range(4))
    sources.panoramas = {
        first: panorama("p"), second: panorama("p"), fourth: {"status": "NOT_FOUND"},
    }  # fmt: skip
    over, unknown = ({"status": one} for one in ("OVER_QUERY_LIMIT", "UNKNOWN_ERROR"))
    sources.faults += [lambda handler: handler.json(over), lambda handler: handler.json(unknown)]
    key = streetview.Key(KEY)
    streetview.list_city(client, warehouse, PARIS, key, 4, 42, advance_unseen)

    assert waited(clock) == [1, 2]
    listed = "select point, location, status, pano_id from raw.streetview_panoramas order by point"
    assert rows(warehouse, listed) == [
        (0, first, "OK", "p"),
        (1, second, "OK", "p"),
        (2, third, "ZERO_RESULTS", None),
        (3, fourth, "NOT_FOUND", None),
    ]
    # what is listed is not asked again
    n_requests = len(sources.requests)
    streetview.list_city(client, warehouse, PARIS, key, 4, 42, advance_unseen)
    assert len(sources.requests) == n_requests


@pytest.mark.parametrize("refusal", ["REQUEST_DENIED", "INVALID_REQUEST"])
def test_a_refused_key_stops_street_view(
    client: Client, warehouse: Warehouse, sources: Sources, refusal: str
) -> None:
    sources.faults.append(lambda handler: handler.json({"status": refusal}))
    with pytest.raises(GainsayError, match=refusal):
        streetview.list_city(client, warehouse, PARIS, streetview.Key(KEY), 4, 42, advance_unseen)
    assert len(sources.requests) == 1


def says(found: dict[str, Any]) -> Fault:
    return lambda handler: handler.json(found)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (says({"status": "OVER_QUERY_LIMIT"}), "gave up after 4 tries: OVER_QUERY_LIMIT"),
        (says({"status": "UNKNOWN_ERROR"}), "gave up after 4 tries: UNKNOWN_ERROR"),
        (status(500), "gave up after 4 tries: 500"),
        (status(503), "gave up after 4 tries: 503"),
        (cut, "gave up after 4 tries"),
    ],
    ids=["over_limit", "unknown_error", "500", "503", "cut"],
)
def test_a_listing_that_gives_up_goes_on_from_there(
    client: Client, warehouse: Warehouse, sources: Sources, clock: FakeClock, fault: Fault,
    reason: str,
) -> None:  # fmt: skip
    """Ten points are written at once; who gives up in the twelfth keeps ten."""
    key = streetview.Key(KEY)
    locations = [streetview.location_of(PARIS, point, 42) for point in range(14)]
    sources.panoramas = {place: panorama(f"p{n}") for n, place in enumerate(locations)}
    sources.faults += [SourcesHandler.answer] * 11 + [fault] * 4
    with pytest.raises(GainsayError, match=reason) as caught:
        streetview.list_city(client, warehouse, PARIS, key, 14, 42, advance_unseen)
    assert "run the same command again to go on" in str(caught.value)
    assert KEY not in str(caught.value)
    assert waited(clock) == [1, 2, 4]
    listed = "select point, pano_id from raw.streetview_panoramas order by point"
    assert rows(warehouse, listed) == [(n, f"p{n}") for n in range(10)]

    sources.requests.clear()
    streetview.list_city(client, warehouse, PARIS, key, 14, 42, advance_unseen)
    assert rows(warehouse, listed) == [(n, f"p{n}") for n in range(14)]
    asked = [one["location"] for one in sources.asked("/maps/api/streetview/metadata")]
    assert asked == locations[10:]
    assert rows(warehouse, "select n_listed, is_complete from raw.collection_cursors") == [
        (14, True)
    ]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (status(403, b"The provided API key is invalid."), "403"),
        (status(404), "404"),
        (lambda handler: handler.send(200, b"<html>Sorry</html>"), "something else than"),
        (lambda handler: handler.send(200, b'{"state": "OK"}'), "something else than"),
        (says({"status": "OK", "location": {"lat": "north"}}), "something else than"),
        (lambda handler: handler.send(200, b" " * (2**20 + 1)), "too large"),
    ],
    ids=["403", "404", "page", "other_keys", "other_types", "large"],
)
def test_street_view_is_asked_no_second_time_for_what_stays_so(
    client: Client, warehouse: Warehouse, sources: Sources, fault: Fault, reason: str
) -> None:
    sources.faults.append(fault)
    with pytest.raises(GainsayError, match=reason) as caught:
        streetview.list_city(client, warehouse, PARIS, streetview.Key(KEY), 4, 42, advance_unseen)
    assert KEY not in str(caught.value)
    assert len(sources.requests) == 1
    assert rows(warehouse, "select * from raw.streetview_panoramas") == []


def test_a_slow_street_view_has_an_end(
    warehouse: Warehouse, sources: Sources, clock: FakeClock
) -> None:
    sources.faults.append(drip)
    client = impatient_client(sources, clock)
    with pytest.raises(GainsayError, match=r"Street View: .*took too long"):
        streetview.list_city(client, warehouse, PARIS, streetview.Key(KEY), 4, 42, advance_unseen)
    client.close()
    assert rows(warehouse, "select * from raw.streetview_panoramas") == []


@pytest.mark.parametrize(
    ("answer", "n_requests", "state"),
    [
        (status(404, b"no panorama here"), 1, ("failed", 404)),
        (status(403, b"over your daily quota"), 1, ("failed", 403)),
        (status(500), 4, ("failed", 500)),
    ],
    ids=["404", "403", "500"],
)
def test_a_picture_that_street_view_does_not_give_is_a_row(
    sources: Sources, fetches: "Fetch", monkeypatch: pytest.MonkeyPatch, answer: Fault,
    n_requests: int, state: tuple[str, int],
) -> None:  # fmt: skip
    """A missing picture is a status, and no grey picture, because it is asked for so."""
    monkeypatch.setenv("STREET_VIEW_API_KEY", KEY)
    url = "https://maps.googleapis.com/maps/api/streetview?location=1,2&return_error_code=true"
    image_id = image_id_of("streetview", url)
    path = f"raw/images/streetview/{image_id}.jpg"
    fetches.want("x", url=url, image_id=image_id, source="streetview", local_path=path)
    sources.faults += [answer] * n_requests
    result = run("fetch", fetches.out, "--source", "streetview", "--base-url", sources.url,
                 "--accept-streetview-terms")  # fmt: skip
    assert "none of 1 pictures was fetched" in str(result.exception)
    assert len(sources.requests) == n_requests
    [(error, *found)] = rows(
        fetches.warehouse, "select error, state, http_status from raw.collected_images"
    )
    assert tuple(found) == state
    assert KEY not in str(error) + result.output + result.stderr


def test_requests_are_signed_as_the_provider_says() -> None:
    # the worked example of the provider's page on digital signatures
    key = streetview.Key("YOUR_API_KEY", "vNIXE0xscrmjlyV-12Nj_BvUPaw=")
    signed = key.sign("https://maps.googleapis.com/maps/api/staticmap?center=x")
    assert signed.startswith(
        "https://maps.googleapis.com/maps/api/staticmap?center=x&key=YOUR_API_KEY&signature="
    )
    with pytest.raises(GainsayError, match="no secret in base64"):
        streetview.Key("k", "a").sign("https://maps.googleapis.com/x?y=z")


# --- files of Open Images and YFCC100M

BOX_COLUMNS = (
    "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,"
    "IsDepiction,IsInside"
)
CLICKS = ",XClick1X,XClick2X,XClick3X,XClick4X,XClick1Y,XClick2Y,XClick3Y,XClick4Y"
BOX = "a1,xclick,/m/cat,1,0.1,0.5,0.2,0.75,0,1,-1,0,0"


def listed_files(warehouse: Warehouse, folder: Path, content: dict[str, str]) -> list[Any]:
    paths = []
    for name, text in content.items():
        (folder / name).write_text(text)
        paths.append(folder / name)
    with warehouse.opened() as connection:
        return files.list_openimages(connection, paths, advance_unseen)


@pytest.mark.slow
def test_open_images_files_are_known_by_their_first_line(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    images = (
        "ImageID,Subset,OriginalURL,OriginalLandingURL,License,AuthorProfileURL,Author,Title,"
        "OriginalSize,OriginalMD5,Thumbnail300KURL,Rotation\n"
        'a1,train,https://farm1.staticflickr.com/1/2_o.jpg,u,l,p,"A ""B"", C",t,12,ab==,,0.0\n'
        "a2,train,https://farm1.staticflickr.com/1/3_o.jpg,,,,,,,,,\n"
    )
    content = {
        "images.csv": images,
        "boxes_13.csv": f"{BOX_COLUMNS}\n{BOX}\n",
        "boxes_21.csv": f"{BOX_COLUMNS}{CLICKS}\n{BOX}{',0.5' * 8}\n",
        "classes.csv": "LabelName,DisplayName\n/m/cat,Cat\n",
        "classes_bare.csv": "/m/cat,Cat\n/m/dog,Dog\n",
        "labels.csv": "ImageID,Source,LabelName,Confidence\na1,verification,/m/cat,1\n",
    }
    listings = listed_files(warehouse, tmp_path, content)
    assert [(one.kind, one.n_listed) for one in listings] == [
        ("openimages_images", 2), ("openimages_boxes", 1), ("openimages_boxes", 1),
        ("openimages_classes", 1), ("openimages_classes", 2), ("openimages_labels", 1),
    ]  # fmt: skip
    found = "select image_id, author, original_size, rotation from raw.openimages_images"
    assert rows(warehouse, f"{found} order by all") == [
        ("a1", 'A "B", C', 12, 0.0), ("a2", None, None, None),
    ]  # fmt: skip
    boxes = "select distinct x_min, x_max, y_min, y_max, is_group_of from raw.openimages_boxes"
    assert rows(warehouse, boxes) == [(0.1, 0.5, 0.2, 0.75, -1)]
    # the same content changes nothing, other content replaces
    again = listed_files(warehouse, tmp_path, content | {"classes.csv": "/m/emu,Emu\n"})
    assert [one.is_unchanged for one in again] == [True, True, True, False, True, True]
    assert rows(warehouse, "select count(*) from raw.openimages_classes") == [(3,)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Image,Box\n", "its first line is 'Image,Box'"),
        (f"{BOX_COLUMNS}\na1,x\n", "cut short: .* Row #2: Expected 13 columns, got 2"),
        (f"{BOX_COLUMNS}\n{BOX}\n{BOX.replace('0.5', 'half')}\n", "Row #3: .* 'half'"),
    ],
)
def test_other_files_are_refused_whole(
    warehouse: Warehouse, tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(GainsayError, match=problem):
        listed_files(warehouse, tmp_path, {"boxes.csv": text})
    assert rows(warehouse, "select count(*) from raw.openimages_boxes") == [(0,)]


PHOTO = [
    "7", "12@N01", "Jo+Doe", "2012-09-10 15:30:00.0", "1347", "Canon+EOS", "a%09tab", "", "dam,sea",
    "", "4.8936", "52.3728", "16", "http://www.flickr.com/photos/1/7/",
    "http://farm1.staticflickr.com/1/7_a.jpg", "Attribution License",
    "http://creativecommons.org/licenses/by/2.0/", "1", "1", "a", "b", "jpg", "0",
]  # fmt: skip
WITH_NUMBER = ["0", PHOTO[0], "hash", *PHOTO[1:]]
ALL = files.Share(1.0, 42, 0.05)


@pytest.mark.parametrize("fields", [PHOTO, WITH_NUMBER], ids=["23", "25"])
def test_both_releases_of_yfcc_are_read(fields: list[str]) -> None:
    photo = files.photo_of(fields)
    assert (photo.photo_id, photo.title, photo.capture_device) == (7, "a\ttab", "Canon EOS")
    assert (photo.latitude, photo.longitude, photo.marker) == (52.3728, 4.8936, 0)
    assert photo.description is None
    assert (photo.line_number, photo.photo_hash) == (
        (0, "hash") if len(fields) == 25 else (None, None)
    )


def test_yfcc_lands_photographs_and_then_their_autotags(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    nowhere = [*PHOTO[:3], "null", *PHOTO[4:10], "", "", "", *PHOTO[13:]]
    nowhere[0], video = "8", ["9", *PHOTO[1:22], "1"]
    lines = "".join("\t".join(one) + "\n" for one in (PHOTO, nowhere, video))
    (tmp_path / "photos.bz2").write_bytes(bz2.compress(lines.encode()))
    (tmp_path / "autotags").write_text("7\toutdoor:0.9,sea:0.5\n11\toutdoor:1\n")
    with warehouse.opened() as connection:
        paths = [tmp_path / "autotags", tmp_path / "photos.bz2"]
        files.list_yfcc(connection, paths, ALL, advance_unseen)
    listed = "select photo_id, latitude, date_taken, marker from raw.yfcc_photos order by photo_id"
    assert rows(warehouse, listed) == [
        (7, 52.3728, "2012-09-10 15:30:00.0", 0),
        (8, None, None, 0),
        (9, 52.3728, "2012-09-10 15:30:00.0", 1),
    ]
    assert rows(warehouse, "select photo_id, autotags from raw.yfcc_autotags") == [
        (7, "outdoor:0.9,sea:0.5")
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("\t".join(PHOTO[:22]) + "\n", "22 columns, expected 23 or 25"),
        ("\t".join(PHOTO) + "\n" + "\t".join(WITH_NUMBER) + "\n", "line 2 has 25 columns"),
        ("\t".join(["seven", *PHOTO[1:]]) + "\n", "line 1: invalid literal"),
        ("7\toutdoor:1\nx\ty\n", "line 2 is not a photo's id"),
    ],
)
def test_other_tables_are_refused_whole(
    warehouse: Warehouse, tmp_path: Path, content: str, problem: str
) -> None:
    (tmp_path / "table").write_text(content)
    with (
        warehouse.opened() as connection,
        pytest.raises(GainsayError, match=problem),
    ):
        files.list_yfcc(connection, [tmp_path / "table"], ALL, advance_unseen)
    assert rows(warehouse, "select count(*) from raw.yfcc_photos") == [(0,)]


def test_groups_of_a_place_and_day_stay_whole() -> None:
    share = files.Share(0.5, 42, 0.05)

    def photo(number: int, lat: float, hour: int) -> YfccPhoto:
        taken = f"2012-09-{number % 28 + 1:02d} {hour:02d}:00:00.0"
        return YfccPhoto(photo_id=number, latitude=lat, longitude=4.0, date_taken=taken)

    kept = [files.is_in_share(photo(number, number / 10 + 0.01, 8), share) for number in range(400)]
    later = [
        files.is_in_share(photo(number, number / 10 + 0.04, 20), share) for number in range(400)
    ]
    assert kept == later
    assert 160 < sum(kept) < 240
    alone = [files.is_in_share(YfccPhoto(photo_id=number), share) for number in range(400)]
    assert 160 < sum(alone) < 240


# --- fetching


@dataclass
class Fetch:
    """Wanted images of Wikimedia, and the folder that they are fetched into."""

    sources: Sources
    clock: FakeClock
    warehouse: Warehouse
    out: Path

    def want(self, *names: str, **changed: object) -> list[str]:
        """Choose images of these names; returns their ids."""
        ids = []
        with self.warehouse.opened() as connection:
            connection.execute(
                "create schema if not exists reality_check;"
                " create table if not exists reality_check.reality_check__wanted_images"
                " (image_id varchar, source varchar, url varchar, local_path varchar,"
                " license varchar, metadata varchar, thumbnail_url varchar, openimages_id varchar,"
                " subset varchar, original_md5 varchar, n_bytes bigint, original_n_bytes bigint,"
                " source_position integer, place double)"
            )
            for place, name in enumerate(names):
                url = f"{self.sources.url}/{name}"
                image_id = image_id_of("wikimedia", url)
                self.sources.pictures.setdefault(f"/{name}", specimens.jpeg(seed=place))
                row = {
                    "image_id": image_id,
                    "source": "wikimedia",
                    "url": url,
                    "local_path": f"raw/images/wikimedia/{image_id}.jpg",
                    "license": "cc-by-4.0",
                    "metadata": '{"timestamp":null,"lat":null,"lon":null,"camera_model":null}',
                    "source_position": 1,
                    "place": place,
                } | changed
                connection.execute(
                    "insert into reality_check.reality_check__wanted_images"
                    f" ({', '.join(row)}) values ({', '.join('?' * len(row))})",
                    [*row.values()],
                )
                ids.append(image_id)
        return ids

    def run(self, **options: Any) -> fetching.Counts:
        client = client_of(self.sources, self.clock)
        addresses = fetching.wikimedia_addresses(10**6)
        try:
            return fetch(
                Folder(self.out), self.warehouse, {"wikimedia": Opened(client, addresses)},
                **{"most_bytes": 10**6, "begin": lambda _name, _total: advance_unseen} | options,
            )["wikimedia"]  # fmt: skip
        finally:
            client.close()

    def manifest(self) -> list[str]:
        """The ids of the manifest's lines, each of which is whole."""
        lines = (self.out / "raw/manifest.jsonl").read_text().splitlines()
        return [json.loads(line)["image_id"] for line in lines]

    def rows(self) -> list[tuple[Any, ...]]:
        return rows(
            self.warehouse,
            "select image_id, state, http_status, n_fetches from raw.collected_images order by all",
        )


@pytest.fixture
def fetches(sources: Sources, clock: FakeClock, warehouse: Warehouse, tmp_path: Path) -> Fetch:
    return Fetch(sources, clock, warehouse, tmp_path / "out")


def test_the_worked_record_is_a_line_of_the_manifest() -> None:
    url = "https://example.org/a.jpg"
    wanted = fetching.Wanted(
        image_id=image_id_of("wikimedia", url),
        source="wikimedia",
        url=url,
        local_path="raw/images/wikimedia/wikimedia_14959baaa98a.jpg",
        license="cc-by-sa-4.0",
        metadata='{"timestamp":null,"lat":null,"lon":null,"camera_model":null,"author":"Someone"}',
    )
    assert json.loads(fetching._record_of(wanted).line()) == {
        "image_id": "wikimedia_14959baaa98a",
        "source": "wikimedia",
        "local_path": "raw/images/wikimedia/wikimedia_14959baaa98a.jpg",
        "url": url,
        "license": "cc-by-sa-4.0",
        "metadata": {
            "timestamp": None, "lat": None, "lon": None, "camera_model": None, "author": "Someone",
        },
    }  # fmt: skip


def test_pictures_are_fetched_once(fetches: Fetch) -> None:
    ids = fetches.want("a.jpg", "b.jpg", "gone.jpg")
    del fetches.sources.pictures["/gone.jpg"]
    counts = fetches.run()
    assert (counts.n_fetched, counts.n_failed) == (2, 1)
    assert fetches.manifest() == ids[:2]
    assert sorted(fetches.rows()) == sorted(
        [(ids[0], "fetched", 200, 1), (ids[1], "fetched", 200, 1), (ids[2], "failed", 404, 1)]
    )
    assert (fetches.out / f"raw/images/wikimedia/{ids[0]}.jpg").read_bytes() == (
        fetches.sources.pictures["/a.jpg"]
    )
    # neither what is there nor what is gone for good is asked for again
    n_requests = len(fetches.sources.requests)
    again = fetches.run()
    assert (again.n_wanted, again.n_there, again.n_given_up) == (3, 2, 1)
    assert (again.n_fetched, again.n_failed) == (0, 0)
    assert len(fetches.sources.requests) == n_requests


def test_each_source_tells_how_far_it_is(fetches: Fetch) -> None:
    """What is there counts as no work, and what fails is done as well."""
    shown: dict[str, list[int]] = {}

    def begin(name: str, total: int) -> Advance:
        shown[name] = [total]
        return lambda amount=1: shown[name].append(amount)

    fetches.want("a.jpg", "gone.jpg", "b.jpg")
    del fetches.sources.pictures["/gone.jpg"]
    fetches.run(begin=begin, target=1)
    fetches.run(begin=begin)
    assert {name: (total, sum(done)) for name, (total, *done) in shown.items()} == {
        "wikimedia (0 there)": (1, 1), "wikimedia (1 there)": (2, 2),
    }  # fmt: skip


def test_a_log_has_a_line_for_all_that_are_at_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gainsay.cli.progress._SECONDS_BETWEEN_LINES", 0.0)
    with progress_of_each("fetching") as begin:
        first, second = begin("a", 1200), begin("b", 2)
        first(1100)
        second()
    captured = capsys.readouterr()
    *lines, last = captured.err.splitlines()
    assert lines == [
        "fetching: a 1,100 of 1,200, b 0 of 2", "fetching: a 1,100 of 1,200, b 1 of 2",
    ]  # fmt: skip
    assert last.startswith("fetching: a 1,100, b 1 in ")
    assert captured.out == ""


def test_ids_of_the_manifest_are_not_fetched_whether_or_not_their_files_are_there(
    fetches: Fetch,
) -> None:
    fetches.want("a.jpg", "b.jpg", "c.jpg", "d.jpg")
    fetches.run(target=3)
    assert len(fetches.manifest()) == 3
    for file in (fetches.out / "raw/images/wikimedia").iterdir():
        file.unlink()
    fetches.sources.requests.clear()
    fetches.run(target=3)
    assert fetches.sources.requests == []
    # with verify the files count
    assert fetches.run(target=3, verify=True).n_fetched == 3
    assert len(fetches.sources.requests) == 3


def test_verify_reopens_what_differs(fetches: Fetch) -> None:
    ids = fetches.want("a.jpg", "b.jpg")
    fetches.run()
    file = fetches.out / f"raw/images/wikimedia/{ids[0]}.jpg"
    good = file.read_bytes()
    file.write_bytes(good[:-1] + b"x")
    assert fetches.run().n_fetched == 0
    assert fetches.run(verify=True).n_fetched == 1
    assert file.read_bytes() == good
    assert sorted(fetches.manifest()) == sorted(ids)


def test_a_picture_that_failed_for_now_is_asked_for_again(fetches: Fetch) -> None:
    [image_id] = fetches.want("a.jpg")
    fetches.sources.faults += [status(500)] * 4
    assert fetches.run().n_failed == 1
    assert fetches.rows() == [(image_id, "failed", 500, 4)]
    assert waited(fetches.clock) == [1, 2, 4]
    assert fetches.run().n_fetched == 1
    assert fetches.rows() == [(image_id, "fetched", 200, 5)]


def test_what_is_no_picture_is_no_file(fetches: Fetch) -> None:
    [image_id] = fetches.want("a.jpg")
    fetches.sources.pictures["/a.jpg"] = b"<html>"
    assert fetches.run().n_failed == 1
    [(error,)] = rows(fetches.warehouse, "select error from raw.collected_images")
    assert error == "the answer is no picture"
    assert not (fetches.out / f"raw/images/wikimedia/{image_id}.jpg").exists()


def test_an_original_that_is_too_large_gives_way_to_its_smaller_copy(fetches: Fetch) -> None:
    fetches.sources.pictures["/thumb.jpg"] = specimens.jpeg(seed=9)
    thumbnail = f"{fetches.sources.url}/thumb.jpg"
    fetches.want("a.jpg", thumbnail_url=thumbnail, n_bytes=10**6 + 1)
    assert fetches.run().n_fetched == 1
    assert fetches.sources.requests == ["/thumb.jpg"]


def test_a_path_that_leads_out_is_refused(fetches: Fetch) -> None:
    fetches.want("a.jpg", local_path="../a.jpg")
    assert "leads out" in str(fetches.run().stopped)
    assert fetches.sources.requests == []


def test_a_source_that_wants_to_be_left_alone_keeps_what_it_gave(fetches: Fetch) -> None:
    ids = fetches.want("a.jpg", "b.jpg")
    fetches.sources.faults += [SourcesHandler.answer, status(429, Retry_After="900")]
    assert "come back in 15 minutes" in str(fetches.run().stopped)
    assert fetches.manifest() == ids[:1]
    assert [row[0] for row in fetches.rows()] == ids[:1]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"abc", None),
        (b"abcd", "4 bytes, listed are 3"),
        (b"abd", "MD5 differs"),
    ],
)
def test_an_original_is_known_by_size_and_md5(data: bytes, reason: str | None) -> None:
    found = original_check(3, "kAFQmDzST7DWlj99KOF/cg==")(data)
    assert found is None if reason is None else reason in str(found)


# --- killed at each step


def _killed(run: Callable[[], object]) -> None:
    """Run in a fork that is expected to be killed."""
    child = os.fork()
    if child == 0:
        try:
            run()
        finally:
            os._exit(0)
    _, status_of_child = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status_of_child)
    assert os.WTERMSIG(status_of_child) == signal.SIGKILL


def _die(*_arguments: object, **_options: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _cut_line(folder: Folder, record: Any, _sha256: str) -> None:
    folder.manifest.parent.mkdir(parents=True, exist_ok=True)
    with folder.manifest.open("ab") as file:
        file.write(record.line()[:30])
        os.fsync(file.fileno())
    _die()


@pytest.mark.parametrize(
    ("place", "instead", "n_requests"),
    [
        # before the file is in its place: the one case that asks again
        ((Path, "replace"), _die, 3),
        ((Folder, "append"), _die, 2),
        ((Folder, "append"), _cut_line, 2),
        ((fetching, "write_rows"), _die, 2),
    ],
    ids=["file", "line", "half_line", "row"],
)
def test_a_killed_fetch_goes_on_without_a_second_download(
    fetches: Fetch, place: tuple[Any, str], instead: Callable[..., None], n_requests: int
) -> None:
    [first, second] = ids = fetches.want("a.jpg", "b.jpg")

    def dies() -> None:
        # in the fork alone; the rows are written when a batch ends, after both
        original = fetching.write_rows
        setattr(*place, instead)
        if place == (fetching, "write_rows"):
            fetching.write_rows = lambda one, some: instead() if some else original(one, some)
        fetches.run()

    _killed(dies)
    fetches.run()
    assert sorted(fetches.manifest()) == sorted(ids)
    assert {row[:2] for row in fetches.rows()} == {(first, "fetched"), (second, "fetched")}
    assert len(fetches.sources.requests) == n_requests
    names = {path.name for path in (fetches.out / "raw/images/wikimedia").iterdir()}
    assert {f"{first}.jpg", f"{second}.jpg"} <= names


def test_two_processes_at_once_refuse(fetches: Fetch, tmp_path: Path) -> None:
    fetches.want("a.jpg")
    with (
        Folder(fetches.out).alone(),
        pytest.raises(GainsayError, match="another `gainsay collect fetch`"),
    ):
        fetches.run()
    lock = tmp_path / "lock"
    with (
        alone(lock, "lists"),
        pytest.raises(GainsayError, match="another `gainsay collect` lists"),
        alone(lock, "lists"),
    ):
        pass


# --- the commands


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(command.command, [str(one) for one in arguments])
    if result.exception and not isinstance(result.exception, SystemExit | GainsayError):
        raise result.exception
    return result


def test_wikimedia_wants_to_know_who_asks(
    sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIKIMEDIA_TOKEN", "a-token")
    sources.found = [sources.file(1, "a.jpg")]
    result = run("list", "wikimedia", "--base-url", sources.url, "--limit", "4")
    assert result.exit_code == 0, result.exception
    assert {one["authorization"] for one in sources.headers} == {"Bearer a-token"}
    assert all("tests@example.org" in one["user-agent"] for one in sources.headers)
    monkeypatch.delenv("GAINSAY_CONTACT")
    assert "GAINSAY_CONTACT" in str(run("list", "wikimedia").exception)


def test_street_view_without_a_key_is_skipped(
    sources: Sources, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STREET_VIEW_API_KEY", raising=False)
    result = run("list", "streetview", "--base-url", sources.url)
    assert (result.exit_code, result.stderr.count("warning")) == (0, 1)
    assert sources.requests == []
    assert rows(warehouse, "select source, cursor from raw.collection_cursors") == [
        ("streetview", "skipped_no_key")
    ]


def test_pictures_of_street_view_need_its_terms_and_no_key_is_kept(
    sources: Sources, fetches: Fetch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STREET_VIEW_API_KEY", KEY)
    assert run("list", "streetview", "--base-url", sources.url, "--limit", 2).exit_code == 0
    url = "https://maps.googleapis.com/maps/api/streetview?location=1,2&heading=90"
    image_id = image_id_of("streetview", url)
    path = f"raw/images/streetview/{image_id}.jpg"
    fetches.want("x", url=url, image_id=image_id, source="streetview", local_path=path)

    refused = run("fetch", fetches.out, "--source", "streetview", "--base-url", sources.url)
    assert "terms forbid" in str(refused.exception)
    result = run("fetch", fetches.out, "--base-url", sources.url, "--accept-streetview-terms")
    assert result.exit_code == 0, result.exception
    assert [row[:2] for row in fetches.rows()] == [(image_id, "fetched")]
    assert sources.asked("/maps/api/streetview")[0]["key"] == KEY

    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 3
    assert [path for path in written if KEY.encode() in path.read_bytes()] == []
    assert KEY not in result.output + result.stderr


def test_a_fetch_of_nothing_says_how_to_go_on(fetches: Fetch) -> None:
    fetches.want()
    result = run("fetch", fetches.out, "--source", "yfcc")
    assert result.exit_code == 0, result.exception
    assert "no picture was fetched: none is wanted of these sources; list images" in result.output
    assert "next:" not in result.output


def test_without_a_contact_wikimedia_waits_and_the_others_go_on(
    fetches: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GAINSAY_CONTACT")
    fetches.want()
    result = run("fetch", fetches.out, "--base-url", fetches.sources.url)
    assert result.exit_code == 0, result.exception
    assert "left out: wikimedia" in result.stderr
    assert fetches.rows() == []
    # who names it is told what is missing
    assert "GAINSAY_CONTACT" in str(run("fetch", fetches.out, "--source", "wikimedia").exception)


@pytest.mark.parametrize("fault", [status(404), status(429, Retry_After="900")])
def test_a_fetch_that_brought_nothing_is_no_success(fetches: Fetch, fault: Fault) -> None:
    fetches.want("a.jpg", "b.jpg")
    fetches.sources.faults += [fault] * 2
    arguments = ("fetch", fetches.out, "--source", "wikimedia", "--base-url", fetches.sources.url)
    result = run(*arguments)
    assert result.exit_code == 1
    assert "next:" not in result.output
    fetches.sources.faults.clear()
    assert run(*arguments).exit_code == 0


@pytest.mark.parametrize("variable", ["WIKIMEDIA_TOKEN", "GAINSAY_CONTACT"])
def test_what_no_header_holds_is_named(
    sources: Sources, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "me\udcff")
    result = run("list", "wikimedia", "--base-url", sources.url)
    assert str(result.exception).startswith(f"{variable}: ")
    assert sources.requests == []


@pytest.mark.usefixtures("sources")
def test_sources_are_asked_or_read() -> None:
    assert "name those" in run("list", "openimages").output
    assert "takes no FILES" in run("list", "wikimedia", "a.csv").output
    assert "no file" in str(run("list", "yfcc", "absent.bz2").exception)
