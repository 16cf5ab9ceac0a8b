"""A second round of attacks: listings, export folders, releases, kills, full disks, and keys.

What holds of each: it is refused with a reason that names the file, or it does what it should.
Nothing outside of what was named changes, nothing hangs, and no error is a traceback.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from gainsay import cli
from gainsay.exports.counting import counts_of, written_rows
from gainsay.exports.folder import ExportFolder
from gainsay.foundation.atomic import atomic_folder, write_atomically
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import EXPORT_LIST
from gainsay.foundation.progress import advance_unseen
from gainsay.ingest.collect.files import Share, list_openimages, list_yfcc
from gainsay.ingest.llm_responses import Request, land_requests
from gainsay.ingest.sinks.duckdb import DuckDbSink, ensure_raw_schema
from gainsay.lm import requesting
from gainsay.lm.runner import Outcome
from gainsay.release import verify as verifying
from gainsay.release.croissant import CONFORMS_TO
from gainsay.release.files import CHECKSUMS, checksum_lines, files_of, own_files
from gainsay.release.record import CROISSANT, RECORD
from gainsay.release.release import Order, require_identity
from gainsay.release.verify import find_releases, verify
from tests.python.chat_server import serve
from tests.python.conftest import PROJECT
from tests.python.disks import mounted, needs_mount


def test_every_test_that_the_page_of_faults_names_is_there() -> None:
    page = (PROJECT / "docs" / "faults.md").read_text()
    folder, file = PROJECT / "tests" / "python", ""
    for named, test in re.findall(r"`(test_\w+\.py)?(?:::(\w+))?`", page):
        file = named or file
        if named or test:
            assert f"def {test}" in (folder / file).read_text()


# --- CSV listings for `gainsay collect list`

HEADER = b"ImageID,Source,LabelName,Confidence\n"
ROW = b"000595fe6fee6369,verification,/m/0jbk,1\n"
LISTINGS = {
    "empty": b"",
    "a line's end": b"\n",
    "header alone": HEADER,
    "no last line's end": HEADER + ROW[:-1],
    "lines of Windows": (HEADER + ROW).replace(b"\n", b"\r\n"),
    "lines of an old Mac": (HEADER + ROW).replace(b"\n", b"\r"),
    "byte order mark": b"\xef\xbb\xbf" + HEADER + ROW,
    "UTF-16": (HEADER + ROW).decode().encode("utf-16"),
    "no UTF-8": HEADER + b"\xff\xfe,verification,/m/0jbk,1\n",
    "NUL": HEADER + b"00\x00,verification,/m/0jbk,1\n",
    "only NULs": b"\0" * 5_000,
    "short row": HEADER + ROW + b"a,b\n",
    "long row": HEADER + ROW[:-1] + b",more\n",
    "open quote": HEADER + b'"0005,verification,/m/0jbk,1\n' + ROW * 3,
    "quote in a cell": HEADER + b'00"05,verification,/m/0jbk,1\n',
    "line's end in a cell": HEADER + b'"00\n05",verification,/m/0jbk,1\n',
    "a cell of 6 MB": HEADER + b"x" * 6_000_000 + b",verification,/m/0jbk,1\n",
    "a header of 1 MB": b"ImageID," * 130_000 + b"\n" + ROW,
    "no number": HEADER + ROW[:-2] + b"sure\n",
    "endless number": HEADER + ROW[:-2] + b"1e999\n",
    "nan": HEADER + ROW[:-2] + b"nan\n",
    "formula": HEADER + b"=1+2,verification,/m/0jbk,1\n",
    "columns in another order": b"Source,ImageID,LabelName,Confidence\n" + ROW,
    "a column twice": b"ImageID,Source,LabelName,Confidence,Confidence\n" + ROW,
    "another's header": b"image,prediction\n" + ROW,
    "semicolons": (HEADER + ROW).replace(b",", b";"),
    "a class without a header": b"/m/0jbk,Animal\n",
    "a class of no form": b"0jbk,Animal\n",
    "JSON": b'[{"ImageID": "a"}]\n',
    "zip": b"PK\x03\x04" + b"\0" * 50,
    "gzip": b"\x1f\x8b\x08" + b"\0" * 50,
}


@pytest.fixture(name="listed")
def warehouse_of_listings(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(path=tmp_path / "gainsay.duckdb") as connection:
        ensure_raw_schema(connection)
        yield connection


def _n_listed(connection: duckdb.DuckDBPyConnection) -> int:
    names = ("openimages_labels", "openimages_classes", "openimages_boxes", "yfcc_photos")
    return sum(
        connection.execute(f"select count(*) from raw.{name}").fetchall()[0][0]
        for name in names
        if connection.execute(
            "select 1 from duckdb_tables() where schema_name = 'raw' and table_name = $1", [name]
        ).fetchall()
    )


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_is_listed_or_refused_by_its_name(
    tmp_path: Path, listed: duckdb.DuckDBPyConnection, name: str
) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(LISTINGS[name])
    try:
        [listing] = list_openimages(listed, [path], advance_unseen)
        n_listed = listing.n_listed
    except GainsayError as error:
        n_listed = 0
        assert "labels.csv" in str(error)  # noqa: PT017 - either way is right
    assert _n_listed(listed) == n_listed


TABLES = {
    "empty": b"",
    "two columns": b"1\tpeople:0.9\n",
    "no number": b"one\tpeople:0.9\n",
    "23 empty columns": b"\t" * 22 + b"\n",
    "25 empty columns": b"\t" * 24 + b"\n",
    "other columns later": b"\t" * 22 + b"\n" + b"\t" * 24 + b"\n",
    "no UTF-8": b"\xff" + b"\t" * 22 + b"\n",
    "NUL": b"\0" + b"\t" * 22 + b"\n",
    "a line of 9 MB": b"x" * 9_000_000,
    "no bzip2": b"BZh9" + b"\0" * 50,
}


@pytest.mark.parametrize("suffix", ["", ".bz2"])
@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_listed_or_refused_by_its_name(
    tmp_path: Path, listed: duckdb.DuckDBPyConnection, name: str, suffix: str
) -> None:
    path = tmp_path / f"yfcc100m_dataset{suffix}"
    path.write_bytes(TABLES[name])
    try:
        [listing] = list_yfcc(listed, [path], Share(1.0, 42, 0.05), advance_unseen)
        n_listed = listing.n_listed
    except GainsayError as error:
        n_listed = 0
        assert "yfcc100m_dataset" in str(error)  # noqa: PT017 - either way is right
    assert n_listed >= _n_listed(listed)


# --- lists in export folders

_FIRST = b'{"format":"jsonl","benchmark":"conflict_suite"}\n'
EXPORT_LISTS = {
    "empty": b"",
    "no JSON": b"records.jsonl\n",
    "another's first line": b'{"format":"dpo","benchmark":"conflict_suite"}\n"records.jsonl"\n',
    "no UTF-8": b"\xff\n",
    "deep": b"[" * 100_000,
    "a name that leads out": _FIRST + b'"../victim"\n',
    "a name from the root": _FIRST + b'"{root}/victim"\n',
    "a name of the folder": _FIRST + b'"."\n',
    "no name": _FIRST + b'""\n',
    "a name with NUL": _FIRST + b'"a\\u0000b"\n',
    "half a pair": _FIRST + b'"a\\ud800"\n',
    "a name through a link": _FIRST + b'"out/victim"\n',
    "a name of a folder": _FIRST + b'"folder"\n',
    "a cut last line": _FIRST + b'"records.jsonl"\n"imag',
    "a number": _FIRST + b"7\n",
    "lines of Windows": _FIRST.replace(b"\n", b"\r\n") + b'"records.jsonl"\r\n',
    "many names": _FIRST + b"".join(b'"images/%d.png"\n' % n for n in range(10_000)),
}


@pytest.mark.parametrize("name", EXPORT_LISTS)
def test_no_list_of_an_export_reaches_out_of_its_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "export"
    (folder / "folder").mkdir(parents=True)
    (folder / "folder" / "mine").write_text("mine")
    (tmp_path / "victim").write_text("mine")
    (folder / "out").symlink_to(tmp_path)
    content = EXPORT_LISTS[name].replace(b"{root}", str(tmp_path).encode())
    (folder / EXPORT_LIST).write_bytes(content)
    try:
        target = ExportFolder(folder, "jsonl", "conflict_suite")
        with target.taken_over(set()):
            target.write("records.jsonl", b"{}\n")
            target.finish("a card")
    except GainsayError as error:
        assert str(folder) in str(error) or "leaves the folder" in str(error)  # noqa: PT017
    else:
        assert (folder / "records.jsonl").read_bytes() == b"{}\n"
    assert (tmp_path / "victim").read_text() == "mine"
    assert (folder / "folder" / "mine").read_text() == "mine"


# --- releases that are not what they say


@pytest.fixture(name="release", scope="module")
def release_of_two_examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases") / "suite-0123"
    tables = {"examples/train": 2, "prompts/prompts": 1, "shown_pictures/shown_pictures": 0}
    for stem, n in tables.items():
        path = folder / "data" / f"{stem}-00000-of-00001.parquet"
        path.parent.mkdir(parents=True)
        ids = [str(one) for one in range(n)]
        pq.write_table(pa.table({"example_id": ids, "split": ["train"] * n}), path)
    manifest = b'{"content":{"examples":{"n":"2"}}}'
    (folder / "manifest.json").write_bytes(manifest)
    record = {
        "benchmark": "suite", "version": "1", "date_published": "2026-01-01",
        "manifest_sha256": verifying.hashlib.sha256(manifest).hexdigest(),
        "manifests": ["manifest.json"], "n_records": {"train": 2}, "n_prompts": 1, "n_pictures": 0,
        "withheld": {}, "n_withdrawn_pictures": 0, "n_withdrawn": 0, "formats": {},
    }  # fmt: skip
    [examples] = (folder / "data/examples").iterdir()
    record["counts"] = [
        {"split": split, "condition": condition, "n": count.n, "digest": f"{count.digest:x}"}
        for (split, condition), count in counts_of(written_rows(examples)).items()
    ]
    (folder / RECORD).write_text(json.dumps(record))
    for name in verifying._FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("image,reason\n" if name.endswith(".csv") else "x")
    stated = dict.fromkeys(verifying._REQUIRED, "x") | {
        "conformsTo": CONFORMS_TO, "version": "1", "datePublished": "2026-01-01",
        "url": "https://example.org/suite",
    }  # fmt: skip
    (folder / CROISSANT).write_text(
        json.dumps(stated | {"distribution": [], "recordSet": [_RECORD_SET]})
    )
    _seal(folder)
    return folder


def _seal(folder: Path) -> None:
    """Write the hashes of what is there now."""
    (folder / CHECKSUMS).unlink(missing_ok=True)
    (folder / CHECKSUMS).write_text(checksum_lines(list(files_of(folder))))


def _write(name: str, content: bytes, *, sealed: bool = True) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_bytes(content)
        if sealed and name != CHECKSUMS:
            _seal(folder)

    return damage


def _change(**changed: Any) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        record = json.loads((folder / RECORD).read_bytes()) | changed
        _write(RECORD, json.dumps(record).encode())(folder)

    return damage


def _state(**changed: Any) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        stated = json.loads((folder / CROISSANT).read_bytes()) | changed
        _write(CROISSANT, json.dumps(stated).encode())(folder)

    return damage


# what can be guessed beyond its limit
_GUESSED = {
    "condition": "asked", "view": "question", "guessed": "answer", "reader": "cross_fitted",
    "slice_name": "all", "slice_value": "all", "n": 9, "n_groups": 9,
    "most_frequent_accuracy": 0.5, "blind_accuracy": 0.9, "margin": 0.4, "margin_error": 0.1,
    "margin_limit": 0.1, "is_limit_met": False,
}  # fmt: skip


def _remove(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).unlink()
        _seal(folder)

    return damage


def _pipe(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)

    return damage


def _link(name: str, target: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        moved = folder.parent / "moved"
        if (folder / name).exists():
            (folder / name).rename(moved)
        (folder / name).symlink_to(target.format(moved=moved))

    return damage


# what is listed in the file itself has no source
_RECORD_SET = {
    "@id": "splits",
    "field": [{"@id": "splits/name", "dataType": "sc:Text"}],
    "data": [{"splits/name": "train"}],
}
_EXAMPLES = "data/examples/train-00000-of-00001.parquet"
DAMAGES: dict[str, Callable[[Path], None]] = {
    "record empty": _write(RECORD, b""),
    "record of a list": _write(RECORD, b"[]"),
    "record no UTF-8": _write(RECORD, b"\xff"),
    "record deep": _write(RECORD, b"[" * 100_000),
    "record a pipe": _pipe(RECORD),
    "record names a manifest outside": _change(manifests=["../moved"]),
    "record names a manifest from the root": _change(manifests=["/etc/passwd"]),
    "record names a device": _change(manifests=["/dev/zero"]),
    "record without manifests": _change(manifests=[]),
    "record of other counts": _change(n_records={"train": 3}),
    "record of a split with a star": _change(n_records={"*": 2}),
    "record of a split with brackets": _change(n_records={"[a": 2}),
    "record with a huge count": _change(n_prompts=10**30),
    "record of fewer prompts": _change(n_prompts=0),
    "record of no day": _change(date_published="2024-02-30"),
    "record of a day of another form": _change(date_published="20240229"),
    "record of a version of two lines": _change(version="1.0\n# not"),
    "record of no version": _change(version=""),
    "record of a version that is markup": _change(version="<script>"),
    "record that quotes a reason for nothing": _change(although_guessed="why"),
    "record that quotes no reason": _change(margins=[_GUESSED]),
    "croissant of a script": _state(url="javascript:alert(1)"),
    "croissant of a file": _state(url="file:///etc/passwd"),
    "croissant of no host": _state(url="https:///x"),
    "croissant of an address of two lines": _state(url="https://x\n.org"),
    "croissant of another version": _state(version="2"),
    "croissant of another day": _state(datePublished="2026-01-02"),
    "sums empty": _write(CHECKSUMS, b""),
    "sums no UTF-8": _write(CHECKSUMS, b"\xff\n"),
    "sums of no form": _write(CHECKSUMS, b"hash name\n"),
    "sums of a name outside": _write(CHECKSUMS, b"%b  ../moved\n" % (b"0" * 64)),
    "sums of a device": _write(CHECKSUMS, b"%b  /dev/zero\n" % (b"0" * 64)),
    "sums of a folder": _write(CHECKSUMS, b"%b  data\n" % (b"0" * 64)),
    "sums with NUL": _write(CHECKSUMS, b"%b  a\0b\n" % (b"0" * 64)),
    "sums with colors": _write(CHECKSUMS, b"%b  \x1b[31mred\n" % (b"0" * 64)),
    "sums a pipe": _pipe(CHECKSUMS),
    "sums a link to a device": _link(CHECKSUMS, "/dev/zero"),
    "croissant a list": _write(CROISSANT, b"[]"),
    "croissant null": _write(CROISSANT, b"null"),
    "croissant cut": _write(CROISSANT, b'{"name": '),
    "croissant deep": _write(CROISSANT, b"[" * 100_000),
    "croissant empty": _write(CROISSANT, b"{}"),
    "croissant of texts": _write(CROISSANT, b'{"distribution": "none", "recordSet": 7}'),
    "croissant of nulls": _write(CROISSANT, b'{"distribution": [null], "recordSet": [null]}'),
    "croissant of odd fields": _write(CROISSANT, b'{"recordSet": [{"field": [{"source": []}]}]}'),
    "croissant a pipe": _pipe(CROISSANT),
    "manifest a list": _write("manifest.json", b"[]"),
    "manifest of another shape": _write("manifest.json", b'{"content": 7}'),
    "manifest a pipe": _pipe("manifest.json"),
    "manifest a folder": lambda folder: (
        (folder / "manifest.json").unlink(), (folder / "manifest.json").mkdir(), None,
    )[-1],
    "examples garbage": _write(_EXAMPLES, b"PAR1" + b"\0" * 50 + b"PAR1"),
    "examples empty": _write(_EXAMPLES, b""),
    "examples cut": lambda folder: _write(
        _EXAMPLES, (folder / _EXAMPLES).read_bytes()[:-20]
    )(folder),
    "examples a pipe": _pipe(_EXAMPLES),
    "examples a link to the same content": _link(_EXAMPLES, "{moved}"),
    "examples a dangling link": _link(_EXAMPLES, "nowhere"),
    "examples a link to itself": _link(_EXAMPLES, "train-00000-of-00001.parquet"),
    "data a link to the same folder": _link("data", "{moved}"),
    "a file more": _write("more.txt", b"more", sealed=False),
    "a pipe more": _pipe("more"),
    "no card": _remove("README.md"),
    "no citation": _remove("CITATION.cff"),
    "no croissant": _remove(CROISSANT),
    "no licences": _remove("LICENSES/README.md"),
    "no pictures that are withheld": _remove("LICENSES/withheld.csv"),
    "a picture withheld that is not counted": _write("LICENSES/withheld.csv", b"image\nx\n"),
    "no counts": _change(counts=[]),
    "another's name": lambda folder: (
        folder.rename(folder.with_name("suite-0123456789ab")), folder.mkdir(),
        folder.with_name("suite-0123456789ab").rename(folder / "suite-0123456789ab"), None,
    )[-1],
    "an empty folder": lambda folder: (folder / "data/pictures").mkdir(),
    "a link more": _link("more", "/etc/passwd"),
    "a link to the folder above": _link("more", ".."),
    "a name that is no UTF-8": _write(os.fsdecode(b"more\xff"), b"more", sealed=False),
    "a name with a line's end": _write("more\nless", b"more", sealed=False),
    "a name with colors": _write("\x1b[31mred", b"more", sealed=False),
    "a sparse file of a terabyte": lambda folder: (
        _write("more", b"", sealed=False)(folder), os.truncate(folder / "more", 2**40), None,
    )[-1],
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_release_is_found_out(
    tmp_path: Path, release: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # another program's part, which takes long to load
    monkeypatch.setattr(verifying, "_validate", lambda _path, _findings: "")
    copy = tmp_path / release.name
    shutil.copytree(release, copy)
    assert verify(copy).findings == []

    DAMAGES[name](copy)

    try:
        findings = [
            finding for folder in find_releases(copy) for finding in verify(folder).findings
        ]
    except GainsayError as error:
        findings = [str(error)]
    assert findings
    "".join(findings).encode()


def test_a_release_says_why_it_can_be_guessed(
    tmp_path: Path, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "_validate", lambda _path, _findings: "")
    copy = tmp_path / release.name
    shutil.copytree(release, copy)
    _change(margins=[_GUESSED], although_guessed="to show it")(copy)
    _state(url=f"urn:sha256:{'0' * 64}")(copy)
    assert verify(copy).findings == []


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ({"version": "1\n2"}, "version '1\\n2': expected letters"),
        ({"version": ""}, "version ''"),
        ({"date_published": "2024-02-30"}, "date '2024-02-30': expected a day"),
        ({"date_published": "2024-W01-1"}, "date '2024-W01-1'"),
        ({"date_published": "2024-01-01T00:00"}, "date '2024-01-01T00:00'"),
        ({"url": "javascript:alert(1)"}, "url 'javascript:alert(1)'"),
        ({"url": "data:text/html,x"}, "url 'data:text/html,x'"),
        ({"url": "https://"}, "url 'https://'"),
        ({"url": "https://x.org/a b"}, "url 'https://x.org/a b'"),
        ({"url": "https://x.org:99999/"}, "url 'https://x.org:99999/'"),
        ({"url": "https://x.org/\u202emoc"}, "url 'https://x.org/"),
        ({"although_guessed": " "}, "expected the reason"),
    ],
)
def test_no_release_is_made_that_is_cited_wrongly(option: dict[str, str], problem: str) -> None:
    with pytest.raises(GainsayError, match=re.escape(problem)):
        require_identity(Order("suite", **option))


def test_a_release_may_not_take_the_place_of_one_whose_list_is_damaged(
    tmp_path: Path, release: Path
) -> None:
    copy = tmp_path / release.name
    shutil.copytree(release, copy)
    (copy / "mine").write_text("mine")
    (copy / CHECKSUMS).write_text("mine\n")
    with pytest.raises(GainsayError, match="SHA256SUMS"), atomic_folder(copy, own_files):
        pass
    assert (copy / "mine").read_text() == "mine"


# --- `gainsay llm run`, killed midway: what stands in its store at that moment


@pytest.mark.parametrize("n_lost", [0, 1, 2, 3, 10, 50, 100, 150, 200, 250])
def test_a_store_that_a_kill_cut_loses_no_whole_answer(tmp_path: Path, n_lost: int) -> None:
    requests = [Request(f"id-{n}", "judge", "m", "0" * 64, str(n), "{}") for n in range(4)]
    answer = json.dumps({"choices": [{"message": {"content": "yes"}}]})
    warehouse = tmp_path / "gainsay.duckdb"
    with requesting.open_responses(warehouse, "judge", "m") as store:
        store.keep([Outcome(request, answer, None) for request in requests])
        path = store._store.path
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - n_lost])
    n_whole = content[: len(content) - n_lost].count(b"}\n") - 1 + (n_lost == 1)
    with connect(path=warehouse) as connection:
        land_requests(DuckDbSink(connection), requests)
        with requesting.open_responses(warehouse, "judge", "m") as store:
            requesting.land(connection, store)
            left = requesting.open_requests(connection, requests)
            store.keep([Outcome(request, answer, None) for request in left])
            requesting.land(connection, store)
        assert requesting.open_requests(connection, requests) == []
    assert len(left) == len(requests) - n_whole


# --- keys


def _commands(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for each in group.list_commands(context):
        command = group.get_command(context, each)
        assert command
        yield f"{name} {each}".strip(), command
        if isinstance(command, click.Group):
            yield from _commands(command, f"{name} {each}".strip())


def test_no_command_takes_a_key_that_the_list_of_processes_would_show() -> None:
    options = [
        f"{name} {option}"
        for name, command in _commands(cli.main)
        for parameter in command.params
        for option in parameter.opts
    ]
    assert len(options) > 100
    secret = ("key", "token", "secret", "password")
    assert [one for one in options if any(word in one.split()[-1] for word in secret)] == [
        one for one in options if one.endswith("--max-tokens")
    ]


def test_a_key_is_in_no_command_line_of_a_run() -> None:
    key = "sk-not-in-the-list-of-processes"
    shown: list[str] = []

    def look(_prompt: str) -> tuple[int, dict[str, Any]]:
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                shown.append(process.read_text(errors="replace"))
            except OSError:
                continue
        return 200, {"content": "yes"}

    code = (
        "import sys; from gainsay.lm.chat_client import ChatClient;"
        "ChatClient(sys.argv[1], 'm').complete(sys.argv[2])"
    )
    body = json.dumps(
        {"model": "m", "messages": [{"role": "system", "content": "s"},
                                    {"role": "user", "content": "u"}]}
    )  # fmt: skip
    with serve() as chat:
        chat.message = look
        subprocess.run(
            [sys.executable, "-c", code, chat.url, body],
            cwd=PROJECT, env=os.environ | {"GAINSAY_API_KEY": key}, check=False,
        )  # fmt: skip
        assert chat.keys == [f"Bearer {key}"]
    assert any("chat_client" in one for one in shown)
    assert not any(key in one for one in shown)


# --- full disks

_LONG_WORK = (
    ("build", "--select", "nothing"),
    ("release", "clash", "{disk}/releases"),
    ("export", "jsonl", "{disk}/export"),
    ("report", "--out", "{disk}/report.html"),
)


@needs_mount
@pytest.mark.parametrize("command", _LONG_WORK, ids=lambda command: command[0])
def test_long_work_tries_a_full_disk_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    with mounted(tmp_path / "disk", "512k") as disk:
        monkeypatch.setenv("GAINSAY_DB", str(disk / "gainsay.duckdb"))
        result = CliRunner().invoke(cli.main, [part.format(disk=disk) for part in command])
        assert list(disk.iterdir()) == []
    assert result.exit_code == 1
    assert f"no file can be put into {disk}: No space left on device" in result.output


@pytest.fixture(name="disk")
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", "256k") as disk:
        yield disk


@needs_mount
def test_an_export_to_a_full_disk_says_so_and_leaves_no_card(disk: Path) -> None:
    folder = disk / "export"
    target = ExportFolder(folder, "jsonl", "conflict_suite")
    with target.taken_over(set()):
        target.write("records.jsonl", b"first\n")
        target.finish("a card")
    target = ExportFolder(folder, "jsonl", "conflict_suite")
    with pytest.raises(GainsayError, match="No space left on device"), target.taken_over(set()):
        target.write("records.jsonl", b"x" * 2**20)
    assert (folder / "records.jsonl").read_bytes() == b"first\n"
    assert not (folder / "README.md").exists()
    assert not (folder / ".gainsay-parts").exists()


@needs_mount
def test_a_first_export_to_a_full_disk_leaves_nothing(disk: Path) -> None:
    folder = disk / "export"
    target = ExportFolder(folder, "jsonl", "conflict_suite")
    folder.mkdir()
    with suppress(OSError), (disk / "fill").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    with pytest.raises(GainsayError, match="No space left on device"), target.taken_over(set()):
        pass
    assert list(folder.iterdir()) == []


@needs_mount
def test_a_release_to_a_full_disk_leaves_the_earlier_one(disk: Path) -> None:
    path = disk / "suite-01"
    for size, is_full in ((10, False), (2**20, True)):
        try:
            with atomic_folder(path) as unfinished:
                (unfinished / "data").write_bytes(b"x" * size)
        except OSError as error:
            assert is_full, error  # noqa: PT017 - the first one is written
    assert (path / "data").read_bytes() == b"x" * 10
    assert list(disk.iterdir()) == [path]


@needs_mount
def test_a_file_on_a_full_disk_is_as_it_was(disk: Path) -> None:
    write_atomically(disk / "report.html", b"first")
    with pytest.raises(GainsayError, match="No space left on device"):
        write_atomically(disk / "report.html", b"x" * 2**20)
    assert (disk / "report.html").read_bytes() == b"first"
    assert list(disk.iterdir()) == [disk / "report.html"]


@needs_mount
def test_an_answer_on_a_full_disk_is_not_half_kept(disk: Path) -> None:
    request = Request("id", "judge", "m", "0" * 64, "1", "{}")
    with (
        requesting.open_responses(disk / "gainsay.duckdb", "judge", "m") as store,
        pytest.raises(GainsayError, match="No space left on device"),
    ):
        store.keep([Outcome(request, "x" * 2**20, None)])
    with requesting.open_responses(disk / "gainsay.duckdb", "judge", "m") as store:
        assert list(store.responses()) == []


@needs_mount
def test_a_warehouse_on_a_full_disk_says_so_without_leaks(disk: Path) -> None:
    with suppress(OSError), (disk / "fill").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    process = subprocess.run(
        [sys.executable, "-m", "gainsay", "land-votes", PROJECT / "README.md"],
        cwd=PROJECT, env=os.environ | {"GAINSAY_DB": str(disk / "gainsay.duckdb")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert process.returncode == 1
    assert "gainsay.duckdb" in process.stderr or "No space left" in process.stderr
    assert "leaked" not in process.stderr
    assert "Traceback" not in process.stderr
