"""Whether seeds can be read, said before dbt stumbles over one without naming its file or row."""

import csv
from pathlib import Path

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import read_text
from gainsay.foundation.sheets import allow_long_cells


def require_readable_seeds(project: Path) -> None:
    """Raise `GainsayError` for a seed that is no CSV in UTF-8 whose rows are as long as the first.

    `project` is the folder of `dbt_project.yml`.
    """
    for path in sorted((project / "seeds").rglob("*.csv")):
        text = read_text(path, "utf-8-sig")
        allow_long_cells()
        reader = csv.reader(text.splitlines(keepends=True), strict=True)
        try:
            header = next(reader, [])
            for row in reader:
                if row and len(row) != len(header):
                    raise GainsayError(
                        f"{path}: line {reader.line_num:,} has {len(row)} cells; expected"
                        f" {len(header)}, as the first line: {', '.join(header)}"
                    )
        except csv.Error as error:
            raise GainsayError(f"{path}: no CSV at line {reader.line_num:,}: {error}") from error
