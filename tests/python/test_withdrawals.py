"""A picture that is taken down leaves builds, renderings and exports, and moves nothing else."""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import duckdb
import pytest
import yaml

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import EXPORT_LIST, WRITTEN_LIST, OwnFiles, content_of
from gainsay.ingest.image_files import find_images
from gainsay.ingest.llm_responses import Request
from gainsay.ingest.sinks.duckdb import ensure_raw_schema
from gainsay.ingest.withdrawals import (
    Withdrawal,
    put_back,
    read_withdrawals,
    remove_bytes,
    withdraw,
)
from gainsay.lm.attached_pictures import named_photograph
from gainsay.lm.requesting import open_requests
from gainsay.python_udfs.pixels.image_files import ImageLimits
from gainsay.review.records import Queue, Record
from tests.python import image_specimens as specimens
from tests.python.conftest import Warehouse
from tests.python.demos import Demo
from tests.python.picture_search import files_with


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    """A warehouse that knows three pictures, of which one is landed and rendered."""
    connection = duckdb.connect()
    ensure_raw_schema(connection)
    connection.execute("""
        create schema images;
        create schema reality_check;
        create table images.images__files as
            select * from (values
                ('coco-1', 'aa', '/photographs/one.jpg'), ('own-7', 'aa', '/photographs/copy.jpg'),
                ('coco-3', 'cc', '/photographs/3.jpg')
            ) as rows (source_image_id, sha256, path);
        create table images.images__source_images as select 'coco-2' as source_image_id;
        create table images.images__collected_images as select 'yfcc_3' as image_id;
        create table images.images__renderings as
            select * from (values
                ('aa', 'ab/one.jpg', 'dd'), ('aa', null, null), ('bb', 'cd/other.jpg', 'ee')
            ) as rows (image_sha256, rendered_file, sha256);
    """)
    return connection


def test_a_withdrawal_is_one_row_and_can_be_undone(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    assert withdraw(connection, ["coco-1", "yfcc_3", "coco-1"], "asked to") == 2
    assert withdraw(connection, ["coco-1", "coco-2"], "shows a face") == 1
    assert read_withdrawals(connection) == [
        Withdrawal("coco-1", "shows a face"),
        Withdrawal("coco-2", "shows a face"),
        Withdrawal("yfcc_3", "asked to"),
    ]
    assert put_back(connection, ["coco-1", "coco-9"]) == 1
    assert [picture.source_image_id for picture in read_withdrawals(connection)] == [
        "coco-2",
        "yfcc_3",
    ]


def test_a_picture_that_nobody_knows_is_refused(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(GainsayError, match=r"coco-9: no such picture is landed or listed"):
        withdraw(connection, ["coco-1", "coco-9"], "asked to")
    assert read_withdrawals(connection) == []


@pytest.mark.parametrize("built", ["images", "reality_check"])
def test_what_was_made_of_it_is_removed_and_nothing_else(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, built: str
) -> None:
    renderings, exports = tmp_path / "renderings", tmp_path / "exports"
    original = b"the landed picture"
    connection.execute(
        "update images.images__files set sha256 = ? where sha256 = 'aa'",
        [hashlib.sha256(original).hexdigest()],
    )
    connection.execute("update images.images__renderings set image_sha256 = files.sha256"
                       " from images.images__files as files where image_sha256 = 'aa'"
                       " and files.source_image_id = 'coco-1'")  # fmt: skip
    if built != "images":
        # a warehouse of one benchmark has its renderings alone
        connection.execute(f"create table {built}.{built}__renderings as"
                           " from images.images__renderings")  # fmt: skip
        connection.execute("drop table images.images__renderings")
    own = {
        # by splits, in the folder itself, and a delivery with names of its own
        "llava/train": {"images/coco-1.jpg": b"made smaller", "images/coco-11.jpg": b"another",
                        "llava_sft.json": b"[]"},
        "": {"images/one.jpg": b"rendered"},
        "delivery": {"data/raw/images/yfcc/17.jpg": original, "data/raw/18.jpg": b"a third"},
    }  # fmt: skip
    for folder, files in own.items():
        for name, data in files.items():
            OwnFiles(exports / folder).write(name, data)
    others = [renderings / "cd/other.jpg", exports / "mine/coco-1.jpg"]
    gone = [
        renderings / "ab/one.jpg",
        exports / "images/one.jpg",
        exports / "llava/train/images/coco-1.jpg",
        exports / "delivery/data/raw/images/yfcc/17.jpg",
    ]
    for path in (*others, gone[0]):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a picture")

    found = remove_bytes(connection, ["coco-1"], str(renderings), [exports])
    assert sorted(found.removed) == sorted(map(str, gone))
    assert found.exports == [str(exports / "llava/train")]
    stay = [exports / "llava/train/images/coco-11.jpg", exports / "delivery/data/raw/18.jpg"]
    assert [path for path in (*others, *stay) if not path.exists()] == []
    # a second time there is nothing left; what somebody changed since is named, and stays
    OwnFiles(exports).write("images/one.jpg", b"rendered")
    (exports / "images/one.jpg").write_bytes(b"painted over")
    release = exports / "releases/suite-0123/release.json"
    release.parent.mkdir(parents=True)
    release.write_text("{}")
    again = remove_bytes(connection, ["coco-1"], str(renderings), [exports, exports / "none"])
    assert again.removed == []
    assert again.releases == [str(release.parent)]
    assert again.landed == ["/photographs/copy.jpg", "/photographs/one.jpg"]
    assert again.changed == [str(exports / "images/one.jpg")]


@pytest.mark.parametrize("name", ["../coco-1.jpg", "{victim}", "out/coco-1.jpg"])
@pytest.mark.parametrize("listed", [WRITTEN_LIST, EXPORT_LIST])
def test_a_list_from_elsewhere_reaches_no_file_outside_of_its_folder(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, listed: str, name: str
) -> None:
    victim, folder = tmp_path / "coco-1.jpg", tmp_path / "exports"
    victim.write_bytes(specimens.jpeg())
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path)
    line = {"name": name.format(victim=victim), "sha256": content_of(victim)}
    lines = [{"format": "llava", "benchmark": "b"}, line, line["name"]]
    (folder / listed).write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    found = remove_bytes(connection, ["coco-1"], str(tmp_path / "none"), [folder])
    assert (found.removed, found.changed) == ([], [])
    [landed] = find_images([str(tmp_path)], ImageLimits(10**6, 10**6)).files
    assert landed.path == str(victim)


def test_records_drop_with_the_reason_and_nothing_else_moves(
    tiny: Warehouse, tmp_path: Path
) -> None:
    warehouse = tiny.copied_to(tmp_path)
    [(image_id,)] = warehouse.rows("""
        select min(source_image_id) from conflict_suite.conflict_suite__bases
        where base_split = 'train'
    """)
    splits = "select distinct source_image_id, base_split from conflict_suite.conflict_suite__bases"
    before = set(warehouse.rows(splits))
    retained = """
        select candidate_id from conflict_suite.conflict_suite__screened
        where is_retained
    """
    bases = set(warehouse.rows(retained))

    warehouse.gainsay("withdraw", str(image_id), "--reason", "the photographer asked")
    early = warehouse.gainsay("release", "conflict_suite", tmp_path / "early", check=False)
    assert f"examples still show {image_id}, taken down since it was built" in early.stderr
    warehouse.dbt(
        "run", "--select", "stg_gainsay__withdrawn_images", "conflict_suite__question_findings",
        "conflict_suite__screened", "conflict_suite__screened+,+conflict_suite__manifest",
        # what takes its bases from there
        "conflict_suite__screened+,+conflict_suite_refined__manifest",
    )  # fmt: skip

    # no test takes a withdrawal for a fault
    warehouse.dbt(
        "test", "--select", "conflict_suite__screened,test_type:data",
        "conflict_suite_refined__violations,test_type:data",
    )  # fmt: skip

    dropped = warehouse.rows(f"""
        select candidate_id, drop_stage, drop_reason, drop_detail
        from conflict_suite.conflict_suite__screened
        where source_image_id = '{image_id}' and drop_reason = 'picture_withdrawn'
    """)
    assert dropped
    assert {row[1:] for row in dropped} == {
        ("withdrawal", "picture_withdrawn", "the photographer asked")
    }
    # the questions of the picture leave, no other does, and no image moves to another split
    assert set(warehouse.rows(retained)) == bases - {(row[0],) for row in dropped}
    assert set(warehouse.rows(splits)) == {row for row in before if row[0] != image_id}
    assert warehouse.rows(f"""
        select count(*) from conflict_suite.conflict_suite__examples
        where '{image_id}' in (source_image_id, shown_image_id)
    """) == [(0,)]
    # the refined protocols, which have no such base any more, say of what they lost
    assert warehouse.rows(f"""
        select distinct screening, drop_stage, drop_detail
        from conflict_suite_refined.conflict_suite_refined__screened
        where source_image_id = '{image_id}'
    """) == [("bases", "withdrawal", "the photographer asked")]
    out = tmp_path / "out"
    released = warehouse.gainsay("release", "conflict_suite_refined", out)
    assert (
        "pictures taken down: 1, of this benchmark 1; candidates that dropped for it:"
        f" {len(dropped)}" in released.stdout
    )
    [card] = out.glob("*/README.md")
    said = " ".join(card.read_text().split())
    assert "Pictures taken down so far: 1, whichever benchmark showed them. For 1 of them" in said
    assert f"would have stayed otherwise, {len(dropped)} in all" in said
    stage = f"| bases | withdrawal | picture_withdrawn | {len(dropped)} |"
    assert stage in card.read_text()
    _assert_is_called_synthetic(card.parent)


def _assert_is_called_synthetic(folder: Path) -> None:
    """The inputs are those of `gainsay synth`, and whatever speaks of the release says so."""
    inputs = {
        name: measures
        for path in folder.glob("manifest*.json")
        for name, measures in json.loads(path.read_bytes())["input"].items()
    }
    assert inputs
    assert {measures["is_synthetic"] for measures in inputs.values()} == {"true"}
    record = json.loads((folder / "release.json").read_bytes())
    assert record["synthetic_inputs"] == sorted(inputs)
    card = (folder / "README.md").read_text()
    assert "(synthetic)\n\n**Synthetic: every file that this release was made of" in card
    metadata = json.loads((folder / "croissant.json").read_bytes())
    assert metadata["description"].startswith("Synthetic: every file")
    assert "synthetic" in metadata["keywords"]
    assert metadata["rai:dataCollection"].startswith("Synthetic: every file")
    assert metadata["rai:dataCollectionRawData"].count(", synthetic") == len(inputs)
    cited = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert cited["title"].endswith(" (synthetic)")
    assert cited["abstract"].startswith("Synthetic: every file")


def test_no_model_is_shown_a_photograph_that_was_taken_down(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    def request(path: str) -> Request:
        shown = {"role": "user", "content": [named_photograph(path)]}
        return Request(path, "judge", "m", "0" * 64, path, json.dumps({"messages": [shown]}))

    paths = ["/photographs/3.jpg", "/photographs/copy.jpg", "/photographs/one.jpg"]
    requests = [*map(request, paths), Request("none", "judge", "m", "0" * 64, "none", "{}")]
    assert [one.custom_id for one in open_requests(connection, requests)] == [*paths, "none"]
    withdraw(connection, ["coco-1"], "asked to")
    assert [one.custom_id for one in open_requests(connection, requests)] == [paths[0], "none"]


def test_readers_are_shown_no_picture_that_was_taken_down() -> None:
    shown = [
        {"role": "photograph", "file": "/a.jpg", "picture_id": "coco-1"},
        {"role": "edited", "file": "b.jpg", "picture_id": "coco-1::r", "is_rendering": True},
        {"role": "other", "file": "/c.jpg", "picture_id": "coco-11"},
    ]
    queue = Queue("b", "q", "t", "t", 1, {}, withdrawn=frozenset({"coco-1"}))
    record = Record("r", "m", False, None, json.dumps({"pictures": shown}))
    assert [one.file for one in queue.shown(record).pictures] == [None, None, "/c.jpg"]


@pytest.mark.xdist_group("demo")
def test_a_picture_is_nowhere_left_but_where_it_is_said(demo: Demo, tmp_path: Path) -> None:
    """Exports by splits and whole, as files and in tables, a release and the report."""
    renderings, exports = tmp_path / "renderings", tmp_path / "exports"
    shutil.copytree(demo.folder / "data/demo/renderings", renderings)
    shutil.copy(demo.warehouse, tmp_path / "gainsay.duckdb")
    warehouse = Warehouse(
        tmp_path, GAINSAY_RENDERINGS=str(renderings), GAINSAY_EXPORTS=str(exports)
    )
    program = str(Path(sys.executable).with_name("gainsay"))

    def gainsay(*arguments: str | Path) -> str:
        return warehouse.process([program, *map(str, arguments)]).stdout

    def write_all() -> None:
        gainsay("export", "image-folder", exports / "by_split")
        for kind in ("llava", "vlmevalkit"):
            gainsay("export", kind, exports / kind, "--split", "all")
        gainsay("export", "hugging-face", exports / "hub", "--split", "test_id")
        gainsay("report", "--out", tmp_path / "reports/report.html")

    # exports read renderings where the last build of this model found them
    gainsay("build", "--select", "path:models/exports", "images__renderings_folder")
    write_all()
    gainsay("release", "conflict_suite", exports / "releases", "--format", "hugging-face")
    # the picture with most files in exports
    [(image_id, landed)] = warehouse.rows("""
        select pictures.source_image_id, any_value(pictures.path)
        from conflict_suite.conflict_suite__examples as examples
        inner join exports.exports__pictures as pictures using (source_image_id)
        where pictures.picture_state = 'available' and examples.split = 'test_id'
        group by pictures.source_image_id
        order by count(*) desc, pictures.source_image_id
        limit 1
    """)
    rendered = warehouse.rows(f"""
        select renderings.rendered_file
        from images.images__recipes as recipes
        inner join images.images__renderings as renderings using (render_key)
        where recipes.source_image_id = '{image_id}' and renderings.rendered_file is not null
    """)
    photograph = Path(str(landed)).read_bytes()
    edits = [(renderings / str(file)).read_bytes() for (file,) in rendered]
    before = files_with(tmp_path, photograph, edits)
    assert {path.relative_to(tmp_path).parts[0] for path in before} >= {"renderings", "exports"}
    assert len(before) > 2 * len(rendered)

    said = gainsay("withdraw", str(image_id), "--reason", "the photographer asked")
    # what is left has its folder named; what lies elsewhere is said to be unsearched
    named = [line.partition(": ")[0] for line in said.splitlines()]
    assert str(landed) in named
    left = files_with(tmp_path, photograph, edits)
    assert left
    assert [path for path in left if path.suffix in (".jpg", ".png")] == []
    unnamed = [path for path in left if not {*map(str, path.parents)} & {*named}]
    assert {path.relative_to(tmp_path).parts[0] for path in unnamed} <= {"reports"}
    assert "what lies elsewhere is not searched: reports, releases" in said

    # an export before the next build has no byte of it either, and a release is refused
    gainsay("export", "llava", exports / "llava", "--split", "all")
    assert files_with(exports / "llava", photograph, edits) == []

    shutil.rmtree(exports / "releases")
    gainsay("build")
    write_all()
    gainsay("release", "conflict_suite", exports / "releases", "--format", "hugging-face")
    assert files_with(tmp_path, photograph, edits) == []
    assert warehouse.rows(f"""
        select distinct drop_stage, drop_reason, drop_detail
        from conflict_suite.conflict_suite__screened
        where source_image_id = '{image_id}' and drop_stage = 'withdrawal'
    """) == [("withdrawal", "picture_withdrawn", "the photographer asked")]
