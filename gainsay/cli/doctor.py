"""`gainsay doctor`: what is there, what is missing, and how to get it."""

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click
import msgspec
from rich.table import Table
from rich.text import Text

from gainsay.cli.tables import show
from gainsay.foundation.connection import warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.renderings import renderings_folder
from gainsay.project.folder import project_folder
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.installing import (
    IMPORT_NAME,
    foreign_distribution,
    install_command,
    own_distribution,
)
from gainsay.python_udfs.storage import absolute, is_local

_LEAST_FREE_GB = 2
_PLATFORMS = ("linux", "darwin")
_STATES = {"ok": "green", "optional": "yellow", "missing": "bold red"}

# a module of each extra, and what the extra is for
_EXTRAS = {
    "models": ("onnxruntime", "detectors, depth and inpainting by ONNX files"),
    "review": ("starlette", "the page on which people judge records"),
    "plots": ("matplotlib", "pictures of screening and scores, for papers"),
    "translation": ("sentencepiece", "translating by Marian networks as ONNX files"),
    "spark": ("pyspark", "building on Spark"),
}
# programs by their names, what each is for, and its package on Debian
_PROGRAMS = {
    "Tesseract": (("tesseract",), "reading text in pictures", "tesseract-ocr"),
    "Java": (("java",), "Spark", "openjdk-17-jre-headless"),
    "Chromium": (
        ("chromium", "chromium-browser", "google-chrome"),
        "the tests of pages in a browser",
        "chromium",
    ),
}


# the engines, and what measures pictures: other versions of these may make other records
_TOLD_PACKAGES = {
    "astropy", "dbt-core", "dbt-duckdb", "duckdb", "numpy", "opencv-python-headless", "pillow",
    "pycocotools",
}  # fmt: skip


class Finding(msgspec.Struct):
    """One thing that was looked at: `ok`, `optional` (absent, and only some need it), `missing`."""

    what: str
    state: str
    found: str
    remedy: str = ""


@click.command()
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
def command(project: Path | None) -> None:
    """Say what is there and what is missing, and how to get it.

    Ends with 1 when something is missing without which gainsay cannot build; what only some
    commands need is optional.
    """
    findings = [
        *_python(),
        *_platform(),
        *_distribution(),
        *_packages(),
        *_project(project),
        *_folders(),
        *_extras(),
        *_programs(),
    ]
    table = Table("what", "", "found", "to do")
    for finding in findings:
        state = Text(finding.state, style=_STATES[finding.state])
        table.add_row(finding.what, state, finding.found, finding.remedy)
    show(table)
    if any(finding.state == "missing" for finding in findings):
        sys.exit(1)


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    is_good = sys.version_info >= (3, 11)
    remedy = "" if is_good else "install Python 3.11 or later"
    yield Finding("Python", "ok" if is_good else "missing", f"{version}, {sys.executable}", remedy)


def _platform() -> Iterator[Finding]:
    is_known = sys.platform.startswith(_PLATFORMS)
    yield Finding(
        "system",
        "ok" if is_known else "optional",
        f"{platform.system()}; gainsay is for Linux and macOS, and tested on Linux",
        "" if is_known else "on Windows use the Windows Subsystem for Linux",
    )


def _distribution() -> Iterator[Finding]:
    """What gainsay is installed as, and what else has the name of its import."""
    own, foreign = own_distribution(), foreign_distribution()
    if own:
        yield Finding("gainsay", "ok", f"{own.metadata['Name']} {own.version}")
    if foreign:
        summary = foreign.metadata["Summary"] or "another project"
        pip = install_command().partition(" install")[0]
        yield Finding(
            "gainsay of another project",
            "missing",
            f"{foreign.metadata['Name']} {foreign.version}, {summary}: its files may stand in the"
            " place of these",
            f"{pip} uninstall {IMPORT_NAME}, then {install_command()}",
        )
    elif not own:
        yield Finding("gainsay", "optional", "runs without being installed", install_command())


def _packages() -> Iterator[Finding]:
    own = own_distribution()
    for requirement in (own.requires if own else None) or []:
        specifier, _, marker = requirement.partition(";")
        if "extra" in marker:
            continue
        name = specifier.strip()
        for position, character in enumerate(name):
            if not (character.isalnum() or character in "-_."):
                name = name[:position]
                break
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Finding(name, "missing", "not installed", f"pip install '{specifier.strip()}'")
            continue
        # versions that belong in a bug report; other packages show only if missing
        if name in _TOLD_PACKAGES:
            yield Finding(name, "ok", version)


def _project(named: Path | None) -> Iterator[Finding]:
    try:
        yield Finding("dbt project", "ok", str(project_folder(named)))
    except GainsayError as error:
        yield Finding("dbt project", "missing", str(error), "gainsay init DIR")


def _folders() -> Iterator[Finding]:
    places = {
        "warehouse (GAINSAY_DB)": warehouse_path().resolve(),
        "dbt's files (DBT_TARGET_PATH)": Path(
            os.environ.get("DBT_TARGET_PATH", "target")
        ).resolve(),
    }
    renderings = renderings_folder()
    what = "renderings (GAINSAY_RENDERINGS)"
    if is_local(renderings):
        places[what] = Path(absolute(renderings))
    else:
        yield Finding(what, "ok", f"{renderings}, in an object store")
    for what, path in places.items():
        nearest = next(folder for folder in (path, *path.parents) if folder.exists())
        if not os.access(nearest, os.W_OK):
            yield Finding(
                what, "missing", f"{path}: cannot be written", f"allow writing in {nearest}"
            )
            continue
        free = shutil.disk_usage(nearest).free / 2**30
        is_enough = free >= _LEAST_FREE_GB
        yield Finding(
            what,
            "ok" if is_enough else "missing",
            f"{path}, {free:,.0f} GB free",
            "" if is_enough else f"make room for at least {_LEAST_FREE_GB} GB",
        )


def _extras() -> Iterator[Finding]:
    for extra, (module, purpose) in _EXTRAS.items():
        if importlib.util.find_spec(module):
            yield Finding(f"extra {extra}", "ok", f"{module} {metadata.version(module)}")
        else:
            yield Finding(
                f"extra {extra}",
                "optional",
                f"absent: {purpose}",
                install_command(extra),
            )


def _text_engine(program: str) -> Finding:
    """Two machines that name another engine may read other words."""
    # OpenCV takes its time to load
    from gainsay.python_udfs.annotate.ocr import installed_engine

    try:
        return Finding("Tesseract", "ok", f"{program}, {installed_engine().name}")
    except SetupError as error:
        return Finding("Tesseract", "optional", program, str(error))


def _programs() -> Iterator[Finding]:
    for program, (names, purpose, package) in _PROGRAMS.items():
        found = next(filter(None, map(shutil.which, names)), None)
        if found and program == "Tesseract":
            yield _text_engine(found)
            continue
        if found:
            yield Finding(program, "ok", found)
            continue
        remedy = f"apt-get install {package}"
        if program == "Tesseract":
            remedy += ", or build with --vars '{annotate_ocr: false}'"
        yield Finding(program, "optional", f"absent: {purpose}", remedy)
