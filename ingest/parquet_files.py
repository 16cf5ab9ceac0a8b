"""Parquet files from outside: what they declare is not believed.

A value that stands in a file once may be every row's value, and a page of blanks compresses to
nothing: rows are read a few at a time, and counted.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.foundation.archives import LARGEST_RATIO
from gainsay.foundation.errors import GainsayError

_ROWS_PER_READ: Final = 16
_RATIO_MATTERS_FROM: Final = 16 * 2**20
# ids in a row compress well: an answer file has hundreds of bytes for as many rows
_MOST_ROWS_OF_A_BYTE: Final = 64
_ROWS_MATTER_FROM: Final = 2**17
# a text that is every row's stands in a file once
_MOST_TIMES_REPEATED: Final = 2_000
_READ_MATTERS_FROM: Final = 2**28


@contextmanager
def parquet_errors_explained(path: Path) -> Iterator[None]:
    """Raise `GainsayError` for what is wrong with a Parquet file that the block reads."""
    try:
        yield
    except (pa.ArrowException, OSError, MemoryError) as error:
        raise GainsayError(f"{path}: not of the format that its name says: {error}") from error


class ParquetRows:
    """The rows of an opened Parquet file of `n_bytes`; `path` is for messages.

    Raises `GainsayError` for another file, and for one that would take more memory or time than
    its size can be worth.
    """

    def __init__(self, path: Path, opened: IO[bytes], n_bytes: int) -> None:
        self._path = path
        self._n_bytes = n_bytes
        with parquet_errors_explained(path):
            self._table = pq.ParquetFile(opened)
            self.names: list[str] = self._table.schema_arrow.names
            self.schema: pa.Schema = self._table.schema_arrow
            self.n_rows: int = self._table.metadata.num_rows
        self._refuse_declared()

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """All rows of these columns, a few at a time."""
        most = max(_READ_MATTERS_FROM, _MOST_TIMES_REPEATED * self._n_bytes)
        n_read = 0
        with parquet_errors_explained(self._path):
            # of several row groups pyarrow would keep all that it has read
            for group in range(self._table.num_row_groups):
                for encoded in self._table.iter_batches(
                    _ROWS_PER_READ, row_groups=[group], columns=list(names), use_threads=False
                ):
                    batch = _decoded(encoded)
                    n_read += batch.nbytes
                    if n_read > most:
                        raise self._refusal(f"its rows hold more than {most:,} bytes")
                    yield batch

    def _refuse_declared(self) -> None:
        metadata = self._table.metadata
        most_rows = max(_ROWS_MATTER_FROM, _MOST_ROWS_OF_A_BYTE * self._n_bytes)
        if not 0 <= metadata.num_rows <= most_rows:
            raise self._refusal(f"it declares {metadata.num_rows:,} rows")
        most = max(_RATIO_MATTERS_FROM, LARGEST_RATIO * self._n_bytes)
        declared = 0
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            declared += sum(
                max(0, group.column(place).total_uncompressed_size)
                for place in range(group.num_columns)
            )
            if declared > most:
                raise self._refusal(f"its columns declare more than {most:,} bytes")

    def _refusal(self, problem: str) -> GainsayError:
        return GainsayError(
            f"{self._path}: refused: {problem}, from {self._n_bytes:,} bytes of file, as no file"
            " of answers does; write it as .jsonl if it is sound"
        )


def _decoded(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch whose size is that of its values: a dictionary counts a value of all rows once."""
    columns = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, batch.schema.names)
