"""Values in a form that does not depend on the engine that made them.

The form is that of the content hashes (macros/dbt/canonical.sql), taken into lists and structs: a
value is its length in characters, a colon, and its text; a null is a minus sign; a list, a struct
and a row are their values one behind the other. All forms are made by DuckDB, whichever engine
wrote the values, so that no two engines need to agree on how a double is spelled.
"""

from typing import Any

import duckdb

_NAMES = {"varchar": "string", "integer": "int", "blob": "binary", "hugeint": "decimal(38,0)"}
_FLOATS = ("float", "double")


def type_name(type_: duckdb.sqltypes.DuckDBPyType) -> str:
    """A type as both engines' users read it, such as `array<struct<judge: string>>`."""
    kind = type_.id
    if kind in ("list", "array"):
        return f"array<{type_name(_child(type_))}>"
    if kind == "struct":
        fields = (f"{name}: {type_name(field)}" for name, field in _children(type_))
        return f"struct<{', '.join(fields)}>"
    if kind == "decimal":
        (_, precision), (_, scale) = _children(type_)
        return f"decimal({precision},{scale})"
    if kind.startswith("timestamp"):
        # with or without a zone, they are compared as the same moments of UTC
        return "timestamp"
    return _NAMES.get(kind, kind)


def canonical_form(expression: str, type_: duckdb.sqltypes.DuckDBPyType) -> str:
    """The SQL of a value's canonical form."""
    return _framed(_text(expression, type_))


def _text(expression: str, type_: duckdb.sqltypes.DuckDBPyType, depth: int = 0) -> str:
    """The SQL of a value's text; null where the value is."""
    kind = type_.id
    if kind in ("list", "array"):
        element = f"element_{depth}"
        form = _framed(_text(element, _child(type_), depth + 1))
        forms = f"list_transform({expression}, lambda {element}: {form})"
        return f"array_to_string({forms}, '')"
    if kind == "struct":
        fields = (
            _framed(_text(f"struct_extract({expression}, '{_quoted(name)}')", field, depth))
            for name, field in _children(type_)
        )
        return f"if({expression} is null, null, {' || '.join(fields)})"
    if kind in _FLOATS:
        # a zero has no sign
        return f"cast(cast({expression} as double) + 0.0 as varchar)"
    if kind.startswith("timestamp"):
        return f"cast(epoch_us({expression}) as varchar)"
    if kind == "blob":
        return f"hex({expression})"
    return f"cast({expression} as varchar)"


def _framed(text: str) -> str:
    return f"coalesce(length({text}) || ':' || {text}, '-')"


def _children(type_: duckdb.sqltypes.DuckDBPyType) -> list[tuple[str, Any]]:
    """The fields of a struct, the element of a list, the numbers of a decimal."""
    return list(type_.children)


def _child(type_: duckdb.sqltypes.DuckDBPyType) -> Any:
    return _children(type_)[0][1]


def _quoted(name: str) -> str:
    return name.replace("'", "''")
