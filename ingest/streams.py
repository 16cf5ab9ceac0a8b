"""Official files as they stream: records are cut off in runs, so that no file is held whole.

What stands outside the arrays of a file is small. It is gathered as an outline of the file, in
which every array is empty, and decoded as a whole file is, which finds what is wrong there. An
array is cut into runs of whole records. Where a run ends is guessed by how its first record begins,
because Python takes longer to follow brackets than to decode them. That the guess was right the
decoder says, for no other end leaves valid JSON; where it was not, brackets are followed.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from ingest.file_info import info_of_record
from ingest.records import (
    INFO,
    Batch,
    Layout,
    RecordArray,
    RunDecoder,
    decode,
    decode_outline,
    decode_undecoded,
    spell_out_lone_surrogates,
    split,
)

# few enough records that their objects stay in the processor's cache
RUN_BYTES = 128 * 2**10
NO_INFO = b"null"

_BLANK = b" \t\n\r"
# a quote that begins no whole string stands alone
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[][{},"]', re.DOTALL)
_OPENING = re.compile(rb'[ \t\n\r]*+(\{[ \t\n\r]*+"[^"\\]{1,100}")')
_LONGEST_SEPARATOR = 64
_BYTE = re.compile(r"\(byte (\d+)\)")
_TRUNCATED = "Input data was truncated"

_Decoded = TypeVar("_Decoded")
NoteInfo = Callable[[bytes], None]


class RepeatedArrayError(Exception):
    """A file has an array of this name again, and the last one counts."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Stream:
    """The bytes of a file that have come and are not used up: `data` from `start` on."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._n_dropped = 0
        self.data = bytearray()
        self.start = 0
        self.has_ended = False

    @property
    def n_ahead(self) -> int:
        return len(self.data) - self.start

    @property
    def place(self) -> int:
        """Where in the file `start` is."""
        return self._n_dropped + self.start

    def fill(self, n_bytes: int) -> None:
        """Have at least so many bytes ahead, or all that there are."""
        if self.n_ahead >= n_bytes or self.has_ended:
            return
        self._n_dropped += self.start
        del self.data[: self.start]
        self.start = 0
        while len(self.data) < n_bytes:
            chunk = next(self._chunks, None)
            if chunk is None:
                self.has_ended = True
                return
            self.data += chunk

    def fill_more(self) -> None:
        """Have twice as many bytes ahead, so that what is long is looked at a few times only."""
        self.fill(max(RUN_BYTES, 2 * self.n_ahead))

    def after(self, opening: bytes, end: int, closing: bytes = b"") -> bytes:
        """What is ahead up to `end`, between an opening and a closing."""
        with memoryview(self.data)[self.start : end] as part:
            return b"".join((opening, part, closing))


class _Outline:
    """What stands outside the arrays of a file, and where in the file it stood."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._json = bytearray()
        self._places: list[tuple[int, int]] = []
        self._n_checked = RUN_BYTES

    def take(self, stream: _Stream, end: int) -> None:
        """Move what is ahead up to `end` here."""
        self._places.append((len(self._json), stream.place))
        self._json += stream.data[stream.start : end]
        stream.start = end

    def check(self) -> None:
        """Raise what a decoding of the file would raise by now."""
        self._n_checked = len(self._json)
        self._check(self._json, is_whole=False)

    def end(self) -> bytes:
        """What the whole file says of itself; raises what its decoding would raise."""
        return getattr(self._check(self._json, is_whole=True), INFO, NO_INFO)

    def check_if_grown(self) -> None:
        """Check, once there is twice as much as at the last check."""
        if len(self._json) >= 2 * self._n_checked:
            self._n_checked = len(self._json)
            self._check(self._json[: _end_of_whole_values(self._json)], is_whole=False)

    def _check(self, part: bytearray, is_whole: bool) -> Any:
        try:
            return decode_outline(part, self._layout)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError as error:
            if is_whole or str(error) != _TRUNCATED:
                raise _moved(error, self._place_of) from None

    def _place_of(self, position: int) -> int:
        start, place = max(pair for pair in self._places if pair[0] <= position)
        return place + position - start


def _forget_info(_info: bytes) -> None:
    """Note nothing."""


def arrays_of(
    chunks: Iterator[bytes],
    layout: Layout,
    passed_over: Mapping[str, int],
    note_info: NoteInfo = _forget_info,
) -> Iterator[tuple[RecordArray, Iterator[Batch]]]:
    """The arrays of an official file in its order, each with its records in small batches.

    The batches of an array must all be taken before the next array is asked for. Of arrays of one
    name the last counts, which shows when it comes: it raises `RepeatedArrayError`, and
    `passed_over` says how many of a name to leave out in the next reading. `note_info` is told, as
    JSON, what the file says of itself: once, at its end or with its first line.

    Raises for the same bytes what `ingest.records.split` raises: `msgspec.DecodeError` for what
    is not JSON, its child `msgspec.ValidationError` for JSON of another shape, `RecursionError`
    for JSON nested beyond any official layout.
    """
    stream = _Stream(chunks)
    if layout.shape == "keyed":
        # of records of one key the last counts, so this file is held whole
        for array, raws in split(b"".join(chunks), layout):
            yield array, decode(array, raws)
    elif layout.shape == "lines":
        decode_run = RunDecoder(layout.main)
        yield layout.main, (decode_run.undecoded(raws) for raws in _lines(stream, note_info))
    else:
        yield from _arrays(stream, layout, passed_over, note_info)


def _arrays(
    stream: _Stream, layout: Layout, passed_over: Mapping[str, int], note_info: NoteInfo
) -> Iterator[tuple[RecordArray, Iterator[Batch]]]:
    wanted = {array.name: array for array in layout.arrays}
    n_seen = dict.fromkeys(wanted, 0)
    for key in _opened_arrays(stream, layout, note_info):
        name = layout.main.name if layout.shape == "list" else key
        if name in wanted:
            n_seen[name] += 1
            n_taken = n_seen[name] - passed_over.get(name, 0)
            if n_taken > 1:
                raise RepeatedArrayError(name)
            if n_taken == 1:
                yield wanted[name], _runs(stream, RunDecoder(wanted[name]))
                continue
        for _ in _runs(stream, decode_undecoded):
            pass


def _opened_arrays(stream: _Stream, layout: Layout, note_info: NoteInfo) -> Iterator[str | None]:
    """The keys of the arrays, the stream at the first byte of each; it must be left at its end.

    Strings are whole and brackets counted only to find those arrays: whether what stands there
    is JSON, the outline says.
    """
    outline = _Outline(layout)
    depth_of_arrays = 0 if layout.shape == "list" else 1
    depth, key, n_scanned = 0, b'""', 0
    while True:
        token = _TOKEN.search(stream.data, stream.start + n_scanned)
        if token is None or token[0] == b'"':
            if stream.has_ended:
                break
            outline.take(stream, token.start() if token else len(stream.data))
            outline.check_if_grown()
            n_scanned = 0
            stream.fill_more()
            continue
        if token[0] == b"[" and depth == depth_of_arrays:
            outline.take(stream, token.end())
            outline.check()
            yield _text(key)
            # the bracket that ends the array
            n_scanned = 1
            continue
        if token[0] in b"{[":
            depth += 1
        elif token[0] in b"}]":
            depth -= 1
        elif token[0] != b"," and depth == 1:
            key = bytes(token[0])
        n_scanned = token.end() - stream.start
    outline.take(stream, len(stream.data))
    note_info(outline.end())


def _text(key: bytes) -> str | None:
    """A key as text; what is no text is the name of no array."""
    try:
        return msgspec.json.decode(key, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _runs(stream: _Stream, decode_run: Callable[[bytes], _Decoded]) -> Iterator[_Decoded]:
    """The records of an array in runs, decoded; the stream is left at the bracket that ends it."""
    is_first = True
    while True:
        stream.fill(RUN_BYTES)
        if guessed := _guessed_end(stream):
            end, following = guessed
            try:
                decoded = decode_run(stream.after(b"[", end, b"]"))
            except (msgspec.DecodeError, RecursionError):
                pass
            else:
                stream.start = following
                is_first = False
                yield decoded
                continue
        end, is_last = _followed_end(stream, is_first)
        yield _decode_followed(stream, end, decode_run, is_first=is_first)
        if is_last:
            stream.start = end
            return
        stream.start = end + 1
        is_first = False


def _guessed_end(stream: _Stream) -> tuple[int, int] | None:
    """Where the run may end, and the next record begin: by the first record's opening."""
    opening = _OPENING.match(stream.data, stream.start)
    if opening is None:
        return None
    following = stream.data.rfind(opening[1], opening.end(), stream.start + RUN_BYTES)
    if following < 0:
        return None
    before = max(stream.start, following - _LONGEST_SEPARATOR)
    separated = stream.data[before:following].rstrip(_BLANK)
    record = separated[:-1].rstrip(_BLANK)
    if not separated.endswith(b",") or not record.endswith(b"}"):
        return None
    return before + len(record), following


def _followed_end(stream: _Stream, is_first: bool) -> tuple[int, bool]:
    """Where the run ends, by its brackets, and whether the array ends there.

    Raises `msgspec.DecodeError` where there is no such place, or no record before it.
    """
    while (end := _separator(stream)) is None:
        if stream.has_ended:
            raise _unsound(stream, len(stream.data), is_first)
        _refuse_malformed(stream)
        stream.fill_more()
    is_last = stream.data[end] != ord(",")
    is_blank = not stream.data[stream.start : end].strip(_BLANK)
    if stream.data[end] == ord("}") or (is_blank and not (is_first and is_last)):
        raise _unsound(stream, end + 1, is_first)
    return end, is_last


def _separator(stream: _Stream) -> int | None:
    """The bracket that ends the array, or the last comma before the end of the next run."""
    depth, comma = 0, None
    for token in _TOKEN.finditer(stream.data, stream.start):
        place, sign = token.start(), token[0]
        if sign in b"{[":
            depth += 1
        elif sign in b"]}":
            if depth == 0:
                return place
            depth -= 1
        elif sign == b"," and depth == 0:
            comma = place
            if place - stream.start >= RUN_BYTES:
                break
        elif sign == b'"':
            break
    return comma


def _decode_followed(
    stream: _Stream, end: int, decode_run: Callable[[bytes], _Decoded], *, is_first: bool
) -> _Decoded:
    run = stream.after(b"[", end, b"]")
    try:
        return decode_run(run)
    except msgspec.DecodeError:
        mended = spell_out_lone_surrogates(run)
    try:
        return decode_run(mended)
    except msgspec.DecodeError:
        # what is wrong may show in the bytes that follow
        stream.fill(len(run) + _LONGEST_SEPARATOR)
        raise _unsound(stream, len(stream.data), is_first) from None


def _unsound(stream: _Stream, end: int, is_first: bool) -> msgspec.DecodeError:
    """What is wrong with an array up to `end`, where it can't be JSON."""
    opening = b"[" if is_first else b"[0,"
    try:
        decode_undecoded(spell_out_lone_surrogates(stream.after(opening, end)))
    except msgspec.DecodeError as error:
        return _moved(error, lambda position: stream.place - len(opening) + position)
    raise AssertionError("an array that can't be JSON was decoded")


def _refuse_malformed(stream: _Stream) -> None:
    """Raise now what no later byte can mend, before more is read."""
    end = _end_of_whole_values(stream.data)
    if end > stream.start:
        error = _unsound(stream, end, is_first=True)
        if str(error) != _TRUNCATED:
            raise error


def _end_of_whole_values(data: bytearray) -> int:
    """The end of the last comma, which no number or literal goes beyond."""
    return data.rfind(b",") + 1


def _moved(error: msgspec.DecodeError, place_of: Callable[[int], int]) -> msgspec.DecodeError:
    """The same error with the byte's place in the file."""
    return msgspec.DecodeError(
        _BYTE.sub(lambda byte: f"(byte {place_of(int(byte[1]))})", str(error))
    )


def _lines(stream: _Stream, note_info: NoteInfo) -> Iterator[list[msgspec.Raw]]:
    """The lines that hold anything, in runs."""
    is_first = True
    while True:
        stream.fill(RUN_BYTES)
        end = stream.data.rfind(b"\n", stream.start, stream.start + RUN_BYTES) + 1
        if not end and not stream.has_ended:
            end = stream.data.find(b"\n", stream.start) + 1
            if not end:
                stream.fill_more()
                continue
        end = end or len(stream.data)
        if end == stream.start:
            return
        lines = bytes(stream.data[stream.start : end]).splitlines()
        stream.start = end
        records = [msgspec.Raw(line) for line in lines if line.strip()]
        if is_first and records:
            note_info(info_of_record(bytes(records[0])))
            is_first = False
        yield records
