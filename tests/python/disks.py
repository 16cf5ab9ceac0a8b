"""Small disks for tests: tmpfs mounts, where the system permits them."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def remount(folder: Path, options: str) -> None:
    """Change the size or the mode of a mounted disk."""
    subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """Mount an empty disk of `size` (as `20m`) at `folder`."""
    folder.mkdir(exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
        check=True,
        capture_output=True,
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def _can_mount() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            with mounted(Path(folder) / "disk", "1m"):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


needs_mount = pytest.mark.skipif(not _can_mount(), reason="mounting a tmpfs is not permitted here")
