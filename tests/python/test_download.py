"""A download ends with the very bytes that were asked for, or with nothing and a reason."""

import fcntl
import hashlib
import json
import os
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from gainsay.cli import download as command
from gainsay.foundation import http
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.collect.download import (
    Archive,
    Network,
    download,
    official_archives,
    published_networks,
)
from gainsay.ingest.files import OFFICIAL_NAMES
from tests.python.disks import mounted, needs_mount, remount
from tests.python.faulty_server import (
    Fault,
    FileHandler,
    Site,
    cut,
    hang_up,
    serving,
    status,
    whole,
)

CONTENT = random.Random(7).randbytes(3_000_000)
OTHER_CONTENT = random.Random(8).randbytes(len(CONTENT))


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(Site(CONTENT)) as site:
        yield site


class Client:
    """Downloads the site's file, and notes the pauses it would have made."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.archive = Archive(site.url, len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
        self.folder = folder
        self.target = folder / "archive.zip"
        self.part = folder / "archive.zip.part"
        self.pauses: list[float] = []
        self.progress = 0

    def run(self) -> str:
        """What became of the archive."""
        self.progress = 0
        return download([self.archive], self.folder, self._advance, self.pauses.append)[0]

    def fails(self, match: str) -> None:
        """Run, and expect an error whose message matches."""
        with pytest.raises(GainsayError, match=match):
            self.run()
        assert not self.target.exists()

    def has_the_file_alone(self) -> bool:
        """Whether the archive is here, whole, with nothing beside it, and all was counted."""
        return (
            self.target.read_bytes() == CONTENT
            and list(self.folder.iterdir()) == [self.target]
            and self.progress == len(CONTENT)
        )

    def _advance(self, amount: int = 1) -> None:
        self.progress += amount


@pytest.fixture
def client(site: Site, tmp_path: Path) -> Client:
    return Client(site, tmp_path / "official")


def test_plain_download(site: Site, client: Client) -> None:
    assert client.run() == "fetched"
    assert client.has_the_file_alone()
    assert site.ranges == [None]
    assert client.pauses == []


def test_present_file_is_verified_and_not_fetched(site: Site, client: Client) -> None:
    client.run()
    assert client.run() == "already there"
    assert client.has_the_file_alone()
    assert len(site.requests) == 1


@pytest.mark.parametrize("content", [OTHER_CONTENT, CONTENT[:-1], b""])
def test_another_file_of_that_name_is_left_alone(
    site: Site, client: Client, content: bytes
) -> None:
    client.folder.mkdir()
    client.target.write_bytes(content)
    with pytest.raises(GainsayError, match="not the official archive"):
        client.run()
    assert client.target.read_bytes() == content
    assert site.requests == []


def test_broken_connections_are_resumed(site: Site, client: Client) -> None:
    site.faults = [cut(1_000_000), hang_up, cut(500_000)]
    client.run()
    assert client.has_the_file_alone()
    assert site.ranges == [None, "bytes=1000000-", "bytes=1000000-", "bytes=1500000-"]
    assert [headers.get("if-range") for headers in site.requests[1:]] == ['"first"'] * 3
    assert {headers["accept-encoding"] for headers in site.requests} == {"identity"}
    assert len(client.pauses) == 3


def test_a_later_run_resumes(site: Site, client: Client) -> None:
    site.faults = [cut(1_000_000), status(404)]
    client.fails(match="404")
    assert client.part.read_bytes() == CONTENT[:1_000_000]
    client.run()
    assert client.has_the_file_alone()
    assert site.ranges[-1] == "bytes=1000000-"


def test_last_modified_serves_where_no_strong_tag_is(site: Site, client: Client) -> None:
    site.etag = 'W/"weak"'
    site.last_modified = "Wed, 21 Oct 2015 07:28:00 GMT"
    site.faults = [cut(1_000_000)]
    client.run()
    assert client.has_the_file_alone()
    assert site.requests[1]["if-range"] == site.last_modified
    assert site.ranges[1] == "bytes=1000000-"


def test_version_is_sent_back_as_it_came(site: Site, client: Client) -> None:
    site.etag = '"caf\xe9"'
    site.faults = [cut(1_000_000)]
    client.run()
    assert client.has_the_file_alone()
    assert site.requests[1]["if-range"] == site.etag


def test_without_a_version_it_starts_over(site: Site, client: Client) -> None:
    site.etag = None
    site.faults = [cut(1_000_000)]
    client.run()
    assert client.has_the_file_alone()
    assert site.ranges == [None, None]


def test_server_that_ignores_ranges(site: Site, client: Client) -> None:
    site.faults = [cut(1_000_000), whole()]
    client.run()
    assert client.has_the_file_alone()
    assert site.ranges == [None, "bytes=1000000-"]


def _change(site: Site) -> Fault:
    """Cut the connection in the middle of another file, and serve the right one after that."""

    def answer(handler: FileHandler) -> None:
        site.content, site.etag = OTHER_CONTENT, '"other"'
        handler.answer(cut_after=1_000_000)
        site.content, site.etag = CONTENT, '"first"'

    return answer


def test_file_that_changes_midway_is_fetched_anew(site: Site, client: Client) -> None:
    site.faults = [_change(site)]
    client.run()
    assert client.has_the_file_alone()
    assert site.requests[1]["if-range"] == '"other"'


def _rest_of(first: int, size: int, etag: str = '"first"') -> Fault:
    """Send a partial answer that is not the one that was asked for."""

    def answer(handler: FileHandler) -> None:
        body = handler.site.content[first:]
        stated = f"bytes {first}-{size - 1}/{size}"
        headers = {"ETag": etag, "Content-Range": stated, "Content-Length": str(len(body))}
        handler.head(206, headers)
        handler.wfile.write(body)

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(_rest_of(0, len(CONTENT)), id="another range"),
        pytest.param(_rest_of(1_000_000, len(CONTENT) + 1), id="another size"),
        pytest.param(_rest_of(1_000_000, len(CONTENT), '"other"'), id="another version"),
        pytest.param(status(206), id="no range stated"),
        pytest.param(status(416), id="no range satisfies"),
    ],
)
def test_partial_answer_that_does_not_continue_is_not_appended(
    site: Site, client: Client, answer: Fault
) -> None:
    site.faults = [cut(1_000_000), answer]
    client.run()
    assert client.has_the_file_alone()
    assert site.ranges == [None, "bytes=1000000-", None]


@pytest.mark.parametrize("length", [len(CONTENT), len(CONTENT) + 5])
def test_part_of_full_size_or_more(site: Site, client: Client, length: int) -> None:
    client.folder.mkdir()
    client.part.write_bytes((CONTENT + b"extra")[:length])
    client.part.with_name(f"{client.part.name}.version").write_text('"first"')
    client.run()
    assert client.has_the_file_alone()
    assert len(site.requests) == (0 if length == len(CONTENT) else 1)


def test_wrong_bytes_are_refused_and_removed(site: Site, client: Client) -> None:
    site.faults = [whole(OTHER_CONTENT)]
    client.fails(match="sha256 differs")
    assert not any(client.folder.iterdir())
    client.run()
    assert client.has_the_file_alone()


def test_endless_body_is_refused(site: Site, client: Client) -> None:
    site.faults = [whole(CONTENT + b"x")]
    client.fails(match="more than the 3,000,000 bytes")
    assert not any(client.folder.iterdir())


def test_short_body_without_an_error_is_resumed(site: Site, client: Client) -> None:
    site.faults = [whole(CONTENT[:1_000_000])]
    client.run()
    assert client.has_the_file_alone()
    assert site.ranges == [None, "bytes=1000000-"]


@pytest.mark.parametrize("code", [403, 404, 410])
def test_refusal_is_final(site: Site, client: Client, code: int) -> None:
    site.faults = [status(code)]
    client.fails(match=str(code))
    assert len(site.requests) == 1
    assert client.pauses == []


def test_retry_after_in_seconds(
    site: Site, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    site.faults = [status(503, Retry_After="120"), status(429, Retry_After="0")]
    client.run()
    assert client.has_the_file_alone()
    assert client.pauses[0] == 120
    assert "archive.zip: 503 Service Unavailable; next try in 120 s" in capsys.readouterr().err
    assert 2 <= client.pauses[1] <= 4


def test_retry_after_as_a_date(site: Site, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 2, 28, 23, 58, tzinfo=UTC)
    monkeypatch.setattr(http, "datetime", SimpleNamespace(now=lambda _: now))
    site.faults = [status(503, Retry_After="Sun, 01 Mar 2026 00:03:00 GMT")]
    client.run()
    assert client.pauses[0] == 300


def test_retry_after_in_a_day_is_told_not_waited_for(site: Site, client: Client) -> None:
    site.faults = [status(503, Retry_After="86400")]
    client.fails(match="come back in 1,440 minutes")
    assert client.pauses == []


@pytest.mark.parametrize("stated", ["soon", "-5", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_retry_after_that_says_nothing(site: Site, client: Client, stated: str) -> None:
    site.faults = [status(503, Retry_After=stated)]
    client.run()
    assert 1 <= client.pauses[0] <= 2


def test_pauses_grow_until_it_gives_up(site: Site, client: Client) -> None:
    site.faults = [cut(1_000_000), *[status(500)] * 20]
    client.fails(match="8 failures in a row, with 1,000,000 of 3,000,000 bytes kept: 500")
    assert len(site.requests) == 8
    longest = [2, 4, 8, 16, 32, 60, 60]
    for pause, most in zip(client.pauses, longest, strict=True):
        assert most / 2 <= pause <= most
    assert client.part.stat().st_size == 1_000_000


def test_bytes_gained_start_the_count_of_failures_anew(site: Site, client: Client) -> None:
    site.faults = [cut(100_000)] * 20
    client.run()
    assert client.has_the_file_alone()
    assert all(pause <= 2 for pause in client.pauses)


def test_server_that_never_gets_further_is_given_up(site: Site, client: Client) -> None:
    site.etag = None
    site.faults = [cut(1_000_000), cut(500_000)] * 25
    client.fails(match="failures in a row")
    assert len(site.requests) == 8


def test_no_server(tmp_path: Path) -> None:
    gone = Client(Site(CONTENT, url="http://127.0.0.1:1/archive.zip"), tmp_path)
    gone.fails(match="gave up after 8 failures")


@needs_mount
def test_full_disk_keeps_the_part(site: Site, client: Client) -> None:
    with mounted(client.folder, "1m") as disk:
        client.fails(match=r"archive\.zip\.part: No space left on device")
        kept = client.part.stat().st_size
        assert 0 < kept < len(CONTENT)
        remount(disk, "size=10m")
        client.run()
        assert client.has_the_file_alone()
        assert site.ranges[-1] == f"bytes={kept}-"


def test_folder_that_is_a_file(client: Client) -> None:
    client.folder.write_text("")
    with pytest.raises(GainsayError, match="official: File exists"):
        client.run()


def test_second_download_into_a_folder_is_refused(client: Client) -> None:
    client.folder.mkdir()
    descriptor = os.open(client.folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        client.fails(match="another `gainsay download` is at work")
    finally:
        os.close(descriptor)
    assert client.run() == "fetched"


def test_the_official_archives() -> None:
    archives = official_archives()
    assert len({archive.name for archive in archives}) == len(archives) == 10
    assert len({archive.sha256 for archive in archives}) == 10
    for archive in archives:
        assert len(bytes.fromhex(archive.sha256)) == 32
        assert archive.size > 0
        assert archive.url.startswith(("https://s3.amazonaws.com/", "http://images.cocodataset."))
    assert {official.year for official in OFFICIAL_NAMES.values()} >= {
        archive.coco_year for archive in archives if archive.coco_year
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["q", "captions14"]),
        (["--coco-year", "2017"], ["q", "captions17"]),
        (["--images"], ["q", "captions14", "train14"]),
    ],
)
def test_command_chooses_archives(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: list[str], expected: list[str]
) -> None:
    archives = [
        Archive("h/q", 4, "0"),
        Archive("h/captions14", 5, "0", coco_year=2014),
        Archive("h/captions17", 5, "0", coco_year=2017),
        Archive("h/train14", 6, "0", "images", 2014),
        Archive("h/train17", 6, "0", "images", 2017),
    ]
    fetched: list[str] = []

    def fake(chosen: list[Archive], folder: Path, advance: Callable[[int], None]) -> list[str]:
        assert folder == tmp_path
        fetched.extend(archive.name for archive in chosen)
        advance(sum(archive.size for archive in chosen))
        return ["fetched"] * len(chosen)

    monkeypatch.setattr(command, "official_archives", lambda: archives)
    monkeypatch.setattr(command, "download", fake)
    result = CliRunner().invoke(command.command, [str(tmp_path), *options])
    assert result.exit_code == 0, result.output
    assert fetched == expected
    assert f"gainsay land {tmp_path}" in result.output


def test_published_networks_may_be_used_by_anyone() -> None:
    networks = published_networks()
    assert {network.var for network in networks.values()} == {
        "detector", "depth_network", "text_network", "segmenter", "inpainter",
    }  # fmt: skip
    for network in networks.values():
        assert network.license in {"Apache-2.0", "MIT", "BSD-3-Clause"}
        assert network.url.startswith("https://")
        assert len(bytes.fromhex(network.sha256)) == 32
        assert 10**6 < network.size < 10**9
    assert len(set(networks["yolox"].labels)) == 80


@pytest.mark.parametrize("content", [CONTENT, OTHER_CONTENT])
def test_a_network_is_had_whole_or_not_at_all(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    digest = hashlib.sha256(content).hexdigest()
    network = Network("dogs", "detector", "MIT", site.url, len(content), digest, "yolox", ["dog"])
    monkeypatch.setattr(command, "published_networks", lambda: {"yolox": network})
    result = CliRunner().invoke(command.command, [str(tmp_path), "--network", "yolox"])
    own = tmp_path / "dogs"
    if content == OTHER_CONTENT:
        assert "sha256 differs" in str(result.exception)
        assert list(own.iterdir()) == []
        return
    assert result.exit_code == 0, result.output
    assert (own / "archive.zip").read_bytes() == CONTENT
    config = json.loads((own / "config.json").read_text())
    assert config == {"model_type": "yolox", "id2label": {"0": "dog"}}
    assert f"--vars '{{detector: {own / 'archive.zip'}}}'" in result.output


def test_what_somebody_says_of_a_network_is_not_replaced(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = hashlib.sha256(CONTENT).hexdigest()
    network = Network("dogs", "detector", "MIT", site.url, len(CONTENT), digest, "yolox", ["dog"])
    monkeypatch.setattr(command, "published_networks", lambda: {"yolox": network})

    def fetch() -> Any:
        return CliRunner().invoke(command.command, [str(tmp_path), "--network", "yolox"])

    config = tmp_path / "dogs/config.json"
    assert [fetch().exit_code for _ in range(2)] == [0, 0]
    config.write_text('{"id2label": {"0": "Hund"}}')
    assert "config.json: was changed since gainsay wrote it" in str(fetch().exception)
    assert config.read_text() == '{"id2label": {"0": "Hund"}}'
    # and the network stays, too
    assert (tmp_path / "dogs/archive.zip").read_bytes() == CONTENT
