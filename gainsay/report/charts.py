"""Inline SVG: bars in the cells of tables, and curves; and tables whose cells are tinted.

The numbers stand in a table beside each.

Colours are those of the style sheet by class; hatching, dashes and marks tell the same without
colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup, escape

from gainsay.report.tables import Row, Table
from gainsay.report.visible_text import visible

_WIDTH: Final = 340
_HEIGHT: Final = 250
_LEFT: Final = 40
_BOTTOM: Final = 40
_TOP: Final = 10
_RIGHT: Final = 10
MOST_LINES: Final = 6
_MOST_OF_A_LABEL: Final = 80


@dataclass(frozen=True)
class Line:
    """A curve and its name; points are between 0 and 1. One point alone is drawn with its `n`."""

    name: str
    points: Sequence[tuple[float, float]]
    n: int | None = None


@dataclass(frozen=True)
class Chart:
    """A drawing, and the table of its numbers."""

    kind = "chart"

    anchor: str
    heading: str
    drawing: Markup
    names: Sequence[str]
    table: Table
    note: str = ""


def bar(share: float | None) -> Markup:
    """A share of 1 as a bar."""
    if share is None:
        return Markup()
    return _bar_svg(_rect("of", 0, share))


def stage_bar(row: dict[str, Any]) -> Markup:
    """The candidates that a stage left and dropped, as shares of all."""
    n_candidates = row["n_candidates"]
    if not n_candidates:
        return Markup()
    if row["is_retained"]:
        return _bar_svg(_rect("kept", 0, row["n_ended"] / n_candidates))
    left, dropped = row["n_left"] / n_candidates, row["n_ended"] / n_candidates
    return _bar_svg(_rect("left", 0, left) + _rect("dropped", left, dropped))


def score_bar(row: dict[str, Any]) -> Markup:
    """A score as a mark, with one standard deviation to either side, and its target as a line."""
    scale = 100 if row["unit"] == "percent" else 1
    share = _within(row["value"] / scale)
    parts = Markup('<line class="axis" x1="0" x2="100%" y1="8" y2="8"/>')
    if row.get("target") is not None:
        place = _percent(_within(row["target"] / scale))
        parts += Markup('<line class="target" x1="{0}" x2="{0}" y1="1" y2="15"/>').format(place)
    if row.get("standard_deviation") is not None:
        ends = [
            _percent(_within((row["value"] + sign * row["standard_deviation"]) / scale))
            for sign in (-1, 1)
        ]
        parts += Markup('<line class="spread" x1="{}" x2="{}" y1="8" y2="8"/>').format(*ends)
    parts += Markup('<circle class="mark" cx="{}" cy="8" r="4"/>').format(_percent(share))
    return Markup('<svg class="bar" aria-hidden="true">{}</svg>').format(parts)


def forest_bar(row: Row) -> Markup:
    """A difference as a mark, with its interval, left or right of none; `reach` is its scale."""
    reach = row["reach"] or 1

    def place(value: float) -> str:
        return _percent(_within((value / reach + 1) / 2))

    return Markup(
        '<svg class="bar" aria-hidden="true">'
        '<line class="target" x1="50%" x2="50%" y1="0" y2="16"/>'
        '<line class="spread" x1="{}" x2="{}" y1="8" y2="8"/>'
        '<circle class="mark" cx="{}" cy="8" r="4"/></svg>'
    ).format(place(row["difference_low"]), place(row["difference_high"]), place(row["difference"]))


def heat(table: Table, row_name: str, column_name: str) -> Markup:
    """Values by two columns, tinted by how much of what can be reached is reached.

    Of rows with the same two names the first is shown.
    """
    names = list(dict.fromkeys(str(row[column_name]) for row in table.rows))
    by_row: dict[str, dict[str, Markup]] = {}
    for place, row in enumerate(table.rows):
        cell = _heat_cell(row, table.views[place] if table.views else None)
        by_row.setdefault(str(row[row_name]), {}).setdefault(str(row[column_name]), cell)
    # what is compared with itself stands in one order
    if {*names} == by_row.keys():
        names = [*by_row]
    heads = Markup().join(Markup('<th scope="col">{}</th>').format(_label(name)) for name in names)
    lines = Markup().join(
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            _label(name), Markup().join(cells.get(column, Markup("<td></td>")) for column in names)
        )
        for name, cells in by_row.items()
    )
    return Markup(
        '<div class="scroll" role="region" aria-label="{0}" tabindex="0"><table class="heat">'
        '<caption class="hidden">{0}</caption><thead><tr><th scope="col">{1}</th>{2}</tr></thead>'
        "<tbody>{3}</tbody></table></div>"
    ).format(visible(table.caption), row_name.replace("_", " "), heads, lines)


def _label(text: str) -> Markup:
    return Markup("<bdi>{}</bdi>").format(visible(text.replace("_", " "), _MOST_OF_A_LABEL))


def _heat_cell(row: Row, view: str | None) -> Markup:
    scale = 100 if row["unit"] == "percent" else 1
    share = row["value"] / scale
    shade = Markup(" shade-{}").format(round(10 * share)) if 0 <= share <= 1 else ""
    text = escape(f"{row['value']:.1f}" if scale == 100 else f"{row['value']:.3f}")
    if view is not None:
        text = Markup('<a href="{}">{}</a>').format(view, text)
    n = Markup(' title="n = {:,}"').format(row["n_answers"]) if "n_answers" in row else ""
    return Markup('<td class="number{}"{}>{}</td>').format(shade, n, text)


def curves(lines: Sequence[Line], title: str, x_label: str, y_label: str, diagonal: bool) -> Markup:
    """Curves over the unit square, or up to the highest point where all stay below a half."""
    highest = max((y for line in lines for _, y in line.points), default=1.0)
    top = 0.5 if highest <= 0.5 and not diagonal else 1.0
    parts = [_axes(top, x_label, y_label)]
    if diagonal:
        parts.append(_polyline([(0, 0), (1, 1)], top, "diagonal"))
    for number, line in enumerate(lines[:MOST_LINES]):
        if len(line.points) == 1:
            parts.append(_point(line, top, f"point c{number}"))
        else:
            parts.append(_polyline(line.points, top, f"curve c{number}"))
    size = Markup('viewBox="0 0 {} {}"').format(_WIDTH, _HEIGHT)
    return Markup('<svg class="curves" {} role="img" aria-label="{}">{}</svg>').format(
        size, title, Markup().join(parts)
    )


def _polyline(points: Sequence[tuple[float, float]], top: float, name: str) -> Markup:
    places = " ".join(f"{_x(x):.1f},{_y(y, top):.1f}" for x, y in points)
    return Markup('<polyline class="{}" points="{}"/>').format(name, places)


def _point(line: Line, top: float, name: str) -> Markup:
    """One value as a mark, with how many answers it is of beside it: it makes no curve."""
    [(x, y)] = line.points
    place = _x(x), _y(y, top)
    is_right = x > 0.7
    said = "" if line.n is None else f"n = {line.n:,}"
    return Markup(
        '<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="5"/>'
        '<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>'
    ).format(
        name, *place, place[0] + (-9 if is_right else 9), place[1] + 4,
        "end" if is_right else "start", said,
    )  # fmt: skip


def _axes(top: float, x_label: str, y_label: str) -> Markup:
    parts = []
    for step in range(5):
        x, y = _x(step / 4), _y(step / 4 * top, top)
        parts.append(
            Markup(
                '<line class="axis" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
                '<text x="{label}" y="{text:.1f}" text-anchor="end">{y_value:g}</text>'
                '<text x="{x:.1f}" y="{below}" text-anchor="middle">{x_value:g}</text>'
            ).format(
                left=_LEFT, right=_WIDTH - _RIGHT, y=y, label=_LEFT - 6, text=y + 4,
                y_value=step / 4 * top, x=x, below=_HEIGHT - _BOTTOM + 16, x_value=step / 4,
            )
        )  # fmt: skip
    parts.append(
        Markup(
            '<text x="{}" y="{}" text-anchor="middle">{}</text>'
            '<text x="12" y="{}" text-anchor="middle" transform="rotate(-90 12 {})">{}</text>'
        ).format(
            (_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 6, x_label, (_HEIGHT - _BOTTOM) / 2,
            (_HEIGHT - _BOTTOM) / 2, y_label,
        )
    )  # fmt: skip
    return Markup().join(parts)


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, top: float) -> float:
    return _TOP + (1 - value / top) * (_HEIGHT - _TOP - _BOTTOM)


def _bar_svg(content: Markup) -> Markup:
    return Markup('<svg class="bar" aria-hidden="true">{}</svg>').format(content)


def _rect(name: str, start: float, share: float) -> Markup:
    if share <= 0:
        return Markup()
    return Markup('<rect class="{}" x="{}" y="1" width="{}" height="14"/>').format(
        name, _percent(start), _percent(share)
    )


def _percent(share: float) -> str:
    return f"{share * 100:.2f}%"


def _within(share: float) -> float:
    return min(max(share, 0.0), 1.0)
