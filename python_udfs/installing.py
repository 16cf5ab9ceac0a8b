"""How this program was installed, and so how more of it is.

On the package index the name of the import, gainsay, is another project's: the distribution has a
name of its own, and a hint never sends anybody to the index but under that name.
"""

import json
import shlex
import sys
from importlib import metadata
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

DISTRIBUTION: Final = "gainsay-warehouse"
# of the import and the command, and of the distribution before it had a name of its own
IMPORT_NAME: Final = "gainsay"
_SUMMARY: Final = "A dbt warehouse for benchmarks in which picture and text disagree"


def own_distribution() -> metadata.Distribution | None:
    """What this program was installed as; None where its files are run without installing them."""
    for name in (DISTRIBUTION, IMPORT_NAME):
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if name == DISTRIBUTION or _is_own(found):
            return found
    return None


def foreign_distribution() -> metadata.Distribution | None:
    """Another project's distribution of the import's name, whose files mix with this one's."""
    try:
        found = metadata.distribution(IMPORT_NAME)
    except metadata.PackageNotFoundError:
        return None
    return None if _is_own(found) else found


def own_version() -> str:
    """The version that was installed; `unknown` where nothing was."""
    found = own_distribution()
    return found.version if found else "unknown"


def install_command(extra: str = "") -> str:
    """The command that installs this program again, from where it came from, with an extra."""
    named = f"[{extra}]" if extra else ""
    found = own_distribution()
    origin = json.loads(found.read_text("direct_url.json") or "{}") if found else {}
    url = str(origin.get("url", ""))
    options: list[str] = []
    if not found:
        target = f"{_shown(Path(__file__).parents[2])}{named}"
        options = ["-e"]
    elif not url:
        target = f"{DISTRIBUTION}{named}"
    elif "vcs_info" in origin:
        target = f"{DISTRIBUTION}{named} @ {origin['vcs_info'].get('vcs', 'git')}+{url}"
    elif url.startswith("file:"):
        target = f"{_shown(Path(unquote(urlsplit(url).path)))}{named}"
        options = ["-e"] if origin.get("dir_info", {}).get("editable") else []
    else:
        target = f"{DISTRIBUTION}{named} @ {url}"
    quoted = f"'{target}'" if named and "'" not in target else shlex.quote(target)
    return " ".join([_pip(), "install", *options, quoted])


def _is_own(found: metadata.Distribution) -> bool:
    return found.metadata["Summary"] == _SUMMARY


def _pip() -> str:
    """The pip of this very Python, as a person types it here."""
    # not resolved, because the program of an environment links to that of the system
    pip = Path(sys.executable).with_name("pip")
    if pip.exists():
        return shlex.quote(_shown(pip))
    return f"{shlex.quote(_shown(Path(sys.executable)))} -m pip"


def _shown(path: Path) -> str:
    """A path from the current folder where it lies below that, else from the root."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
