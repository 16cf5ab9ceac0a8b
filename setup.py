"""Put the dbt project into the wheel, as gainsay/_project; all else is in pyproject.toml.

The version stands in dbt_project.yml alone, as the var `code_version` that manifests say.
"""

import re
import runpy
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

VERSION = re.compile(r'^  code_version: "([^"]+)"$', re.MULTILINE)
PROJECT_PARTS = runpy.run_path("gainsay/project/parts.py")["PROJECT_PARTS"]


class BuildWithProject(build_py):
    """Copies the project's files beside the modules; a checkout has them already."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        shipped = Path(self.build_lib, "gainsay", "_project")
        # an earlier build may have left files that are gone since
        shutil.rmtree(shipped, ignore_errors=True)
        for part in PROJECT_PARTS:
            source, target = Path(part), shipped / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copyfile(source, target)


[version] = VERSION.findall(Path("dbt_project.yml").read_text())
setup(version=version, cmdclass={"build_py": BuildWithProject})
