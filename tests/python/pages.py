"""The commands and queries that README, CONTRIBUTING and the pages of docs show."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.python.conftest import PROJECT

PAGES = (PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted(PROJECT.glob("docs/*.md")))


@dataclass(frozen=True)
class Shown:
    """A command or a query, and the page that shows it."""

    page: str
    text: str

    def words(self) -> list[str]:
        return shlex.split(self.text, comments=True)


def commands(page: Path) -> list[Shown]:
    """What the blocks of `sh` and `bash` of a page run, one command each, as it stands there."""
    return [
        Shown(page.name, shlex.join(command))
        for block in _blocks(page, "sh|bash")
        for line in _whole_lines(block)
        for command in _one_by_one(shlex.split(line, comments=True))
        if command
    ]


def queries(page: Path) -> list[Shown]:
    """What the blocks of `sql` of a page ask; pieces of models are not among them."""
    return [Shown(page.name, block) for block in _blocks(page, "sql") if _is_query(block)]


def answered_queries(page: Path) -> dict[str, str]:
    """The queries that stand below a question in bold, by it."""
    asked = r"^\*\*([^*\n]+)\*\*\n+```sql\n(.+?)```"
    return dict(re.findall(asked, page.read_text(), flags=re.MULTILINE | re.DOTALL))


def inline_commands(page: Path) -> list[Shown]:
    """The commands of `gainsay`, `dbt` and `make` that stand within sentences."""
    prose = re.sub(r"^\s*```.*?^\s*```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    spans = re.findall(r"(?<!`)`((?:gainsay|dbt|make) [^`]+)`(?!`)", prose)
    return [Shown(page.name, " ".join(span.split())) for span in spans]


def _blocks(page: Path, languages: str) -> list[str]:
    fence = rf"^\s*```(?:{languages})\n(.*?)^\s*```$"
    return re.findall(fence, page.read_text(), flags=re.MULTILINE | re.DOTALL)


def _is_query(block: str) -> bool:
    return "{{" not in block and block.lstrip().startswith(("select", "from", "with"))


def _whole_lines(block: str) -> Iterator[str]:
    """Lines, joined where a quote or a backslash goes on."""
    line = ""
    for part in block.splitlines():
        line = f"{line}\n{part}" if line else part
        if not line.endswith("\\") and _closes(line):
            yield line.replace("\\\n", " ")
            line = ""


def _closes(line: str) -> bool:
    try:
        shlex.split(line, comments=True)
    except ValueError:
        return False
    return True


def _one_by_one(words: list[str]) -> Iterator[list[str]]:
    command: list[str] = []
    for word in words:
        if word == "&&":
            yield command
            command = []
        else:
            command.append(word)
    yield command
