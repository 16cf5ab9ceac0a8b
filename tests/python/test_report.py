"""The report: every figure is its query's, texts stay texts, and the budget holds."""

import base64
import hashlib
import io
import re
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qsl

import duckdb
import jinja2
import numpy as np
import pytest
from markupsafe import Markup
from PIL import Image

from gainsay.browse.candidates import Filters, find
from gainsay.browse.pages import _templates
from gainsay.cli.browse import command as browse
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.names import title
from gainsay.python_udfs.pixels.masks import encode
from gainsay.report.page import MOST_BYTES, _environment, report
from gainsay.report.sections.drawn import heats_of
from gainsay.report.tables import BROWSE, Reader
from gainsay.report.thumbnails import MOST_PICTURES
from gainsay.report.visible_text import visible
from gainsay.scoring.differences import paired_differences
from tests.python.boards_warehouse import write_boards_warehouse
from tests.python.conftest import Warehouse
from tests.python.report_pages import Element, by_id, everything, ids, read_page

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=alert(1) x='",
    "]]>{{ 7 * 7 }}{% raw %}<!--",
    "a\u202eb\u2066c\x00d\x07e",
    "=cmd|'/c calc'!A1",
    "x" * 10_000,
]


def _page(warehouse: Warehouse, *benchmarks: str) -> Element:
    with warehouse.connect() as connection:
        return read_page(report(connection, benchmarks, warehouse.folder))


def _cells(table: Element) -> list[dict[str, str]]:
    """Rows by the name of the query's column; of numbers the whole value."""
    names = [
        cell.get("data-column") for cell in table.all("thead")[0].all("tr")[0].children
        if isinstance(cell, Element)
    ]  # fmt: skip
    return [
        {
            name: (cell.all("data") or [cell])[0].get("value") or cell.text
            for name, cell in zip(names, row.all("td"), strict=True)
            if name
        }
        for row in table.all("tbody")[0].all("tr")
    ]


def _said(value: object) -> str:
    """A value of a query as a cell says it."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return f"{value:,}" if isinstance(value, int) else repr(value)
        case list():
            return ", ".join(map(_said, value))
        case datetime():
            return f"{value:%Y-%m-%d %H:%M:%S}"
    return visible(str(value))


@pytest.fixture(scope="module")
def page(synthetic: Warehouse) -> Element:
    return _page(synthetic)


@pytest.mark.long
def test_every_table_is_the_answer_of_its_query(synthetic: Warehouse, page: Element) -> None:
    # a drawing of values has its table below it
    tables = [table for table in page.all("table") if table.get("class") != "heat"]
    assert len(tables) > 30
    for table in tables:
        sql = by_id(page, table.get("data-query")).text
        with synthetic.connect() as connection:
            result = connection.execute(sql)
            names = [column[0] for column in result.description or []]
            rows = [dict(zip(names, map(_said, row), strict=True)) for row in result.fetchall()]
        cells = _cells(table)
        assert [{name: row[name] for name in shown} for row, shown in zip(rows, cells, strict=True)] == cells, sql  # noqa: E501  # fmt: skip


def test_numbers_lead_to_the_records_behind_them(synthetic: Warehouse, page: Element) -> None:
    """To views that `gainsay browse` has, of as many candidates as the number says."""
    links = [
        (a.get("href"), a.text)
        for table in ("overview", "funnel-conflict_suite-conflict_suite")
        for a in by_id(page, table).all("table")[0].all("a")
    ]
    assert len(links) > 10
    with synthetic.connect() as connection:
        for address, said in links:
            assert address.startswith(f"{BROWSE}/?")
            found = find(connection, Filters(**dict(parse_qsl(address.partition("?")[2]))))
            assert f"{found.n:,}" == said, address
    assert f":{next(one.default for one in browse.params if one.name == 'port')}" in BROWSE


@pytest.fixture
def answered(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    """Answers of three models to forty examples of twenty pictures: one is always right."""
    models = [(name, "default") for name in ("half", "most", "right")]
    connection = duckdb.connect(write_boards_warehouse(tmp_path / "answered.duckdb", models))
    connection.execute("""
        delete from evaluation.evaluation__matches;
        insert into evaluation.evaluation__matches by name
        select model as source_file, i as file_position, 'vqa' as benchmark,
            'open_ended' as task, 'default' as condition, model, 'default' as run,
            'exact' as matcher, 'e' || i as example_id, 'i' || (i // 2) as source_image_id,
            (i % often > 0)::int::double as credit, ['split=test'] as slices,
            false as is_held_back
        from range(40) as examples (i),
            (values ('half', 2), ('most', 5), ('right', 1000)) as models (model, often)
        where model <> 'right' or i > 0
    """)
    return connection


def test_a_heat_table_shows_the_values_of_its_query(answered: duckdb.DuckDBPyConnection) -> None:
    asked = ["benchmark", "task", "condition"]
    [chart] = heats_of(Reader(answered), "scores/agreement", asked, {})
    [heat] = read_page(chart.drawing.encode()).all("table")
    names = [cell.text for cell in heat.all("thead")[0].all("th")][1:]
    # whom a model is compared with stands in one order, and itself is not there
    assert names == ["half", "most", "right"]
    values = {
        (row.all("th")[0].text, name): cell.text
        for row in heat.all("tbody")[0].all("tr")
        for name, cell in zip(names, row.all("td"), strict=True)
        if cell.text
    }
    assert values == {
        (row["model"], row["other_model"]): f"{row['value']:.3f}" for row in chart.table.rows
    }
    # half is right of odd numbers, and both are of those that five does not divide
    assert values["half", "most"] == "0.500"


def test_a_forest_has_the_intervals_of_a_comparison(answered: duckdb.DuckDBPyConnection) -> None:
    rows = Reader(answered).rows("scores/forest")
    assert [(row["model"], row["best_model"]) for row in rows] == [
        ("most", "right"), ("half", "right"),
    ]  # fmt: skip
    for row in rows:
        [said] = paired_differences(answered, (row["model"], "right"))
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(
            (said.low, said.high), abs=1e-6
        )


def test_numbers_are_rounded_and_not_changed(page: Element) -> None:
    numbers = [(data.get("value"), data.text) for data in page.all("data")]
    assert len(numbers) > 100
    for value, text in numbers:
        if text.endswith("%"):
            assert float(text[:-1]) / 100 == pytest.approx(float(value), abs=0.00051)
        else:
            assert float(text.replace(",", "")) == pytest.approx(float(value), rel=0.0006)


def test_cards_are_the_records_of_their_query(synthetic: Warehouse, page: Element) -> None:
    folds = page.all("details", "drops")
    assert len(folds) >= 8
    for fold in folds:
        sql = by_id(page, f"query-{fold.get('id')}").text
        with synthetic.connect() as connection:
            rows = connection.execute(sql).fetchall()
        names = [card.all("p", "name")[0].all("bdi")[0].text for card in fold.all("article")]
        assert names == [visible(str(row[0])) for row in rows]
        # what the heading counts is what the funnel counts
        stage = fold.all("strong")[0].text
        n = int(fold.all("span", "count")[0].text.split()[0].replace(",", ""))
        [(counted,)] = synthetic.rows(
            f"select n from report.report__stages where stage = '{stage}' and reason ="
            f" '{fold.all('code')[0].text}' and n = {n}"
        )[:1]
        assert counted == n


def test_groups_are_the_examples_of_their_query(synthetic: Warehouse, page: Element) -> None:
    folds = [fold for fold in page.all("details", "fold") if fold.get("id").startswith("group-")]
    assert len(folds) >= 10
    for fold in folds:
        sql = by_id(page, f"query-{fold.get('id')}").text
        with synthetic.connect() as connection:
            rows = connection.execute(sql).fetchall()
        cards = fold.all("article")
        assert len(cards) == len(rows)
        for card, (example_id, *_) in zip(cards, rows, strict=True):
            assert example_id.endswith(card.all("p", "name")[0].all("bdi")[0].text)
    # what CLASH asks beside the open question
    clash = by_id(page, "examples-clash")
    assert "multiple choice, conflicting" in [dt.text for dt in clash.all("dt")]
    assert any(dd.text.startswith("(D) ") for dd in clash.all("dd"))


def test_every_reason_that_dropped_something_is_there(synthetic: Warehouse, page: Element) -> None:
    reasons = synthetic.rows(
        "select stage, reason from report.report__stages where n > 0 and reason <> 'retained'"
    )
    shown = [
        (fold.all("strong")[0].text, fold.all("code")[0].text)
        for fold in page.all("details", "drops")
    ]
    assert sorted(shown) == sorted(reasons)


def test_candidates_of_several_screenings_are_not_summed(
    synthetic: Warehouse, page: Element
) -> None:
    """Pairs from captions and pairs from people are different things."""
    screenings = synthetic.rows("""
        select screening, sum(is_retained::int)::bigint, count(*) from audit.audit__candidates
        where benchmark = 'certainly_uncertain' group by screening
    """)
    assert len(screenings) > 2
    said = by_id(page, "outcome-certainly_uncertain").all("p", "absent")[0].text
    for screening, n_retained, n in screenings:
        assert (
            f"{n_retained:,} of {n:,} candidates of {str(screening).replace('_', ' ')} passed"
        ) in said


def test_words_that_tell_as_much_in_two_views_stand_once(page: Element) -> None:
    cells = _cells(by_id(page, "telltale-words").all("table")[0])
    said = ("benchmark", "condition", "guessed", "told_in", "words", "speak_for", "log_odds")
    lines = [tuple(row[name] for name in said) for row in cells]
    assert any(", " in row["guessed_from"] for row in cells)
    assert len(lines) == len({*lines})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("clash", "CLASH"), ("certainly_uncertain", "CertainlyUncertain"),
        ("reality_check", "VLM Reality Check"), ("conflict_suite", "Conflict Suite"),
        ("pairs_from_captions", "Pairs From Captions"),
    ],
)  # fmt: skip
def test_a_benchmark_is_called_as_the_docs_call_it(name: str, words: str) -> None:
    assert title(name) == words


def test_the_page_asks_for_nothing(synthetic: Warehouse) -> None:
    with synthetic.connect() as connection:
        page = report(connection, [], synthetic.folder)
    read = read_page(page)
    [policy] = [
        meta.get("content") for meta in read.all("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]  # fmt: skip
    [script] = read.all("script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert 0 < len(script.text.encode()) <= 12_288
    assert not [element for element in everything(read) if element.get("src")]
    assert {link.get("href") for link in read.all("link")} == {"data:,"}
    assert b"@import" not in page
    assert set(re.findall(rb"url\(([^)]*)\)", page)) == {b"#hatch"}


def test_links_inside_the_page_have_targets(page: Element) -> None:
    known = ids(page)
    assert len(known) == len(set(known))
    targets = [a.get("href")[1:] for a in page.all("a") if a.get("href").startswith("#")]
    assert len(targets) > 50
    assert set(targets) <= set(known)


def test_two_pages_of_one_build_are_the_same_bytes(synthetic: Warehouse) -> None:
    with synthetic.connect() as connection:
        pages = {report(connection, [], synthetic.folder) for _ in range(2)}
    assert len(pages) == 1


@pytest.fixture
def hostile(tiny: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse whose every drawn text is hostile."""
    warehouse = tiny.copied_to(tmp_path)
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("delete from report.report__drop_examples")
        connection.execute(
            "update report.report__stages set n = 1 where stage ="
            " (select min(stage) from report.report__stages where reason <> 'retained')"
        )
        [(benchmark, screening, stage)] = connection.execute(
            "select benchmark, screening, stage from report.report__stages"
            " where n > 0 and reason <> 'retained' order by all limit 1"
        ).fetchall()
        for place, text in enumerate(HOSTILE):
            connection.execute(
                "insert into report.report__drop_examples select"
                " $b, $s, $g, $t, $t || $p, $t, $t, $t, $t, $t, $t, [$t], [$t, $t], $t, $p, false",
                {"b": benchmark, "s": screening, "g": stage, "t": text, "p": place},
            )
            connection.execute(
                "insert into report.report__distributions values ($b, 'family', $t, 2, 5, 0.5)",
                {"b": benchmark, "t": text},
            )
        # it is the caption of a table
        connection.execute(
            "insert into report.report__distributions values ($b, $t, 'v', 2, 5, 0.5)",
            {"b": benchmark, "t": "a\x1b[31mb\u202ec"},
        )
    return warehouse


def test_hostile_texts_stay_texts(hostile: Warehouse) -> None:
    page = _page(hostile)
    assert len(page.all("script")) == 1
    assert page.all("img") == []
    assert not [
        (element.tag, name)
        for element in everything(page)
        for name in element.attributes
        if name.startswith("on") or (name == "style")
    ]
    said = [dd.text for card in page.all("article") for dd in card.all("dd")]
    cells = [cell.text for cell in page.all("td")]
    for text in HOSTILE:
        assert visible(text) in said
        assert visible(text) in cells
    assert "a␛[31mb[U+202E]c" in page.text
    with hostile.connect() as connection:
        source = report(connection, [], hostile.folder).decode()
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", source)


@pytest.mark.parametrize("environment", [_environment(), _templates()], ids=["report", "browse"])
def test_every_text_of_a_page_is_seen(environment: jinja2.Environment) -> None:
    template = environment.from_string("<b title='{{ text }}'>{{ text }}</b> {{ shown }}")
    page = template.render(text="\x1b[1m\u202e<i>", shown=Markup("<i>\u200f</i>"))
    assert page == "<b title='␛[1m[U+202E]&lt;i&gt;'>␛[1m[U+202E]&lt;i&gt;</b> <i>\u200f</i>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", "a b"),
        ("नमस्ते क्\u200dष", "नमस्ते क्\u200dष"),
        ("\x00\x1b[31m", "␀␛[31m"),
        ("\u202egpj.exe", "[U+202E]gpj.exe"),
        # the mark in front says how Arabic is read, and turns nothing else
        ("\u200f(A) cow أو خروف", "\u200f(A) cow أو خروف"),
        ("\u200fWhich\u200f?", "[U+200F]Which[U+200F]?"),
        ("أي\u200f صورة", "أي[U+200F] صورة"),
        ("x" * 401, "x" * 400 + "… (1 more characters)"),
    ],
)
def test_a_reader_sees_every_character(text: str, expected: str) -> None:
    assert visible(text) == expected


@pytest.fixture
def crowded(tiny: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse of eighty reasons, each with twelve records of long texts and coarse pictures."""
    warehouse = tiny.copied_to(tmp_path)
    noise = np.random.default_rng(7)
    for number in range(320):
        pixels = noise.integers(0, 255, (24, 32, 3), dtype=np.uint8)
        picture = Image.fromarray(pixels).resize((320, 240))
        picture.save(tmp_path / f"{number}.jpg", quality=60)
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("""
            delete from report.report__stages; delete from report.report__drop_examples;
            delete from report.report__examples; delete from report.report__pictures;
            insert into report.report__stages
            select 'clash', 'clash', i, 's' || i, 'r' || i, 'why', 1000 - i, 9, 99999, 0.1, 0.1,
                false
            from range(80) as stages (i);
            insert into report.report__drop_examples
            select 'clash', 'clash', 's' || i, 'r' || i, 'c' || i || '-' || j, 'f',
                'p' || (i * 4 + j % 4), 'file', repeat('q', 5000), 'yes', 'no', ['w'],
                [repeat('c', 5000), repeat('d', 5000)], repeat('w', 5000), j, false
            from range(80) as stages (i), range(12) as places (j);
        """)
        connection.execute(
            "insert into report.report__pictures select 'p' || i, 'p' || i, null,"
            " $folder || '/' || i || '.jpg', null, null, 'by', 'http://by', null, 'shown'"
            " from range(320) as pictures (i)",
            {"folder": str(tmp_path)},
        )
    return warehouse


def test_the_budget_holds_and_what_is_cut_is_counted(crowded: Warehouse) -> None:
    with crowded.connect() as connection:
        page = report(connection, ["clash"], crowded.folder)
    assert len(page) <= MOST_BYTES
    read = read_page(page)
    symbols = read.all("symbol")
    assert 80 <= len(symbols) <= MOST_PICTURES
    folds = read.all("details", "drops")
    assert len(folds) == 80
    # every reason has a picture, and none has more than four
    n_pictures = [len({use.get("href") for use in fold.all("use")}) for fold in folds]
    assert min(n_pictures) >= 1
    assert max(n_pictures) <= 4
    # the scarcest reasons, those that stand last, have at least as many
    assert n_pictures == sorted(n_pictures)
    footer = read.all("footer")[0].text
    assert f"{len(symbols):,} pictures shown" in footer
    n_asked = len(
        {f"p{i * 4 + j % 4}" for i in range(80) for j in range(len(folds[0].all("article")))}
    )
    assert f"{n_asked - len(symbols):,} pictures left out to keep the page small" in footer
    for fold, n in zip(folds, range(1000, 920, -1), strict=True):
        left = n - len(fold.all("article"))
        assert f"{left:,} more of this reason" in fold.text


def test_only_a_full_page_leaves_pictures_out_to_stay_small(crowded: Warehouse) -> None:
    """A page that shows as many as it may says that, and not that it is full."""
    with duckdb.connect(crowded.path) as connection:
        connection.execute("""
            update report.report__drop_examples
            set question = 'q', captions_seen = ['c'], what_failed = 'w'
        """)
    for path in Path(crowded.folder).glob("*.jpg"):
        Image.new("RGB", (32, 24), "red").save(path)
    with crowded.connect() as connection:
        page = report(connection, ["clash"], crowded.folder)
    assert len(page) < MOST_BYTES / 2
    footer = read_page(page).all("footer")[0].text
    assert f"{MOST_PICTURES} pictures shown" in footer
    assert f"{320 - MOST_PICTURES} pictures left out of a page that shows 250 already" in footer
    assert "keep the page small" not in footer


def test_a_dropped_variant_shows_what_it_would_hide(crowded: Warehouse) -> None:
    mask = np.zeros((240, 320), dtype=np.uint8)
    mask[100:200, 50:150] = 1
    with duckdb.connect(crowded.path) as connection:
        connection.execute(
            "create or replace table occlusions.occlusions__screened as"
            " select 'occlusions' as screening, 'c0-0' as candidate_id, 'p0' as source_image_id,"
            " 'f' as family, 's0' as drop_stage, null::varchar as rle, $mask as object_rle,"
            " 10 as box_left, 20 as box_top, 30 as box_width, 40 as box_height",
            {"mask": encode(mask)},
        )
        connection.execute(
            "create or replace table images.images__source_images as"
            " select 'p0' as source_image_id, 320 as width, 240 as height"
        )
        for table in ("report__stages", "report__drop_examples"):
            connection.execute(
                f"update report.{table} set benchmark = 'occlusions', screening = 'occlusions'"
            )
    page = _page(crowded, "occlusions")
    [card] = [card for card in page.all("article") if card.get("id") == "record-occlusions-c0-0"]
    assert {path.get("class"): path.get("d") for path in card.all("path")} == {
        "covered": "M10.0 20.0h30.0v40.0h-30.0z",
        "asked": "M50 100L50 199L149 199L149 100z",
    }
    assert "would be hidden" in card.all("figcaption")[0].text
    [overlay] = card.all("svg", "regions")
    assert overlay.get("viewbox") == "0 0 320 240"
    # no other record says what it would hide
    assert len(page.all("svg", "regions")) == 1


def test_no_question_is_lost_without_a_word(page: Element) -> None:
    """Records of the files are candidates, or are listed with why they are none."""
    [inputs] = by_id(page, "inputs").all("table")
    n_records = sum(
        int(row["n_records"].replace(",", ""))
        for row in _cells(inputs)
        if row["file"].endswith("_questions.json")
    )
    [left] = by_id(page, "left-behind").all("table")
    n_left = sum(
        int(row["n_records"].replace(",", ""))
        for row in _cells(left)
        if row["file"].endswith("_questions.json") and row["reason"] != "layout_violation"
    )
    [funnel] = by_id(page, "funnel-conflict_suite-conflict_suite").all("table")
    [candidates] = [row for row in _cells(funnel) if row["stage"] == "candidates"]
    assert n_left > 0
    assert int(candidates["n_ended"].replace(",", "")) == n_records - n_left


def test_pictures_are_small_and_have_their_licence(crowded: Warehouse) -> None:
    page = _page(crowded, "clash")
    for image in [image for symbol in page.all("symbol") for image in symbol.all("image")][:3]:
        data = base64.b64decode(image.get("href").removeprefix("data:image/webp;base64,"))
        with Image.open(io.BytesIO(data)) as picture:
            assert (picture.format, picture.size) == ("WEBP", (240, 180))
    captions = page.all("figcaption")
    assert captions
    assert all("by" in caption.text for caption in captions)


def test_a_challenge_shows_all_its_pictures(tiny: Warehouse, tmp_path: Path) -> None:
    """In the order that its question counts them by; what cannot be shown has its place, too."""
    warehouse = tiny.copied_to(tmp_path)
    for name, colour in {"first": "red", "third": "blue"}.items():
        Image.new("RGB", (320, 240), colour).save(tmp_path / f"{name}.jpg")
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("""
            delete from report.report__examples where benchmark = 'reality_check';
            delete from report.report__pictures;
            insert into report.report__examples by name
            select 'reality_check' as benchmark, 'test' as shown_split, 'days' as group_id,
                'days::pair' as example_id, 'first' as shown_image_id, 'order?' as question,
                1 as n_groups, 1 as group_place, 1 as n_members, 1 as member_place;
            insert into report.report__example_pictures
            select 'reality_check', 'days::pair', image_id, image_id, null, place
            from (values ('third', 3), ('first', 1), ('second', 2)) as shown (image_id, place);
        """)
        connection.execute(
            "insert into report.report__pictures by name"
            " select image_id as picture_id, image_id as shown_image_id, state as picture_state,"
            " $folder || '/' || image_id || '.jpg' as path, 'by' as license_name"
            " from (values ('first', 'shown'), ('second', 'not_landed'), ('third', 'shown'))"
            " as pictures (image_id, state)",
            {"folder": str(tmp_path)},
        )
    page = _page(warehouse, "reality_check")
    [card] = by_id(page, "examples-reality_check").all("article")
    assert [caption.text for caption in card.all("figcaption")] == ["A first, by", "C third, by"]
    assert card.all("p", "absent")[0].text == "B not landed: second"
    assert len({use.get("href") for use in card.all("use")}) == 2


@pytest.mark.parametrize("state", ["license_unknown", "license_forbids_derivatives", "not_landed"])
def test_what_may_not_be_shown_is_counted(crowded: Warehouse, state: str) -> None:
    with duckdb.connect(crowded.path) as connection:
        connection.execute("update report.report__pictures set picture_state = $s", {"s": state})
    page = _page(crowded, "clash")
    assert page.all("symbol") == []
    words = {
        "license_unknown": "left out, licence unknown",
        "license_forbids_derivatives": "left out, licence forbids changed ones",
        "not_landed": "not landed",
    }
    assert f"320 pictures {words[state]}" in page.all("footer")[0].text


def test_two_builds_side_by_side(tiny: Warehouse, tmp_path: Path) -> None:
    other = tiny.copied_to(tmp_path)
    other.build(
        "--select", "conflict_suite__caption_findings", "conflict_suite__screened",
        "conflict_suite__manifest_entries",
        "conflict_suite__manifest", "audit__funnel", "audit__candidates", "report__stages",
        "report__manifests",
        "--vars", "{conflict_suite_consistency_filter: false}",
    )  # fmt: skip
    with tiny.connect() as connection:
        page = read_page(report(connection, ["conflict_suite", "clash"], tiny.folder, other.path))
        # the page's own queries, which name the other one as it is attached
        for table in by_id(page, "difference").all("table"):
            rows = connection.execute(by_id(page, table.get("data-query")).text).fetchall()
            assert len(rows) == len(_cells(table))
    [changed] = [
        row for row in _cells(by_id(page, "difference-manifest-conflict_suite").all("table")[0])
        if row["section"] == "configuration"
    ]  # fmt: skip
    assert (changed["name"], changed["before"].lower(), changed["now"].lower()) == (
        "conflict_suite_consistency_filter", "false", "true",
    )  # fmt: skip
    [move] = _cells(by_id(page, "moves-conflict_suite").all("table")[0])
    [(n,)] = tiny.rows(
        "select count(*) from conflict_suite.conflict_suite__screened"
        " where drop_stage = 'consistency'"
    )
    assert (move["stage_before"], move["stage_now"], move["n_candidates"]) == (
        "retained",
        "consistency",
        str(n),
    )
    moved = _cells(by_id(page, "moved-conflict_suite").all("table")[0])
    assert moved
    assert {row["why_now"] for row in moved} == {"consistency_filter_failed"}
    clash = by_id(page, "difference-clash").text
    assert "Every candidate ends where it ended before." in clash
    assert "Nothing that decides has changed" in clash
    # where most moved comes first, and every query says where the earlier warehouse is
    assert [part.get("id") for part in by_id(page, "difference").all("section")] == [
        "difference-conflict_suite", "difference-clash",
    ]  # fmt: skip
    attached = f"attach '{other.path.resolve()}' as other (read_only)"
    queries = [pre.text for pre in by_id(page, "difference").all("pre")]
    assert len(queries) >= 5
    assert all(query.startswith(f"-- {attached};") for query in queries)
    assert "No rows." not in by_id(page, "difference").text


def test_what_moved_is_shown_with_its_picture(tiny: Warehouse, tmp_path: Path) -> None:
    """Those first whose picture can be shown, and what each said before and says now."""
    (tmp_path / "before").mkdir()
    now, before = tiny.copied_to(tmp_path), tiny.copied_to(tmp_path / "before")
    with duckdb.connect(now.path) as connection:
        [(screening, candidate_id, image_id)] = connection.execute("""
            select screening, candidate_id, source_image_id
            from audit.audit__candidates
            where is_retained and benchmark = 'conflict_suite'
            order by count(*) over (partition by source_image_id), md5(candidate_id) desc limit 1
        """).fetchall()
        connection.execute("""
            update audit.audit__candidates
            set is_retained = false, stage = 'consistency', reason = 'consistency_filter_failed'
            where is_retained and benchmark = 'conflict_suite'
        """)
        Image.new("RGB", (320, 240), "red").save(tmp_path / "red.jpg")
        connection.execute(
            "create or replace table report.photographed as select * replace ("
            " case when source_image_id = $id then $path end as path,"
            " case when source_image_id = $id then 'shown' else 'not_landed' end as picture_state)"
            " from report.report__photographs",
            {"id": image_id, "path": str(tmp_path / "red.jpg")},
        )
        connection.execute("drop view report.report__photographs")
        connection.execute("alter table report.photographed rename to report__photographs")
        connection.execute("delete from report.report__pictures")
        page = read_page(report(connection, ["conflict_suite"], now.folder, before.path))
    fold = by_id(page, f"move-conflict_suite-{screening}-retained-consistency")
    assert "open" in fold.attributes
    first, *others = fold.all("article")
    assert [use.get("href") for use in first.all("use")] == ["#picture-1"]
    assert image_id in first.all("figcaption")[0].text
    assert others
    assert any("not landed" in card.text for card in others)
    said = dict(
        zip([dt.text for dt in first.all("dt")], [dd.text for dd in first.all("dd")], strict=True)
    )
    assert (said["before"], said["now"]) == ("retained", "consistency_filter_failed")
    # cards of the same picture may stand before it, and none without a picture does
    assert candidate_id in {card.all("bdi")[0].text for card in fold.all("article")}


def test_equal_builds_are_said_to_be_equal(tiny: Warehouse, tmp_path: Path) -> None:
    other = tiny.copied_to(tmp_path)
    with tiny.connect() as connection:
        page = read_page(report(connection, [], tiny.folder, other.path))
    changed = by_id(page, "difference")
    assert "No difference: every candidate ends where it ended before" in changed.text
    assert changed.all("table") == []
    assert "No rows." not in changed.text


def test_what_is_not_there_is_named(tiny: Warehouse, tmp_path: Path) -> None:
    with tiny.connect() as connection:
        with pytest.raises(GainsayError, match="nonsense: not in the report's tables, which have"):
            report(connection, ["nonsense"], tmp_path)
        with pytest.raises(GainsayError, match="no warehouse here"):
            report(connection, [], tmp_path, tmp_path / "absent.duckdb")
        empty = tmp_path / "empty.duckdb"
        duckdb.connect(empty).close()
        with pytest.raises(GainsayError, match="has no audit__candidates"):
            report(connection, [], tmp_path, empty)
    with duckdb.connect() as connection, pytest.raises(GainsayError, match="gainsay build"):
        report(connection, [], tmp_path)


def test_a_part_of_the_house_is_reported(tiny: Warehouse, tmp_path: Path) -> None:
    warehouse = tiny.copied_to(tmp_path)
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("""
            drop schema evaluation cascade; drop table report.report__examples;
            drop table report.report__manifests; drop table report.report__distributions;
            drop table report.report__pictures; drop schema audit cascade
        """)
    page = _page(warehouse)
    assert "Not built yet: run gainsay build." in page.text
    assert page.all("details", "drops")
