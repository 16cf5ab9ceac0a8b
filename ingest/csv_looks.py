"""The look at a CSV file before it is read: its encoding, its separator, what stands before it.

One for answers, manifests and sheets. Excel saves UTF-16 with tabs as "Unicode text", semicolons
where a comma is the decimal sign, and a first line `sep=;` for itself. What is in none of Unicode's
encodings is refused: its letters would be guessed.
"""

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable
from gainsay.foundation.sheets import allow_long_cells

# of the beginning of a file, in which the names of its columns stand
HEAD_BYTES: Final = 64 * 2**10
SPREADSHEETS: Final = (".xlsx", ".xls", ".ods", ".numbers")
_SEPARATORS: Final = ",;\t|"
_SAID: Final = re.compile(r"\s*\"?sep=(.)\"?[,;\t]*\s*", re.IGNORECASE)
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class CsvLook:
    """How a file is read: its encoding, which takes a byte order mark off, and its separator.

    `n_before`: lines before that with the names of columns.
    """

    encoding: str
    delimiter: str
    n_before: int

    @property
    def has_blanks(self) -> bool:
        """Whether blanks follow the separators, as in Flickr30k's tables."""
        return self.delimiter == "|"


def look_at_csv(head: bytes, fits: Callable[[Sequence[str]], bool]) -> CsvLook:
    """How the file reads that begins with `head`.

    The separator is what a line `sep=` says, else the one by which the first line has names of
    columns that `fits` takes, or else the most names, whatever the file is called.
    """
    encoding = "utf-16" if head.startswith(UTF_16) else "utf-8-sig"
    # the last letter may be cut
    text = head[: len(head) // 2 * 2].decode(encoding, "replace")
    first, _, _ = text.partition("\n")
    if said := _SAID.fullmatch(first):
        return CsvLook(encoding, said[1], 1)
    allow_long_cells()
    line = re.split(r"[\r\n]", first, maxsplit=1)[0]
    delimiter = max(_SEPARATORS, key=lambda sign: _fitness(line, sign, fits))
    return CsvLook(encoding, delimiter, 0)


def names_in(line: str, delimiter: str) -> list[str]:
    """The cells of a line that stands alone."""
    return next(csv.reader([line], delimiter=delimiter), [])


def _fitness(line: str, delimiter: str, fits: Callable[[Sequence[str]], bool]) -> tuple[bool, int]:
    names = [name.strip() for name in names_in(line, delimiter)]
    return fits(names), len(names)


def not_unicode(path: Path, error: UnicodeError) -> GainsayError:
    """The error of a file in another encoding than Unicode's."""
    return GainsayError(
        f"{printable(path)}: is not UTF-8; save it as CSV in UTF-8 (in Excel: CSV UTF-8, not CSV):"
        f" {error}"
    )


def require_no_spreadsheet(path: Path) -> None:
    """Raise `GainsayError` for a spreadsheet program's own file."""
    if path.suffix.lower() in SPREADSHEETS:
        raise GainsayError(
            f"{printable(path)}: a spreadsheet program's own file is not read; save its sheet as"
            " CSV in UTF-8, with ids as text, and land that"
        )
