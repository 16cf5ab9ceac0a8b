"""Files of JSON as they stream: records are cut off in runs, so that no file is held whole.

What stands outside the arrays of a file is small. It is gathered as an outline of the file, in
which every array is empty, and decoded as a whole file is, which finds what is wrong there. An
array is cut into runs of whole records. Where a run ends is guessed by how its first record begins,
because Python takes longer to follow brackets than to decode them. That the guess was right the
decoder says, for no other end leaves valid JSON; where it was not, brackets are followed. A file
whose records stand by their keys in one object is cut in the same way.

Of records of one key the last counts. Which those are shows at the end of the first reading, in
which every key leaves eight bytes behind; such a file is read again. A file with two arrays of one
name can be read so, too, and is refused where it would land (`landing.py`).

ijson with its C backend, its records converted to the same Structs, took five times the CPU time
for the same columns of VQA's annotations, and DuckDB's `read_json` four times; neither says which
field of which record does not fit.
"""

import re
from array import array as numbers
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import msgspec
import numpy as np

from gainsay.ingest.decoding import Decoders
from gainsay.ingest.file_info import info_of_record
from gainsay.ingest.records import (
    INFO,
    Batch,
    Layout,
    RecordArray,
    RunDecoder,
    decode_any_outline,
    decode_members,
    decode_outline,
    decode_undecoded,
    keyed_record,
    spell_out_lone_surrogates,
)

# few enough records that their objects stay in the processor's cache
RUN_BYTES = 128 * 2**10
# bytes that a process decodes at a time: enough that little time passes between its tasks
RUNS_PER_PIECE = 16
NO_INFO = b"null"

# some programs write it before JSON in UTF-8; it says nothing
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_BLANK = b" \t\n\r"
# a quote that begins no whole string stands alone
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[][{},"]', re.DOTALL)
_OPENING = re.compile(rb'[ \t\n\r]*+(\{[ \t\n\r]*+"[^"\\]{1,100}")')
_KEYED_OPENING = re.compile(
    rb'[ \t\n\r]*+"[^"\\]*+"([ \t\n\r]*+:[ \t\n\r]*+\{[ \t\n\r]*+"[^"\\]{1,100}")'
)
_LONGEST_SEPARATOR = 64
_MOST_CHECKS = 64
_BYTE = re.compile(r"\(byte (\d+)\)")
_TRUNCATED = "Input data was truncated"

_Decoded = TypeVar("_Decoded")
NoteInfo = Callable[[bytes], None]


@dataclass(frozen=True)
class Repeats:
    """The keys that a file has more than once, as far as it was read.

    How many arrays of a name to pass over, and the digests of keys that come again.
    """

    arrays: Mapping[str, int] = field(default_factory=dict)
    keys: frozenset[int] = frozenset()


class ReadAgainError(Exception):
    """A file has something twice; with `repeats` it can be read again for the last of each."""

    def __init__(self, repeats: Repeats) -> None:
        super().__init__(repeats)
        self.repeats = repeats


@dataclass(frozen=True)
class _Container:
    """The container of the records: an array, or an object."""

    opening: bytes
    closing: bytes
    # with a first member, so that what follows is not the first
    begun: bytes
    decode: Callable[[bytes], Any]


_ARRAY = _Container(b"[", b"]", b"[0,", decode_undecoded)
_OBJECT = _Container(b"{", b"}", b'{"":0,', decode_members)


class _Stream:
    """The bytes of a file that have come and are not used up: `data` from `start` on.

    A byte order mark before all others is used up.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._n_dropped = 0
        self.data = bytearray()
        self.start = 0
        self.has_ended = False
        self._is_begun = False

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
        if not self._is_begun:
            self._is_begun = True
            self._read(max(n_bytes, len(BYTE_ORDER_MARK)))
            if self.data.startswith(BYTE_ORDER_MARK):
                del self.data[: len(BYTE_ORDER_MARK)]
                self._n_dropped += len(BYTE_ORDER_MARK)
        self._read(n_bytes)

    def _read(self, n_bytes: int) -> None:
        while len(self.data) < n_bytes:
            chunk = next(self._chunks, None)
            if chunk is None:
                self.has_ended = True
                return
            self.data += chunk

    def put_back(self, data: bytes) -> None:
        """Have ahead again what was the last to be used up."""
        self._n_dropped += self.start - len(data)
        self.data[: self.start] = data
        self.start = 0

    def fill_more(self) -> None:
        """Have twice as many bytes ahead, so that what is long is looked at a few times only."""
        self.fill(max(RUN_BYTES, 2 * self.n_ahead))

    def after(self, opening: bytes, end: int, closing: bytes = b"") -> bytes:
        """The bytes ahead up to `end`, between an opening and a closing."""
        with memoryview(self.data)[self.start : end] as part:
            return b"".join((opening, part, closing))


class _Outline:
    """The bytes outside the arrays of a file, and where in the file they stood."""

    def __init__(self, decode: Callable[[bytes | bytearray], Any]) -> None:
        self._decode = decode
        self._json = bytearray()
        self._places: list[tuple[int, int]] = []
        self._n_checked = RUN_BYTES
        self._n_checks = 0

    def take(self, stream: _Stream, end: int) -> None:
        """Move what is ahead up to `end` here."""
        self._places.append((len(self._json), stream.place))
        self._json += stream.data[stream.start : end]
        stream.start = end

    def check(self) -> None:
        """Raise what a decoding of the file would raise by now.

        A file of so many arrays as no official one has is checked as it grows, for each check
        reads all of the outline again.
        """
        self._n_checks += 1
        if self._n_checks <= _MOST_CHECKS or len(self._json) >= 2 * self._n_checked:
            self._n_checked = len(self._json)
            self._check(self._json, is_whole=False)

    def end(self) -> Any:
        """The whole outline, decoded; raises what a decoding of the file would raise."""
        return self._check(self._json, is_whole=True)

    def check_if_grown(self) -> None:
        """Check, once there is twice as much as at the last check."""
        if len(self._json) >= 2 * self._n_checked:
            self._n_checked = len(self._json)
            self._check(self._json[: _end_of_whole_values(self._json)], is_whole=False)

    def _check(self, part: bytearray, is_whole: bool) -> Any:
        try:
            return self._decode(part)
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
    repeats: Repeats,
    note_info: NoteInfo = _forget_info,
    decoders: Decoders | None = None,
) -> Iterator[tuple[RecordArray, Iterator[Batch]]]:
    """The arrays of an official file in its order, each with its records in small batches.

    `decoders` decode runs of records in processes of their own; the batches are larger then.

    The batches of an array must all be taken before the next array is asked for. What a file has
    more than once shows when it comes again, or at the end: `ReadAgainError` brings the `repeats`
    to read it with from its beginning. A record whose key comes again is in the last batch, at the
    position of the first of its key. `note_info` is told, as JSON, what the file says of itself:
    once, at its end or with its first line.

    Raises for the same bytes what `records.split` raises: `msgspec.DecodeError` for what is not
    JSON, its child `msgspec.ValidationError` for JSON of another shape, `RecursionError` for JSON
    nested beyond any official layout.
    """
    stream = _Stream(chunks)
    if layout.shape == "lines":
        decode_run = RunDecoder(layout.main)
        yield layout.main, (decode_run.undecoded(raws) for raws in _lines(stream, note_info))
    elif layout.shape == "keyed":
        yield from _keyed(stream, layout, repeats)
    else:
        yield from _arrays(stream, layout, repeats, note_info, decoders)


def undecoded_arrays(
    chunks: Iterator[bytes], note_outline: Callable[[Any], None] = _forget_info
) -> Iterator[tuple[str | None, Iterator[list[msgspec.Raw]]]]:
    """The arrays of a file that is one, or an object with some: their keys, and records in runs.

    The runs of an array must all be taken before the next array is asked for. `note_outline` is
    told at the end what the file is without the records: a list, or a dict of undecoded values.
    Raises as `arrays_of`, but reads a file again for nothing.
    """
    stream = _Stream(chunks)
    for key in _opened(stream, _Outline(decode_any_outline), b"[", {0, 1}, note_outline):
        yield key, _runs(stream, decode_undecoded)


def lines_of(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The bytes of a file of lines in runs of whole lines, without a byte order mark."""
    yield from _whole_lines(_Stream(chunks))


def _arrays(
    stream: _Stream,
    layout: Layout,
    repeats: Repeats,
    note_info: NoteInfo,
    decoders: Decoders | None,
) -> Iterator[tuple[RecordArray, Iterator[Batch]]]:
    wanted = {array.name: array for array in layout.arrays}
    n_seen = dict.fromkeys(wanted, 0)
    has_repeated = False
    outline = _Outline(partial(decode_outline, layout=layout))

    def note(file: Any) -> None:
        note_info(getattr(file, INFO, NO_INFO))

    for key in _opened(stream, outline, b"[", {0 if layout.shape == "list" else 1}, note):
        name = layout.main.name if layout.shape == "list" else key
        if name in wanted:
            n_seen[name] += 1
            n_taken = n_seen[name] - repeats.arrays.get(name, 0)
            # the rest of the file is only counted then, so that it is read again once
            has_repeated = has_repeated or n_taken > 1
            if n_taken == 1 and not has_repeated:
                decode_run = RunDecoder(wanted[name])
                ahead = _Ahead(stream, layout, wanted[name], decode_run, decoders)
                yield wanted[name], _runs(stream, decode_run, ahead=ahead.batches)
                continue
        for _ in _runs(stream, decode_undecoded):
            pass
    if has_repeated:
        passed_over = {name: n - 1 for name, n in n_seen.items() if n > 1}
        raise ReadAgainError(replace(repeats, arrays=passed_over))


def _keyed(
    stream: _Stream, layout: Layout, repeats: Repeats
) -> Iterator[tuple[RecordArray, Iterator[Batch]]]:
    outline = _Outline(partial(decode_outline, layout=layout))
    for _ in _opened(stream, outline, b"{", {0}, _forget_info):
        members = _Members(layout.main, repeats)
        yield layout.main, members.batches(stream)
        members.require_known_repeats()


class _Members:
    """The members of a keyed file as batches of records."""

    def __init__(self, array: RecordArray, repeats: Repeats) -> None:
        self._decode_run = RunDecoder(array)
        self._repeats = repeats
        # one of every distinct key of a run
        self._digests = numbers("q")
        self._n_keys = 0
        self._waiting: dict[str, tuple[int, msgspec.Raw]] = {}

    def batches(self, stream: _Stream) -> Iterator[Batch]:
        yield from _runs(stream, self._decode, _OBJECT)
        if self._waiting:
            positions, raws = zip(*self._waiting.values(), strict=True)
            yield self._decode_run.undecoded(raws, positions)

    def require_known_repeats(self) -> None:
        """Raise `ReadAgainError` where keys came again that are not known to."""
        digests, counts = np.unique(np.frombuffer(self._digests, np.int64), return_counts=True)
        repeated = frozenset(digests[counts > 1].tolist())
        if repeated - self._repeats.keys:
            raise ReadAgainError(replace(self._repeats, keys=self._repeats.keys | repeated))

    def _decode(self, run: bytes) -> Batch:
        # of members of one key within a run, decoding leaves the last
        members = decode_members(run)
        # 64 bits, of which two keys may share one: then their records wait for the last batch, too
        digests = [hash(key) for key in members]
        self._digests.extend(digests)
        positions, raws = [], []
        for digest, (key, raw) in zip(digests, members.items(), strict=True):
            if digest not in self._repeats.keys:
                positions.append(self._n_keys)
                raws.append(keyed_record(key, raw))
            else:
                position, _ = self._waiting.get(key, (self._n_keys, None))
                # a copy, for the view would keep the whole run
                self._waiting[key] = position, keyed_record(key, raw).copy()
                if position != self._n_keys:
                    continue
            self._n_keys += 1
        return self._decode_run.undecoded(raws, positions)


def _opened(
    stream: _Stream,
    outline: _Outline,
    opening: bytes,
    depths: Collection[int],
    note_outline: Callable[[Any], None],
) -> Iterator[str | None]:
    """The keys of what opens at these depths; its members come next, up to its last bracket.

    The stream must be left at that bracket. Strings are whole and brackets counted only to find
    those places: whether what stands there is JSON, the outline says.
    """
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
        if token[0] == opening and depth in depths:
            outline.take(stream, token.end())
            outline.check()
            yield _text(key)
            # the bracket at its end
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
    note_outline(outline.end())


def _text(key: bytes) -> str | None:
    """A key as text; what is no text is the name of no array."""
    try:
        return msgspec.json.decode(key, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


class _Ahead:
    """The runs of an array that other processes decode, as far as their ends can be guessed."""

    def __init__(
        self,
        stream: _Stream,
        layout: Layout,
        array: RecordArray,
        decode_run: RunDecoder,
        decoders: Decoders | None,
    ) -> None:
        self._stream = stream
        self._layout = layout
        self._array = array
        self._decode_run = decode_run
        self._decoders = decoders
        # how far the file is read run by run, where a guess was wrong
        self._resumed_at = 0

    def batches(self) -> Iterator[Batch]:
        """The next batches; ends at a run whose end no guess finds, the stream at its start."""
        if self._decoders is None:
            return
        # the bytes that were cut off, to be put back, and what becomes of them
        begun: deque[tuple[bytes, Future[Batch | None]]] = deque()
        while self._stream.place >= self._resumed_at:
            cut = len(begun) < self._decoders.most_ahead and self._cut()
            if cut:
                piece, runs = cut
                begun.append((piece, self._decoders.begin(self._layout, self._array, runs)))
                continue
            if not begun:
                return
            piece, decoded = begun.popleft()
            batch = decoded.result()
            if batch is None:
                self._resumed_at = self._stream.place
                self._stream.put_back(b"".join([piece, *(later for later, _ in begun)]))
                return
            yield self._decode_run.placed(batch)

    def _cut(self) -> tuple[bytes, list[bytes]] | None:
        """The bytes of some runs, and each of them as a JSON array."""
        stream = self._stream
        pieces: list[bytes] = []
        runs: list[bytes] = []
        while len(runs) < RUNS_PER_PIECE:
            stream.fill(RUN_BYTES)
            guessed = _guessed_end(stream)
            if guessed is None:
                break
            end, following = guessed
            runs.append(stream.after(b"[", end, b"]"))
            pieces.append(bytes(stream.data[stream.start : following]))
            stream.start = following
        return (b"".join(pieces), runs) if runs else None


def _runs(
    stream: _Stream,
    decode_run: Callable[[bytes], _Decoded],
    container: _Container = _ARRAY,
    ahead: Callable[[], Iterator[_Decoded]] = lambda: iter(()),
) -> Iterator[_Decoded]:
    """The records of a container in runs, decoded; the stream is left at its last bracket.

    What `ahead` gives at the start of a run comes in its place.
    """
    guessed_end = _guessed_end if container is _ARRAY else _guessed_end_of_members
    is_first = True
    while True:
        for decoded in ahead():
            is_first = False
            yield decoded
        stream.fill(RUN_BYTES)
        if guessed := guessed_end(stream):
            end, following = guessed
            try:
                decoded = decode_run(stream.after(container.opening, end, container.closing))
            except (msgspec.DecodeError, RecursionError):
                pass
            else:
                stream.start = following
                is_first = False
                yield decoded
                continue
        end, is_last = _followed_end(stream, container, is_first)
        yield _decode_followed(stream, end, decode_run, container, is_first=is_first)
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
    return _end_before(stream, following)


def _guessed_end_of_members(stream: _Stream) -> tuple[int, int] | None:
    """Where the run may end, and the next key begin: by the opening of the first key's record."""
    opening = _KEYED_OPENING.match(stream.data, stream.start)
    if opening is None:
        return None
    record = stream.data.rfind(opening[1], opening.end(), stream.start + RUN_BYTES)
    if record < 0 or stream.data[record - 1] != ord('"'):
        return None
    return _end_before(stream, stream.data.rfind(b'"', stream.start, record - 1))


def _end_before(stream: _Stream, following: int) -> tuple[int, int] | None:
    """Where the record ends that may stand before `following`, and `following`."""
    if following < 0:
        return None
    before = max(stream.start, following - _LONGEST_SEPARATOR)
    separated = stream.data[before:following].rstrip(_BLANK)
    record = separated[:-1].rstrip(_BLANK)
    if not separated.endswith(b",") or not record.endswith(b"}"):
        return None
    return before + len(record), following


def _followed_end(stream: _Stream, container: _Container, is_first: bool) -> tuple[int, bool]:
    """Where the run ends, by its brackets, and whether its container ends there.

    Raises `msgspec.DecodeError` where there is no such place, or no record before it.
    """
    while (end := _separator(stream)) is None:
        if stream.has_ended:
            raise _unsound(stream, len(stream.data), container, is_first)
        _refuse_malformed(stream, container)
        stream.fill_more()
    sign = stream.data[end : end + 1]
    is_blank = not stream.data[stream.start : end].strip(_BLANK)
    is_last = sign != b","
    if sign not in (b",", container.closing) or (is_blank and not (is_first and is_last)):
        raise _unsound_by(stream, end, container, is_first)
    return end, is_last


def _separator(stream: _Stream) -> int | None:
    """The bracket that ends the container, or the last comma before the end of the next run."""
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
    stream: _Stream,
    end: int,
    decode_run: Callable[[bytes], _Decoded],
    container: _Container,
    *,
    is_first: bool,
) -> _Decoded:
    run = stream.after(container.opening, end, container.closing)
    try:
        return decode_run(run)
    except msgspec.DecodeError:
        mended = spell_out_lone_surrogates(run)
    try:
        return decode_run(mended)
    except msgspec.DecodeError:
        raise _unsound_by(stream, end, container, is_first) from None


def _unsound_by(
    stream: _Stream, end: int, container: _Container, is_first: bool
) -> msgspec.DecodeError:
    """The error of a container that can't be JSON by `end`; the bytes after may say it."""
    stream.fill(end - stream.start + _LONGEST_SEPARATOR)
    return _unsound(stream, len(stream.data), container, is_first)


def _unsound(
    stream: _Stream, end: int, container: _Container, is_first: bool
) -> msgspec.DecodeError:
    """The error of a container up to `end`, where it can't be JSON."""
    opening = container.opening if is_first else container.begun
    try:
        container.decode(spell_out_lone_surrogates(stream.after(opening, end)))
    except msgspec.DecodeError as error:
        return _moved(error, lambda position: stream.place - len(opening) + position)
    raise AssertionError("a container that can't be JSON was decoded")


def _refuse_malformed(stream: _Stream, container: _Container) -> None:
    """Raise now what no later byte can mend, before more is read."""
    end = _end_of_whole_values(stream.data)
    if end > stream.start:
        error = _unsound(stream, end, container, is_first=True)
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
    for run in _whole_lines(stream):
        records = [msgspec.Raw(line) for line in run.splitlines() if line.strip()]
        if is_first and records:
            note_info(info_of_record(bytes(records[0])))
            is_first = False
        yield records


def _whole_lines(stream: _Stream) -> Iterator[bytes]:
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
        yield bytes(stream.data[stream.start : end])
        stream.start = end
