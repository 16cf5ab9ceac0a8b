"""The questions and records of a queue, read from the warehouse at once.

Nothing holds the warehouse's lock while they work.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import duckdb
import msgspec
from msgspec import Struct

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import read_text
from gainsay.foundation.queries import query, read, set_variables, sql_beside
from gainsay.foundation.reading import run_query
from gainsay.ingest.votes import Event
from gainsay.ingest.withdrawals import withdrawn_ids
from gainsay.project.folder import project_vars

# every reader may say of any record that it should be looked at again
FLAG: Final = "flag"
FLAGGED: Final = "yes"
# the page's own, whatever a queue asks
_ROWS_PER_PART: Final = 4_096
RESERVED_KEYS: Final = {"f", "n", "?", " ", "+", "-", "0"}


class Answer(Struct, frozen=True):
    """One of the answers of a question, and the key that gives it."""

    answer: str
    key: str
    label: str
    is_note_wanted: bool


@dataclass(frozen=True)
class Question:
    """A question that is asked about a record, with its answers."""

    name: str
    text: str
    answers: tuple[Answer, ...]

    def has(self, answer: str | None) -> bool:
        """Whether an answer is one of the question's."""
        return any(choice.answer == answer for choice in self.answers)


class ShownPicture(Struct, frozen=True):
    """A picture of a record: what it is to the record, and its file as the catalog has it.

    In an archive, `file` is `archive!member`; a rendering's lies below the folder of renderings;
    one that is not landed or not rendered has none.
    """

    role: str
    file: str | None = None
    archive: str | None = None
    is_rendering: bool = False
    picture_id: str | None = None

    def is_of(self, image_ids: Collection[str]) -> bool:
        """Whether it is one of these photographs, or a rendering of one."""
        return self.picture_id is not None and self.picture_id.partition("::")[0] in image_ids


class ShownText(Struct, frozen=True):
    """A text of a record; `marks` are the parts to look at, as places of characters."""

    label: str
    text: str
    marks: list[tuple[int, int] | None] = []
    language: str | None = None
    direction: str | None = None


class ShownChoice(Struct, frozen=True):
    """One of the lettered choices of a record's question."""

    letter: str
    text: str


class Shown(Struct, frozen=True):
    """A record as it is displayed."""

    pictures: list[ShownPicture] = []
    texts: list[ShownText] = []
    choices: list[ShownChoice] = []


class Record(Struct, frozen=True):
    """A row of `review__records`."""

    record_id: str
    record_md5: str
    is_gold: bool
    asked_questions: list[str] | None
    shown: str
    image_id: str | None = None


@dataclass
class Queue:
    """The records of a benchmark that are asked about, in their order, and what is asked."""

    benchmark: str
    name: str
    title: str
    task: str
    votes_per_record: int
    questions: dict[str, Question]
    records: dict[str, Record] = field(default_factory=dict)
    earlier: list[Event] = field(default_factory=list)
    """Events that have landed already."""
    withdrawn: frozenset[str] = frozenset()
    """Photographs that were taken down, and are shown no more."""

    @property
    def key(self) -> tuple[str, str]:
        return self.benchmark, self.name

    @property
    def label(self) -> str:
        """The queue's name for messages."""
        return f"{self.benchmark}/{self.name}"

    def asked(self, record: Record) -> list[str]:
        """The questions that are asked of a record, in the queue's order."""
        wanted = record.asked_questions
        return [name for name in self.questions if wanted is None or name in wanted]

    def takes(self, question: str, answer: str | None) -> bool:
        """Whether an answer is one that a question of the queue has; a flag is one of all."""
        if question == FLAG:
            return answer == FLAGGED
        return question in self.questions and self.questions[question].has(answer)

    def shown(self, record: Record) -> Shown:
        """The displayed parts of a record. Raises `GainsayError` where `shown` has others."""
        try:
            shown = msgspec.json.decode(record.shown, type=Shown)
        except msgspec.MsgspecError as error:
            raise GainsayError(
                f"review__records.shown of {self.label}, {record.record_id}: {error}; expected"
                " pictures, texts and choices; run `gainsay build`"
            ) from error
        pictures = [
            ShownPicture(one.role) if one.is_of(self.withdrawn) else one for one in shown.pictures
        ]
        return msgspec.structs.replace(shown, pictures=pictures)

    def language(self, record: Record) -> str | None:
        """The language of a record's last text, the one that is judged."""
        texts = self.shown(record).texts
        return texts[-1].language if texts else None


class _QueueRow(Struct):
    benchmark: str
    queue: str
    title: str
    task: str
    votes_per_record: int | None


class _AnswerRow(Struct):
    benchmark: str
    queue: str
    question: str
    text: str
    answer: str
    answer_key: str
    answer_label: str
    is_note_wanted: bool


class _RecordRow(Struct):
    benchmark: str
    queue: str
    record_id: str
    record_md5: str
    is_gold: bool
    asked_questions: list[str] | None
    shown: str
    image_id: str | None


def read_queues(
    connection: duckdb.DuckDBPyConnection,
    benchmark: str | None = None,
    name: str | None = None,
    record_ids: Collection[str] | None = None,
) -> list[Queue]:
    """The queues that have records, of a benchmark or a name if these are given.

    With `record_ids` no other records are asked about. Raises `GainsayError` where nothing is
    left to ask, and where two answers of a question share a key.
    """
    wanted = {"benchmark": benchmark, "queue": name}
    set_variables(connection, wanted)
    usual = int(project_vars()["review_votes_per_record"])
    withdrawn = withdrawn_ids(connection)
    queues = {
        (row.benchmark, row.queue): Queue(
            row.benchmark,
            row.queue,
            row.title,
            row.task,
            row.votes_per_record or usual,
            {},
            withdrawn=withdrawn,
        )
        for row in query(connection, sql_beside(__file__, "queues"), _QueueRow)
    }
    for queue_name, questions in _questions(connection).items():
        if queue_name in queues:
            queues[queue_name].questions = questions
    for row in read(
        connection,
        _RecordRow,
        "review.review__records",
        where="benchmark = coalesce($benchmark, benchmark) and queue = coalesce($queue, queue)",
        order="benchmark, queue, draw, record_id",
        parameters=wanted,
    ):
        queue = queues.get((row.benchmark, row.queue))
        if queue is None or (record_ids is not None and row.record_id not in record_ids):
            continue
        queue.records[row.record_id] = Record(
            row.record_id, row.record_md5, row.is_gold, row.asked_questions, row.shown,
            row.image_id,
        )  # fmt: skip
    for event in query(connection, sql_beside(__file__, "landed_votes"), Event):
        queue = queues.get((event.benchmark, event.queue))
        if queue is not None:
            queue.earlier.append(event)
    filled = [queue for queue in queues.values() if queue.records and queue.questions]
    if not filled:
        raise GainsayError(_nothing_to_ask(benchmark, name, record_ids))
    return filled


def _nothing_to_ask(
    benchmark: str | None, name: str | None, record_ids: Collection[str] | None
) -> str:
    of = "/".join(filter(None, (benchmark, name)))
    among = "among the records that are named" if record_ids is not None else "in the warehouse"
    return (
        f"{of + ': ' if of else ''}nothing to look at {among}; `gainsay build` fills the queues,"
        " and vocabulary.review_queues names them"
    )


def _questions(
    connection: duckdb.DuckDBPyConnection,
) -> dict[tuple[str, str], dict[str, Question]]:
    rows = query(connection, sql_beside(__file__, "questions"), _AnswerRow)
    answers: dict[tuple[str, str], dict[str, list[_AnswerRow]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        answers[row.benchmark, row.queue][row.question].append(row)
    return {
        name: {question: _question(name, found) for question, found in asked.items()}
        for name, asked in answers.items()
    }


def _question(queue: tuple[str, str], rows: list[_AnswerRow]) -> Question:
    keys = [row.answer_key for row in rows]
    for key in keys:
        if len(key) != 1 or key in RESERVED_KEYS or keys.count(key) > 1:
            raise GainsayError(
                f"review_questions.answer_key of {'/'.join(queue)}, {rows[0].question}: {key!r};"
                " expected one character for each answer, none of which the page needs itself:"
                f" {' '.join(sorted(RESERVED_KEYS)).strip()} and the space bar"
            )
    return Question(
        rows[0].question,
        rows[0].text,
        tuple(
            Answer(row.answer, row.answer_key, row.answer_label, row.is_note_wanted) for row in rows
        ),
    )


def ids_of_file(path: Path) -> set[str]:
    """The ids of a file, one a line or a list as JSON: of records, or of candidates.

    A candidate's is that which `gainsay browse` writes, `<benchmark>::<screening>::<id>`; its own
    id, behind these, is the record's in the queues of its benchmark. Raises `GainsayError` where
    the file cannot be read or has none.
    """
    text = read_text(path, "utf-8-sig")
    try:
        named = (
            msgspec.json.decode(text, type=list[str])
            if text.lstrip().startswith("[")
            else [line.strip() for line in text.splitlines() if line.strip()]
        )
    except ValueError as error:
        raise GainsayError(
            f"{path}: {error}; expected ids of records, one a line, or a list of them as JSON"
        ) from error
    if not named:
        raise GainsayError(f"{path}: has no id; expected ids of records, one a line")
    return {*named, *(parts[2] for name in named if len(parts := name.split("::", 2)) == 3)}


def ids_of_query(connection: duckdb.DuckDBPyConnection, sql: str) -> set[str]:
    """The first column of a query that a person wrote, as record ids.

    Raises `GainsayError` where it is none, and `duckdb.Error`.
    """
    result = run_query(connection, sql)
    found: set[str] = set()
    while rows := result.fetchmany(_ROWS_PER_PART):
        found |= {str(row[0]) for row in rows if row[0] is not None}
    return found
