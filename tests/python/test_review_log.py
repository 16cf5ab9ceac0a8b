"""What the review page keeps, and what comes next for whom."""

import asyncio
import errno
import os
import stat
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.records import Rejection
from gainsay.ingest.votes import Event, event_of_line
from gainsay.review import log as log_module
from gainsay.review.desk import LOOKED_AT_SECONDS, Desk
from gainsay.review.log import NotKeptError, VoteLog, read_log, told
from gainsay.review.readers import Readers
from gainsay.review.records import Answer, Question, Queue, Record
from gainsay.review.votes import SentEvent, line_of, read_line

MD5 = "0" * 32
OTHER_MD5 = "1" * 32


def _queue(n_records: int = 3, votes_per_record: int = 2, gold: tuple[int, ...] = ()) -> Queue:
    answers = (Answer("keep", "a", "Keep", False), Answer("drop", "x", "Drop", True))
    records = {
        f"r{place}": Record(f"r{place}", MD5, place in gold, None, "{}")
        for place in range(n_records)
    }
    questions = {"verdict": Question("verdict", "Is it right?", answers)}
    return Queue("b", "q", "Title", "Task", votes_per_record, questions, records)


def _sent(number: int, record_id: str, reader: str, answer: str = "keep", **more: Any) -> SentEvent:
    fields: dict[str, Any] = {
        "event_id": f"{number:032x}", "kind": "vote", "benchmark": "b", "queue": "q",
        "record_id": record_id, "record_md5": MD5, "question": "verdict", "reader": reader,
        "answer": answer,
    }  # fmt: skip
    return SentEvent(**(fields | more))


def _undo(number: int, of: SentEvent, **more: Any) -> SentEvent:
    return _sent(
        number, of.record_id, of.reader, kind="undo", answer=None, undoes=of.event_id, **more
    )


def _event(number: int, record_id: str = "r0", reader: str = "ann") -> Event:
    sent = msgspec.structs.asdict(_sent(number, record_id, reader))
    return Event(**sent, voted_at=datetime(2026, 1, 1, second=number, tzinfo=UTC))


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(coroutine)


@pytest.mark.parametrize("former", [None, b"", b'{"half a line'], ids=["none", "empty", "cut"])
def test_nobody_else_reads_votes_and_notes(tmp_path: Path, former: bytes | None) -> None:
    path = tmp_path / "votes" / "b__q.ndjson"
    if former is not None:
        path.parent.mkdir(mode=0o755)
        path.write_bytes(former)
        path.chmod(0o644)
    VoteLog(path).close()
    Readers(path.parent)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    assert modes.keys() >= {".secret", "b__q.ndjson"}
    assert ("b__q.ndjson.aside" in modes) is bool(former)
    assert {*modes.values()} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_folder_of_other_files_stays_open_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o775)
    (folder / "notes.txt").touch()
    VoteLog(folder / "b__q.ndjson").close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o775
    assert stat.S_IMODE((folder / "b__q.ndjson").stat().st_mode) == 0o600


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def log(tmp_path: Path) -> VoteLog:
    return VoteLog(tmp_path / "votes" / "b__q.ndjson")


def _ids(log: VoteLog) -> list[str]:
    lines = log.path.read_bytes().splitlines()
    return [msgspec.json.decode(line)["event_id"] for line in lines]


# the log


def test_a_log_gives_back_what_it_kept(log: VoteLog) -> None:
    _run(log.append([_event(1), _event(2)]))
    log.close()
    assert VoteLog(log.path).events == [_event(1), _event(2)]


def test_many_requests_share_a_write(log: VoteLog, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs: list[int] = []
    sync = os.fsync
    monkeypatch.setattr(log_module.os, "fsync", lambda file: (syncs.append(file), sync(file)))

    async def append_at_once() -> None:
        await asyncio.gather(*(log.append([_event(number)]) for number in range(50)))

    _run(append_at_once())
    assert len(_ids(log)) == 50
    assert len(syncs) < 5


@pytest.mark.parametrize(
    ("tail", "n_events", "n_unreadable"),
    [
        (line_of(_event(3))[:-10], 2, 0),
        (b"\x00\x00", 2, 0),
        # an editor that leaves out the last line's end
        (line_of(_event(3))[:-1], 3, 0),
        (b"no event\n" + line_of(_event(3)), 3, 1),
        (b"\n\n", 2, 0),
    ],
    ids=["cut", "zeros", "whole_without_its_end", "no_event", "empty_lines"],
)
def test_a_log_is_mended_when_it_is_opened(
    log: VoteLog, tail: bytes, n_events: int, n_unreadable: int
) -> None:
    _run(log.append([_event(1), _event(2)]))
    log.close()
    with log.path.open("ab") as file:
        file.write(tail)
    mended = VoteLog(log.path)
    assert (len(mended.events), len(mended.unreadable)) == (n_events, n_unreadable)
    _run(mended.append([_event(4)]))
    mended.close()
    assert VoteLog(log.path).events[-1] == _event(4)


def test_lines_that_are_no_votes_are_named_and_stay(log: VoteLog) -> None:
    votes = [line_of(_event(number)) for number in range(1, 41)]
    foreign = {
        4: b"\xff" + votes[3], 9: votes[8].replace(b"keep", b"ke\xffep"),
        20: b"\0" * 512 + votes[19], 31: b"[" * 100_000 + b"\n",
    }  # fmt: skip
    lines = [foreign.get(number, line) for number, line in enumerate(votes, start=1)]
    log.path.write_bytes(b"\xef\xbb\xbf" + b"".join(lines))
    log.close()
    opened = VoteLog(log.path)
    assert opened.unreadable == [*foreign] == read_log(log.path)[1]
    assert len(opened.events) == len(read_log(log.path)[0]) == 36
    assert opened.events[0] == _event(1)
    opened.close()
    assert log.path.read_bytes().endswith(b"".join(lines))
    assert "4 lines are no votes and are left out: 4, 9, 20, 31; they stay" in told(
        log.path, opened.unreadable
    )
    assert "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 90 more" in told(log.path, [*range(1, 101)])


def test_what_somebody_wrote_at_the_end_is_kept_beside(log: VoteLog) -> None:
    _run(log.append([_event(1)]))
    log.close()
    with log.path.open("ab") as file:
        file.write(b"a note of mine")
    VoteLog(log.path).close()
    assert _ids(log) == [_event(1).event_id]
    assert log.path.with_name(f"{log.path.name}.aside").read_bytes() == b"a note of mine\n"


@pytest.mark.parametrize(
    "voted_at",
    ["9999-12-31T23:59:59-10:00", "9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00+10:00",
     "0001-01-01T00:00:00Z", "9001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"],
)  # fmt: skip
def test_a_vote_of_no_time_stops_no_other(log: VoteLog, voted_at: str) -> None:
    line = line_of(_event(1))
    written = line.replace(b"2026-01-01T00:00:01Z", voted_at.encode())
    assert written != line
    log.close()
    log.path.write_bytes(written + line_of(_event(2)))
    assert read_log(log.path) == ([_event(2)], [1])
    desk = Desk(_queue(), VoteLog(log.path))
    assert _run(desk.keep("ann", [_sent(3, "r1", "ann")])).acknowledged == [f"{3:032x}"]
    rejected = event_of_line(0, written)
    assert isinstance(rejected, Rejection)
    assert rejected.expected == "a time from 1970 to 9000"


def test_a_log_has_one_writer(log: VoteLog) -> None:
    with pytest.raises(GainsayError, match="another `gainsay review` writes this log"):
        VoteLog(log.path)
    log.close()
    VoteLog(log.path).close()


def test_a_full_disk_keeps_nothing_and_leaves_nothing(
    log: VoteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(log.append([_event(1)]))
    before = log.path.read_bytes()
    write = os.write

    def write_half(file: int, data: memoryview) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[: len(data) // 2])

    with monkeypatch.context() as full:
        full.setattr(log_module.os, "write", write_half)
        with pytest.raises(NotKeptError, match="disk is full") as raised:
            _run(log.append([_event(2)]))
    assert raised.value.is_full
    assert log.path.read_bytes() == before
    _run(log.append([_event(2)]))
    assert len(_ids(log)) == 2


def test_a_disk_that_fails_to_store_is_not_trusted_again(
    log: VoteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(log_module.os, "fsync", fail)
        with pytest.raises(NotKeptError):
            _run(log.append([_event(1)]))
    with pytest.raises(NotKeptError, match="start `gainsay review` again"):
        _run(log.append([_event(2)]))
    assert log.path.read_bytes() == b""


# keeping votes


def test_the_same_event_twice_is_one_vote(log: VoteLog) -> None:
    desk = Desk(_queue(), log)
    vote = _sent(1, "r0", "ann")

    async def keep_twice_at_once() -> list[Any]:
        return await asyncio.gather(desk.keep("ann", [vote, vote]), desk.keep("ann", [vote]))

    first, second = _run(keep_twice_at_once())
    assert first.acknowledged == [vote.event_id] * 2
    assert second.acknowledged == [vote.event_id]
    assert _run(desk.keep("ann", [vote])).acknowledged == [vote.event_id]
    assert _ids(log) == [vote.event_id]


def test_a_repeated_event_waits_for_the_disk_as_the_first_does(
    log: VoteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: int, _data: memoryview) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(log_module.os, "write", refuse)
    desk = Desk(_queue(), log)
    vote = _sent(1, "r0", "ann")

    async def keep_twice_at_once() -> list[Any]:
        return await asyncio.gather(
            desk.keep("ann", [vote]), desk.keep("ann", [vote]), return_exceptions=True
        )

    results = _run(keep_twice_at_once())
    assert [type(result) for result in results] == [NotKeptError, NotKeptError]
    assert desk.standing.progress().readers == {}


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (_sent(2, "r0", "ann", "perhaps"), "no question and answer of this queue"),
        (_sent(2, "r0", "ann", question="colour"), "no question and answer of this queue"),
        (_sent(2, "r0", "ann", undoes=f"{1:032x}"), "no question and answer of this queue"),
        (_sent(2, "r0", "bob"), "this vote is bob's"),
        (_sent(2, "r0", "ann", queue="other"), "this vote is of b/other"),
        (_sent(1, "r0", "ann", "drop"), "another vote has this id"),
        (_undo(2, _sent(9, "r0", "ann")), "no such vote"),
        (_undo(2, _sent(1, "r1", "ann")), "another record or question"),
        (_undo(2, _sent(1, "r0", "ann"), note="why"), "an undo answers nothing"),
    ],
)
def test_what_can_never_be_kept_is_refused(log: VoteLog, event: SentEvent, reason: str) -> None:
    desk = Desk(_queue(), log)
    _run(desk.keep("ann", [_sent(1, "r0", "ann")]))
    receipt = _run(desk.keep("ann", [event]))
    assert reason in receipt.refused[event.event_id]
    assert receipt.acknowledged == []
    assert len(_ids(log)) == 1


def test_nobody_undoes_a_vote_of_another(log: VoteLog) -> None:
    desk = Desk(_queue(), log)
    vote = _sent(1, "r0", "ann")
    _run(desk.keep("ann", [vote]))
    undo = msgspec.structs.replace(_undo(2, vote), reader="bob")
    assert "no such vote" in _run(desk.keep("bob", [undo])).refused[undo.event_id]


def test_an_undo_takes_back_and_the_answer_before_it_stands_again(log: VoteLog) -> None:
    queue = _queue()
    desk = Desk(queue, log)
    first, second = _sent(1, "r0", "ann", "keep"), _sent(2, "r0", "ann", "drop")
    _run(desk.keep("ann", [first, second]))
    record = queue.records["r0"]
    assert desk.standing.own_answers("ann", record) == {"verdict": "drop"}
    _run(desk.keep("ann", [_undo(3, second)]))
    assert desk.standing.own_answers("ann", record) == {"verdict": "keep"}
    _run(desk.keep("ann", [_undo(4, first)]))
    assert desk.standing.own_answers("ann", record) == {}
    assert desk.standing.last_decisions("ann") == []
    assert desk.standing.progress().readers == {}
    log.close()
    again = Desk(queue, VoteLog(log.path))
    assert again.standing.own_answers("ann", record) == {}
    assert again.next_record("ann") == record


def test_a_vote_on_a_changed_record_is_kept_and_decides_nothing(log: VoteLog) -> None:
    queue = _queue()
    desk = Desk(queue, log)
    stale, gone = _sent(1, "r0", "ann", record_md5=OTHER_MD5), _sent(2, "r9", "ann")
    receipt = _run(desk.keep("ann", [stale, gone]))
    assert receipt.stale == receipt.acknowledged == [stale.event_id, gone.event_id]
    assert len(_ids(log)) == 2
    assert desk.standing.progress().readers == {}
    assert desk.next_record("ann") == queue.records["r0"]


def test_times_are_in_order_whatever_the_clock_says(log: VoteLog) -> None:
    late = msgspec.structs.replace(_event(1), voted_at=datetime(2999, 1, 1, tzinfo=UTC))
    _run(log.append([late]))
    log.close()
    again = VoteLog(log.path)
    desk = Desk(_queue(), again)
    _run(desk.keep("ann", [_sent(2, "r1", "ann"), _sent(3, "r2", "ann")]))
    times = [read_line(line).voted_at for line in log.path.read_bytes().splitlines()]
    assert times == [late.voted_at + timedelta(microseconds=later) for later in range(3)]


def test_events_that_have_landed_count_once(log: VoteLog) -> None:
    queue = _queue()
    _run(log.append([_event(1)]))
    log.close()
    queue.earlier = [_event(1), _event(2, "r1", "bob")]
    assert Desk(queue, VoteLog(log.path)).standing.progress().readers == {"ann": 1, "bob": 1}


# what comes next


def _next(desk: Desk, reader: str, **more: Any) -> str | None:
    record = desk.next_record(reader, **more)
    return record and record.record_id


def test_two_readers_share_the_work_and_nobody_waits(log: VoteLog) -> None:
    clock = _Clock()
    desk = Desk(_queue(votes_per_record=1), log, clock)
    assert _next(desk, "ann") == "r0"
    assert _next(desk, "bob") == "r1"
    # ann looks at it still
    assert _next(desk, "ann") == "r0"
    _run(desk.keep("bob", [_sent(1, "r1", "bob")]))
    assert _next(desk, "bob") == "r2"
    _run(desk.keep("bob", [_sent(2, "r2", "bob")]))
    # ann has gone: what she looked at does not wait for her
    assert _next(desk, "bob") == "r0"
    clock.now = LOOKED_AT_SECONDS + 1
    assert _next(desk, "carol") == "r0"


def test_a_record_is_read_by_as_many_as_it_needs(log: VoteLog) -> None:
    desk = Desk(_queue(n_records=1, votes_per_record=2), log)
    _run(desk.keep("ann", [_sent(1, "r0", "ann")]))
    assert _next(desk, "ann") is None
    assert _next(desk, "bob") == "r0"
    _run(desk.keep("bob", [_sent(2, "r0", "bob")]))
    assert _next(desk, "carol") is None
    assert desk.standing.progress().n_decided == 1
    _run(desk.keep("bob", [_undo(3, _sent(2, "r0", "bob"))]))
    assert _next(desk, "carol") == "r0"
    assert desk.standing.progress().n_decided == 0


def test_gold_comes_to_everybody_once(log: VoteLog) -> None:
    desk = Desk(_queue(n_records=2, votes_per_record=1, gold=(1,)), log)
    for number, reader in enumerate(("ann", "bob")):
        _run(desk.keep(reader, [_sent(number, "r1", reader)]))
    assert _next(desk, "carol", skipped=["r0"]) == "r1"
    assert _next(desk, "ann", answered={"r0": ["verdict"]}) is None


def test_what_is_skipped_comes_last_and_the_longest_ago_first(log: VoteLog) -> None:
    desk = Desk(_queue(), log)
    assert _next(desk, "ann", skipped=["r1"]) == "r0"
    assert _next(desk, "ann", skipped=["r1", "r0"], answered={"r2": ["verdict"]}) == "r1"


def test_a_flag_is_kept_and_answers_nothing(log: VoteLog) -> None:
    desk = Desk(_queue(), log)
    flag = _sent(1, "r0", "ann", "yes", question="flag")
    assert _run(desk.keep("ann", [flag])).acknowledged == [flag.event_id]
    assert _next(desk, "ann") == "r0"


def test_a_record_that_asks_nothing_is_said(log: VoteLog) -> None:
    queue = _queue()
    queue.records["r0"] = Record("r0", MD5, False, ["colour"], "{}")
    with pytest.raises(GainsayError, match="asked_questions of b/q, r0"):
        Desk(queue, log)
