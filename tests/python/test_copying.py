"""`gainsay init` leaves a whole copy of the project, nothing, or what the next one finishes."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.project import copying
from gainsay.project.copying import copy_project
from gainsay.project.folder import own_project


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project with a file of each part."""
    folder = tmp_path_factory.mktemp("project")
    for part in copying.PROJECT_PARTS:
        if part.endswith(".yml"):
            (folder / part).write_text(part)
        else:
            (folder / part / "deep").mkdir(parents=True)
            (folder / part / "deep" / "file").write_text(part)
    (folder / "profiles" / "profiles.yml").write_text("profiles")
    return folder


@pytest.fixture(scope="module")
def whole(project: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a copy that nothing disturbs has."""
    folder = tmp_path_factory.mktemp("copies") / "copy"
    copy_project(project, folder)
    found = files_in(folder)
    assert found.keys() == {*files_in(project), "profiles.yml"}
    return found


def stopped_at(number: int, error: BaseException, name: str) -> tuple[Any, Callable[..., Any]]:
    """A function of `shutil` or `Path` that ends so when it is called for that time."""
    owner = shutil if name == "copyfile" else Path
    act = getattr(owner, name)
    calls = iter(range(number))

    def stopping(*arguments: Any, **named: Any) -> Any:
        if next(calls, None) is None:
            raise error
        return act(*arguments, **named)

    return owner, stopping


@pytest.mark.parametrize("name", ["copyfile", "rename"])
@pytest.mark.parametrize("number", range(7))
def test_a_kill_anywhere_is_made_good_by_the_next_call(
    project: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    name: str, number: int,
) -> None:  # fmt: skip
    folder = tmp_path / "copy"
    # a kill runs no handler, so that nothing is taken back
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    monkeypatch.setattr(Path, "rmdir", lambda _: None)
    owner, stopping = stopped_at(number, KeyboardInterrupt(), name)
    monkeypatch.setattr(owner, name, stopping)
    with pytest.raises(KeyboardInterrupt):
        copy_project(project, folder)
    monkeypatch.undo()
    assert not (folder / "dbt_project.yml").exists()
    copy_project(project, folder)
    assert files_in(folder) == whole


@pytest.mark.parametrize("is_there", [False, True])
def test_a_full_disk_leaves_nothing_and_says_why(
    project: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    is_there: bool,
) -> None:  # fmt: skip
    folder = tmp_path / "copy"
    if is_there:
        folder.mkdir()
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    for number in (0, 3):
        owner, stopping = stopped_at(number, full, "copyfile")
        with monkeypatch.context() as patch:
            patch.setattr(owner, "copyfile", stopping)
            with pytest.raises(GainsayError, match=r"copy: cannot write: .*No space left"):
                copy_project(project, folder)
        assert folder.exists() == is_there
        assert not is_there or list(folder.iterdir()) == []
    copy_project(project, folder)
    assert files_in(folder) == whole


def test_what_is_somebodys_is_not_copied_over(project: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(GainsayError, match="expected an empty folder or none, found notes"):
        copy_project(project, tmp_path)
    with pytest.raises(GainsayError, match="found a file"):
        copy_project(project, tmp_path / "notes")
    with pytest.raises(GainsayError, match="cannot write: File name too long"):
        copy_project(project, tmp_path / ("x" * 300))
    with pytest.raises(GainsayError, match=r"no file can be put into .*/notes: Not a directory"):
        copy_project(project, tmp_path / "notes" / "deep" / "copy")
    copy_project(project, tmp_path / "copy")
    with pytest.raises(GainsayError, match="expected an empty folder or none, found analyses"):
        copy_project(project, tmp_path / "copy")


def test_the_project_itself_has_what_is_copied() -> None:
    for part in copying.PROJECT_PARTS:
        assert (own_project() / part).exists(), part
