"""`python docs/picture.py REPORT.html`: draws docs/report.png, the first screen of a report.

Needs Chromium with its driver (`sh .ci/install-browser`) and the test tools. The picture keeps a
hash of what draws the page, and the sentences that say what came out of each benchmark, by which
tests see that it is today's, of today's demo.
"""

import hashlib
import re
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from PIL.PngImagePlugin import PngInfo

PROJECT: Final = Path(__file__).parents[1]
PICTURE: Final = PROJECT / "docs/report.png"
_WIDTH: Final = 1400
_HEIGHT: Final = 1340
KEY: Final = "drawn by"
SAYS: Final = "says"


def drawn_by() -> str:
    """A hash of the templates, styles, sections and blocks that a report is made of."""
    folder = PROJECT / "gainsay/report"
    files = [
        *(folder / "templates").glob("report.*"),
        *(folder / "sections").glob("*.py"),
        *(folder / "blocks").glob("*/*.sql"),
    ]
    digest = hashlib.sha256()
    for file in sorted([*files, folder / "charts.py", folder / "tables.py"]):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def sentences(report: Path) -> list[str]:
    """What a report says of each benchmark: its finished examples, and what passed."""
    text = report.read_text(encoding="utf-8")
    return re.findall(r'<p class="absent">([^<]* finished examples?: [^<]*)</p>', text)


def draw(report: Path) -> None:
    """Draw the first screen of a report, with the hash of what drew it and what it says inside."""
    from tests.python.chromium import chromium_in, set_colours

    with tempfile.TemporaryDirectory() as folder, chromium_in(Path(folder) / "profile") as driver:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": _WIDTH, "height": _HEIGHT, "deviceScaleFactor": 1, "mobile": False},
        )
        set_colours(driver, "light")
        driver.get(report.resolve().as_uri())
        shot = Path(folder) / "shot.png"
        driver.save_screenshot(str(shot))
        said = PngInfo()
        said.add_text(KEY, drawn_by())
        said.add_text(SAYS, "\n".join(sentences(report)))
        with Image.open(shot) as image:
            few = image.convert("RGB").quantize(128, method=Image.Quantize.MEDIANCUT)
            few.save(PICTURE, optimize=True, pnginfo=said)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/picture.py data/demo/report.html")
    sys.path.insert(0, str(PROJECT))
    draw(Path(sys.argv[1]))
