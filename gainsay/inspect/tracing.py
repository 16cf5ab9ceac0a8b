"""The way of one column down to raw tables, seeds and literals, as a tree."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from gainsay.foundation.errors import GainsayError
from gainsay.inspect.lineage import WHOLE_ROWS, Edge

_Column = tuple[str, str]

_MOST_NEAR_NAMES = 5


@dataclass
class Branch:
    """A line of a tree, and the lines below it."""

    label: str
    branches: list["Branch"] = field(default_factory=list)

    def add(self, label: str) -> "Branch":
        """Put a line below this one, and return it."""
        branch = Branch(label)
        self.branches.append(branch)
        return branch


def trace(edges: Iterable[Edge], name: str, *, with_rows: bool = False) -> Branch:
    """The tree of a column named `model.column`, each branch one step of one model.

    What was traced once is not traced again but referred to. `with_rows` adds what decides
    which rows the model has. Raises `GainsayError` for a model or column that is not there,
    with the nearest names.
    """
    origins: dict[_Column, list[Edge]] = {}
    for edge in edges:
        origins.setdefault((edge.model, edge.column_name), []).append(edge)
    check_model(name, {model for model, _ in origins})
    model, column = names_of(name)
    check_column(name, {other for owner, other in origins if owner == model} - {WHOLE_ROWS})
    tree = Branch(name)
    traced: set[_Column] = set()
    _grow(tree, origins, (model, column), traced)
    if with_rows:
        rows = tree.add("rows")
        _grow(rows, origins, (model, WHOLE_ROWS), traced)
    return tree


def names_of(name: str) -> tuple[str, str]:
    """The model and the column of `model.column`."""
    model, _, column = name.rpartition(".")
    return model, column


def check_model(name: str, models: Collection[str]) -> None:
    """Raise `GainsayError` unless the model of `model.column` is one of these."""
    model, column = names_of(name)
    if not model:
        raise GainsayError(f"{column}: expected MODEL.COLUMN{_near(column, models)}")
    if model not in models:
        raise GainsayError(f"{model}: no model of the project{_near(model, models)}")


def check_column(name: str, columns: Collection[str]) -> None:
    """Raise `GainsayError` unless the column of `model.column` is one of these."""
    model, column = names_of(name)
    if column not in columns:
        raise GainsayError(f"{model} has no column {column}{_near(column, columns)}")


def _grow(
    tree: Branch, origins: dict[_Column, list[Edge]], column: _Column, traced: set[_Column]
) -> None:
    traced.add(column)
    for edge in origins.get(column, ()):
        if edge.from_model is None or edge.from_column is None:
            tree.add(f"{edge.kind} {edge.literal or ''}")
            continue
        origin = edge.from_model, edge.from_column
        label = f"{edge.kind} {'.'.join(origin)}"
        if edge.from_type != "model":
            tree.add(f"{label} ({edge.from_type})")
        elif origin[1] == WHOLE_ROWS:
            tree.add(label)
        elif origin in traced:
            tree.add(f"{label} (traced above)")
        else:
            _grow(tree.add(label), origins, origin, traced)


def _near(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, sorted(known), n=_MOST_NEAR_NAMES)
    return f"; the nearest names are {', '.join(near)}" if near else ""
