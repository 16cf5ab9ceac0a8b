"""Files that appear at once or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes its name when the block ends, and leaves nothing if it fails."""
    part = part_of(path)
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_at_once(path: Path, content: bytes) -> None:
    """Write a whole file."""
    with appearing(path) as file:
        file.write(content)


def part_of(path: Path) -> Path:
    """The name of a file while it is written."""
    return path.with_name(f".{path.name}.part")
