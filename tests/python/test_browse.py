"""What the pages of candidates show, and that they show no more than they should."""

import asyncio
import csv
import io
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import duckdb
import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from gainsay.browse.candidates import FACETS, Filters, captions, find, rows_statement
from gainsay.browse.pages import _MOST_SHEETS, BrowsePages
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.review.app import Place
from gainsay.review.gates import sample_query
from gainsay.review.records import ids_of_query, read_queues
from tests.python.browse_warehouse import FORMULA, HOSTILE, write_browse_warehouse
from tests.python.conftest import Warehouse

ADDRESS = "http://127.0.0.1:8751"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_browse_warehouse(tmp_path_factory.mktemp("browse") / "gainsay.duckdb")


@pytest.fixture(scope="module")
def client(warehouse: Path) -> TestClient:
    place = Place(8751, ("127.0.0.1", "localhost"), has_links=False)
    pages = BrowsePages(warehouse, str(warehouse.parent), place)
    return TestClient(pages.app(), base_url=ADDRESS, follow_redirects=False)


def candidates_of(page: str) -> list[str]:
    return re.findall(r"<code>([^<]+)</code></p>\s*</li>", page)


def sql_of(page: str) -> str:
    found = re.search(r'<pre id="sql"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert found
    return unescape(found[1])


def test_facets_count_what_sql_counts(warehouse: Path) -> None:
    with connect(read_only=True, path=warehouse) as connection:
        for filters in (Filters(), Filters(benchmark="conflict_suite", family="count")):
            found = find(connection, filters)
            for name in FACETS:
                expected = connection.execute(
                    f"select {name}, count(*) from ({rows_statement(filters)}) group by 1"
                ).fetchall()
                assert sorted(found.facets[name], key=str) == sorted(expected, key=str)
            assert found.n == sum(n for _, n in found.facets["stage"])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"q": "zebra"}, ["vqa-007"]),
        # of the picture's caption, of another screening's texts, of the id
        ({"q": "STRIPED"}, ["clash-1", "vqa-002", "vqa-003"]),
        ({"q": "horse field"}, ["clash-1"]),
        ({"q": "striped horse"}, ["clash-1"]),
        ({"q": "vqa-060"}, ["vqa-060"]),
        ({"q": "it's 100% _"}, []),
        ({"stage": "retained"}, ["vqa-001", "vqa-002", "vqa-003"]),
        ({"stage": "retained", "family": "count"}, ["vqa-003"]),
        ({"category": "animal"}, ["clash-1"]),
        # words are whole, unless a star says how they begin
        ({"q": "zebr"}, []),
        ({"q": "zebr*"}, ["vqa-007"]),
        ({"q": "hor*"}, ["clash-1"]),
        ({"picture": "landed"}, ["clash-1", "vqa-002", "vqa-003"]),
        ({"judged": "undecided"}, ["vqa-006"]),
        ({"judged": "wrongly dropped"}, ["vqa-005"]),
        ({"object": "dog", "stage": "caption"}, ["vqa-005", "vqa-007", "vqa-009"]),
        ({"models": "disagree"}, ["vqa-001"]),
        ({"right": "other", "wrong": "a model"}, ["vqa-001"]),
        ({"right": "other"}, ["vqa-001", "vqa-002"]),
        ({"wrong": "a model", "family": "count"}, ["vqa-003"]),
        ({"severity": "2..2"}, ["vqa-002"]),
        ({"severity": "3.."}, ["vqa-001", "vqa-003"]),
        ({"severity": "2..", "covered_share": "..0.2"}, ["vqa-002"]),
        ({"confidence": "0.5..1"}, ["vqa-001"]),
        ({"stage": "' or true --"}, []),
    ],
)
def test_a_view_has_what_its_address_says(
    client: TestClient, fields: dict[str, str], expected: list[str]
) -> None:
    answer = client.get("/", params=fields)
    assert answer.status_code == 200
    assert sorted(candidates_of(answer.text)) == expected


def test_pages_show_each_candidate_once(client: TestClient) -> None:
    for sort in ("picture", "id", "question", "answer", "draw", "suspect"):
        pages = [
            candidates_of(client.get("/", params={"sort": sort, "page": page}).text)
            for page in (1, 2, 3)
        ]
        assert [len(page) for page in pages] == [50, 11, 0]
        assert len({*pages[0], *pages[1]}) == 61


def test_what_has_a_landed_picture_comes_first_and_the_page_says_so(client: TestClient) -> None:
    page = client.get("/").text
    assert candidates_of(page)[:4] == ["clash-1", "vqa-002", "vqa-003", "vqa-001"]
    assert "3 of them have a landed picture and come first" in page
    assert "picture=landed" in page
    assert "None of them has a landed picture" in client.get("/?q=zebra").text
    # where all have one, or another order is chosen, there is nothing to say
    assert 'id="landed"' not in client.get("/?picture=landed").text
    assert 'id="landed"' not in client.get("/?category=animal").text
    by_id = client.get("/?sort=id&benchmark=conflict_suite").text
    assert 'id="landed"' not in by_id
    assert candidates_of(by_id)[0] == "vqa-001"


@pytest.mark.parametrize("sort", ["picture", "id", "question", "draw", "suspect"])
def test_the_next_candidate_leads_through_the_whole_view(client: TestClient, sort: str) -> None:
    view = client.get(f"/?stage=family&family=count&sort={sort}").text
    address = unescape(re.findall(r'href="(/candidate\?[^"]+)"', view)[0])
    seen = []
    while address:
        page = client.get(address).text
        seen.append(re.findall(r"candidate_id = '([^']+)'", sql_of(page))[0])
        found = re.search(r'rel="next" href="([^"]+)"', page)
        address = unescape(found[1]) if found else ""
    assert sorted(seen) == [f"vqa-{i:03}" for i in range(6, 61, 6)]


def test_what_models_doubt_most_comes_first_where_models_answered(client: TestClient) -> None:
    page = client.get("/?sort=suspect&benchmark=conflict_suite").text
    assert candidates_of(page)[:4] == ["vqa-003", "vqa-001", "vqa-002", "vqa-004"]
    assert "most doubted by models" in page
    assert "gainsay review --queue suspects" in page


def test_the_sql_of_a_page_gives_what_it_shows(client: TestClient, warehouse: Path) -> None:
    page = client.get("/", params={"q": "zebra dogs' ", "benchmark": "conflict_suite"}).text
    with connect(read_only=True, path=warehouse) as connection:
        rows = connection.execute(sql_of(page)).fetchall()
    assert [row[2] for row in rows] == candidates_of(page)


def test_a_candidate_shows_all_that_is_known_of_it(client: TestClient) -> None:
    page = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-002").text
    for text in (
        "How many dogs?", "retained", "coco-1", "<mark>two</mark>", "four legs", "vqa-002::clean",
        "require_agreement", "Somebody", 'data-kind="boxes"', 'data-kind="masks"',
        # of the same picture, dropped by another benchmark
        "clash-1",
    ):  # fmt: skip
        assert text in page, text
    answered = client.get(
        "/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-001"
    ).text
    # what models are at odds about comes first, their answers below each other
    assert "Answers of models, at odds about 1 of 1 examples" in answered
    assert re.findall(r'<tr class="odds">.*?<td dir="auto">(.*?)</td>', answered) == [
        "three dogs", "two",
    ]  # fmt: skip
    assert "at odds" not in page
    assert "Answers of models" in page


def test_a_candidate_shows_who_judged_it_and_how(client: TestClient) -> None:
    def said(address: str) -> list[list[str]]:
        page = client.get(address).text
        table = page.partition('id="judgements-title"')[2].partition("</table>")[0]
        rows = re.findall(r"<tr>(<td.*?)</tr>", table)
        return [
            [unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows
        ]

    dropped = "/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-005"
    assert [row[:4] for row in said(dropped)] == [
        ["ann", "Is it right as it is?", "Yes", HOSTILE],
        ["kim, adjudicator", "Is it right as it is?", "Yes", ""],
    ]
    assert "What people said: wrongly dropped" in client.get(dropped).text
    # a queue of the benchmark names a candidate by its id
    assert [row[:4] for row in said("/candidate?of=clash&in=clash&candidate_id=clash-1")] == [
        ["ben", "Is it plausible?", "No", "no field"]
    ]
    # of a gold answer that models doubt, by the example's name
    suspect = "/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-003"
    assert [row[:4] for row in said(suspect)] == [["ann", "is_label_right", "no", "three dogs"]]
    other = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-006").text
    assert "What people said" not in other


def test_records_that_count_together_stand_side_by_side(client: TestClient) -> None:
    page = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-001").text
    group = page.partition('class="group"')[2].partition("</section>")[0]
    assert "2 records that count together" in group
    # what differs between their texts is marked
    assert re.findall(r'<p class="said"[^>]*>(.*?)</p>', group) == [
        "<mark>Two</mark> dogs in the snow", "<mark>Three</mark> dogs in the snow",
    ]  # fmt: skip
    assert re.findall(r'<img [^>]*src="/picture\?image=(.*?)"', group) == ["coco-1"]
    assert "Not landed: coco-0" in group
    assert group.count("(A) two &lt;b&gt;") == 2
    rows = [
        re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(<td.*?)</tr>", group)
    ]
    assert rows == [
        ["a model", "✗ three dogs", "not answered", "not complete", "open ended"],
        ["other", "✓ two", "✓ two", "right", "open ended"],
    ]
    alone = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-003").text
    assert 'class="group"' not in alone


def test_a_number_of_a_board_leads_to_the_records_behind_it(client: TestClient) -> None:
    page = client.get("/boards").text
    table, _, rest = page.partition("By slice")
    assert "&lt;b&gt;a model" in table
    assert "<b>a model" not in page
    cells = re.findall(r'<td class="score shade-(\d+)"><a href="(.*?)"[^>]*>(.*?)</a>', page)
    assert [(shade, text) for shade, _, text in cells] == [
        ("10", "1.0000"), ("0", "0.0000"), ("0", "0.0000"), ("10", "1.0000"),
    ]  # fmt: skip
    # a slice of one value is the whole
    by_slice = rest.partition("<h2>Agreement")[0]
    assert re.findall(r"<h3[^>]*>(.*?)</h3>", by_slice) == [
        "conflict suite: task success by family, open ended"
    ]
    wrong_in_count, wrong_in_existence = (unescape(address) for _, address, _ in cells[2:])
    assert "slice=family%3Dcount" in wrong_in_count
    assert re.findall(r"candidate_id=(vqa-\d+)", client.get(wrong_in_count).text) == ["vqa-001"]
    assert "No candidate is like that" in client.get(wrong_in_existence).text


def test_a_bar_of_a_histogram_leads_to_as_many_candidates_as_it_says(client: TestClient) -> None:
    def bars(page: str, name: str) -> list[tuple[str, str]]:
        drawn = page.partition(f'aria-labelledby="of-{name}"')[2].partition("</svg>")[0]
        return [
            (unescape(address), said)
            for address, said in re.findall(r'<a href="([^"]+)" aria-label="([^"]+)"', drawn)
        ]

    page = client.get("/").text
    assert [said for _, said in bars(page, "severity")] == ["1: 1", "2: 1", "3: 2"]
    for name in ("severity", "covered_share", "confidence"):
        for address, said in bars(page, name):
            assert len(candidates_of(client.get(address).text)) == int(said.rpartition(" ")[2])
    # to the last digit
    assert [address for address, _ in bars(page, "covered_share")][-1].endswith(
        "=0.3333333333333333..0.3333333333333333"
    )
    # a view has its own values; of one alone nothing is drawn
    narrow = client.get("/?severity=2..2").text
    assert bars(narrow, "covered_share") == []
    assert 'aria-label="severity 2..2, remove"' in narrow


def test_a_picture_that_was_taken_down_is_shown_no_more(warehouse: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(warehouse, tmp_path / "gainsay.duckdb"))
    place = Place(8751, ("127.0.0.1", "localhost"), has_links=False)
    app = BrowsePages(path, str(warehouse.parent), place).app()
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False)
    page = "/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-002"
    assert client.get("/picture?image=coco-1").status_code == 200
    assert '<img src="/picture?image=coco-1"' in client.get(page).text
    with duckdb.connect(path) as connection:
        connection.execute("""
            create schema if not exists raw; create schema if not exists images;
            create table raw.withdrawn_images as
            select 'coco-1' as source_image_id, 'asked' as reason;
            create table images.images__files as
            select source_image_id, path, 'a' as sha256 from exports.exports__pictures
        """)
    assert client.get("/picture?image=coco-1").status_code == 404
    taken_down = client.get(page).text
    assert "The picture was taken down." in taken_down
    assert "/picture?image=coco-1" not in taken_down


def test_a_board_says_which_answers_are_of_other_models(client: TestClient) -> None:
    page = client.get("/boards").text
    assert "1 of 2 answers are, by the server, of other models, such as" in page
    assert "a &lt;smaller&gt; one" in page


def test_boards_show_how_models_agree(client: TestClient) -> None:
    page = client.get("/boards").text
    table = page.partition('<table class="heat">')[2].partition("</table>")[0]
    rows = [
        [re.sub("<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)]
        for row in table.split("<tr>")[1:]
    ]
    # of the one example that both answered one is right
    assert rows == [
        ["model", "a model", "other"], ["a model", "", "0.000"], ["other", "0.000", ""],
    ]  # fmt: skip


def test_the_next_of_the_same_reason_is_one_click_away(client: TestClient) -> None:
    page = client.get(
        "/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-005&sort=id"
    ).text
    [address] = re.findall(r'id="same-reason" href="([^"]+)"', page)
    assert "candidate_id=vqa-007" in address
    assert "reason=" not in address
    last = client.get("/candidate?of=clash&in=clash&candidate_id=clash-1").text
    assert 'id="same-reason"' not in last


def test_an_edited_picture_names_the_photograph_before_the_edit(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gainsay.browse.pages._shown", lambda _connection, found: {*found})
    page = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-002").text
    assert re.findall(r'src="([^"]+)" data-before="([^"]+)"', page) == [
        ("/picture?recipe=flipped", "/picture?image=coco-1")
    ]


def test_marked_candidates_are_listed_by_their_address(client: TestClient) -> None:
    address = (
        "/marked?mark=conflict_suite::conflict_suite::vqa-002&mark=clash::clash::clash-1"
        "&mark=clash::clash::gone&mark=nonsense"
    )
    page = client.get(address).text
    assert "2 marked candidates" in page
    assert candidates_of(page) == ["vqa-002", "clash-1"]
    links = [unescape(link) for link in re.findall(r'href="(/marked.txt[^"]+)"', page)]
    assert [client.get(link).text for link in links] == [
        "conflict_suite::conflict_suite::vqa-002\nclash::clash::clash-1\n",
        # what `gainsay.load` takes
        "vqa-002::clean\n",
    ]
    assert "Nothing is marked" in client.get("/marked").text


def test_an_example_shows_all_its_pictures(client: TestClient) -> None:
    page = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-002").text
    assert 'alt="what clean shows, picture 1 of 3"' in page
    assert re.findall(r'<p class="absent">(.*?)</p>', page) == [
        # of the other record of its group, then of its own example
        "Not landed: coco-0", "Not landed: coco-9", "Not rendered: flipped"
    ]  # fmt: skip


def test_a_dropped_candidate_shows_the_stage_that_failed(client: TestClient) -> None:
    page = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-005").text
    stages = re.findall(r'<li class="(\w+)" value="(\d)">\s*<span>(\w+)', page)
    assert stages == [("passed", "1", "family"), ("failed", "2", "caption")]


def test_a_page_is_a_grid_of_pictures(client: TestClient) -> None:
    page = client.get("/?stage=retained").text
    assert re.findall(r'<img loading="lazy" src="([^"]+)"', page) == ["/picture?image=coco-1"] * 2
    assert page.count('class="no-picture"') == 1
    counted = re.findall(r'models=([^"]+)">[^<]+</a> <span class="n">(\d)', page)
    assert counted == [("all+right", "1"), ("all+wrong", "1"), ("disagree", "1")]


def test_a_picture_that_is_not_landed_is_linked_to(client: TestClient) -> None:
    page = client.get("/candidate?of=conflict_suite&in=conflict_suite&candidate_id=vqa-005").text
    assert 'href="https://cocodataset.org/#explore?id=2"' in page


def test_texts_from_outside_stay_texts(client: TestClient) -> None:
    for address in ("/?benchmark=clash", "/candidate?of=clash&in=clash&candidate_id=clash-1"):
        page = client.get(address).text
        assert "<img src=x" not in page
        assert "&lt;/script&gt;&lt;img" in page
    assert "<script>" not in client.get("/", params={"q": HOSTILE}).text


def test_a_sheet_holds_the_view_and_no_formula(client: TestClient) -> None:
    answer = client.get("/candidates.csv", params={"benchmark": "clash"})
    [row] = list(csv.DictReader(io.StringIO(answer.text)))
    assert row["candidate_id"] == "clash-1"
    assert row["answer"] == f"'{FORMULA}"
    assert len(client.get("/candidates.csv").text.splitlines()) == 62


def test_requests_at_the_same_time_are_all_answered(warehouse: Path) -> None:
    """As a browser asks for the pictures of a page, of a warehouse that nobody has open."""
    place = Place(8751, ("127.0.0.1",), has_links=False)
    app = BrowsePages(warehouse, str(warehouse.parent), place).app()

    def status(_: int) -> int:
        return TestClient(app, base_url=ADDRESS).get("/picture?image=coco-1").status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(status, range(40))) == {200}


def test_pictures_come_by_id_alone(client: TestClient) -> None:
    shown = client.get("/picture?image=coco-1")
    assert shown.headers["content-type"] == "image/jpeg"
    etag = {"If-None-Match": shown.headers["etag"]}
    assert client.get("/picture?image=coco-1", headers=etag).status_code == 304
    for name in ("coco-2", "../photo.jpg", "photo.jpg", "", "' or true --"):
        assert client.get("/picture", params={"image": name}).status_code == 404


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/?page=0", 400),
        ("/?page=x", 400),
        ("/?page=99999999999", 400),
        ("/?sort=random()", 400),
        ("/?severity=2", 400),
        ("/?severity=..", 400),
        ("/?covered_share=0%20or%201..2", 400),
        ("/candidate?of=clash&in=clash&candidate_id=gone", 404),
        ("/candidate", 404),
        ("/candidate?of=nothing%27&in=a&candidate_id=b", 404),
        ("/static/../app.py", 404),
        ("/static/review.js", 404),
    ],
)
def test_wrong_addresses_are_told_so(client: TestClient, address: str, status: int) -> None:
    assert client.get(address).status_code == status


def test_only_reading_is_answered_and_only_here(client: TestClient) -> None:
    assert client.post("/", json={}).status_code == 405
    assert client.get("/", headers={"Host": "elsewhere:8751"}).status_code == 421
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Origin": "http://elsewhere"}
    assert client.get("/candidates.csv", headers=elsewhere).status_code == 403
    assert client.get("/picture?image=coco-1", headers=elsewhere).status_code == 403
    # a link that somebody was sent
    assert client.get("/?q=zebra", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("path", ["/?q=zebra", "/candidate?of=clash", "/candidates.csv"])
@pytest.mark.parametrize("dest", ["image", "script", "style", "iframe", "object", "empty"])
def test_no_page_of_another_site_loads_ours(client: TestClient, path: str, dest: str) -> None:
    for site in ("cross-site", "same-site"):
        for mode in ("no-cors", "cors", "navigate"):
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
            assert client.get(path, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "page", ["9" * 30, "9" * 5_000, "0" * 30 + "1", "00000000001", "1" + "0" * 9, "1.0", "\u0661"]
)
def test_a_page_beyond_all_is_told_so(client: TestClient, page: str) -> None:
    assert client.get("/", params={"page": page}).status_code == 400


def test_a_download_that_nobody_takes_keeps_no_build_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_browse_warehouse(tmp_path / "gainsay.duckdb")
    pages = BrowsePages(path, "", Place(8751, ("127.0.0.1",), has_links=False))
    monkeypatch.setattr("gainsay.browse.pages.SECONDS_OF_A_PART", 0.05)
    scope = {
        "type": "http", "method": "GET", "path": "/candidates.csv", "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8751")],
    }  # fmt: skip
    written: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            # the reader has stopped, and a build writes meanwhile
            with duckdb.connect(path) as connection:
                connection.execute("create or replace table built as select 1 as a")
            written.append(len(message["body"]))
            await asyncio.Event().wait()

    async def download() -> None:
        for _ in range(_MOST_SHEETS + 1):
            with pytest.raises(TimeoutError):
                await pages.app()(scope, receive, send)

    asyncio.run(download())
    # none of those that were given up keeps others from theirs
    assert len(written) == _MOST_SHEETS + 1
    assert all(written)


def test_a_warehouse_can_be_written_to_between_clicks(tmp_path: Path) -> None:
    path = write_browse_warehouse(tmp_path / "gainsay.duckdb")
    place = Place(8751, ("127.0.0.1",), has_links=False)
    client = TestClient(BrowsePages(path, "", place).app(), base_url=ADDRESS)
    assert "61 candidates" in client.get("/").text
    with duckdb.connect(path) as connection:
        connection.execute("delete from audit.audit__candidates where benchmark = 'clash'")
    assert "60 candidates" in client.get("/").text


def test_a_warehouse_without_candidates_says_what_to_build(tmp_path: Path) -> None:
    duckdb.connect(tmp_path / "empty.duckdb").close()
    place = Place(8751, ("127.0.0.1",), has_links=False)
    pages = BrowsePages(tmp_path / "empty.duckdb", "", place)
    answer = TestClient(pages.app(), base_url=ADDRESS).get("/")
    assert answer.status_code == 503
    assert "gainsay build" in answer.text


def test_every_candidate_of_the_funnel_is_listed(synthetic: Warehouse) -> None:
    with connect(read_only=True, path=synthetic.path) as connection:
        found = find(connection, Filters())
        expected = connection.execute(
            "select stage, sum(n)::bigint from audit.audit__funnel group by stage"
        ).fetchall()
    assert dict(found.facets["stage"]) == dict(expected)


def test_categories_are_a_facet_where_a_benchmark_has_them(synthetic: Warehouse) -> None:
    with connect(read_only=True, path=synthetic.path) as connection:
        for benchmark in ("clash", "certainly_uncertain", "conflict_suite"):
            found = find(connection, Filters(benchmark=benchmark)).facets["category"]
            expected = connection.execute(
                f"select {'category' if benchmark != 'conflict_suite' else 'null'}, count(*)"
                f" from {benchmark}.{benchmark}__screened group by 1"
            ).fetchall()
            assert dict(found) == dict(expected)
            assert (len(found) > 1) == (benchmark != "conflict_suite")


def test_every_value_of_a_facet_is_a_link(synthetic: Warehouse) -> None:
    place = Place(8751, ("127.0.0.1",), has_links=False)
    pages = BrowsePages(synthetic.path, "", place)
    page = TestClient(pages.app(), base_url=ADDRESS).get("/").text
    stages = {stage for (stage,) in synthetic.rows("select stage from audit.audit__candidates")}
    assert len(stages) > 12
    assert {unescape(name) for name in re.findall(r'href="/\?stage=([^"]+)"', page)} == stages


def test_every_stage_is_judged_by_as_many_as_it_has(synthetic: Warehouse) -> None:
    short = synthetic.rows("""
        select benchmark, screening, stage, ended.n, precision.n_sampled
        from (
            select benchmark, screening, stage, count(*) as n
            from audit.audit__candidates group by all
        ) as ended
        left join audit.audit__gate_precision as precision using (benchmark, screening, stage)
        where precision.n_sampled is distinct from least(ended.n, 50)
    """)
    assert short == []
    # nobody has judged any of them, and that is said
    judged = "select sum(n), count(share) from audit.audit__gate_precision where n_sampled > 0"
    assert synthetic.rows(judged) == [(0, 0)]


def test_the_gates_queue_shows_reasons_only_where_they_are_asked_for(
    synthetic: Warehouse,
) -> None:
    with connect(read_only=True, path=synthetic.path) as connection:
        queues = {
            name: read_queues(connection, "audit", name)[0]
            for name in ("gates", "gates_with_reasons")
        }
    labels = {
        name: {
            text.label for record in queue.records.values() for text in queue.shown(record).texts
        }
        for name, queue in queues.items()
    }
    assert queues["gates"].records.keys() == queues["gates_with_reasons"].records.keys()
    assert labels["gates_with_reasons"] - labels["gates"] == {"Dropped because"}
    # what is asked does not tell which records were dropped
    asked = {
        name: {question for record in queue.records.values() for question in queue.asked(record)}
        for name, queue in queues.items()
    }
    assert asked == {"gates": {"is_right"}, "gates_with_reasons": {"is_right", "should_be_out"}}


def test_the_gates_sample_is_narrowed_and_says_what_there_is(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        connection.execute("""
            create schema audit; create schema images;
            create table images.images__files as select 'coco-1' as source_image_id;
            create table audit.audit__gate_sample as select * from (values
                ('clash', 'clash', 'a', 'refusal', 'coco-1'),
                ('clash', 'clash', 'b', 'retained', 'coco-2'),
                ('occlusions', 'occlusions', 'c', 'judge', 'coco-1')
            ) as rows (benchmark, screening, candidate_id, stage, source_image_id)
        """)

        def ids(*of: str | None, has_picture: bool = True) -> set[str]:
            return ids_of_query(connection, sample_query(connection, *of, has_picture=has_picture))

        assert ids() == {"clash::clash::a", "occlusions::occlusions::c"}
        assert ids("clash", has_picture=False) == {"clash::clash::a", "clash::clash::b"}
        assert ids(None, "judge") == {"occlusions::occlusions::c"}
        with pytest.raises(GainsayError, match="none has a landed picture; --all"):
            ids("clash", "retained")
        with pytest.raises(GainsayError, match="it has clash refusal, clash retained, occlusions"):
            ids("clash", "nowhere")


def test_a_caption_says_whose_it_is_unless_it_is_of_coco() -> None:
    connection = duckdb.connect()
    assert captions(connection, "coco-1") == []
    connection.execute("""
        create schema images;
        create table images.images__captions as
        select * from (values ('coco-1', 'A cat.', 2), ('coco-1', 'A dog.', 1))
            as captions (source_image_id, caption, caption_position)
    """)
    assert captions(connection, "coco-1") == ["A dog.", "A cat."]
    connection.execute("""
        create table images.images__texts as
        select *, 'coco' as caption_origin from images.images__captions
        union all values ('coco-1', 'Two mats.', 3, 'own'), ('file-a', 'A lake.', 1, 'own')
    """)
    assert captions(connection, "coco-1") == ["A dog.", "A cat.", "Two mats. (own)"]
    assert captions(connection, "file-a") == ["A lake. (own)"]
    assert captions(connection, None) == []
