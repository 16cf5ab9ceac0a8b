"""Values of another type than a field's that can only mean one thing.

Programs write whole numbers as floats (pandas, where a column has gaps), numbers as texts
(spreadsheets), lists as texts, ids beyond 64 bits, and a list of one in the place of its value, or
a value in the place of a list. Whatever else a value may mean, it is no value of the field.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import inspect

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_NOTHING: Final[tuple[Any, ...]] = (None, "", [], {})
_LONGEST: Final = 2**20


def meant(raw: msgspec.Raw, kind: Any) -> msgspec.Raw | None:
    """The JSON of what a value means as one of `kind`, a type of Python; None where that is open.

    An empty text, list or object is null where the field may be.
    """
    if len(bytes(raw)) > _LONGEST:
        return None
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    info = inspect.type_info(kind)
    kinds = {type(each) for each in (info.types if isinstance(info, inspect.UnionType) else [info])}
    if value in _NOTHING:
        return msgspec.Raw(b"null") if inspect.NoneType in kinds else None
    for reading in _readings(value, kinds):
        # numbers in texts are read, but no "nan", "null" or "true"
        is_lax = all(map(_is_a_number, _texts_in(reading)))
        try:
            found = msgspec.convert(reading, kind, strict=not is_lax)
        except (msgspec.ValidationError, ValueError, RecursionError):
            continue
        return msgspec.Raw(msgspec.json.encode(found))
    return None


def _readings(value: Any, kinds: set[type]) -> Iterator[Any]:
    """What a value may be taken for, the nearest first."""
    yield value
    is_list = inspect.ListType in kinds
    if inspect.StrType in kinds and isinstance(value, int | float) and not isinstance(value, bool):
        whole = isinstance(value, int) or value.is_integer()
        if whole or inspect.IntType not in kinds:
            yield str(int(value)) if whole else str(value)
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{") and is_list:
        try:
            yield msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return
    if isinstance(value, list):
        if all(isinstance(points, list) and _are_pairs(points) for points in value):
            # points as pairs, where numbers follow one another
            yield [[number for point in points for number in point] for points in value]
        if len(value) == 1:
            yield value[0]
        if is_list:
            yield [value]


def _are_pairs(points: list[Any]) -> bool:
    return all(isinstance(point, list) and len(point) == 2 for point in points)


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts_in(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts_in(each)


def _is_a_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None
