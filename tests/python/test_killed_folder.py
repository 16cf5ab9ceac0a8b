"""`gainsay reality-check FOLDER OUT` that is killed goes on, and ends as if it had not been."""

import hashlib
import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.python.conftest import PROJECT, Warehouse
from tests.python.forks import READS_ALONE

# more than the 64 that are kept at once, so that there is a middle to be killed in
N_PICTURES = 80
# crops and outlines of noise tell nobody what they are of
SETTINGS = (
    "--vars",
    "{annotate_ocr: false, reality_check_awaited_queues: [], reality_check_named_alone: false}",
)
Results = dict[str, tuple[int, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of noise, each another one, and beside them what is said of each: a dog."""
    folder = tmp_path_factory.mktemp("pictures")
    for number in range(N_PICTURES):
        picture = Image.effect_noise((120, 90), 30 + number)
        picture.convert("RGB").save(folder / f"{number}.png")
    images = [{"id": number, "file_name": f"{number}.png"} for number in range(N_PICTURES)]
    annotations = []
    for number in range(N_PICTURES):
        # elsewhere in each, because silhouettes of the same form are one file
        left, top = 10 + number % 15, 5 + number // 15
        outline = [
            left + 10, top, left + 50, top, left + 60, top + 20, left + 50, top + 50,
            left + 10, top + 50, left, top + 20,
        ]  # fmt: skip
        annotations.append(
            {
                "image_id": number, "category_id": 1, "bbox": [left, top, 60, 50],
                "segmentation": [outline], "area": 2500,
            }
        )  # fmt: skip
    objects = {
        "images": images, "annotations": annotations, "categories": [{"id": 1, "name": "dog"}],
    }  # fmt: skip
    folder.with_suffix(".json").write_text(json.dumps(objects))
    return folder


def command(folder: Path, out: Path) -> list[str | Path]:
    objects = folder.with_suffix(".json")
    return ["reality-check", folder, out, "--annotations", objects, *SETTINGS]


def kept(out: Path) -> Results:
    """What annotators and renderers keep: the row of each key, which writing anew changes."""
    found: Results = {}
    for index in (out / "work/renderings").rglob("index.sqlite"):
        connection = sqlite3.connect(f"file:{index}?mode=ro", uri=True)
        try:
            for key, row, result in connection.execute("select key, rowid, result from results"):
                found[f"{index.parent.name}|{key}"] = (row, result)
        except sqlite3.OperationalError:
            # it was being made
            pass
        finally:
            connection.close()
    return found


def pictures_of(out: Path) -> dict[str, int]:
    """The rendered pictures, and when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "work/renderings").rglob("*.png")}


# a run that kills itself and whatever it started, once a function has done its work so many times
KILLED = """
import itertools, os, signal, sys
from gainsay.cli import main
from gainsay.python_udfs.annotate import annotators
from gainsay.python_udfs.pixels import rendering

place, number, *arguments = sys.argv[1:]
module, name = {
    "annotating": (annotators, "keep_results"), "rendering": (rendering, "_write_once"),
}[place]
work, numbers = getattr(module, name), itertools.count(1)

def work_and_die(*given):
    work(*given)
    if next(numbers) == int(number):
        os.killpg(os.getpid(), signal.SIGKILL)

setattr(module, name, work_and_die)
main(arguments)
"""


def killed_while(place: str, number: int, folder: Path, out: Path, work: Warehouse) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, place, str(number), *command(folder, out)],
        cwd=PROJECT, env=work.environment, check=False, capture_output=True, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL, killed.stdout + killed.stderr


def delivery(out: Path) -> dict[str, str]:
    """Every file but those of the warehouse, by the hash of its content."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.relative_to(out).parts[0] != "work"
    }


@pytest.mark.slow
def test_a_run_that_was_killed_twice_ends_as_if_it_was_not(folder: Path, tmp_path: Path) -> None:
    work = Warehouse(tmp_path)
    # what the first run parsed serves the others, as it does outside of tests
    work.environment[READS_ALONE] = "1"
    out, whole = tmp_path / "killed", tmp_path / "whole"
    work.gainsay(*command(folder, whole))

    # while annotators look at the pictures
    killed_while("annotating", 1, folder, out, work)
    annotated = kept(out)
    assert annotated
    assert not pictures_of(out)

    # while models are built: some pictures are rendered and others are not
    killed_while("rendering", 6, folder, out, work)
    rendered, looked_at = pictures_of(out), kept(out)
    assert rendered
    assert annotated.items() <= looked_at.items()
    assert not (out / "data").exists()

    work.gainsay(*command(folder, out))
    # what was kept was neither looked at nor rendered again
    assert looked_at.items() <= kept(out).items()
    assert rendered.items() <= pictures_of(out).items()
    assert len(pictures_of(out)) > len(rendered)

    assert delivery(out) == delivery(whole)
    assert kept(out).keys() == kept(whole).keys()
