"""Copies of the dbt project that a test changes, and warehouses that they build."""

import re
import shutil
from pathlib import Path

from gainsay.project.folder import project_vars
from gainsay.project.slices import slice_of
from tests.python.conftest import PROJECT, Warehouse


def copied_project(folder: Path, benchmarks: list[str]) -> Path:
    """A copy of what the dbt project has for some benchmarks, which its var `benchmarks` names."""
    files = slice_of(PROJECT, benchmarks, has_unit_tests=False)
    assert files is not None
    for path in (*files, Path("profiles/profiles.yml")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROJECT / path, folder / path)
    text = (PROJECT / "dbt_project.yml").read_text()
    known = project_vars(PROJECT)
    reviewed = [
        name for name in known["reviewed"] if name not in known["benchmarks"] or name in benchmarks
    ]
    for var, names in (("benchmarks", benchmarks), ("reviewed", reviewed)):
        text, n_vars = re.subn(
            rf"^  {var}:\s+\[.*\]$", f"  {var}: [{', '.join(names)}]", text, flags=re.MULTILINE
        )
        assert n_vars == 1
    if not (folder / "models/exports/formats/exports__carm.sql").exists():
        # a format of the refined suite
        text = text.replace("export_mixes_read_blind: {carm: carm}", "export_mixes_read_blind: {}")
    (folder / "dbt_project.yml").write_text(text)
    return folder


class CopyWarehouse(Warehouse):
    """A warehouse that a copy of the project builds, by commands in its own folder."""

    def __init__(self, folder: Path, project: Path) -> None:
        super().__init__(
            folder,
            GAINSAY_PROJECT=str(project),
            GAINSAY_PARSED=str(folder / "parsed"),
            GAINSAY_RENDERINGS=str(folder / "renderings"),
        )
        self.working_folder = folder

    def run(self, *arguments: str | Path) -> str:
        """What `gainsay` prints in this warehouse's folder; it must succeed."""
        return self.gainsay(*arguments).stdout
